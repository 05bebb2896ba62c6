"""Quantities, steps and the record they make."""
