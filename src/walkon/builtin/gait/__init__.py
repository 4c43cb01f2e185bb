"""Walking and running: footprints first, then feet that roll over them, then a body the legs can carry."""
