"""The plugins that make results: in place, out=, several, returned, and the GIL around the call."""

from __future__ import annotations

import pytest
from declaring import Declared
from weaving import RESULT, entry, params, rewritten, woven

# Inplace


def test_inplace_derives_a_form(declared: Declared) -> None:
    first, second = rewritten(
        declared, entry(f"{RESULT}, THTensor* self", "inplace: true", "reference: self"), "Inplace"
    )
    assert (second.name, second.python_name, second.cname, second.inplace) == (
        "f_",
        "f_",
        "f",
        "copy",
    )
    assert (second.returns, second.reference, [arg.name for arg in second.args]) == (
        "self",
        "",
        ["self"],
    )
    assert second.declared == first.declared
    assert first.inplace == ""


@pytest.mark.parametrize(
    ("inplace", "result", "made"),
    [
        ("true", "self_result", "TH_TRY(THTensor_newEmpty(&self_result, dtype));"),
        (
            "direct",
            "self_result",
            'TH_TRY(THOutput_plain("f_", &self_result, self, dtype, others, 1));',
        ),
    ],
)
def test_inplace_results(declared: Declared, inplace: str, result: str, made: str) -> None:
    (form,) = declared.run(entry(f"{RESULT}, THTensor* self, THTensor* x", f"inplace: {inplace}"))[
        "f_"
    ].forms
    assert [output.name for output in form.body.results] == [result]
    assert woven(form, "Inplace")["outputs"] == [
        'TH_TRY(THInplace_check("f_", self, dtype, NULL, inputs, 2));',
        made,
    ]
    assert form.body.finish == 'THInplace_end("f_", status, self, self_result)'


def test_inplace_of_kernels_writes_into_self(declared: Declared) -> None:
    (form,) = declared.run(entry("THTensor* self, THTensor* x", 'kernel: "self + x"'))["f_"].forms
    assert [output.name for output in form.body.results] == ["self"]
    assert woven(form, "Inplace") == {
        "outputs": ['TH_TRY(THInplace_check("f_", self, dtype, &shape, inputs, 2));']
    }
    assert form.body.finish == ""


@pytest.mark.parametrize(
    "declaration",
    ["- {name: f_, arguments: [%s]}\n", "- {name: f, return: self, arguments: [%s]}\n"],
)
def test_inplace_as_declared(declared: Declared, declaration: str) -> None:
    """By its name or by what it returns: the C function gets self first."""
    form = declared.form(declaration % "THTensor* self, THTensor* x")
    assert (form.op.inplace, form.op.returns, form.op.cname) == ("self", "self", "f")
    assert form.body.results == ()
    name = form.op.name
    assert woven(form, "Inplace")["outputs"] == [
        f'TH_TRY(THInplace_check("{name}", self, (THDtype)self->dtype, NULL, others, 1));'
    ]


# Outputs


def test_outputs(declared: Declared) -> None:
    arguments = "{arg: THTensor* values, output: true}, {arg: THIndexTensor* places, output: true}, THTensor* self"
    form = declared.form(entry(arguments))
    assert [(output.name, output.dtype) for output in form.body.results] == [
        ("values", "dtype"),
        ("places", "TH_LONG"),
    ]
    assert woven(form, "Outputs")["outputs"] == [
        'TH_TRY(THOutput_check("f", (THTensor *const[]){*values_out, *places_out}, 2));',
        'TH_TRY(THOutput_plain("f", &values, *values_out, dtype, inputs, 1));',
        'TH_TRY(THOutput_plain("f", &places, *places_out, TH_LONG, inputs, 1));',
    ]
    assert woven(form, "Outputs")["cleanup"] == [
        'status = THOutput_end("f", status, values_out, values);',
        'status = THOutput_end("f", status, places_out, places);',
    ]
    assert params(form)["out"].shown == "tuple of Tensors"


@pytest.mark.parametrize(
    ("dtype", "argument", "expected"),
    [
        ("compute", "THTensor* x", "dtype"), ("Half", "THTensor* x", "TH_HALF"),
        ("accumulate", "THTensor* x", "THDtype_accumulate(dtype)"),
        ("accumulate", "{arg: THDtype dtype, default: NULL}", "(dtype_given >= 0 ? dtype : THDtype_accumulate(dtype))"),
    ],
)  # fmt: skip
def test_dtypes_of_outputs(declared: Declared, dtype: str, argument: str, expected: str) -> None:
    form = declared.form(
        entry(
            f"{{arg: THTensor* result, output: true, dtype: {dtype}}}, THTensor* self, {argument}"
        )
    )
    assert [output.dtype for output in form.body.results] == [expected]


def test_outputs_of_kernels_have_the_shape(declared: Declared) -> None:
    form = declared.form(entry("THTensor* self", 'kernel: "self"'), "f")
    assert woven(form, "Outputs")["outputs"] == [
        'TH_TRY(THOutput_shaped("f", &result, *out, dtype, &shape, inputs, 1));'
    ]


def test_out_of_functions_that_make_their_result(declared: Declared) -> None:
    form = declared.form(
        entry("THTensor* self", "return: THTensor*", "out: true", "cname: THTensor_f")
    )
    assert params(form)["out"].kind == "THP_OUT"
    assert form.body.finish == 'THOutput_end("f", status, out, out_result)'


# GILRelease


@pytest.mark.parametrize(
    ("text", "work"),
    [
        (entry(f"{RESULT}, THTensor* self, THTensor* x"), ("result", "self", "x")),
        (entry(f"{RESULT}, THTensor* self", "cname: THTensor_f"), ("result", "self")),
        (entry("THTensor* self", "return: bool"), ("self",)),
        (entry(f"{RESULT}, THTensor* self", "with_gil: true"), ()),
        (entry("THTensor* self", "return: THTensor*", "cname: THTensor_newT"), ()),
        (
            entry("THTensor* self", "return: THTensor*", "cname: THTensor_f", "with_gil: false"),
            ("self",),
        ),
        (entry("long n", "return: long", "cname: THf"), ()),
    ],
)
def test_gil_release(declared: Declared, text: str, work: tuple[str, ...]) -> None:
    """Around work on elements, with all tensors pinned; not for views and numbers."""
    body = declared.form(text).body
    assert (body.unlocked, body.work) == (bool(work), work)


# ReturnArguments


def test_returns(declared: Declared) -> None:
    from wrapgen.emit.wrappers import returns_of

    arguments = "{arg: THTensor* a, output: true}, {arg: THTensor* b, output: true}, THTensor* self"
    assert [arg.name for arg in returns_of(declared.form(entry(arguments)).op)] == ["a", "b"]
    assert [
        arg.name for arg in returns_of(declared.form(entry(arguments, "return: argument 1,0")).op)
    ] == ["b", "a"]
