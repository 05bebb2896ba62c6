"""Rules for items of QTI 2.1, 2.2 and 3.0: what a schema does not see, and what players refuse or mark wrongly."""
