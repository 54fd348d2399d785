"""The instruction sets of this machine."""

from __future__ import annotations

import thwrap as th

KNOWN = ("base", "v3", "avx512")


def available() -> list[str]:
    """From the narrowest on."""
    used, names = th._C._isa(), []
    for name in KNOWN:
        try:
            th._C._set_isa(name)
        except (ValueError, RuntimeError):  # not of this architecture, not of this machine
            break
        names.append(name)
    th._C._set_isa(used)
    return names
