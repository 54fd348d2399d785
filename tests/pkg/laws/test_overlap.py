"""The laws of shared memory, for thwrap's own ops."""

from wrapgen.testing.laws.overlap import *  # noqa: F403
