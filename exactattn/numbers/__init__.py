"""The exact numbers: parsing, units, matrices, enclosures, certified rounding."""
