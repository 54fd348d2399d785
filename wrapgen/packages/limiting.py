"""Keeps the cache of `wrapgen.load` below a limit: the places that were used longest ago go.

The file `used` of a place says by its time when it was used last, by its content how much it takes, and by its lock
whether a process has a module of it loaded (see `loading.hold`). Such a place stays, as does one where somebody builds.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from wrapgen.errors import UserError
from wrapgen.packages.loading import USED, cache_folder

VARIABLE = "WRAPGEN_CACHE_LIMIT"
DEFAULT = "1G"
LOCK = "lock"  # of a place, held while somebody builds in it
_GONE = ".gone-"
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def limit() -> int:
    """In bytes, as the environment says."""
    text = os.environ.get(VARIABLE) or DEFAULT
    match = re.fullmatch(r"(\d{1,12})([KMG]?)", text, re.ASCII)
    if match is None:
        raise UserError(f"{VARIABLE}: expected a size as 500M or 2G, got '{text}'")
    return int(match[1]) * _UNITS[match[2]]


@dataclass(frozen=True)
class Place:
    """A folder of the cache."""

    folder: Path
    used: int  # when, in ns
    size: int  # in bytes


def _blocks(path: Path) -> int:
    """What a file takes on the disk; nothing when it is gone."""
    try:
        return path.lstat().st_blocks * 512
    except OSError:
        return 0


def _measure(folder: Path) -> int:
    return sum(_blocks(path) for path in folder.rglob("*") if path.name != USED)


def note_size(folder: Path) -> None:
    """Writes down what a place takes, so that nobody has to count its files again."""
    (folder / USED).write_text(str(_measure(folder)))


def _place(folder: Path) -> Place:
    """A place without an account, half built or of another time, is measured."""
    used = folder / USED
    try:
        return Place(folder, used.stat().st_mtime_ns, int(used.read_text()))
    except (OSError, ValueError):
        try:
            return Place(folder, folder.stat().st_mtime_ns, _measure(folder))
        except OSError:  # it goes while we look
            return Place(folder, 0, 0)


def places() -> list[Place]:
    """All there are, those used longest ago first."""
    try:
        folders = [path for path in Path(cache_folder()).iterdir() if path.is_dir()]
    except OSError:
        return []
    found = [_place(folder) for folder in folders if not folder.name.startswith(_GONE)]
    return sorted(found, key=lambda place: place.used)


def shrink() -> None:
    """Removes places until the rest is below the limit, or in use."""
    found, most = places(), limit()
    size = sum(place.size for place in found)
    for place in found:
        if size <= most:
            break
        if _remove(place.folder):
            size -= place.size
    for rest in Path(cache_folder()).glob(f"{_GONE}*"):  # of those who were killed here
        shutil.rmtree(rest, ignore_errors=True)


def _remove(folder: Path) -> bool:
    """Whether nobody uses the place, so that it went. It goes at once, by another name."""
    with _locked(folder / LOCK) as idle, _locked(folder / USED) as unused:
        if not idle or not unused:
            return False
        gone = folder.with_name(f"{_GONE}{folder.name}")
        try:
            folder.replace(gone)
        except OSError:
            return False
        shutil.rmtree(gone, ignore_errors=True)
    return True


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[bool]:
    """Holds the lock of a file, where nobody else does."""
    try:
        file = path.open("a")
    except OSError:
        yield False
        return
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            yield False
        else:
            yield True
