"""How thwrap is built and set up, for people and for tools that compile against it."""

from __future__ import annotations

import os

from thwrap import _C

_PACKAGE = os.path.dirname(os.path.abspath(__file__))


def get_lib() -> str:
    """The folder of libTH.so."""
    return _PACKAGE


def get_include() -> str:
    """The folder to search for `#include <TH/TH.h>`."""
    return os.path.join(_PACKAGE, "include")


def show_config() -> str:
    """Versions, paths and settings, one on a line."""
    from thwrap import __version__
    from thwrap._blas import library_path

    rows = {
        "thwrap": __version__,
        "library": os.path.join(get_lib(), "libTH.so"),
        "headers": get_include(),
        "instruction set": _C._isa(),
        "threads": _C.get_num_threads(),
        "BLAS": os.environ.get("TH_BLAS") or library_path() or "none",
        "default dtype": _C.get_default_dtype().name,
    }
    width = max(map(len, rows))
    return "\n".join(f"{name:<{width}}  {value}" for name, value in rows.items())
