"""The laws of the errors of math.yaml's functions, for thwrap's own ops."""

from wrapgen.testing.laws.ulp import *  # noqa: F403
