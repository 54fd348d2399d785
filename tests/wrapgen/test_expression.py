"""Kernel expressions: what is parsed and printed, hostile text is refused."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wrapgen import tables
from wrapgen.syntax import expression, traits
from wrapgen.syntax.expression import (
    ExpressionError,
    Node,
    check_calls,
    check_names,
    kind_of,
    parse,
)
from wrapgen.syntax.printer import Printer

KINDS = {"a": "real", "b": "real", "c": "real", "k": "int"}
NAMES = tuple(KINDS)


def printed(text: str, integers: bool = False, names: dict[str, str] | None = None) -> str:
    """The C of an expression, hoisted calls in front."""
    printer = Printer(tables.math(), integers, KINDS, names or {})
    result = printer.show(parse(text))
    return "; ".join([*(f"{name} = {call}" for name, call in printer.hoisted), result])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a+b*c", "a + b * c"),
        ("(a+b)*c", "(a + b) * c"),
        ("a-(b-c)", "a - (b - c)"),
        ("a-b-c", "a - b - c"),
        ("((a))", "a"),
        ("-a*b", "-a * b"),
        ("-(a*b)", "-(a * b)"),
        ("- -a", "-(-a)"),
        ("a - -b", "a - -b"),
        ("+ +a", "+(+a)"),
        ("!a == b", "!a == b"),
        ("!(a == b)", "!(a == b)"),
        ("a < b == c", "(a < b) == c"),
        ("a && b || c", "(a && b) || c"),
        ("a || b && c", "a || (b && c)"),
        ("a ? b : c ? a : b", "a ? b : c ? a : b"),
        ("(a ? b : c) ? a : b", "(a ? b : c) ? a : b"),
        ("(a ? b : c) + 1", "(a ? b : c) + 1"),
        ("a / b", "a / b"),
        ("k & 1 | k << 2", "(k & 1) | THLong_lshift(k, 2)"),
        ("(double)a * b", "(double)a * b"),
        ("(double)(a * b)", "(double)(a * b)"),
        ("(a) * b", "a * b"),
        ("maximum(a, b ? a : c)", "TH_MATH(maximum)(a, b ? a : c)"),
    ],
)
def test_precedence(text: str, expected: str) -> None:
    """No bracket is lost, none is added but those compilers ask for."""
    assert printed(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1.5 * a", "(scalar_t)1.5 * a"),
        (".5", "(scalar_t).5"),
        ("1e-8", "(scalar_t)1e-8"),
        ("2 * a", "2 * a"),
        ("0x1F", "0x1F"),
        ("INFINITY", "(scalar_t)INFINITY"),
        ("-NAN", "-(scalar_t)NAN"),
    ],
)
def test_literals_are_retyped(text: str, expected: str) -> None:
    """No float arithmetic turns into double; integers keep C's own rules."""
    assert printed(text) == expected


@pytest.mark.parametrize(
    ("text", "integers", "expected"),
    [
        ("a / b", True, "TH_MATH(trunc_divide)(a, b)"),
        ("a % b", True, "TH_MATH(fmod)(a, b)"),
        ("a << b", True, "TH_MATH(lshift)(a, b)"),
        ("a >> 1", True, "TH_MATH(rshift)(a, 1)"),
        ("a / 2", True, "TH_MATH(trunc_divide)(a, 2)"),
        ("(a + b) / (a - b)", True, "TH_MATH(trunc_divide)(a + b, a - b)"),
        ("a / b", False, "a / b"),
        ("a % b", False, "TH_MATH(fmod)(a, b)"),
        ("k / k", False, "THLong_trunc_divide(k, k)"),
        ("k % 0", False, "THLong_fmod(k, 0)"),
        ("a / k", False, "a / k"),
        ("7 / 2", True, "7 / 2"),
        ("7 / 0", True, "THLong_trunc_divide(7, 0)"),
        ("1 << 40", True, "THLong_lshift(1, 40)"),
        ("a / k", True, "TH_WIDE(trunc_divide)(a, k)"),
        ("(a + k) % 2", True, "TH_WIDE(fmod)(a + k, 2)"),
        ("a / 300", True, "TH_WIDE(trunc_divide)(a, 300)"),
        ("(a < b) / a", True, "TH_MATH(trunc_divide)(a < b, a)"),
        ("a << k", True, "TH_WIDE(lshift)(a, k)"),
        ("a / (double)b", True, "a / (double)b"),
        ("a % (double)b", True, "THDouble_fmod(a, (double)b)"),
        ("~a", True, "TH_MATH(bitwise_not)(a)"),
        ("~k", True, "~k"),
    ],
)
def test_integer_division_is_defined(text: str, integers: bool, expected: str) -> None:
    """In scalar_t, or in int64 where C would: a divisor is never cut to a narrower dtype."""
    assert printed(text, integers) == expected


