"""The limit of the cache: what was used longest ago goes, what is in use stays."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import wrapgen
from wrapgen.packages import caching, limiting, loading

SCALED = "- {{name: scaled, types: [Float], arguments: [THTensor* self], kernel: 'self * {}'}}\n"
LOAD = """\
import sys, wrapgen
import thwrap as th
print(wrapgen.load(sys.argv[1]).scaled(th.ones(1)).item(), flush=True)
"""
# The process goes on until its standard input is closed.
WAIT = "sys.stdin.read()\n"

pytestmark = pytest.mark.usefixtures("cache")


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Declarations of ops that give 2, 3 and 4."""
    paths = [tmp_path / f"times{factor}.yaml" for factor in (2, 3, 4)]
    for factor, path in zip((2, 3, 4), paths, strict=True):
        path.write_text(SCALED.format(factor))
    return [str(path) for path in paths]


def start(program: str, path: str, limit: str = "1G") -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", program, path],
        env={**os.environ, "WRAPGEN_CACHE_LIMIT": limit},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def load(path: str, limit: str = "1G") -> float:
    """What the op of the file gives, in a process of its own."""
    output, error = start(LOAD, path, limit).communicate()
    assert not error.replace(f"wrapgen: building {Path(path).stem} ...\n", ""), error
    return float(output)


def kept(cache: Path) -> list[str]:
    return sorted(path.name.partition("-")[0] for path in cache.iterdir())


def test_least_recently_used_go_first(cache: Path, files: list[str]) -> None:
    """A load from the cache is a use, and the limit counts what files take."""
    assert [load(path) for path in files[:2]] == [2, 3]
    taken = sum(place.size for place in limiting.places())
    assert taken == sum(limiting._measure(folder) for folder in cache.iterdir())
    assert load(files[0]) == 2
    assert [place.folder.name.partition("-")[0] for place in limiting.places()] == [
        "times3",
        "times2",
    ]
    assert load(files[2], f"{taken * 5 // 4 // 1024}K") == 4
    assert kept(cache) == ["times2", "times4"]
    assert load(files[1], "0") == 3
    assert kept(cache) == ["times3"]


def test_what_is_in_use_stays(cache: Path, files: list[str]) -> None:
    """By a process that found it in the cache, and by one that built it."""
    assert load(files[0]) == 2
    running = [start(LOAD + WAIT, path) for path in files[:2]]
    for process, expected in zip(running, ("2.0\n", "3.0\n"), strict=True):
        assert process.stdout is not None
        assert process.stdout.readline() == expected
    assert load(files[2], "0") == 4
    assert kept(cache) == ["times2", "times3", "times4"]
    for process in running:
        process.communicate()
    shutil.rmtree(next(cache.glob("times4-*")))
    assert load(files[2], "0") == 4
    assert kept(cache) == ["times4"]


def test_several_processes_below_no_limit(cache: Path, files: list[str]) -> None:
    """Whoever removes what another is about to load or to build in, all get their module."""
    processes = [start(LOAD, path, "0") for path in files * 2]
    outputs = [process.communicate()[0] for process in processes]
    assert outputs == ["2.0\n", "3.0\n", "4.0\n"] * 2
    assert not list(cache.glob(f"{limiting._GONE}*"))


def test_a_place_removed_under_a_waiting_builder(cache: Path, files: list[str]) -> None:
    """Its lock is another file's then: the builder makes the place again."""
    request = loading.Request(Path(files[0]).read_bytes(), "times2", files[0], files[0])
    path = caching._lock_file(request)
    with path.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        process = start(LOAD, files[0])
        assert process.stderr is not None
        assert process.stderr.readline() == "wrapgen: building times2 ...\n"  # it waits
        path.parent.rename(cache / "elsewhere")
    assert process.communicate()[0] == "2.0\n"
    assert path.parent.is_dir()


def test_places_without_an_account(cache: Path) -> None:
    """A builder that was killed leaves one; it is measured."""
    half = cache / "half-built"
    half.mkdir(parents=True)
    (half / "object.o").write_bytes(bytes(10000))
    (half / "used").write_text("")
    (cache / f"{limiting._GONE}half").mkdir()
    (place,) = limiting.places()
    assert place.folder == half
    assert place.size >= 10000
    limiting.shrink()
    assert kept(cache) == ["half"]


@pytest.mark.parametrize("text", ["much", "1T", "-1", "1 G", "1.5G"])
def test_a_limit_that_is_none(text: str, files: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told before anything is built."""
    monkeypatch.setenv("WRAPGEN_CACHE_LIMIT", text)
    with pytest.raises(wrapgen.UserError) as caught:
        wrapgen.load(files[0])
    message = f"WRAPGEN_CACHE_LIMIT: expected a size as 500M or 2G, got '{text}'"
    assert str(caught.value) == message
