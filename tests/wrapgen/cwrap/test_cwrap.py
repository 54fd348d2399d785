"""The original syntax: a corpus of every form and key that the reference names, what is said of it, what becomes of it.

`corpus/TensorMethods.cwrap` includes a file for each chapter, 290 declarations as PyTorch 0.3.1 had them by its
description; `Oddities.cwrap` has what other versions and users wrote, `ATen.cwrap` what came later, `THNN.cwrap` and
`cuDNN.cwrap` what scripts and other libraries brought. `<file>.txt` is the report, `<file>.yaml` what is imported.
`bad/<what>.cwrap` are malformed files, `bad/<what>.txt` what is said of them.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from declaring import ROOT, Compile
from fragments import block, round_trip, write

from wrapgen import chain
from wrapgen.__main__ import main
from wrapgen.cwrap import convert, report, writer
from wrapgen.cwrap.convert import Converted
from wrapgen.emit import kernels, readers, wrappers
from wrapgen.errors import DeclarationErrors
from wrapgen.model import Op

HERE = Path(__file__).parent
CORPUS = HERE / "corpus"
METHODS = CORPUS / "TensorMethods.cwrap"
FILES = sorted(CORPUS.glob("*.cwrap"))
BAD = sorted((HERE / "bad").glob("*.cwrap"))
Golden = Callable[[Path, str], None]


@pytest.fixture(scope="module")
def methods() -> Converted:
    return convert.convert(METHODS, METHODS.name)


@pytest.fixture(scope="module", params=FILES, ids=lambda path: path.stem)
def corpus(request: pytest.FixtureRequest) -> Converted:
    """Each of the corpus's files, with what it includes."""
    return convert.convert(request.param, request.param.name)


def test_the_corpus_is_complete(methods: Converted) -> None:
    """As many declarations, methods and functions as PyTorch 0.3.1 had."""
    assert len(methods.results) == 290
    declared = [result.declaration for result in methods.results]
    dense = [each for each in declared if not any(form.sparse for form in each.forms[:1])]
    names = {
        variant: {each.python_name or each.name for each in dense if variant in each.variants}
        for variant in ("method", "function")
    }
    assert {variant: len(each) for variant, each in names.items()} == {
        "method": 233,
        "function": 132,
    }
    assert len(BAD) >= 45
    assert {path.stem for path in BAD} == {path.stem for path in (HERE / "bad").glob("*.txt")}


def test_report(corpus: Converted, golden: Golden) -> None:
    name = corpus.source.files[0].stem
    golden(HERE / f"{name}.txt", report.report(corpus))


def test_import(corpus: Converted, golden: Golden) -> None:
    path = corpus.source.files[0]
    golden(HERE / f"{path.stem}.yaml", writer.write(corpus, path.name))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_round_trip(path: Path, tmp_path: Path) -> None:
    """What is imported has the model of what was read, apart from places."""
    before, after = round_trip(path, tmp_path)
    assert before == after
    assert len(before) > (100 if path == METHODS else -1)


def test_the_report_has_a_line_for_each(corpus: Converted) -> None:
    lines = report.report(corpus).splitlines()
    assert len(lines) == len(corpus.results) + 1
    for line, result in zip(lines, corpus.results, strict=False):
        assert line.startswith(f"{result.declaration.loc}: ")
        assert result.forms or result.missing


def test_loader_reads_the_syntax(corpus: Converted) -> None:
    """The chain gets what is supported, with places in the .cwrap files."""
    path = corpus.source.files[0]
    operations = chain.read([(path, path.name)])
    names = {operation.name for operation in operations}
    assert {result.name for result in corpus.results if result.speaks} <= names
    for result in corpus.results:
        for op in result.ops:
            text = (CORPUS / op.loc.file).read_text().splitlines()[op.loc.line - 1]
            assert text[op.loc.column - 1 :].strip()


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_message(path: Path, golden: Golden) -> None:
    with pytest.raises(DeclarationErrors) as caught:
        convert.convert(path, path.name)
    golden(path.with_suffix(".txt"), f"{caught.value}\n")
    for error in caught.value.errors:
        file = path.parent / error.loc.file
        assert 1 <= error.loc.line <= file.read_bytes().count(b"\n") + 1
        assert error.loc.column >= 1