@pytest.mark.parametrize(
    ("text", "integers", "floating", "expected"),
    [
        ("(int)a", False, True, "TH_MATH(toInt)(a)"),
        ("(int64_t)(a + b)", True, True, "TH_MATH(toLong)(a + b)"),
        ("(uint32_t)a", True, True, "(uint32_t)TH_MATH(toLong)(a)"),
        ("(int)a", True, False, "(int)a"),
        ("(int)k", True, True, "(int)k"),
        ("(int)(double)a", True, True, "THDouble_toInt((double)a)"),
        ("(scalar_t)((double)a / b)", True, True, "TH_MATH(fromDouble)((double)a / b)"),
        ("(scalar_t)((double)a / b)", False, True, "(scalar_t)((double)a / b)"),
        ("(double)0.5", True, True, "(double)0.5"),
        ("(bool)a", True, True, "(bool)a"),
    ],
)
def test_conversions_are_defined(text: str, integers: bool, floating: bool, expected: str) -> None:
    """C leaves the integer open that NaN and large numbers become."""
    printer = Printer(tables.math(), integers, KINDS, floating=floating)
    assert printer.show(parse(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("exp(a)", "TH_MATH(exp)(a)"),
        ("exp(a) ? b : c", "TH_MATH(exp)(a) ? b : c"),
        ("a ? exp(a) : b", "exp_0 = TH_MATH(exp)(a); a ? exp_0 : b"),
        (
            "a ? exp(a) : log(b)",
            "exp_0 = TH_MATH(exp)(a); log_1 = TH_MATH(log)(b); a ? exp_0 : log_1",
        ),
        (
            "a ? exp(log(b)) : c",
            "log_0 = TH_MATH(log)(b); exp_1 = TH_MATH(exp)(log_0); a ? exp_1 : c",
        ),
        ("a && exp(b)", "exp_0 = TH_MATH(exp)(b); a && exp_0"),
        ("exp(a) && b", "TH_MATH(exp)(a) && b"),
        ("a ? sqrt(b) : c", "a ? TH_MATH(sqrt)(b) : c"),
    ],
)
def test_vector_functions_are_hoisted(text: str, expected: str) -> None:
    """A call that a condition might skip is made before it, so that the loop vectorises; cheap ones stay."""
    assert printed(text) == expected


def test_names_move_out_of_the_way() -> None:
    assert printed("a + b", names={"a": "a_"}) == "a_ + b"
    assert (
        printed("a ? exp(b) : c", names={"c": "exp_0"})
        == "exp_0_ = TH_MATH(exp)(b); a ? exp_0_ : exp_0"
    )


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("k + 1", "int"), ("a + 1", "real"), ("a < 1.5", "int"), ("!a", "int"), ("(double)k", "float"),
        ("(int)a", "int"), ("k ? 1 : a", "real"), ("a ? 1 : k", "int"), ("exp(k)", "real"), ("~k", "int"),
    ],
)  # fmt: skip
def test_kinds(text: str, kind: str) -> None:
    assert kind_of(parse(text), KINDS) == kind


