"""The machine and the versions a table was measured with."""

from __future__ import annotations

import os
import platform
import time
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
    return [
        f"{cpu}, {cores} cores{f', cache {cache}' if cache else ''}; {platform.system()} {platform.release()}, "
        f"{' '.join(platform.libc_ver())}.",
        f"thwrap {thwrap.__version__}{f' ({loops} loops)' if loops else ''}, NumPy {numpy.__version__}, "
        f"PyTorch {torch.__version__}, Python {platform.python_version()}.",
    ]


class Company:
    """The processor time that other processes take from now on."""

    def __init__(self) -> None:
        self.begin, self.others = time.monotonic(), self._others()

    @staticmethod
    def _others() -> float:
        """Seconds that the machine was busy with anything but this process and its children."""
        line = Path("/proc/stat").read_text().splitlines()[0].split()
        user, nice, system, _, _, irq, softirq = (int(field) for field in line[1:8])
        busy = (user + nice + system + irq + softirq) / os.sysconf("SC_CLK_TCK")
        return busy - sum(os.times()[:4])

    def remark(self) -> list[str]:
        """Lines of Markdown: empty unless others took a tenth of a core or more."""
        cores = (self._others() - self.others) / (time.monotonic() - self.begin)
        if cores < 0.1:
            return []
        return ["", f"**Other processes took {cores:.1f} cores:** these figures are of little use."]
