"""The laws: what holds for every declared op, drawn from its entry and checked against NumPy.

thwrap's own tests and `wrapgen test` run the same files, `laws/`, each for its Subject. pytest, hypothesis and NumPy
are needed here and nowhere else in wrapgen.
"""
