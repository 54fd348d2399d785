"""The laws of memory, for thwrap's own ops."""

from wrapgen.testing.laws.memory import *  # noqa: F403
