"""Kernel entries on small declarations: what they are completed to, and what becomes of the expression."""

from __future__ import annotations

import pytest
from declaring import Declared
from weaving import entry, rewritten

from wrapgen.model import Result, Step
from wrapgen.plugins.inplace import INPLACE
from wrapgen.plugins.promote import NUMBER, PROMOTE


def test_kernel_completes_an_entry(declared: Declared) -> None:
    """The output, promotion, the in-place form and numbers for all but the first tensor."""
    (op,) = rewritten(
        declared,
        entry("THTensor* self, THTensor* other, real alpha", 'kernel: "self + alpha * other"'),
        "Kernel",
    )
    assert [str(arg) for arg in op.args] == [
        "THTensor* result",
        "THTensor* self",
        "THTensor* other",
        "real alpha",
    ]
    assert [str(arg) for arg in op.declared] == ["THTensor* self", "THTensor* other", "real alpha"]
    assert (op[PROMOTE], op[INPLACE]) == ("arithmetic", "direct")
    assert [arg[NUMBER] for arg in op.args] == [None, None, True, None]


def test_kernel_keeps_what_is_written(declared: Declared) -> None:
    text = entry(
        "{arg: THTensor* y, output: true, dtype: Long}, THTensor* x, {arg: THTensor* self, number: false}",
        "promote: float", "inplace: false", 'kernel: "x - self"',
    )  # fmt: skip
    (op,) = rewritten(declared, text, "Kernel")
    assert [arg.name for arg in op.args] == ["y", "x", "self"]
    assert (op[PROMOTE], op[INPLACE]) == ("float", "false")
    assert [arg[NUMBER] for arg in op.args] == [None, None, False]


def test_kernel_is_in_place_only_on_self(declared: Declared) -> None:
    """The first tensor must be self, and of the computing dtype."""
    for arguments in ("THTensor* x, THTensor* self", "THBoolTensor* self, THTensor* x"):
        (op,) = rewritten(declared, entry(arguments, 'kernel: "self ? x : 0"'), "Kernel")
        assert op[INPLACE] == "false"


def test_kernel_of_an_in_place_name(declared: Declared) -> None:
    form = declared.form(
        entry("THTensor* self, real x", 'kernel: "self * x"').replace("name: f", "name: f_")
    )
    assert (form.op.inplace, form.op.cname) == ("direct", "f")
    assert [output.name for output in form.body.results] == ["self"]


def test_kernel_as_data(declared: Declared) -> None:
    arguments = "THTensor* self, THBoolTensor* mask, {arg: THTensor* data, nullable: true}, real alpha, bool unused"
    form = declared.form(
        entry(
            arguments,
            "types: [floating_point]",
            'kernel: "mask ? exp(self) : has_data ? data : alpha"',
        ),
        "f",
    )
    kernel = form.body.kernel
    assert kernel is not None
    assert kernel.results == (Result("result", "", "mask ? exp_0 : has_data ? data_ : alpha", 4),)
    assert kernel.steps == (Step("const scalar_t", "exp_0", "TH_MATH(exp)(self)", 4),)
    assert kernel.inputs == (("self", ""), ("mask", "Bool"), ("data_", ""))
    assert kernel.params == (
        ("alpha", "scalar_t", "alpha"),
        ("has_data", "scalar_t", "data_ != NULL"),
    )
    assert kernel.nullable == ("data_",)
    assert kernel.used == ("self", "mask", "data_")
    assert kernel.whole_vectors
    assert kernel.cost == 11  # exp and +: has_data is the same for all elements


def test_kernel_results(declared: Declared) -> None:
    """Stored as the dtype of the output; comparisons as Bool."""
    for keys, dtype in (("promote: comparison", "Bool"), ("promote: arithmetic", "")):
        form = declared.form(entry("THTensor* self, THTensor* x", keys, 'kernel: "self < x"'), "f")
        assert form.body.kernel is not None
        assert [result.dtype for result in form.body.kernel.results] == [dtype]


def test_kernel_names_its_result_apart(declared: Declared) -> None:
    form = declared.form(entry("THTensor* self, THTensor* result", 'kernel: "self + result"'), "f")
    assert [arg.name for arg in form.op.args] == ["result_", "self", "result"]


@pytest.mark.parametrize(
    ("types", "output", "expected"),
    [
        ("[floating_point]", "dtype: Long", "TH_MATH(toLong)(self * p)"),
        ("[floating_point]", "dtype: Byte", "(uint8_t)TH_MATH(toInt)(self * p)"),
        ("[floating_point]", "dtype: Double", "(double)(self * p)"),
        ("[floating_point]", "dtype: Bool", "self * p"),
        ("[integral]", "dtype: Long", "(int64_t)(self * p)"),
        ("[integral]", "dtype: compute", "self * p"),
    ],
)
def test_kernels_store_defined_values(
    declared: Declared, types: str, output: str, expected: str
) -> None:
    """What does not fit the dtype of an output is the smallest integer on every machine."""
    arguments = f"{{arg: THTensor* r, output: true, {output}}}, THTensor* self, real p"
    form = declared.form(entry(arguments, f"types: {types}", 'kernel: "self * p"'), "f")
    assert form.body.kernel is not None
    assert form.body.kernel.results[0].value == expected


