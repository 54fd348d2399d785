"""Files in the original syntax as those of a package: loaded, built, rebuilt after an edit of what they include."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import thwrap as th
import wrapgen
from wrapgen import generate, loader
from wrapgen.__main__ import main
from wrapgen.errors import DeclarationErrors
from wrapgen.packages import building, project
from wrapgen.syntax import entries
from wrapgen.toolchain import machine

PYPROJECT = '[project]\nname = "old"\n\n[tool.wrapgen]\ndeclarations = "declarations"\n'
MAIN = """// Operations of ours
!!inc parts/pointwise.cwrap
!!inc beside.cwrap
"""
POINTWISE = """[[
  name: combine
  cname: cmul
  variants: [method, function]
  return: argument 0
  arguments:
    - arg: THTensor* result
      output: True
    - arg: THTensor* self
      broadcast: other fallback
    - THTensor* other
]]
"""
BESIDE = """[[
  name: elements
  cname: nElement
  variants: [function]
  return: long
  arguments:
    - THTensor* self
]]
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Declarations in three files, of which one includes the others."""
    monkeypatch.setenv("WRAPGEN_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "declarations"
    (folder / "parts").mkdir(parents=True)
    (folder / "old.cwrap").write_text(MAIN)
    (folder / "beside.cwrap").write_text(BESIDE)
    (folder / "parts/pointwise.cwrap").write_text(POINTWISE)
    return folder


def edit(path: Path, old: str, new: str) -> None:
    path.write_text(path.read_text().replace(old, new, 1))


def test_a_folder_has_what_nobody_includes(folder: Path) -> None:
    (folder / "ours.yaml").write_text("[]")
    assert [path.name for path in loader.declaration_files(folder)] == ["old.cwrap", "ours.yaml"]
    edit(folder / "old.cwrap", "!!inc beside.cwrap", "")
    names = [path.name for path in loader.declaration_files(folder)]
    assert names == ["beside.cwrap", "old.cwrap", "ours.yaml"]


def test_an_edit_of_an_included_file_loads_anew(folder: Path) -> None:
    module = wrapgen.load(folder / "old.cwrap")
    two, three = th.tensor([2.0]), th.tensor([3.0])
    assert module.combine(two, three).tolist() == [6.0]
    assert module.elements(two) == 1
    assert wrapgen.load(folder / "old.cwrap") is module
    edit(folder / "parts/pointwise.cwrap", "cmul", "cdiv")
    assert wrapgen.load(folder / "old.cwrap").combine(three, two).tolist() == [1.5]
    edit(folder / "parts/pointwise.cwrap", "cdiv", "cmul")
    assert wrapgen.load(folder / "old.cwrap").combine(three, two).tolist() == [6.0]


def test_who_builds_is_told_what_is_missing(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edit(folder / "beside.cwrap", "nElement", "getri")
    module = wrapgen.load(folder / "old.cwrap", "told")
    told = "wrapgen: old.cwrap: 1 of 2 declarations not supported; `wrapgen check` says why\n"
    assert told in capsys.readouterr().err
    assert not hasattr(module, "elements")


def test_errors_in_an_included_file_say_so(folder: Path) -> None:
    edit(folder / "parts/pointwise.cwrap", "output: True", "ouput: True")
    with pytest.raises(DeclarationErrors) as caught:
        wrapgen.load(folder / "old.cwrap")
    place = folder / "parts/pointwise.cwrap"
    assert str(caught.value) == (f"{place}:8:7: error: unknown key 'ouput'; did you mean 'output'?")


@pytest.fixture
def package(folder: Path) -> Path:
    root = folder.parent
    (root / "pyproject.toml").write_text(PYPROJECT)
    (root / "old").mkdir()
    (root / "old/__init__.py").write_text("from old._C import *\n")
    return root


def combined(root: Path) -> str:
    """What the package of the moment says of 3 and 2, in a process of its own."""
    program = "import thwrap, old; print(old.combine(thwrap.tensor([3.0]), thwrap.tensor([2.0])))"
    path = os.pathsep.join([str(root), *sys.path])
    command = [sys.executable, "-c", program]
    environment = {**os.environ, "PYTHONPATH": path}
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return run.stdout.strip()


def test_an_edit_of_an_included_file_builds_anew(
    package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of `wrapgen build`, and of ninja in the package's folder."""
    monkeypatch.chdir(package)
    assert main(["build"]) == 0
    assert combined(package) == "tensor([6.])"
    edit(package / "declarations/parts/pointwise.cwrap", "cmul", "cdiv")
    environment = {**os.environ, "PYTHONPATH": building.python_path()}
    subprocess.run([machine.ninja_program()], env=environment, capture_output=True, check=True)
    assert combined(package) == "tensor([1.5000])"
    listed = building.of_project(project.read(package)).depfile.read_text()
    for name in ("old.cwrap", "beside.cwrap", "parts/pointwise.cwrap", "declarations/cwrap.yaml"):
        assert name in listed


