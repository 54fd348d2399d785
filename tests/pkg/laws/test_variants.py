"""The laws of variants, for thwrap's own ops."""

from wrapgen.testing.laws.variants import *  # noqa: F403
