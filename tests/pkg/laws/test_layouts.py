"""The laws of layouts, threads and instruction sets, for thwrap's own ops."""

from wrapgen.testing.laws.layouts import *  # noqa: F403
