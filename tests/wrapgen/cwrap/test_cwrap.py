"""The original syntax: a corpus of every form and key that the reference names, what is said of it, what becomes of it.

`corpus/TensorMethods.cwrap` includes a file for each chapter, 290 declarations as PyTorch 0.3.1 had them by its
description; `Oddities.cwrap` has what other versions and users wrote, `ATen.cwrap` what came later, `THNN.cwrap` and
`cuDNN.cwrap` what scripts and other libraries brought. `<file>.txt` is the report, `<file>.yaml` what is imported.
`bad/<what>.cwrap` are malformed files, `bad/<what>.txt` what is said of them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from declaring import ROOT, Compile

from wrapgen import chain, loader
from wrapgen.__main__ import main
from wrapgen.cwrap import code, convert, report, writer
from wrapgen.cwrap.convert import Converted
from wrapgen.emit import kernels, readers, wrappers
from wrapgen.errors import DeclarationErrors, Loc
from wrapgen.model import Op
from wrapgen.syntax.node import Text

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


def write(folder: Path, text: str, name: str = "ops.cwrap") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def block(text: str) -> str:
    """A declaration; its lines are indented as those of a test."""
    return f"[[\n{text.strip(chr(10))}\n]]\n"


def one(folder: Path, text: str) -> convert.Result:
    """What becomes of one declaration."""
    (result,) = convert.convert(write(folder, block(text)), "ops.cwrap").results
    return result


def placeless(value: Any) -> Any:
    """A model without its places."""
    if isinstance(value, Loc):
        return None
    if isinstance(value, Text):
        return value.text
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {f.name: getattr(value, f.name) for f in dataclasses.fields(value)}
        return {name: placeless(each) for name, each in fields.items()}
    if isinstance(value, tuple):
        return tuple(map(placeless, value))
    return value


def round_trip(path: Path, folder: Path) -> tuple[list[Any], list[Any]]:
    """The model of a file and that of what it is imported to."""
    converted = convert.convert(path, path.name)
    ours = folder / f"{path.stem}.yaml"
    ours.write_text(writer.write(converted, path.name), encoding="utf-8")
    both = (loader.load([(path, path.name)]), loader.load([(ours, ours.name)]))
    before, after = (list(map(placeless, each)) for each in both)
    return before, after


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


# The frame


def test_lines_outside_blocks(tmp_path: Path) -> None:
    """C is counted, comments in front of a block are kept, conditions are understood."""
    text = "int x;\n\n// gone\nint y;\n// About it\n/* and more */\n" + block(
        "  # and this\n  name: numel\n  return: long\n  arguments: [THTensor* self]"
    )
    converted = convert.convert(write(tmp_path, text), "ops.cwrap")
    assert converted.source.verbatim == 2
    assert converted.results[0].block.comments == ("About it", "and more", "and this")
    assert writer.entry(converted.results[0])[:3] == ["# About it", "# and more", "# and this"]


def test_line_ends_and_marks(tmp_path: Path) -> None:
    """Windows line ends, a byte order mark and blanks behind the brackets change nothing."""
    plain = block("  name: numel\n  return: long\n  arguments:\n    - THTensor* self")
    odd = "\ufeff" + plain.replace("\n", "\r\n").replace("]]", "]]  ").replace("[[", "[[\t")
    results = [
        convert.convert(write(tmp_path, text), "ops.cwrap").results[0].ops for text in (plain, odd)
    ]
    assert results[0] == results[1]


def test_includes(tmp_path: Path) -> None:
    """Paths are those of the file that includes, or of the first; order is that of the text."""
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    declared = "  name: {}\n  cname: numel\n  return: long\n  arguments: [THTensor* self]"
    write(
        tmp_path / "a",
        block(declared.format("one")) + "!!inc two.cwrap\n!!inc b/three.cwrap\n",
        "one.cwrap",
    )
    write(tmp_path / "a", block(declared.format("two")), "two.cwrap")
    write(tmp_path / "b", block(declared.format("three")), "three.cwrap")
    path = write(tmp_path, "!!inc a/one.cwrap\n" + block(declared.format("four")))
    converted = convert.convert(path, "ops.cwrap")
    assert [result.name for result in converted.results] == ["one", "two", "three", "four"]
    assert converted.results[1].ops[0].loc == Loc("a/two.cwrap", 2, 3)


@pytest.mark.parametrize(
    ("condition", "there"),
    [
        ("#if IS_CUDA", False),
        ("#if !IS_CUDA", True),
        ("#ifdef WITH_CUDA", False),
        ("#ifndef WITH_CUDA", True),
        ("#if defined(CUDA_FLOAT) || defined(CUDA_HALF)", False),
        ("#if defined(TH_REAL_IS_FLOAT) || CUDA_FLOAT", True),
        ("#if SOMETHING_ELSE", True),
    ],
)
def test_conditions(tmp_path: Path, condition: str, there: bool) -> None:
    text = block(
        "  name: neg\n  cname: neg\n  arguments: [{arg: THTensor* r, output: on}, THTensor* self]"
    )
    path = write(
        tmp_path, f"{condition}\n{text}#else\n{text.replace('name: neg', 'name: other', 1)}#endif\n"
    )
    first, second = convert.convert(path, "ops.cwrap").results
    assert bool(first.forms) == there
    if "CUDA" in condition and "FLOAT" not in condition:
        assert bool(second.forms) != there


# Keys and forms


@pytest.mark.parametrize("word", ["True", "true", "yes", "on", "1"])
def test_truth(tmp_path: Path, word: str) -> None:
    text = f"  name: exp\n  arguments: [{{arg: THTensor* r, output: {word}}}, THTensor* self]"
    assert one(tmp_path, text).supported


def test_masks_and_dtypes(tmp_path: Path) -> None:
    text = """
  name: all
  types: [Byte]
  cname: logicalall
  return: bool
  arguments: [THTensor* self]