@pytest.mark.parametrize(
    "text",
    [
        "(" * 10_000, "(" * 10_000 + "a" + ")" * 10_000, "-" * 10_000 + "a", "!" * 5_000, "a ? " * 10_000,
        "a ? b : " * 10_000 + "c", "exp(" * 10_000, "a + " * 100_000 + "b", "a" * 1_000_000, "1" * 100_000,
        "(double)" * 10_000 + "a", "a < " * 50_000 + "b", "a,", "@", "\\", "a\0b", "()", "(double)", "1e", "1e+", "0x",
        "1..2", "a b", "a(b)(c)", "1(2)", "'a'", '"a"', "a->b", "a[0]", "&a", "*a", "a = b", "a; b", "sizeof(a)", "",
    ],
)  # fmt: skip
def test_hostile_text(text: str) -> None:
    """Refused with a place in the text, however deep or long; never a RecursionError."""
    with pytest.raises(ExpressionError) as caught:
        read(text)
    assert 0 <= caught.value.offset <= len(text)
    assert caught.value.message


def read(text: str) -> Node:
    """A whole check, as declarations get."""
    tree = parse(text)
    check_calls(tree, tables.math())
    check_names(tree, NAMES, tables.math())
    return tree


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("a * b", 1),
        ("a * (s + 1)", 1),
        ("s == 1 ? a + b : a + s * b", 2),
        ("a > 0 ? a : s * a", 3),
        ("s * 2", 0),
    ],
)
def test_what_is_fixed_costs_nothing(text: str, steps: int) -> None:
    assert expression.cost(parse(text), tables.math(), {"s"}) == steps


@given(st.text(alphabet="abck0123.xeE+-*/%<>=!&|^~?:(),@ \t\n", max_size=60))
@settings(max_examples=400)
def test_any_text(text: str) -> None:
    """Text is an expression that can be printed, or an error with a place in the text."""
    offset = 0
    try:
        tree = read(text)
        assert Printer(tables.math(), True, KINDS).show(tree)
        assert expression.cost(tree, tables.math()) >= 0
    except ExpressionError as error:
        offset = error.offset
    assert 0 <= offset <= len(text)


@pytest.mark.parametrize(
    ("text", "signless", "light"),
    [
        ("a + k * b", True, True),
        ("a == 1 ? a ^ b : -b", True, True),
        ("product(a, ~b)", True, False),
        ("floor(a) && b != 0", True, False),
        ("(scalar_t)(a - b)", True, True),
        ("maximum(a, b)", False, True),
        ("a < b", False, True),
        ("a == k", False, True),  # k may be -1
        ("a == 128", False, True),
        ("a + b == c", False, True),  # sums are wider
        ("a + b ? a : b", False, True),
        ("a / b", False, False),
        ("a >> 1", False, False),
        ("(int)a", False, False),
        ("a * x", False, True),  # x is floating
    ],
)
def test_loops_of_others(text: str, signless: bool, light: bool) -> None:
    """Which loops of integers serve those of another sign, and which gain nothing by the widest vectors."""
    tree, functions = parse(text), tables.math()
    assert traits.is_signless(tree, functions, {"a", "b", "c"}, {"k"}) == signless
    assert traits.is_light(tree, functions) == light


@pytest.mark.parametrize(
    ("text", "lower", "product"),
    [
        ("product(a, b)", "a * b", True),
        ("a + k * product(-b, 3)", "", False),  # k is wider
        ("a ^ b", "a ^ b", False),
        ("a * b & c", "(a * b) & c", True),
        ("a * (b >> 1)", "", False),
        ("a > 0 ? a * b : b", "", False),
        ("a * abs(b)", "", False),
    ],
)
def test_values_of_lower_bits(text: str, lower: str, product: bool) -> None:
    """What may be computed in wider integers, whatever is above the elements there."""
    found = traits.of_lower_bits(parse(text), tables.math(), {"a", "b", "c"})
    assert (Printer(tables.math(), True, KINDS).show(found) if found else "") == lower
    assert (found is not None and traits.has_product(found)) == product
