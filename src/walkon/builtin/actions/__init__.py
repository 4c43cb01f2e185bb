"""What people do besides getting about: over, under, down and up, and to each other. One action a file."""
