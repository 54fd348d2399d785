"""The plugins that read one argument: what they make of its keys. The whole C is test_golden's."""

from __future__ import annotations

import pytest
from declaring import Declared
from weaving import RESULT, entry, params, passed, woven

# ArgcountSort


def test_argcount_sort(declared: Declared) -> None:
    """More arguments are tried first, equal ones in the order of the file."""
    forms = ", ".join(
        f"{{overload: {name}, return: void, arguments: [{arguments}]}}"
        for name, arguments in (
            ("one", "THTensor* self"), ("three", "THTensor* self, long a, long b"), ("two", "THTensor* self, long a"),
            ("zwei", "THTensor* self, double a"), ("constant", "THTensor* self, CONSTANT 1, CONSTANT 2"),
        )
    )  # fmt: skip
    operation = declared.run(f"- {{name: f, options: [{forms}]}}\n")["f"]
    assert [form.op.overload for form in operation.forms] == [
        "three",
        "two",
        "zwei",
        "one",
        "constant",
    ]


# Kwargs


def test_kwargs(declared: Declared) -> None:
    """self is `input` of a function, dim is axis too; keyword-only ones come last."""
    text = entry(
        f"{RESULT}, {{arg: double p, kwarg_only: true}}, THTensor* self, {{arg: long dim, wrap_dim: self}}, "
        "bool keepdim, "
        "{arg: THSize* size, long_args: true, kwarg_only: true}"
    )
    got = [(p.name, p.alias, p.kwarg_only, p.varargs) for p in declared.form(text).body.params]
    assert got == [
        ("input", "self", False, False), ("dim", "axis", False, False), ("keepdim", "keepdims", False, False),
        ("p", "", True, False), ("size", "", True, True), ("out", "", True, False),
    ]  # fmt: skip


def test_kwargs_gives_way(declared: Declared) -> None:
    """A second name that another argument has is not taken."""
    form = declared.form(
        entry(
            f"{RESULT}, THTensor* self, THTensor* input, {{arg: long dim, wrap_dim: self}}, long axis"
        )
    )
    assert [(p.name, p.alias) for p in form.body.params][:4] == [
        ("self", ""),
        ("input", ""),
        ("dim", ""),
        ("axis", ""),
    ]


def test_numbers_on_both_sides_of_an_operator(declared: Declared) -> None:
    for operator, kind in (('operator: "-"', "THP_OPERAND"), ("doc: none", "THP_TENSOR")):
        form = declared.form(
            entry("THTensor* self, THTensor* other", operator, 'kernel: "self - other"'), "f"
        )
        assert [param.kind for param in form.body.params] == [kind, "THP_OPERAND", "THP_OUT"]


# OptionalArguments


@pytest.mark.parametrize(
    ("argument", "default", "value", "shown"),
    [
        ("real x", "AS_REAL(1)", "THScalar_fromLong(1)", "1"),
        ("real x", "1e-8", "THScalar_fromDouble(1e-8)", "1e-8"),
        ("real x", "true", "THScalar_fromBool(true)", "True"),
        ("real x", "inf", "THScalar_fromDouble(INFINITY)", "float('inf')"),
        (
            "accreal x",
            "-9223372036854775808",
            "THScalar_fromLong(INT64_MIN)",
            "-9223372036854775808",
        ),
        ("double x", "-inf", "-INFINITY", "float('-inf')"),
        ("double x", ".5", ".5", ".5"),
        ("long x", "-1", "-1", "-1"),
        ("long x", "007", "7", "7"),
        ("bool x", "True", "true", "True"),
        ("char* x", "'linear'", '"linear"', "'linear'"),
        ("THTensor* x", "NULL", "NULL", "None"),
        ("THDtype x", "NULL", "-1", "None"),
        ("THGenerator* x", "THPDefaultGenerator->cdata", "NULL", "None"),
    ],
)
def test_defaults(declared: Declared, argument: str, default: str, value: str, shown: str) -> None:
    form = declared.form(
        entry(f'{RESULT}, THTensor* self, {{arg: {argument}, default: "{default}"}}')
    )
    param = params(form)["x"]
    assert (param.default, param.shown_default) == (value, shown)
    assert param.nullable == (shown == "None")


# NullableArguments


def test_nullable(declared: Declared) -> None:
    """None is accepted, absent only with a default. Nothing looks into what may be NULL."""
    text = entry(
        f"{RESULT}, THTensor* self, {{arg: THBoolTensor* x, nullable: true, assert_ndim: 1}}, "
        "{arg: THDtype d, nullable: true, default: NULL}"
    )
    form = declared.form(text)
    assert [(params(form)[name].default, params(form)[name].nullable) for name in ("x", "d")] == [
        ("", True),
        ("-1", True),
    ]
    checks = [statement.text for statement in form.body.checks]
    assert [
        text for text in checks if " x, " in text and not text.startswith("if (x != NULL)\n")
    ] == []
    assert 'TH_TRY(THCheck_tensor("f", "x", x));' not in checks


# ConstantArguments, ArgumentReferences, BoolOption


def test_constants_and_references(declared: Declared) -> None:
    """Passed in their places, unseen by callers; a reference passes what its argument has become."""
    form = declared.form(
        entry(
            f'{RESULT}, THTensor* self, CONSTANT "N", {{arg: THDims* dim, wrap_dim: self}}, argument 3, argument 1',
            "promote: float",
        )
    )
    assert passed(form) == ["self_cast", '"N"', "dim_mask", "dim_mask", "self_cast"]
    assert list(params(form)) == ["input", "dim", "out"]


def test_bool_option(declared: Declared) -> None:
    form = declared.form(
        entry(
            f"{RESULT}, THTensor* self, {{arg: bool upper, if_true: U, if_false: \"'L'\"}}, "
            "{arg: bool b, if_true: 0, if_false: 1}"
        )
    )
    assert passed(form) == ["self", '(upper ? "U" : "L")', "(b ? 0 : 1)"]


# AssertNDim, WrapDim


def test_assert_ndim(declared: Declared) -> None:
    form = declared.form(entry(f"{RESULT}, {{arg: THTensor* self, assert_ndim: 2}}"))
    assert woven(form, "AssertNDim") == {"checks": ['TH_TRY(THCheck_ndim("f", "self", self, 2));']}


def test_wrap_dim(declared: Declared) -> None:
    text = entry(
        f"{RESULT}, THTensorList all, {{arg: long a, wrap_dim: all}}, {{arg: long b, wrap_dim: {{of: all, extra: 1}}}}",
        "cname: THTensor_f", "promote: arithmetic",
    )  # fmt: skip
    assert woven(declared.form(text), "WrapDim")["checks"] == [
        'TH_TRY(THCheck_dim("f", "a", all[0], 0, &a));',
        'TH_TRY(THCheck_dim("f", "b", all[0], 1, &b));',
    ]


def test_wrap_dims(declared: Declared) -> None:
    form = declared.form(entry(f"{RESULT}, THTensor* self, {{arg: THDims* dim, wrap_dim: self}}"))
    assert woven(form, "WrapDim") == {
        "locals": ["uint64_t dim_mask = 0;"],
        "checks": ['TH_TRY(THCheck_dimMask("f", "dim", self, dim, dim_n, &dim_mask));'],
    }
    assert passed(form) == ["self", "dim_mask"]