"""
    (op,) = one(tmp_path, text).ops
    types = next(value for name, value, _ in op.options.values if name == "types")
    assert types == ("Byte", "Bool")


@pytest.mark.parametrize(
    ("default", "meaning"), [("0", "true"), ("1", "false"), ("'0'", "true"), ("true", "false")]
)
def test_defaults_of_mapped_bools(tmp_path: Path, default: str, meaning: str) -> None:
    """cwrap pasted the C value; ours is the caller's."""
    text = f"""
  name: var
  cname: varall
  return: accreal
  arguments:
    - THTensor* self
    - {{arg: bool unbiased, if_true: 0, if_false: 1, default: {default}}}
"""
    (op,) = one(tmp_path, text).ops
    values = {name: value for name, value, _ in op.args[3].options.values}
    assert values == {"default": meaning, "if_true": "1", "if_false": "0"}


def test_coefficients_become_keywords(tmp_path: Path) -> None:
    text = """
  name: add
  cname: cadd
  return: argument 0
  arguments:
    - {arg: THTensor* result, output: True}
    - THTensor* self
    - {arg: real value, default: AS_REAL(1)}
    - THTensor* other
"""
    result = one(tmp_path, text)
    assert result.notes == ["value by keyword only"]
    assert [str(arg) for arg in result.ops[0].args] == [
        "THTensor* self",
        "real value",
        "THTensor* other",
    ]


def test_the_same_argument_again(tmp_path: Path) -> None:
    """`argument N` follows its argument; what a circle of them says is an error, not an endless loop."""
    text = """
  name: f
  cname: THTensor_f
  return: THTensor*
  arguments:
    - THTensor* self
    - argument 2
    - argument 1
"""
    assert not one(tmp_path, text).supported


def test_inplace_forms_are_said_once(tmp_path: Path) -> None:
    """Those that say what their function says are derived from it; others stay."""
    pair = """
[[
  name: mul
  cname: cmul
  variants: [method, function]
  return: argument 0
  arguments: [{arg: THTensor* r, output: True}, THTensor* self, THTensor* other]
]]
[[
  name: mul_
  cname: CNAME
  return: self
  arguments: [THTensor* self, THTensor* self, THTensor* other]
]]
"""
    same = convert.convert(write(tmp_path, pair.replace("CNAME", "cmul")), "ops.cwrap")
    assert [result.inplace_of for result in same.results] == [None, same.results[0]]
    different = convert.convert(write(tmp_path, pair.replace("CNAME", "cdiv")), "ops.cwrap")
    assert [result.inplace_of for result in different.results] == [None, None]
    assert all(result.supported for result in different.results)
    for converted in (same, different):
        operations = chain.run_all(r.ops for r in converted.results if not r.inplace_of)
        assert sorted(operation.name for operation in operations) == ["mul", "mul_"]


COMPARISON = """
[[
  name: lt
  variants: [method]
  cname: ltTensor
  return: argument 0
  arguments: [{arg: THBoolTensor* r, output: True}, THTensor* self, THTensor* other]
]]
!!inc function.cwrap
"""
FUNCTION = """
[[
  name: less
  python_name: lt
  variants: [function]
  return: argument 0
  options:
    - cname: ltTensor
      arguments: [{arg: THBoolTensor* r, output: True}, THTensor* self, THTensor* other]
    - cname: ltValue
      arguments: [{arg: THBoolTensor* r, output: True}, THTensor* self, real value]
    - cname: ltValueT
      arguments: [{arg: THTensor* r, output: True}, THTensor* self, real value]
]]
"""


def test_a_name_in_several_places_is_one_op(tmp_path: Path) -> None:
    """A method here, a function there, forms of their own: each keeps its place."""
    write(tmp_path, FUNCTION, "function.cwrap")
    converted = convert.convert(write(tmp_path, COMPARISON), "ops.cwrap")
    method, function = converted.results
    assert function.part_of is method
    assert [str(op.loc) for op in method.ops] == ["ops.cwrap:3:3", "function.cwrap:10:7"]
    assert {op.variants for op in method.ops} == {("method", "function")}
    assert report.what(method) == "supported (all its forms with self are methods and functions)"
    assert report.what(function) == (
        "supported, together with ops.cwrap:3:3 (the form in line 12 is left out, callers could not tell it "
        "from an earlier one)"
    )
    (operation,) = chain.read([(tmp_path / "ops.cwrap", "ops.cwrap")])
    assert len(operation.forms) == 2
    before, after = round_trip(tmp_path / "ops.cwrap", tmp_path)
    assert before == after


