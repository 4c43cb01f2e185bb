"""Precomputed search trees: ways worked out in advance, looked up in microseconds."""
