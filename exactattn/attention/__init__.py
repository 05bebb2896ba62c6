"""The pipeline, written once."""
