"""What the pipeline computes over: exact, balls, sympy, rounded."""
