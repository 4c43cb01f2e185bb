"""A horse: the gallop as hooves, limbs, trunk and the way they carry the body along."""
