"""A take: the result of directing. Who plays which clip, when and where, with everything needed to see it."""

from walkon.take.file import FORMAT, read_take, write_take
from walkon.take.model import Role, Take, TakeClip

__all__ = ["FORMAT", "Role", "Take", "TakeClip", "read_take", "write_take"]
