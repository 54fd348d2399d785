"""The machine and the versions a table was measured with."""

from __future__ import annotations

import os
import platform
from pathlib import Path

import numpy
import torch

import thwrap


def _field(path: str, key: str) -> str:
    """The value of the first `key: value` line of a file in /proc; empty where there is none."""
    file = Path(path)
    for line in file.read_text().splitlines() if file.is_file() else ():
        name, _, value = line.partition(":")
        if name.strip() == key:
            return value.strip()
    return ""


def _loops() -> str:
    """The instruction set whose loops thwrap has chosen."""
    from thwrap._C import ffi, lib

    return (
        ffi.string(lib.THIsa_name(lib.THIsa_current)).decode() if hasattr(lib, "THIsa_name") else ""
    )


def describe() -> list[str]:
    """Lines of Markdown."""
    cpu = _field("/proc/cpuinfo", "model name") or platform.machine()
    cores = len(os.sched_getaffinity(0))
    cache = _field("/proc/cpuinfo", "cache size")
    loops = _loops()
    load = os.getloadavg()[0]
    return [
        f"{cpu}, {cores} cores{f', cache {cache}' if cache else ''}; {platform.system()} {platform.release()}, "
        f"{' '.join(platform.libc_ver())}.",
        f"thwrap {thwrap.__version__}{f' ({loops} loops)' if loops else ''}, NumPy {numpy.__version__}, "
        f"PyTorch {torch.__version__}, Python {platform.python_version()}.",
        *(
            [f"**{load:.1f} other processes were running:** these figures are of little use."]
            if load > 0.5
            else []
        ),
    ]
