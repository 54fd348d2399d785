"""Filters over the last dim, an example of what a package can declare."""

import thwrap  # noqa: F401 - the library that the module is linked with
from signals._C import compress, compress_, median, moving_sum, polar, smooth

__all__ = ["compress", "compress_", "median", "moving_sum", "polar", "smooth"]
