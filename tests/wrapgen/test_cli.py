"""The command line, as a user sees it: exit status, what is printed and where."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from declaring import HERE, ROOT, Declared

from wrapgen.__main__ import main
from wrapgen.toolchain import machine

Golden = Callable[[Path, str], None]
GOOD = "- {name: one, arguments: [THTensor* self, THTensor* other], kernel: 'self + other'}\n"
BAD = "- name: one\n  arguments: [THTensor* self]\n  kernal: 'self'\n  types: [Flaot]\n"


def run(*arguments: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """`python -m wrapgen` in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "wrapgen", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def inside(declared: Declared, monkeypatch: pytest.MonkeyPatch) -> Declared:
    """Declarations below the working directory."""
    monkeypatch.chdir(declared.folder.parent)
    return declared


def test_check_good(inside: Declared, capsys: pytest.CaptureFixture[str]) -> None:
    inside.write(GOOD)
    for arguments in (["check"], ["check", "declarations"], ["check", "declarations/ops.yaml"]):
        assert main(arguments) == 0
        assert capsys.readouterr() == ("1 files, 2 operations, 2 forms: all right\n", "")


def test_check_bad(declared: Declared) -> None:
    """In a process: the status is 1, all that is wrong is on stderr, in the form editors jump to."""
    declared.write(BAD)
    result = run("check", "declarations/ops.yaml", folder=declared.folder.parent)
    assert (result.returncode, result.stdout) == (1, "")
    lines = result.stderr.splitlines()
    assert (
        lines[0] == "declarations/ops.yaml:3:3: error: unknown key 'kernal'; did you mean 'kernel'?"
    )
    assert lines[1].startswith(
        "declarations/ops.yaml:4:11: error: unknown dtype 'Flaot'; did you mean 'Float'?"
    )
    assert lines[2:] == ["wrapgen: 2 errors"]


def test_check_counts_one_error(inside: Declared, capsys: pytest.CaptureFixture[str]) -> None:
    inside.write("- {name: one}\n")
    assert main(["check"]) == 1
    assert capsys.readouterr().err.splitlines()[-1] == "wrapgen: 1 error"


def test_check_of_a_file_that_is_not_there(
    inside: Declared, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "nothing.yaml"]) == 2
    assert capsys.readouterr().err == "wrapgen: no such file: nothing.yaml\n"


def test_explain(inside: Declared, golden: Golden, capsys: pytest.CaptureFixture[str]) -> None:
    """The entry, what each plugin made of it, the C: step by step."""
    text = (HERE / "golden/Kernel.yaml").read_text(encoding="utf-8")
    inside.write(text, "sample.yaml")
    assert main(["explain", "prelu"]) == 0
    golden(HERE / "explain.txt", capsys.readouterr().out)