def test_kernels_convert_double_arguments(declared: Declared) -> None:
    """The result of double arithmetic, in an op for integers too."""
    form = declared.form(entry("THTensor* self, double p", 'kernel: "self * p"'), "f")
    assert form.body.kernel is not None
    assert form.body.kernel.results[0].value == "TH_MATH(fromDouble)(self * p)"


@pytest.mark.parametrize(
    ("keys", "paired"),
    [
        ('kernel: "self * other"', "self * other"),
        ('kernel: "self * other", types: [Char, Float]', "self * other"),
        ('kernel: "self * other", types: [Short, Float]', ""),  # no dtype of bytes
        ('kernel: "self + other"', ""),  # bytes have sums
        ('kernel: "self * other", promote: comparison', ""),
    ],
)
def test_products_of_bytes_are_paired(declared: Declared, keys: str, paired: str) -> None:
    arguments = "arguments: [THTensor* self, THTensor* other]"
    kernel = declared.form(f"- {{name: f, {arguments}, {keys}}}\n").body.kernel
    assert kernel is not None
    assert kernel.paired == paired


@pytest.mark.parametrize(
    ("keys", "signless"),
    [
        ('kernel: "self + other"', True),
        ('kernel: "self + other", types: [Char]', False),  # uint8's loop is not there
        ('kernel: "self == other", promote: comparison', True),
        ('kernel: "self + other", promote: comparison', False),
        ('kernel: "self + other", specialize: [{other: any}]', True),
        ('kernel: "self + other", specialize: [{other: 2, kernel: "self + other"}]', False),
    ],
)
def test_loops_without_signs(declared: Declared, keys: str, signless: bool) -> None:
    arguments = "arguments: [THTensor* self, THTensor* other]"
    kernel = declared.form(f"- {{name: f, {arguments}, {keys}}}\n").body.kernel
    assert kernel is not None
    assert kernel.signless == signless


@pytest.mark.parametrize(
    ("kernel", "divides"),
    [
        ("self / other", True),
        ("self > 0 ? reciprocal(other) : 1", True),
        ("self + other * (self / 2)", True),
        ("self - other", False),
        ("sqrt(self) * other", True),
        ("floor(self) * other", False),
    ],
)
def test_what_divides(declared: Declared, kernel: str, divides: bool) -> None:
    arguments = "arguments: [THTensor* self, THTensor* other]"
    keys = f'{arguments}, kernel: "{kernel}", types: [floating_point]'
    made = declared.form(f"- {{name: f, {keys}}}\n").body.kernel
    assert made is not None
    assert made.divides == divides


@pytest.mark.parametrize(
    ("kernel", "unread"),
    [
        ("isnan(self)", True),
        ("!isfinite(self)", True),
        ("isinf(self) && self > 0", True),
        ("self > 0 || isfinite(other)", True),
        ("isfinite(self) && isfinite(other)", True),
        ("isfinite(self) && self > 0", False),
        ("isnan(self) || other", False),
        ("isnan(self) ? self : other", False),
        ("!self", False),
    ],
)
def test_integers_that_make_no_difference(declared: Declared, kernel: str, unread: bool) -> None:
    keys = f'arguments: [THTensor* self, THTensor* other], kernel: "{kernel}", promote: comparison'
    made = declared.form(f"- {{name: f, {keys}}}\n").body.kernel
    assert made is not None
    assert made.unread == unread


@pytest.mark.parametrize(
    ("keys", "moved"),
    [
        ('kernel: "flag ? self : other"', True),
        ('kernel: "flag ? self : flag & 2 ? other : self"', True),
        (
            'kernel: "flag ? self : other", specialize: [{self: any, other: any}, {self: any}, {other: any}]',
            True,
        ),
        ('kernel: "flag ? self : other", specialize: [{other: 2, kernel: "self"}]', False),
        # integers' are not there
        ('kernel: "flag ? self : other", types: [floating_point]', False),
        ('kernel: "flag ? self : other", promote: comparison', False),
        ('kernel: "self ? self : other"', False),
        ('kernel: "x == 1 ? self : other"', False),  # x is as wide as the elements, and no integer
        ('kernel: "minimum(flag, 2) ? self : other"', False),  # as are a function's arguments,
        ('kernel: "(scalar_t)flag == 3 ? self : other"', False),  # what is cast to their type,
        ('kernel: "flag < 2.0 ? self : other"', False),  # and floating literals
        ('kernel: "flag ? self : 0"', False),
        ('kernel: "flag ? self : -other"', False),
    ],
)
def test_loops_of_what_is_moved(declared: Declared, keys: str, moved: bool) -> None:
    """Elements that are only chosen are so by the loops of integers of their size."""
    arguments = "arguments: [THByteTensor* flag, THTensor* self, THTensor* other, real x]"
    kernel = declared.form(f"- {{name: f, {arguments}, {keys}}}\n").body.kernel
    assert kernel is not None
    assert kernel.moved == moved


def test_what_is_widened_has_a_sign(declared: Declared) -> None:
    text = (
        "- {name: f, arguments: [{arg: THTensor* out, output: true, dtype: Long}, THTensor* self], types: [integral],"
        ' kernel: "out = self + self;"}\n'
    )
    kernel = declared.form(text).body.kernel
    assert kernel is not None
    assert not kernel.signless
