"""Case files: reading, checking, the bundled ones."""
