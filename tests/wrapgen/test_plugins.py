"""Each plugin on small declarations: what it makes of the Op and adds to the Body. The whole C is test_golden's."""

from __future__ import annotations

from dataclasses import replace

import pytest
from conftest import Declared

from wrapgen import chain
from wrapgen.chain import Form
from wrapgen.model import SLOTS, Body, Op, Param
from wrapgen.plugins import CHAIN
from wrapgen.plugins.inplace import INPLACE
from wrapgen.plugins.kernel import KERNEL
from wrapgen.plugins.promote import NUMBER, PROMOTE

RESULT = "{arg: THTensor* result, output: true}"


def entry(arguments: str, *keys: str) -> str:
    """One op `f` with these arguments and further keys."""
    return (
        "\n".join(["- name: f", f"  arguments: [{arguments}]", *(f"  {key}" for key in keys)])
        + "\n"
    )


def rewritten(declared: Declared, text: str, until: str) -> tuple[Op, ...]:
    """The ops of the first declaration after the rewrites up to a plugin."""
    (ops,) = declared.load(text)
    index = next(i for i, plugin in enumerate(CHAIN) if plugin.name == until)
    return chain.rewrite(ops, CHAIN[: index + 1])[0]


def woven(form: Form, plugin: str) -> dict[str, list[str]]:
    """The statements a plugin wove, by slot."""
    found: dict[str, list[str]] = {}
    for slot in SLOTS:
        for statement in getattr(form.body, slot):
            if statement.plugin == plugin:
                found.setdefault(slot, []).append(statement.text)
    return found


def after(form: Form, plugin: str) -> Body:
    """The body right after a plugin's weave."""
    return next(step.body for step in form.steps if step.plugin == plugin)


def params(form: Form) -> dict[str, Param]:
    return {param.name: param for param in form.body.params}


# Kernel


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
    assert kernel.expression == "mask ? exp_0 : has_data ? data_ : alpha"
    assert kernel.hoisted == (("exp_0", "TH_MATH(exp)(self)"),)
    assert kernel.outputs == (("result", ""),)
    assert kernel.inputs == (("self", ""), ("mask", "Bool"), ("data_", ""))
    assert kernel.params == (("alpha", "scalar_t", "alpha"), ("has_data", "bool", "data_ != NULL"))
    assert kernel.nullable == ("data_",)
    assert kernel.used == ("self", "mask", "data_")
    assert kernel.whole_vectors
    assert kernel.cost == 18


def test_kernel_results(declared: Declared) -> None:
    """Stored as the dtype of the output; comparisons as Bool."""
    for keys, dtype in (("promote: comparison", "Bool"), ("promote: arithmetic", "")):
        form = declared.form(entry("THTensor* self, THTensor* x", keys, 'kernel: "self < x"'), "f")
        assert form.body.kernel is not None
        assert form.body.kernel.outputs == (("result", dtype),)


def test_kernel_names_its_result_apart(declared: Declared) -> None:
    form = declared.form(entry("THTensor* self, THTensor* result", 'kernel: "self + result"'), "f")
    assert [arg.name for arg in form.op.args] == ["result_", "self", "result"]


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


def passed(form: Form) -> list[str]:
    return [text for actual in form.body.actuals for text in actual.expressions(None)]


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
    from wrapgen.emit_c import returns_of

    arguments = "{arg: THTensor* a, output: true}, {arg: THTensor* b, output: true}, THTensor* self"
    assert [arg.name for arg in returns_of(declared.form(entry(arguments)).op)] == ["a", "b"]
    assert [
        arg.name for arg in returns_of(declared.form(entry(arguments, "return: argument 1,0")).op)
    ] == ["b", "a"]


# The chain


def test_plugins_only_add(declared: Declared) -> None:
    """No plugin takes back what an earlier one wove; every statement knows who asked for it, and where."""
    text = entry(
        f"{RESULT}, {{arg: THTensor* self, broadcast: {{with: x}}}}, THTensor* x, {{arg: long dim, wrap_dim: self}}, "
        "real alpha",
        "promote: float", "inplace: direct", "before_call: f($arg1);",
    )  # fmt: skip
    for operation in declared.run(text).values():
        for form in operation.forms:
            body = chain.start(form.op)
            for step in form.steps:
                for slot in SLOTS:
                    assert getattr(step.body, slot)[: len(getattr(body, slot))] == getattr(
                        body, slot
                    )
                    new = getattr(step.body, slot)[len(getattr(body, slot)) :]
                    assert {statement.plugin for statement in new} <= {step.plugin}
                    assert all(statement.loc.line in (1, 2, 3, 4, 5) for statement in new)
                body = step.body


def test_a_chain_of_no_plugins_changes_nothing(declared: Declared) -> None:
    (ops,) = declared.load(entry("THTensor* self"))
    assert chain.rewrite(ops, ()) == (ops, ())
    assert chain.weave(ops[0], ()).body == chain.start(ops[0])


def test_rewrites_are_idempotent(declared: Declared) -> None:
    """A kernel that was completed stays as it is."""
    (op,) = rewritten(
        declared, entry("THTensor* self, THTensor* x", 'kernel: "self + x"'), "Kernel"
    )
    kernel = next(plugin for plugin in CHAIN if plugin.name == "Kernel")
    assert kernel.rewrite is not None
    assert kernel.rewrite(replace(op, declared=op.declared)) == (op,)
    assert op[KERNEL] == "self + x"
