"""The folders that `make peers` measures; it is not run here."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.ways import PEERS, WAYS, Copy, Failure, Way


def test_ways_are_folders():
    folders = {path.name for path in PEERS.iterdir() if path.is_dir()}
    assert folders == {way.folder for way in WAYS}


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.folder)
def test_an_edit_changes_the_threshold(way: Way, tmp_path: Path):
    copy = Copy(way, tmp_path)

    def texts() -> str:
        return "".join((copy.folder / name).read_text() for name in way.files())

    before = texts()
    copy.edit("0.125")
    after = texts()
    assert after.count("0.125") == before.count("0.0") > 0
    copy.edit("0.0")
    assert texts() == before


def test_ours_are_short():
    assert {way.folder: way.lines(".yaml") for way in WAYS if way.ours} == {
        "thwrap_load": 4,
        "thwrap_load_all": 3,
        "thwrap_build": 4,
        "thwrap_build_all": 3,
    }


def test_what_is_missing_is_named():
    assert Way("f2py", "f2py", ("sh", "json", "no-such-compiler")).missing() == "no-such-compiler"
    assert Way("f2py", "f2py", ("sh", "json")).missing() == ""


def test_a_failure_says_why(tmp_path: Path):
    copy = Copy(WAYS[0], tmp_path)
    (copy.folder / "build.sh").write_text(
        "echo 'a.c:1:1: error: wrong' >&2; echo later >&2; exit 1\n"
    )
    with pytest.raises(Failure, match=r"^a\.c:1:1: error: wrong$"):
        copy.build_and_run("first_call.py", "0.0")
    (copy.folder / "build.sh").write_text("kill -SEGV $$\n")
    with pytest.raises(Failure, match=r"^Segmentation fault$"):
        copy.build_and_run("first_call.py", "0.0")