def test_what_is_shown_is_the_block(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(package)
    build = building.of_project(project.read(package))
    texts = build.package.texts()
    assert set(texts) == {
        "declarations/old.cwrap", "declarations/beside.cwrap", "declarations/parts/pointwise.cwrap"
    }  # fmt: skip
    for operation in generate.load(build.package):
        loc = operation.forms[0].op.loc
        line, entry = entries.entry_lines(texts[loc.file], loc.line)
        assert (line, entry) == (1, texts[loc.file].strip())


def test_what_is_imported_takes_the_place_of_the_file(
    package: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both in one folder are an error that says so, before anything else."""
    monkeypatch.chdir(package)
    assert main(["import", "declarations/old.cwrap"]) == 0
    assert main(["check"]) == 1
    told = "declarations/old.cwrap and declarations/old.yaml have the same name; keep one, or rename one"
    assert told in capsys.readouterr().err
    for name in ("old.cwrap", "beside.cwrap"):
        (package / "declarations" / name).unlink()
    assert main(["check"]) == 0
    assert capsys.readouterr().out == "1 files, 2 operations, 2 forms: all right\n"


PLUGIN = """from wrapgen.model import Key, Plugin
UNIT = Key("unit", lambda node: node.word("unit", ("m", "s")), "The unit of the result.")
PLUGIN = Plugin("Units", "Units.", op_keys=(UNIT,))
"""


def test_keys_of_the_packages_own_plugins(
    package: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """They may stand in the original syntax too, are checked, and imported."""
    monkeypatch.chdir(package)
    edit(
        package / "pyproject.toml",
        "[tool.wrapgen]",
        '[tool.wrapgen]\nplugins = ["mine:PLUGIN after WrapDim"]',
    )
    (package / "mine.py").write_text(PLUGIN)
    edit(package / "declarations/parts/pointwise.cwrap", "  cname", "  unit: kg\n  cname")
    assert main(["check"]) == 1
    told = "pointwise.cwrap:3:9: error: expected unit as one of m, s, got 'kg'"
    assert told in capsys.readouterr().err
    edit(package / "declarations/parts/pointwise.cwrap", "kg", "m")
    assert main(["check"]) == 0
    assert main(["import", "declarations/old.cwrap", "-o", "new.yaml"]) == 0
    assert "  unit: m\n" in (package / "new.yaml").read_text()


FIXED = """[[
  name: chosen
  cname: indexSelect
  variants: [function]
  return: argument 0
  arguments: [{arg: THTensor* r, output: True}, THTensor* self, CONSTANT 1, THIndexTensor* index]
]]
"""


def test_a_constant_dim_is_checked(folder: Path) -> None:
    """TH did that; functions of today get dims that are wrapped already."""
    (folder / "fixed.cwrap").write_text(FIXED)
    module = wrapgen.load(folder / "fixed.cwrap")
    assert module.chosen(th.tensor([[1.0, 2.0]]), th.tensor([1])).tolist() == [[2.0]]
    with pytest.raises(IndexError, match=r"^chosen: dim 1 is out of range for a 1-d tensor$"):
        module.chosen(th.tensor([1.0, 2.0]), th.tensor([1]))


CORPUS = Path(__file__).parents[1] / "wrapgen/cwrap/corpus/parts"
A, B = th.tensor([[3.0, 1.0], [2.0, 5.0]]), th.tensor([[1.0, 2.0], [0.5, 4.0]])
CALLS = {
    "MathReduce": {
        "sum": (A,), "prod": (A, 1), "mean": (A, 0, True), "var": (A,), "std": (A, 1), "norm": (A,), "trace": (A,),
        "cumsum": (A, -1), "cumprod": (A, 0), "diag": (A, 1), "tril": (A,), "triu_": (A.clone(),), "eye": (2, 3),
        "linspace": (0, 1, 5), "logspace": (0, 2, 3),
    },
    "MathBlas": {
        "mm": (A, B), "mv": (A, B[0]), "ger": (A[0], B[0]), "dot": (A[0], B[0]), "addmm": (A, A, B),
        "addmv": (A[0], A, B[0]), "addr": (A, A[0], B[0]), "bmm": (A[None], B[None]),
        "baddbmm": (A[None], A[None], B[None]),
    },
    "TensorOrder": {
        "max": (A, 1), "min": (A,), "kthvalue": (A, 2), "median": (A, 1), "sort": (A,), "topk": (A, 1),
    },
}  # fmt: skip


@pytest.mark.parametrize("chapter", CALLS)
def test_declarations_of_then_do_what_ops_of_today_do(
    chapter: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Built from the corpus, which says nothing of how they are computed today."""
    monkeypatch.setenv("WRAPGEN_CACHE", str(tmp_path))
    module = wrapgen.load(CORPUS / f"{chapter}.cwrap")
    for name, arguments in CALLS[chapter].items():
        ours, theirs = getattr(module, name)(*arguments), getattr(th, name, None)
        expected = theirs(*arguments) if theirs else getattr(A.clone(), name)()
        both = zip(ours, expected, strict=True) if isinstance(ours, tuple) else [(ours, expected)]
        for got, wanted in both:
            assert got.dtype == wanted.dtype, name
            assert got.tolist() == wanted.tolist(), name
