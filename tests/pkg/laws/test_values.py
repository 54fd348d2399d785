"""The laws of values, shapes and dtypes, for thwrap's own ops."""

from wrapgen.testing.laws.values import *  # noqa: F403
