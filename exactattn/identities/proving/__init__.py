"""Proofs by machine, at a given n, a file for each method. Nothing is simplified: polynomials are compared.

ratio       fractions of polynomials in letters and exponentials of letters: equality, sign
algebra     the arithmetic over these: the pipeline's own steps, worked with symbolic entries
calculus    derivatives and logarithms by their rules
circle      the ring with c² + s² = 1, for rotations
moments     means of products of independent entries
terms       the arithmetic whose entries are what was done with which inputs: what each step reads
claims      what a row asks of these, and the verdict
"""
