"""A trace becomes a document tree."""
