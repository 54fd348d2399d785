"""The original syntax: lines around blocks, includes, keys, the forms that declarations are joined from."""

from __future__ import annotations

from pathlib import Path

import pytest
from fragments import block, one, round_trip, write

from wrapgen import chain
from wrapgen.cwrap import code, convert, report, writer
from wrapgen.errors import Loc

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
