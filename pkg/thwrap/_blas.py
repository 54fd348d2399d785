"""Where the BLAS library is: the shared object in the package scipy-openblas32, found without importing that package.

Importing it would start threads and take far longer than thwrap; libTH opens the library when a product needs it.
"""

from __future__ import annotations

import os
import sys

from thwrap import _C

_PACKAGE = "scipy_openblas32"


def library_path() -> str | None:
    """The library's path, or None where the package is not installed."""
    for finder in sys.meta_path:
        spec = finder.find_spec(_PACKAGE, None)
        if spec is not None:
            break
    else:
        return None
    for folder in spec.submodule_search_locations or ():
        libraries = os.path.join(folder, "lib")
        if os.path.isdir(libraries):
            for name in sorted(os.listdir(libraries)):
                if name.startswith("libscipy_openblas") and name.endswith(".so"):
                    return os.path.join(libraries, name)
    return None


def announce() -> None:
    """Tells libTH the path. Once the library is open it stays: thwrap may be imported again after that."""
    path = library_path()
    if path is not None:
        try:
            _C._set_blas_library(path)
        except RuntimeError:
            return