def test_errors_in_what_is_joined_are_at_their_place(tmp_path: Path) -> None:
    """A form that does not go with those of the same name is missing, and says why."""
    write(tmp_path, FUNCTION.replace("cname: ltValue", "cname: ltValuee", 1), "function.cwrap")
    converted = convert.convert(write(tmp_path, COMPARISON), "ops.cwrap")
    assert report.what(converted.results[1]) == (
        "2 of 3 forms supported, together with ops.cwrap:3:3; missing (line 10): TH had no function 'ltValuee'; "
        "did you mean 'ltValue'?"
    )


def test_a_name_for_other_dtypes_is_the_same_op(tmp_path: Path) -> None:
    """In 0.1 conditions of the preprocessor chose among declarations of one name."""
    text = """
  name: negated
  cname: neg
  defined_if: {}
  return: argument 0
  arguments: [{{arg: THTensor* r, output: True}}, THTensor* self]
"""
    conditions = ("defined(TH_REAL_IS_FLOAT) || CUDA_FLOAT", "defined(TH_REAL_IS_LONG)", "CUDA_INT")
    blocks = "".join(block(text.format(condition)) for condition in conditions)
    float_, long, cuda = convert.convert(write(tmp_path, blocks), "ops.cwrap").results
    assert long.part_of is float_
    assert report.what(long) == "supported, together with line 2"
    assert report.what(cuda) == "missing: it is there only if CUDA_INT"
    (op,) = float_.ops
    types = next(value for name, value, _ in op.options.values if name == "types")
    assert types == ("Long", "Float")


def test_names_are_there_once(tmp_path: Path) -> None:
    text = block("  name: numel\n  return: long\n  arguments: [THTensor* self]")
    first, second = convert.convert(write(tmp_path, text + text), "ops.cwrap").results
    assert first.supported
    assert report.what(second) == "missing: op 'numel' is declared already, in ops.cwrap:2:3"


def test_text_of_before_call(tmp_path: Path) -> None:
    """What checks arguments is kept; C of the time becomes that of today."""
    text = """
  name: t
  cname: newTranspose
  return: THTensor*
  before_call: |
    long n = THTensor_(nDimension)(LIBRARY_STATE ((THPTensor*)$arg0)->cdata);
    THArgCheck(n == 2, 1, "a matrix; not %ldD", n);
  arguments: [THTensor* self, CONSTANT 0, CONSTANT 1]
"""
    (op,) = one(tmp_path, text).ops
    code = next(value for name, value, _ in op.options.values if name == "before_call")
    assert code == (
        'long n = $arg0->nDimension;\nTH_REQUIRE(n == 2, TH_ERROR_VALUE, "a matrix; not %ldD", n);'
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            'THArgCheck(SELF->nDimension > 0, 2, "more than %d", 0);',
            '($arg1->nDimension > 0, TH_ERROR_VALUE, "more than %d", 0);',
        ),
        ('THPUtils_assert(SELF->nDimension, "more");', '($arg1->nDimension, TH_ERROR_VALUE, "more");'),
        (
            'if (SELF->nDimension < f(1)) { THPUtils_setError("less; than %d", 1); return NULL; }',
            '(!($arg1->nDimension < f(1)), TH_ERROR_VALUE, "less; than %d", 1);',
        ),
        ('PyErr_WarnEx(PyExc_UserWarning, "old", 1);', ""),
    ],
)  # fmt: skip
def test_idioms_of_checks(text: str, expected: str) -> None:
    """What C of then raised, that of today raises before anything is written."""
    text = text.replace("SELF", "((THPTensor*)$arg1)->cdata")
    expected = f"TH_REQUIRE{expected}" if expected else ""
    assert code.translate(text, lambda number: number).text == expected


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("THCharTensor*", "supported"),
        ("THShortTensor*", "supported"),
        ("THIntTensor*", "supported"),
        ("BackendByteTensor*", "supported"),
        ("IntegerTensor", "supported"),
        ("THLongStorage*", "supported"),
        ("THSFloatTensor*", "missing: sparse tensors are not there"),
        ("SparseTensor", "missing: sparse tensors are not there"),
        ("THCudaHalfTensor*", "missing: 'THCudaHalfTensor*' is a type of CUDA"),
        ("THCState*", "missing: 'THCState*' is a type of CUDA"),
        ("cudnnHandle_t", "missing: 'cudnnHandle_t' is a type of CUDA"),
        ("void*", "missing: unknown type 'void*'"),
        ("THTensr*", "missing: unknown type 'THTensr*'; did you mean 'THTensor*'?"),
    ],
)
def test_types_of_arguments(kind: str, said: str, tmp_path: Path) -> None:
    text = f"""
  name: f
  cname: THTensor_writes
  arguments: [THTensor* self, {kind} other]
"""
    assert report.what(one(tmp_path, text)) == said


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
