"""The exam model for learning systems: one writer a format, and a lint for anyone's files."""
