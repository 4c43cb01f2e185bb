"""Which windows of recordings are alike: clouds of points, distances between them, and their local minima."""
