"""`wrapgen new`: what it writes works as it is, and it never writes over anything."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from wrapgen.__main__ import main
from wrapgen.errors import UserError
from wrapgen.packages import scaffold
from wrapgen.toolchain import machine


def wrapgen(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "wrapgen", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A package with all that can be asked for, built."""
    folder = tmp_path_factory.mktemp("with space")
    made = wrapgen("new", "hydro", "--generic", "--sources", folder=folder)
    assert made.stdout == "wrapgen: wrote hydro; next: cd hydro && wrapgen build\n", made.stderr
    built = wrapgen("build", "--native", folder=folder / "hydro")
    assert built.returncode == 0, built.stderr
    assert re.fullmatch(r"wrapgen: built hydro/_C.abi3.so in \d+\.\d\d s\n", built.stdout), (
        built.stdout
    )
    return folder / "hydro"


def test_its_own_tests_pass(package: Path) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(command, cwd=package, capture_output=True, text=True, check=False)
    assert "4 passed" in done.stdout, done.stdout + done.stderr


def test_its_readme_runs(package: Path) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", (package / "README.md").read_text(), re.S)
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=package, capture_output=True, text=True, check=False
    )
    assert run.stdout == "tensor([-0.2689,  0.0000,  1.7616])\n", run.stderr


def test_nothing_is_left_outside_the_documented_places(package: Path) -> None:
    ignored = (package / ".gitignore").read_text().split()
    assert {"/build/", "/build.ninja", "*.so", "/hydro/_C.pyi"} <= set(ignored)
    names = {path.name for path in package.iterdir()} - {"__pycache__"}
    written = set(scaffold.texts("hydro", ("generic", "sources")))
    assert names == {path.split("/")[0] for path in written} | {"build", "build.ninja"}
    stub = (package / "hydro/_C.pyi").read_text()
    assert "def swish(input: Array" in stub


def edit(path: Path, before: str, after: str) -> None:
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after))
    later = time.time_ns() + 5_000_000  # ninja compares times
    os.utime(path, ns=(later, later))


def ninja(package: Path) -> str:
    done = subprocess.run(
        [machine.ninja_program(), "-C", str(package)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def test_ninja_rebuilds_what_an_edit_touched(package: Path) -> None:
    """After an edit of YAML, C and C++, and only that; a new file of declarations is found."""
    program = "import hydro, thwrap as th; print(hydro.swish(th.ones(1), 0).tolist(), {})"

    def call(text: str = "0") -> str:
        command = [sys.executable, "-c", program.format(text)]
        return subprocess.run(command, cwd=package, capture_output=True, text=True).stdout.strip()

    assert "no work to do" in ninja(package)
    assert call() == "[0.5] 0"
    edit(package / "declarations/hydro.yaml", 'kernel: "self / (', 'kernel: "2 * self / (')
    output = ninja(package)
    assert "kernels/hydro.c" in output
    assert "py_hydro.c" not in output
    assert call() == "[1.0] 0"
    assert "no work to do" in ninja(package)
    edit(package / "generic/hydro.c", "TH_LOAD(from + (n - 1 - i)", "TH_LOAD(from + (n - 1 - i)  ")
    output = ninja(package)
    assert "units/hydro.c" in output
    assert "kernels" not in output
    more = package / "declarations/more.yaml"
    more.write_text('- {name: less, arguments: [THTensor* self], kernel: "self - 1"}\n')
    ninja(package)
    assert call("hydro.less(th.ones(1)).tolist()") == "[1.0] [0.0]"
    more.unlink()
    ninja(package)
    assert call("hasattr(hydro, 'less')") == "[1.0] False"
    assert "no work to do" in ninja(package)


def test_building_again_does_nothing(package: Path) -> None:
    wrapgen("build", "--native", folder=package)
    module = package / "hydro/_C.abi3.so"
    before = module.stat().st_mtime_ns
    assert wrapgen("build", "--native", folder=package).returncode == 0
    assert module.stat().st_mtime_ns == before
    assert "no work to do" in ninja(package)


def test_check_reads_it(package: Path) -> None:
    done = wrapgen("check", "declarations", folder=package)
    assert done.stdout == "1 files, 4 operations, 4 forms: all right\n", done.stderr


def test_it_does_not_overwrite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/notes.txt").write_text("precious")
    assert main(["new", "mine"]) == 1
    assert capsys.readouterr().err == "wrapgen: 'mine' is there already; nothing was written\n"
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["notes.txt"]
    (tmp_path / "file").write_text("precious")
    assert main(["new", "file"]) == 1
    assert (tmp_path / "file").read_text() == "precious"
    (tmp_path / "empty").mkdir()
    assert main(["new", "empty"]) == 0


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Hydro", "expected a name of lower-case letters"),
        ("2d", "expected a name of lower-case letters"),
        ("a-b", "expected a name of lower-case letters"),
        ("../up", "expected a name of lower-case letters"),
        ("", "expected a name of lower-case letters"),
        ("lambda", "expected a name of lower-case letters"),
        ("json", "a module of Python's own library"),
        ("thwrap", "thwrap itself is called so"),
        ("tests", "a folder of the package is called so"),
    ],
)
def test_names_are_checked(name: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=message):
        scaffold.create(tmp_path, name)
    assert not list(tmp_path.iterdir())
