"""Walks become motion: pieces are blended where they meet, and feet that stand stay where they stand."""
