"""A document tree becomes LaTeX, HTML, Markdown, text, pictures."""
