"""Which candidates become transitions of a graph: blends are tried and measured, and people have their say."""
