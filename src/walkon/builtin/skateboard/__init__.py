"""A skateboarder: the board, the feet on it, and what a rider does with both."""