# The command line


def test_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Well formed is status 0, whatever is missing; malformed is 1."""
    good = block("  name: gesv\n  arguments: [THTensor* self]")
    assert main(["check", str(write(tmp_path, good))]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0].endswith("ops.cwrap:2:3: gesv: missing: thwrap has no kernel for 'gesv'")
    assert out[1] == "1 declaration: 0 supported, 0 in part, 1 missing (kernel 1)"
    bad = write(tmp_path, block("  nmae: gesv"), "bad.cwrap")
    assert main(["check", str(bad), str(tmp_path / "ops.cwrap")]) == 1
    captured = capsys.readouterr()
    assert f"{bad}:2:3: error: unknown key 'nmae'; did you mean 'name'?" in captured.err
    assert "ops.cwrap:2:3: gesv" in captured.out
    assert main(["check", str(tmp_path / "nothing.cwrap")]) == 2


def test_check_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is malformed hides nothing of the rest; importing it writes nothing."""
    text = block("  name: numel\n  return: long\n  arguments: [THTensor* self]") + block(
        "  nmae: x"
    )
    path = write(tmp_path, text)
    assert main(["check", str(path)]) == 1
    out = capsys.readouterr().out.splitlines()
    assert out == [
        f"{path}:2:3: numel: supported",
        "1 declaration: 1 supported, 0 in part, 0 missing; 2 errors",
    ]
    assert main(["import", str(path)]) == 1
    assert not path.with_suffix(".yaml").exists()


