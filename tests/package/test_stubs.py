"""The stubs of op packages: what ops take, what they return, and that the types are those at run time."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import typing
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import foreign_ops
import numpy
import pytest
from making import ROOT, MakePackage

import thwrap as th

USAGE = Path(__file__).parent / "stub_usage.py"
# Each is refused, in both packages.
MISTAKES = (
    "ramp('text', 1)", "ramp(tensor, None)", "ramp([1, 2], 1)", "ramp(tensor)", "ramp(tensor, 1, out=1)",
    "ramp_(1, tensor)", "joined(tensor)", "joined(['text'])", "extremes(tensor, out=numbers)",
    "extremes(tensor, out=(tensor, tensor, tensor))", "extremes(tensor).middle", "ramp(tensor, 1).nothing",
    "return_types.ramp", "shaped(tensor, 'text')", "nothing(tensor)",
)  # fmt: skip


@pytest.fixture(scope="module")
def packages(make_package: MakePackage) -> tuple[ModuleType, ModuleType]:
    return (
        make_package("stubtensor", foreign_ops.DECLARATIONS, foreign_ops.GENERIC),
        make_package("stublike", foreign_ops.DECLARATIONS, foreign_ops.GENERIC, results="like"),
    )


def paths(packages: tuple[ModuleType, ...]) -> list[str]:
    folders = [Path(str(module.__file__)).parents[1] for module in packages]
    return [str(ROOT / "pkg"), *map(str, folders)]


Run = subprocess.CompletedProcess


def mypy(folder: Path, search: list[str], *files: str) -> Run[str]:
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", os.devnull]
    return subprocess.run(
        [*command, "--cache-dir", str(folder / "cache"), *files],
        capture_output=True,
        text=True,
        env=os.environ | {"MYPYPATH": os.pathsep.join(search)},
        cwd=folder,
        check=False,
    )


def pyright(folder: Path, search: list[str], *files: str) -> Run[str]:
    shown = ", ".join(f'"{path}"' for path in search)
    (folder / "pyrightconfig.json").write_text(f'{{"extraPaths": [{shown}], "include": ["*.py"]}}')
    command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable]
    return subprocess.run(
        [*command, "-p", str(folder)], capture_output=True, text=True, cwd=folder, check=False
    )


CHECKERS = pytest.mark.parametrize("checker", [mypy, pyright], ids=lambda checker: checker.__name__)
Checker = Callable[..., Run[str]]


@CHECKERS
def test_checkers_accept(checker: Checker, packages: Any, tmp_path: Path) -> None:
    pytest.importorskip(checker.__name__, reason="type checkers are in the dev group")
    (tmp_path / "usage.py").write_text(USAGE.read_text())
    done = checker(tmp_path, paths(packages), "usage.py")
    assert done.returncode == 0, done.stdout + done.stderr


@CHECKERS
def test_checkers_accept_the_stubs(checker: Checker, packages: Any, tmp_path: Path) -> None:
    pytest.importorskip(checker.__name__, reason="type checkers are in the dev group")
    for module in packages:
        (tmp_path / f"{module.__name__.removesuffix('._C')}.py").write_text(
            Path(str(module.__file__)).with_name("_C.pyi").read_text()
        )
    done = checker(tmp_path, [str(ROOT / "pkg")], "stubtensor.py", "stublike.py")
    lines = [line for line in done.stdout.splitlines() if "error" in line]
    assert [line for line in lines if "overlap" in line or "never be" in line] == []


@CHECKERS
def test_checkers_find_mistakes(checker: Checker, packages: Any, tmp_path: Path) -> None:
    pytest.importorskip(checker.__name__, reason="type checkers are in the dev group")
    head = "import numpy, stubtensor, stublike, thwrap as th\ntensor = th.ones(2)\nnumbers = numpy.ones(2)\n"
    calls = [f"{name}.{call}" for name in ("stubtensor", "stublike") for call in MISTAKES]
    (tmp_path / "mistakes.py").write_text(head + "".join(f"{call}\n" for call in calls))
    found = checker(tmp_path, paths(packages), "mistakes.py").stdout
    missed = [call for line, call in enumerate(calls, 4) if f"mistakes.py:{line}:" not in found]
    assert missed == []


def test_the_types_are_those_at_run_time(packages: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def check(value: Any, kind: Any) -> None:
        kind = typing.get_origin(kind) or kind
        assert kind is Any or isinstance(value, kind), f"{type(value)} is no {kind}"

    monkeypatch.setattr(typing, "assert_type", check)
    exec(compile(USAGE.read_text(), str(USAGE), "exec"), {"__name__": "stub_usage"})


def test_what_is_taken_is_told(packages: Any) -> None:
    """In docstrings, messages and lists of forms alike."""
    tensors, like = packages
    for module in packages:
        with pytest.raises(TypeError) as caught:
            module.raised("text", 1)
        assert str(caught.value) == (
            "raised(): no form accepts (str, int); the forms are:\n"
            "  raised(Tensor or array input, Tensor or array other, *, Tensor or array out=None)\n"
            "      argument 'input' must be Tensor or array, not str\n"
            "  raised(Tensor or array input, Number other, *, Tensor or array out=None)\n"
            "      argument 'input' must be Tensor or array, not str"
        )
        assert module.raised.__doc__.splitlines() == [
            "raised(Tensor or array input, Tensor or array other, *, Tensor or array out=None)",
            "raised(Tensor or array input, Number other, *, Tensor or array out=None)",
            "",
        ]
    for call, message in (
        (lambda: tensors.ramp("a", 1), "'input' (position 1) must be Tensor or array, not str"),
        (lambda: tensors.ramp(th.ones(1), "a"), "'weight' (position 2) must be Tensor, array or number, not str"),
        (lambda: tensors.ramp(th.ones(1), 1, out=3), "'out' must be Tensor or array, not int"),
    ):  # fmt: skip
        with pytest.raises(TypeError) as caught:
            call()
        assert str(caught.value) == f"ramp(): argument {message}"
    with pytest.raises(TypeError) as caught:
        like.joined([th.ones(1), 5])
    assert str(caught.value) == (
        "joined(): argument 'tensors' (position 1) must be sequence of Tensors or arrays, but item 1 is int"
    )
    with pytest.raises(TypeError) as caught:
        like.extremes(th.ones(1), out=th.ones(1))
    assert str(caught.value) == (
        "extremes(): argument 'out' must be tuple of 2 Tensors or arrays, not Tensor"
    )


def test_results_are_pickled_for_others(packages: Any, tmp_path: Path) -> None:
    """Another process finds the types by the package's name."""
    tensors, like = packages
    results = [tensors.extremes(th.arange(3)), like.extremes(numpy.arange(3))]
    program = (
        "import pickle, sys; found = pickle.load(sys.stdin.buffer)\n"
        "print(*(type(x) for x in found), *(type(x.low) for x in found), sep='\\n')"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        input=pickle.dumps(results),
        capture_output=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(paths(packages))},
        check=True,
    )
    assert done.stdout.decode().splitlines() == [
        "<class 'stubtensor.return_types.extremes'>",
        "<class 'stublike.return_types.extremes'>",
        "<class 'Tensor'>".replace("Tensor", f"{th.Tensor.__module__}.Tensor"),
        "<class 'numpy.int64'>",
    ]
