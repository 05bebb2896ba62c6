"""Rules for QTI 1.2 in Canvas's flavour, as Canvas imports it."""
