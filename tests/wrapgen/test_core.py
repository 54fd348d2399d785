"""What core operations, helper functions and statements are read to; hostile text is refused with a place."""

from __future__ import annotations

from dataclasses import replace

import pytest
from declaring import Declared
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from weaving import entry

from wrapgen.emit import core as emit_core
from wrapgen.emit import helpers, kernels
from wrapgen.errors import DeclarationErrors, Loc
from wrapgen.plugins.types import dtypes_of
from wrapgen.show.explain import explain
from wrapgen.syntax.node import Text
from wrapgen.syntax.snippets import snippet

FUZZ = settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
PIECES = st.sampled_from(
    "( ) { } [ ] ; , = == -> + - * / % ? : ! < > & | ^ ~ # \" ' \\ /* */ // \n self result x n 1 0.5 exp "
    "scalar_t static int struct typedef enum return if else (n) (n)->(k) a=b; $ @ é \x0c".split(" ")
)


def quoted(text: str) -> str:
    """As a YAML string."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return '"' + escaped.replace("\x0c", "\\f") + '"'


def at(text: str) -> Text:
    return Text(text, text, Loc("x.yaml", 1, 1))


# Statements


def test_steps_and_results(declared: Declared) -> None:
    outputs = "{arg: THTensor* a, output: true}, {arg: THTensor* b, output: true, dtype: Long}"
    text = 'kernel: "t = self * 2; t = t + 1; b = t; a = b > 0 ? exp(t) : t"'
    form = declared.form(entry(f"{outputs}, THTensor* self", "types: [floating_point]", text))
    kernel = form.body.kernel
    assert kernel is not None
    assert [(step.ctype, step.name, step.value) for step in kernel.steps] == [
        ("scalar_t", "t", "self * 2"),
        ("", "t", "t + 1"),
        ("const int64_t", "b", "TH_MATH(toLong)(t)"),
        ("const scalar_t", "exp_0", "TH_MATH(exp)(t)"),
        ("const scalar_t", "a", "b > 0 ? exp_0 : t"),
    ]
    assert [(each.name, each.dtype, each.value) for each in kernel.results] == [
        ("a", "", "a"),
        ("b", "Long", "b"),
    ]
    assert list(declared.run(declared.folder.joinpath("ops.yaml").read_text())) == ["f"]


def test_locals_of_bool_are_stored(declared: Declared) -> None:
    """0 or 1, as elements are."""
    form = declared.form(entry("THTensor* self", 'kernel: "t = self * 256; result = t"'), "f")
    assert form.body.kernel is not None
    assert [step.stored for step in form.body.kernel.steps] == [True, True]
    assert "TH_STORE(&t, self * 256);" in kernels.kernel_text(form)


def test_names_out_of_the_way(declared: Declared) -> None:
    """Locals that are called like what a loop has."""
    text = 'kernel: "data = self; int = data + 1; n = int * 2; result = n"'
    form = declared.form(entry("THTensor* self", "types: [Float]", text), "f")
    assert form.body.kernel is not None
    assert [step.name for step in form.body.kernel.steps] == ["data_", "int_", "n_", "result"]


# Functions in C


def test_what_a_snippet_declares() -> None:
    found = snippet(
        at(
            "#define LIMIT \\\n  3\n"
            "static const double table[] = {1, 2}, other = 3;\n"
            "typedef struct pair { int a; } pair_t;\nenum color { RED = 1, GREEN };\n"
            "typedef scalar_t (*callback)(scalar_t);\n"
            "static scalar_t f(const scalar_t *x,\n  int n);\n"
            "__attribute__((noinline)) static int g(void) { return '}'; }\n"
            "static double h(int a[3], double (*fn)(double, int)) { return 0; }\n"
            "static void store(scalar_t *x) { *x = 1; }\n"
        )
    )
    functions = [(each.name, each.parameters, each.kind) for each in found.functions]
    assert functions == [("g", 0, "int"), ("h", 2, "float"), ("store", 1, "")]
    assert set(found.names) == {
        *("table", "other", "pair", "pair_t", "color", "RED", "GREEN", "callback", "f", "g", "h", "store")
    }  # fmt: skip


def test_helpers_are_there_for_the_dtypes_that_use_them(declared: Declared) -> None:
    """By themselves or through other entries; nothing is generated for one that nobody uses."""
    text = """
