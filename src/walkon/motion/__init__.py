"""Clips: reading, describing and editing motion."""

from walkon.motion.clip import Clip, Contacts, Label

__all__ = ["Clip", "Contacts", "Label"]