def test_import_verb(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write(
        tmp_path,
        block("  name: zero_\n  cname: zero\n  return: self\n  arguments: [THTensor* self]"),
    )
    assert main(["import", "ops.cwrap"]) == 0
    assert capsys.readouterr().out == "ops.yaml: 1 declaration: 1 supported, 0 in part, 0 missing\n"
    assert main(["check", "ops.yaml"]) == 0
    assert main(["import", "ops.cwrap", "-o", "other.yaml"]) == 0
    assert Path("other.yaml").read_text() == Path("ops.yaml").read_text()
    assert main(["import", "ops.cwrap", "-o", "ops.cwrap"]) == 1
    assert main(["import", "nothing.cwrap"]) == 2
    assert main(["import", "ops.cwrap", "-o", "nowhere/ops.yaml"]) == 1
    assert "cannot write nowhere/ops.yaml" in capsys.readouterr().err


# What is generated

IMAGINED = ("THTensor_newWhatever", "THTensor_writes")


def headers(folder: Path) -> Path:
    """A header with the prototypes of all of TH's kernels."""
    generic = sorted((ROOT / "TH/generic").glob("*.h"))
    names = [path.name for path in generic if not path.name.startswith("math")]
    path = folder / "kernels.h"
    path.write_text("".join(f"#include <TH/generic/{name}>\n" for name in names))
    return path


def compiled(operations: list[chain.Operation], folder: Path, compile_c: Compile) -> str:
    """What the compiler says of the wrappers, which call TH's functions by their prototypes."""
    headers(folder)
    forms = [form for operation in operations for form in operation.forms]
    (folder / "kernels").mkdir()
    files = {
        "w.h": wrappers.header("W_H", operations),
        "w.c": wrappers.chapter("w", "w", operations, "w.h", "kernels.h"),
        "py_w.c": readers.chapter("w", "w", operations, "w.h"),
        "kernels/w.h": kernels.header("w", forms),
        "kernels/w.c": kernels.source("w", "w", forms),
    }
    for name, text in files.items():
        (folder / name).write_text(text)
    return "".join(compile_c(folder / name, f"-I{folder}") for name in files if name.endswith(".c"))


def test_the_corpus_compiles(corpus: Converted, tmp_path: Path, compile_c: Compile) -> None:
    """Each argument is of the type that the C function takes."""
    ops = [r.ops for r in corpus.results if r.speaks and r.ops[0].cname not in IMAGINED]
    assert not ops or compiled(chain.run_all(ops), tmp_path, compile_c) == ""


LETTERS = {
    "r": "{arg: THTensor* r, output: True}", "a": "THTensor* self", "b": "THTensor* b", "c": "THTensor* c",
    "t": "THTensor* t", "m": "THBoolTensor* mask", "v": "real v", "w": "real w", "p": "real p",
    "d": "{arg: long dim, wrap_dim: self}", "e": "{arg: long dim1, wrap_dim: self}", "k": "bool keepdim",
    "i": "THIndexTensor* index", "n": "long n", "s": "THSize* size", "l": "TensorList tensors",
    "g": "{arg: THGenerator* generator, default: NULL, kwarg_only: True}",
}  # fmt: skip
RANGE = {"v": "double v", "w": "double w"}
OTHERWISE = {
    "bernoulli": {"p": "double p"}, "bernoulli_FloatTensor": {"p": "BackendFloatTensor* p"},
    "bernoulli_DoubleTensor": {"p": "BackendDoubleTensor* p"}, "clampedRandom": {"v": "long v", "w": "long w"},
    "cappedRandom": {"w": "long w"}, "uniform": RANGE, "normal": RANGE, "exponential": RANGE, "var": {"b": "bool b"},
    "varall": {"b": "bool b"}, "std": {"b": "bool b"}, "stdall": {"b": "bool b"}, "arange": {"s": "accreal step"},
    "narrow": {"m": "long m"}, "newNarrow": {"m": "long m"}, "unfold": {"m": "long m"},
    "newUnfold": {"m": "long m"}, "eye": {"m": "long m"}, "setStorage": {"b": "THStorage* b", "t": "THStride* t"},
    "catArray": {"d": "long dim"},
}  # fmt: skip


def declared_as(number: int, was: str) -> str:
    """A declaration that calls a function of then as a row of cwrap.yaml says."""
    name, _, rest = was.partition("(")
    letters = {**LETTERS, **OTHERWISE.get(name, {})}
    if rest.startswith("r, i"):
        letters |= {"i": "{arg: THIndexTensor* i, output: True}", "b": "bool b", "c": "bool c"}
    args, seen = [], []
    for letter in rest.rstrip(")").split(", "):
        if letter in seen and letter == "r":
            args.append(f"argument {seen.index('r')}")
        else:
            args.append(letters.get(letter, f"CONSTANT {'NULL' if letter == '*' else letter}"))
        seen.append(letter)
    inplace = "r" not in seen and "self" not in rest
    writes = name in WRITES or seen[:2] == ["a", "a"]
    suffix = "_" if inplace and writes else ""
    returns = "self" if suffix else "argument 0" if "r" in seen else "accreal"
    variants = "[function]" if "a" not in seen else "[method, function]"
    return block(
        f"  name: f{number}{suffix}\n  cname: {name}\n  return: {returns}\n  variants: {variants}\n"
        f"  arguments: [{', '.join(args)}]"
    )


WRITES = (
    "fill zero maskedFill maskedCopy indexCopy indexAdd indexFill put scatter scatterFill scatterAdd random "
    "clampedRandom cappedRandom uniform normal exponential bernoulli bernoulli_FloatTensor bernoulli_DoubleTensor "
    "resize resizeAs set setStorage"
).split()


def test_every_function_is_there(tmp_path: Path, compile_c: Compile) -> None:
    """Each row of cwrap.yaml is right: the function of today takes what the row passes."""
    rows = yaml.safe_load((ROOT / "declarations/cwrap.yaml").read_text())
    known = [row["was"] for row in rows if "was" in row]
    text = "".join(declared_as(number, was) for number, was in enumerate(known))
    converted = convert.convert(write(tmp_path, text), "ops.cwrap")
    wrong = [
        f"{was}: {report.what(result)}"
        for was, result in zip(known, converted.results, strict=True)
        if not result.supported
    ]
    assert not wrong
    ops: list[tuple[Op, ...]] = [result.ops for result in converted.results]
    assert compiled(chain.run_all(ops), tmp_path, compile_c) == ""
