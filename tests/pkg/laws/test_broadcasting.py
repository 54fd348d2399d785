"""The laws of how shapes combine, for thwrap's own ops."""

from wrapgen.testing.laws.broadcasting import *  # noqa: F403
