"""`wrapgen doctor`: what is there, what is missing, and what to do."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import thwrap as th
from wrapgen.__main__ import main
from wrapgen.packages import scaffold
from wrapgen.toolchain import doctor, machine


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WRAPGEN_CACHE", str(tmp_path / "cache"))


def rows(text: str) -> dict[str, tuple[str, str]]:
    """What is said of each thing: its mark and the rest of the line."""
    lines = [line for line in text.splitlines() if line[:2] in ("ok", "NO", "--")]
    names = [finding.what for finding in (check() for check in doctor.CHECKS)] + ["test build"]
    return {
        name: (line[:2], line[4 + len(name) :].strip())
        for line in lines
        for name in names
        if line[4:].startswith(name)
    }


def test_a_machine_that_builds(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["doctor"]) == 0
    text = capsys.readouterr().out
    found = rows(text)
    assert {mark for mark, _ in found.values()} == {"ok"}
    assert len(found) == len(doctor.CHECKS) + 1
    assert th._C._isa() in found["instruction set"][1]
    assert f"{th.__version__}, interface 1." in found["thwrap"][1]
    assert found["test build"][1].endswith(" kB")
    assert text.endswith("All right.\n")
    assert not (tmp_path / "cache").exists()


def test_what_is_missing(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each with what to do; the C++ compiler alone is no reason to fail."""
    monkeypatch.setenv("CXX", "no-such-c++")
    assert main(["doctor"]) == 0
    assert rows(capsys.readouterr().out)["C++ compiler"][0] == "--"
    monkeypatch.setenv("CC", "no-such-cc")
    monkeypatch.setattr(machine, "python_include", lambda: tmp_path)
    monkeypatch.setattr(th, "get_lib", lambda: str(tmp_path))
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("WRAPGEN_CACHE", str(tmp_path / "file/cache"))
    assert main(["doctor"]) == 1
    text = capsys.readouterr().out
    found = rows(text)
    for name in ("C compiler", "Python headers", "thwrap", "cache"):
        assert found[name][0] == "NO"
    assert "test build" not in found
    for advice in ("apt install gcc", "apt install python3-dev", "run ninja", "set WRAPGEN_CACHE"):
        assert f"-> {advice}" in text or advice in text
    assert text.endswith("This machine cannot build op packages yet.\n")


def test_a_compiler_that_fails(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says its version, but it cannot compile: only the test build can tell."""
    compiler = tmp_path / "broken"
    compiler.write_text(
        '#!/bin/sh\ntest "$1" = --version && exec cc --version\necho "out of order" >&2\nexit 1\n'
    )
    compiler.chmod(0o755)
    monkeypatch.setenv("CC", str(compiler))
    assert main(["doctor"]) == 1
    text = capsys.readouterr().out
    assert rows(text)["test build"][0] == "NO"
    assert "out of order" in text


def test_headers_of_the_c_library(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A compiler alone is not enough: the test build says so."""
    compiler = tmp_path / "bare-cc"
    compiler.write_text('#!/bin/sh\nexec cc -nostdinc "$@"\n')
    compiler.chmod(0o755)
    monkeypatch.setenv("CC", str(compiler))
    assert main(["doctor"]) == 1
    text = capsys.readouterr().out
    assert rows(text)["test build"][0] == "NO"
    assert "-> install the headers of the C library (Debian: apt install libc6-dev)\n" in text


BLOCKED = """\
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == sys.argv[1]:
            raise ModuleNotFoundError(f"No module named '{name}'", name=name)

sys.meta_path.insert(0, Blocked())
from wrapgen.__main__ import main
sys.exit(main(sys.argv[2:]))
"""


@pytest.mark.parametrize(("module", "name"), [("yaml", "PyYAML"), ("thwrap", "thwrap")])
def test_verbs_without_what_they_import(module: str, name: str, tmp_path: Path) -> None:
    scaffold.create(tmp_path, "hydro")
    done = subprocess.run(
        [sys.executable, "-c", BLOCKED, module, "build"],
        cwd=tmp_path / "hydro",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr == (
        f"wrapgen: {name} cannot be imported: No module named '{module}'\n"
        f"wrapgen: pip install --upgrade {name}; `wrapgen doctor` looks further\n"
    )
