"""A take: the result of directing. Who plays which clip, when and where, with everything needed to see it."""

from walkon.take.file import FORMAT, read_take, write_take
from walkon.take.model import Role, Take, TakeClip
from walkon.take.outlines import outline_at

__all__ = ["FORMAT", "Role", "Take", "TakeClip", "outline_at", "read_take", "write_take"]