- c: "static scalar_t inner(scalar_t x) { return x; }"
- c: "static scalar_t outer(scalar_t x) { return inner(x); }"
- c: "static scalar_t unused(scalar_t x) { return x; }"
- {name: f, types: [Half], arguments: [THTensor* self], kernel: "outer(self)"}
- {name: g, types: [integral], arguments: [THTensor* self], core: "(n)->()", body: "*result = inner(self[0]);"}
"""
    operations = declared.run(text)
    forms = [form for operation in operations.values() for form in operation.forms]
    generated = helpers.text(forms[0].op.units.snippets, forms)
    conditions = [line for line in generated.splitlines() if line.startswith("#if")]
    assert conditions == [
        "#if defined(TH_CATEGORY_IS_INTEGRAL) || defined(TH_REAL_IS_HALF) || defined(TH_REAL_IS_FLOAT)",
        "#if defined(TH_REAL_IS_HALF) || defined(TH_REAL_IS_FLOAT)",
    ]
    assert "scalar_t unused" not in generated
    assert '#line 2 "ops.yaml"' in generated
    assert "TH_HELPER(outer)(self)" in kernels.kernel_text(forms[0])
    assert "#define inner TH_HELPER(inner)" in emit_core.core_text(
        next(form for form in forms if form.op.name == "g")
    )


# Core operations


def test_core_as_data(declared: Declared) -> None:
    text = entry(
        "THTensor* self, THIndexTensor* index, long width, real x",
        'core: "(n, 3),(n)->(k,3)"', 'core_dims: {k: "2 * n - width / 2"}', "contiguous: true",
        "cname: {Float: int fn, Long: void fn2}",
    )  # fmt: skip
    form = declared.form(text)
    core = form.body.core
    assert core is not None
    assert core.dims == (("n", -1), ("3", 3), ("k", -1))
    assert [(each.arg.name, each.dtype, each.dims) for each in (*core.outputs, *core.inputs)] == [
        ("result", "", (2, 1)),
        ("self", "", (0, 1)),
        ("index", "Long", (0,)),
    ]
    assert core.sizes == ((2, "2 * work.size[0] - THLong_trunc_divide(width, 2)"),)
    assert dtypes_of(form.op) == ("Long", "Half", "Float")
    assert "int fn(__INT64_TYPE__ n, __INT64_TYPE__ k, const float *self," in emit_core.prototypes(
        [form]
    )
    assert form.body.shaped is False
    assert [output.name for output in form.body.results] == ["result"]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("int fn(int64_t n, const float *x)\n{", "int"),
        ("void\nfn(int64_t n) {", "void"),
        ('extern "C" void fn(std::int64_t n) {', "void"),
        ("static int other(void) { return fn(1); }\nvoid fn(long n) {", "void"),
    ],
)
def test_the_type_of_a_function_is_found(declared: Declared, source: str, expected: str) -> None:
    (declared.folder / "plain.c").write_text(source)
    text = entry("THTensor* self", 'core: "(n)->()"', "types: [Float]", "cname: fn")
    form = declared.form("- sources: plain.c\n" + text)
    assert [function.result for function in form.op.functions] == [expected]


def test_core_with_a_function_of_another_type(declared: Declared) -> None:
    (declared.folder / "plain.c").write_text("double fn(long n) { return 1; }")
    text = entry("THTensor* self", 'core: "(n)->()"', "types: [Float]", "cname: fn")
    assert declared.errors("- sources: plain.c\n" + text) == (
        "ops.yaml:6:10: error: op 'f': fn() returns double; a function of core returns void or int"
    )


def test_explained(declared: Declared) -> None:
    """Signature, sizes, the loop and the body; the statements of a kernel."""
    text = entry(
        "THTensor* self, long width",
        'core: "(n)->(k)"', "core_dims: {k: n - width}", 'body: "result[0] = 1;"',
    ) + entry("THTensor* self", 'kernel: "t = self; result = t + t"').replace("f", "g", 1)  # fmt: skip
    path = declared.write(text)
    ops = [tuple(replace(op, loc=replace(op.loc, file=str(path))) for op in forms) for forms in
           declared.load(text)]  # fmt: skip
    shown = explain("f", ops)
    for line in (
        "    core_dims: k = n - width",
        "  core     (n)->(k)",
        "  core     k = work.size[0] - width",
        "    result[0] = 1;",
        "    return THCore_run(&work, TH_DTYPE, operands, &params);",
    ):
        assert line in shown.split("\n")
    shown = explain("g", ops)
    assert "  kernel   t = self\n  kernel   result = t + t\n" in shown


# Hostile text


@FUZZ
@given(key=st.sampled_from(["kernel", "core", "body"]), pieces=st.lists(PIECES, max_size=25))
def test_keys_are_refused_or_read(declared: Declared, key: str, pieces: list[str]) -> None:
    beside = {"kernel": "", "core": 'body: "*result = 1;"', "body": 'core: "(n)->()"'}[key]
    _refused_or_generated(
        declared, entry("THTensor* self", f"{key}: {quoted(' '.join(pieces))}", beside)
    )


@FUZZ
@given(pieces=st.lists(PIECES, max_size=30))
def test_snippets_are_refused_or_read(declared: Declared, pieces: list[str]) -> None:
    text = f"- c: {quoted(' '.join(pieces))}\n"
    _refused_or_generated(declared, text + entry("THTensor* self", 'kernel: "self"'))


def _refused_or_generated(declared: Declared, text: str) -> None:
    """An error with a place inside the file, or C."""
    places: list[Loc] = []
    try:
        operations = declared.run(text)
    except DeclarationErrors as errors:
        operations = {}
        places = [error.loc for error in errors.errors]
        assert places
    assert all(1 <= loc.line <= text.count("\n") + 1 for loc in places)
    forms = [form for operation in operations.values() for form in operation.forms]
    for form in forms:
        assert kernels.loop_text(form, True)
        assert helpers.text(form.op.units.snippets, forms)
