"""Checks on numbers: what a row says of given exact inputs, worked by the pipeline and decided.

given     the inputs, and the pipeline over them
check     facts: two sides and a relation, decided by the normal form before enclosures
of_*      the checks of the rows, by family
"""
