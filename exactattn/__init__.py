"""Attention worked by hand, exactly."""
