"""Linear algebra by LAPACK, over batches, declared in declarations/lapack.yaml."""

import thwrap  # noqa: F401 - first: it brings libTH.so, which lapack._C is linked with
from lapack._C import *  # noqa: F403
