"""Feet: who is planted, which of them stand, how they are held in place, and how far they slide."""

from walkon.motion.feet.contacts import find_contacts
from walkon.motion.feet.holding import plant_feet

__all__ = ["find_contacts", "plant_feet"]
