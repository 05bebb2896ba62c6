"""Figures: from plain data to a `Picture`, one geometry for every writer.

`heatmaps` has scores and weights (7-2, 7-6) and heads side by side (7-9); `four_steps` the pipeline (7-1), `many_heads`
its heads (7-8), `bars` two rows compared (7-5), `ledgers` a weighted sum (7-7), `models` the heads of known models
(7-10). What they share is in `layout` (widths of texts, tokens, placing), `measures` (tints, ticks) and `maps` (a
heatmap laid out). Texts arrive certified; what is computed here is only where things stand and how dark they are.
"""
