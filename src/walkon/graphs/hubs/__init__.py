"""Snap-together graphs: few poses that many pieces of motion begin and end in exactly."""