def test_explain_names_every_step(inside: Declared, capsys: pytest.CaptureFixture[str]) -> None:
    inside.write((HERE / "golden/Broadcast.yaml").read_text(encoding="utf-8"), "sample.yaml")
    assert main(["explain", "addmv_"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("declarations/sample.yaml:1\n- name: addmv\n")
    assert "- name: masked" not in text
    for step in (
        "after Inplace",
        "AssertNDim\n",
        "Inplace\n",
        "addmv_: C\n",
        "THFloatTensor_addmv(",
    ):
        assert step in text


def test_explain_an_unknown_name(inside: Declared, capsys: pytest.CaptureFixture[str]) -> None:
    inside.write(GOOD)
    assert main(["explain", "onee"]) == 1
    assert (
        capsys.readouterr().err == "wrapgen: no operation 'onee' is declared; did you mean 'one'?\n"
    )


def test_explain_with_errors(inside: Declared, capsys: pytest.CaptureFixture[str]) -> None:
    inside.write(GOOD + "- {name: two, arguments: [THTensor* self], kernel: 'slef'}\n")
    assert main(["explain", "two"]) == 1
    assert "unknown name 'slef'; did you mean 'self'?" in capsys.readouterr().err


def test_generate_with_errors(inside: Declared, capsys: pytest.CaptureFixture[str]) -> None:
    inside.write(BAD)
    assert (
        main(["generate", "--output", "gen", "--depfile", "dep", "--stamp", "gen/chapters.txt"])
        == 1
    )
    assert "wrapgen: 2 errors\n" in capsys.readouterr().err
    assert not Path("gen").exists()
    assert not Path("dep").exists()


@pytest.mark.parametrize(
    "arguments",
    [[], ["nothing"], ["explain"], ["check", "--what"], ["configure", "--profile", "fast"]],
)
def test_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    assert "usage: wrapgen" in capsys.readouterr().err


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What configure reads, in a folder of its own."""
    for name in ("build.ninja.in",):
        shutil.copy(ROOT / name, tmp_path / name)
    for folder in ("declarations", "TH", "pkg/csrc"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_configure(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The build file has no hole left, names every chapter, and is written only when it changes."""
    assert main(["configure", "--cc", "cc"]) == 0
    assert capsys.readouterr().out == "wrapgen: wrote build.ninja\n"
    path = tree / "build.ninja"
    text = path.read_text(encoding="utf-8")
    assert not [line for line in text.splitlines() if "@" in line and not line.startswith("#")]
    for source in (tree / "declarations").glob("*.yaml"):
        expected = source.stem not in ("dtypes", "math", "cwrap")
        assert (f"$gen/py_{source.stem}.c" in text) == expected
    os.utime(path, ns=(0, 0))
    assert main(["configure", "--cc", "cc"]) == 0
    assert path.stat().st_mtime_ns == 0


def test_configure_keeps_profiles_apart(tree: Path) -> None:
    (tree / "pkg/thwrap").mkdir()
    (tree / "pkg/thwrap/__init__.py").write_text("")
    assert (
        main(
            [
                "configure",
                "--profile",
                "asan",
                "--builddir",
                "build/asan",
                "--out",
                "build/asan/thwrap",
            ]
        )
        == 0
    )
    assert not (tree / "build.ninja").exists()
    assert "-fsanitize=address" in (tree / "build/asan/build.ninja").read_text(encoding="utf-8")
    assert (tree / "build/asan/thwrap/__init__.py").resolve() == tree / "pkg/thwrap/__init__.py"


def test_a_wheel_has_the_objects_of_the_usual_build(tree: Path) -> None:
    """Ninja compiles them for both with the same commands; only what is put together has no paths."""
    out = "build/standard/thwrap"
    assert main(["configure", "--cc", "cc"]) == 0
    assert main(["configure", "--cc", "cc", "--profile", "wheel", "--out", out]) == 0
    usual = (tree / "build.ninja").read_text(encoding="utf-8")
    wheel = (tree / "build/standard/build.ninja").read_text(encoding="utf-8")
    assert "--strip-debug" in wheel
    assert "--strip-debug" not in usual
    compiled = (
        "builddir",
        "obj",
        "cflags",
        "profile",
        "includes",
        "  command = $cc $cflags",
        "build $obj",
    )
    first, second = (
        [line for line in text.splitlines() if line.startswith(compiled)] for text in (usual, wheel)
    )
    assert first == second
    assert len(first) > 200


@pytest.fixture
def selective_tree(tree: Path) -> Path:
    """The same, with what a selective build reads too."""
    shutil.copy(ROOT / "pkg/needs.yaml", tree / "pkg/needs.yaml")
    (tree / "pkg/thwrap").mkdir()
    (tree / "pkg/thwrap/__init__.py").write_text("")
    return tree


def test_configure_for_a_list_of_operations(
    selective_tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only chapters of the chosen operations are compiled, and libTH exports a list."""
    (selective_tree / "my ops.yaml").write_text("- prelu\n- softmax\n")
    assert main(["configure", "--cc", "cc", "--ops", "my ops.yaml"]) == 0
    assert capsys.readouterr().out == "wrapgen: wrote build/selective/build.ninja\n"
    assert not (selective_tree / "build.ninja").exists()
    text = (selective_tree / "build/selective/build.ninja").read_text(encoding="utf-8")
    assert "$gen/py_pointwise.c" in text
    assert "$gen/py_softmax.c" in text
    assert "$gen/py_sort.c" not in text
    assert "-Wl,--version-script=$builddir/exports.map" in text
    assert "build.ninja.in my$ ops.yaml pkg/needs.yaml" in text
    assert "--profile small" in text
    assert (selective_tree / "build/selective/thwrap/__init__.py").is_symlink()


def test_configure_for_operations_that_are_none(
    selective_tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (selective_tree / "ops.yaml").write_text("- prelu\n- sotfmax\n")
    assert main(["configure", "--cc", "cc", "--ops", "ops.yaml"]) == 1
    said = "there is no operation 'sotfmax'; did you mean 'softmax'?"
    assert capsys.readouterr().err == f"ops.yaml:2:3: error: {said}\nwrapgen: 1 error\n"
    assert main(["configure", "--cc", "cc", "--ops", "nothing.yaml"]) == 1
    said = "wrapgen: nothing.yaml: No such file or directory\n"
    assert capsys.readouterr().err == said
    assert not (selective_tree / "build").exists()


def test_configure_without_a_compiler(tree: Path) -> None:
    result = run("configure", "--cc", "no-such-compiler", folder=tree)
    assert (result.returncode, result.stdout) == (1, "")
    assert (
        result.stderr
        == "wrapgen: no C compiler: 'no-such-compiler' is not on the PATH; install gcc, or set CC\n"
    )
    assert not (tree / "build.ninja").exists()


def test_configure_takes_cc(tree: Path) -> None:
    assert "no-such-cc" in run("configure", folder=tree, CC="no-such-cc").stderr


def test_configure_without_headers(
    tree: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(machine.sysconfig, "get_path", lambda name: str(tree / "nowhere"))
    assert main(["configure", "--cc", "cc"]) == 1
    assert "Python.h is missing; install python3-dev" in capsys.readouterr().err


def test_configure_with_a_wrong_declaration(tree: Path) -> None:
    """The build can still be configured: generating is what tells of the error."""
    (tree / "declarations/wrong.yaml").write_text(BAD)
    assert main(["configure", "--cc", "cc"]) == 0
    assert main(["generate", "--output", "build/gen"]) == 1
