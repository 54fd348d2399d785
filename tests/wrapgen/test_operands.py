"""The plugins that look at all tensors: their dtypes, their shapes, text around the call."""

from __future__ import annotations

import pytest
from declaring import Declared
from weaving import RESULT, entry, passed, woven

# Promote


@pytest.mark.parametrize(
    ("word", "enum", "result"),
    [
        ("none", "TH_PROMOTE_NONE", "dtype"), ("arithmetic", "TH_PROMOTE_ARITHMETIC", "dtype"),
        ("float", "TH_PROMOTE_FLOAT", "dtype"), ("comparison", "TH_PROMOTE_ARITHMETIC", "TH_BOOL"),
    ],
)  # fmt: skip
def test_promote(declared: Declared, word: str, enum: str, result: str) -> None:
    """The dtype is found over the tensors; functions get them converted, unless all must agree."""
    form = declared.form(
        entry(f"{RESULT}, THTensor* self, THTensor* other, real x", f"promote: {word}")
    )
    prepared = woven(form, "Promote")["prepare"]
    assert prepared[0] == f'TH_TRY(THPromote("f", {enum}, inputs, 2, &dtype));'
    assert (form.body.dtype, form.body.result_dtype) == ("dtype", result)
    converted = ["self_cast", "other_cast"] if word != "none" else ["self", "other"]
    assert [actual.name for actual in form.body.actuals][:2] == converted


def test_promote_leaves_fixed_dtypes_out(declared: Declared) -> None:
    form = declared.form(
        entry(
            f"{RESULT}, THTensor* self, THIndexTensor* index, {{arg: THTensor* w, dtype: Float}}",
            "promote: float",
        )
    )
    assert [arg.name for arg in form.body.operands] == ["self"]
    assert "THTensor *const operands[] = {self};" in woven(form, "Promote")["locals"]
    assert passed(form) == ["self_cast", "index", "w"]


def test_a_dtype_that_is_asked_for(declared: Declared) -> None:
    """It replaces the promoted one and is not handed on."""
    form = declared.form(entry(f"{RESULT}, THTensor* self, {{arg: THDtype dtype, default: NULL}}"))
    assert (
        'TH_TRY(THCheck_dtypeGiven("f", dtype_given, &dtype));' in woven(form, "Promote")["prepare"]
    )
    assert passed(form) == ["self_cast"]


def test_no_dtype_without_dispatch(declared: Declared) -> None:
    """A function named in full gets its tensors as they are; results have the first required one's dtype."""
    form = declared.form(
        entry(
            f"{RESULT}, {{arg: THTensor* w, nullable: true}}, THTensor* self", "cname: THTensor_f"
        )
    )
    assert form.body.result_dtype == "(THDtype)self->dtype"
    assert form.body.dispatch == ()


# Types


def test_types(declared: Declared) -> None:
    form = declared.form(entry(f"{RESULT}, THTensor* self", "types: [Int, floating_point]"))
    assert form.body.dispatch == ("Int", "Half", "Float", "Double")
    bits = " | ".join(f"TH_TYPE_BIT(TH_{name})" for name in ("INT", "HALF", "FLOAT", "DOUBLE"))
    assert woven(form, "Types")["prepare"] == [f'TH_TRY(THCheck_types("f", dtype, {bits}));']


def test_types_by_group(declared: Declared) -> None:
    form = declared.form(entry(f"{RESULT}, THTensor* self", "types: [integral, floating_point]"))
    assert woven(form, "Types")["prepare"] == [
        'TH_TRY(THCheck_types("f", dtype, TH_TYPES_NUMERIC));'
    ]


def test_types_checks_tensors(declared: Declared) -> None:
    form = declared.form(
        entry(f"{RESULT}, THTensor* self, THIndexTensor* index, THTensorList rest")
    )
    assert woven(form, "Types")["checks"] == [
        'TH_TRY(THCheck_tensor("f", "self", self));',
        'TH_TRY(THCheck_tensor("f", "index", index));',
        'TH_TRY(THCheck_dtype("f", "index", index, TH_LONG));',
        'TH_TRY(THCheck_list("f", "rest", rest, rest_n));',
    ]


# Broadcast


def test_broadcast_of_kernels(declared: Declared) -> None:
    """All operands together, nothing expanded."""
    form = declared.form(entry("THTensor* self, THTensor* other", 'kernel: "self + other"'), "f")
    assert woven(form, "Broadcast")["prepare"] == [
        'TH_TRY(THShape_broadcast("f", &shape, inputs, 2));'
    ]
    assert form.body.shaped
    assert passed(form) == ["self", "other"]


def test_broadcast_to_sizes(declared: Declared) -> None:
    arguments = f"{RESULT}, {{arg: THTensor* self, broadcast: {{dims: [mat.1, vec.0]}}}}, THTensor* mat, THTensor* vec"
    operations = declared.run(entry(arguments, "inplace: direct"))
    (form,), (inplace,) = operations["f"].forms, operations["f_"].forms
    assert woven(form, "Broadcast") == {
        "locals": ["THTensor *self_expanded = NULL;"],
        "checks": [
            'TH_TRY(THCheck_ndimAtLeast("f", "mat", mat, 2));',
            'TH_TRY(THCheck_ndimAtLeast("f", "vec", vec, 1));',
        ],
        "inputs": [
            "const int64_t self_size[] = {mat->size[1], vec->size[0]};",
            'TH_TRY(THWrapper_newExpanded("f", "self", &self_expanded, self, self_size, 2));',
        ],
        "cleanup": ["THTensor_free(self_expanded);"],
    }
    assert passed(form) == ["self_expanded", "mat", "vec"]
    assert woven(inplace, "Broadcast") == {}


@pytest.mark.parametrize(("first", "second"), [("self", "other"), ("other", "self")])
def test_broadcast_together(declared: Declared, first: str, second: str) -> None:
    """To the common shape; in place to self's, which is never expanded whoever asks for it."""
    arguments = (
        f"{RESULT}, {{arg: THTensor* {first}, broadcast: {{with: {second}}}}}, THTensor* {second}"
    )
    operations = declared.run(entry(arguments, "inplace: direct"))
    (form,), (inplace,) = operations["f"].forms, operations["f_"].forms
    assert sorted(passed(form)) == ["other_expanded", "self_expanded"]
    assert sorted(passed(inplace)) == ["other_expanded", "self"]
    assert woven(inplace, "Broadcast")["inputs"] == [
        'TH_TRY(THWrapper_newExpanded("f_", "other", &other_expanded, other, self->size, '
        "self->nDimension));"
    ]


# BeforeAfterCall


def test_before_call(declared: Declared) -> None:
    """Before results are allocated, where it may refuse; right before the call if it speaks of a result."""
    arguments = f"{RESULT}, THTensor* self, long int, argument 2"
    form = declared.form(
        entry(
            arguments,
            'before_call: "TH_TRY(check($arg1, $arg2, $arg3));"',
            'after_call: "f($arg0);"',
        )
    )
    assert woven(form, "BeforeAfterCall") == {
        "prepare": ["TH_TRY(check(self, int_, int_));"],
        "after": ["f(result);"],
    }
    operations = declared.run(
        entry(arguments, "inplace: direct", 'before_call: "f($arg0, $arg1);"')
    )
    assert woven(operations["f"].forms[0], "BeforeAfterCall") == {"call": ["f(result, self);"]}
    assert woven(operations["f_"].forms[0], "BeforeAfterCall") == {
        "call": ["f(self_result, self);"]
    }
