"""Checksums and compression of tensors by zlib, declared in declarations/checksum.yaml."""

import thwrap  # noqa: F401 - first: it brings libTH.so, which checksum._C is linked with
from checksum._C import *  # noqa: F403
