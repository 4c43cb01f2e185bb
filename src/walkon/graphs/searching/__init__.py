"""Walks through a graph that do what is wanted: at random, along a path, in a direction, by mutations."""
