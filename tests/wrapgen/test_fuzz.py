"""Whatever is in a declarations file, the answer is operations or DeclarationErrors: a traceback is a defect."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from declaring import HERE, ROOT
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from wrapgen import chain, loader
from wrapgen.emit import calls, cdef, readers, result_types, stubs, wrappers
from wrapgen.emit import kernels as emit_kernels
from wrapgen.errors import DeclarationErrors
from wrapgen.plugins import CHAIN
from wrapgen.syntax import expression
from wrapgen.types import RETURNS, TYPES

KEYS = [
    *loader.CORE_KEYS,
    *(key.name for plugin in CHAIN for key in (*plugin.op_keys, *plugin.arg_keys)),
]
WORDS = [
    *KEYS, *TYPES, *RETURNS, "self", "result", "other", "dim", "true", "false", "NULL", "0", "1", "-1", "1e-8",
    "argument", "argument 0", "argument 1", "argument 99", "CONSTANT", "THTensor* self", "THTensor* x", "real alpha",
    "long dim", "bool b", "THDtype dtype", "THDims* dim", "THTensorList tensors", "self + 1", "exp(self)",
    "has_x ? x : self", "$arg0", "$arg9", "$", "{}", "[]", "{of: self}", "{dims: [self.0]}", "{with: other}", "~",
    "''", '""', "foo_", "_", "int", "é", "*/", "accumulate", "compute", "Long", "0.5 * self", "~self", "self / 300",
]  # fmt: skip
SETTINGS = settings(
    max_examples=250,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
TAKES = ("tensors", "arrays", "like")
SEEDS = [
    path for folder in ("good", "golden", "bad") for path in sorted((HERE / folder).glob("*.yaml"))
]


def swallow(path: Path) -> bool:
    """Everything wrapgen does with a file; whether it was accepted."""
    refused: DeclarationErrors | None = None
    try:
        operations = chain.read([(path, path.name)])
    except DeclarationErrors as errors:
        refused = errors
    if refused is not None:
        places = [error.loc for error in refused.errors if error.message]
        assert places
        assert all(loc.line >= 1 and loc.column >= 1 for loc in places)
        return False
    forms = [form for operation in operations for form in operation.forms]
    wrappers.chapter(path.name, "ops", operations, "ops.h", "ops.h")
    wrappers.header("OPS_H", operations)
    readers.chapter(path.name, "ops", operations, "ops.h")
    cdef.cdef(operations)
    compile(
        "\n".join(
            [
                *result_types.stub(operations, "Tensor"),
                *(line for takes in TAKES for line in stubs.functions(operations, takes)),
                "class Tensor:",
                *stubs.methods(operations),
                "    pass",
            ]
        ),
        "",
        "exec",
    )
    if any(form.body.looped for form in forms):
        emit_kernels.source(path.name, "ops", forms)
    if calls.whole(forms):
        calls.source(path.name, "ops", forms)
    return True


def mutated(text: str, rng: random.Random) -> str:
    """A few words replaced, doubled, dropped or moved."""
    parts = text.replace(",", " , ").replace(":", ": ").split(" ")
    for _ in range(rng.randrange(1, 4)):
        index = rng.randrange(len(parts))
        change = rng.randrange(4)
        if change == 0:
            parts[index] = rng.choice(WORDS)
        elif change == 1:
            parts.insert(index, rng.choice(WORDS))
        elif change == 2 and len(parts) > 1:
            del parts[index]
        else:
            other = rng.randrange(len(parts))
            parts[index], parts[other] = parts[other], parts[index]
    return " ".join(parts)


def entries() -> list[str]:
    """Declared entries as texts: those of the tests and of the library."""
    paths = [path for path in SEEDS if path.stat().st_size < 4000] + loader.declaration_files(
        ROOT / "declarations"
    )
    texts = [path.read_bytes().decode("utf-8", "replace") for path in paths]
    return [f"- {entry}" for text in texts for entry in f"\n{text}".split("\n- ")[1:]]


ENTRIES = entries()


@given(seed=st.integers(0, 2**32))
@SETTINGS
def test_mutated_entries(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    path = tmp_path / "ops.yaml"
    for _ in range(5):
        path.write_text(mutated(rng.choice(ENTRIES), rng), encoding="utf-8")
        swallow(path)


values = st.recursive(
    st.sampled_from(WORDS)
    | st.text(max_size=8).map(lambda text: "".join(c for c in text if c.isprintable())),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS), inner, max_size=3)
    ),
    max_leaves=6,
)
names = st.sampled_from(["self", "other", "result", "x", "dim", "out", "dtype", "int", "n", "data"])
arguments = st.builds("{} {}".format, st.sampled_from(sorted(TYPES)), names) | st.dictionaries(
    st.sampled_from(["arg", *(key.name for plugin in CHAIN for key in plugin.arg_keys)]),
    st.builds("{} {}".format, st.sampled_from(sorted(TYPES)), names)
    | st.sampled_from(["true", "self", "NULL", "1"])
    | values,
    max_size=3,
)
kernels = st.sampled_from(
    [
        "self",
        "self + x",
        "x ? self : other",
        "exp(self)",
        "self << 1",
        "has_x ? x : 0",
        "int + n * data",
    ]
)
ops = st.fixed_dictionaries(
    {"name": st.sampled_from(["f", "f_", "g", "int"])},
    optional={
        "arguments": st.lists(arguments, max_size=5),
        "kernel": kernels | values,
        "inplace": st.sampled_from(["true", "direct", "false"]) | values,
        "promote": st.sampled_from(["none", "arithmetic", "float", "comparison"]),
        "return": st.sampled_from([*RETURNS, "void", "self", "argument 0", "argument 1,0"])
        | values,
        "types": st.lists(st.sampled_from(["all", "floating_point", "Float", "Bool"]), max_size=2)
        | values,
        "cname": st.sampled_from(["THTensor_f", "g"]),
        "before_call": st.sampled_from(["f($arg0);", "$arg1", "$x"]),
        "options": st.lists(st.dictionaries(st.sampled_from(KEYS), values, max_size=4), max_size=2),
        "variants": st.sampled_from([["method"], ["function"]]),
        "out": st.sampled_from(["true", "false"]),
    },
)


@given(declared=st.lists(ops | values, max_size=3))
@SETTINGS
def test_structured_entries(declared: object, tmp_path: Path) -> None:
    """Right in form, absurd in content."""
    import json

    path = tmp_path / "ops.yaml"
    path.write_text(json.dumps(declared, ensure_ascii=False), encoding="utf-8")
    swallow(path)


@given(
    content=st.binary(max_size=200)
    | st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass"))
)
@SETTINGS
def test_any_bytes(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "ops.yaml"
    path.write_bytes(content)
    swallow(path)


@given(kernel=st.text(alphabet="selfxotherhas_ 0123456789.+-*/%<>=!&|^~?:(),", max_size=40))
@SETTINGS
def test_any_kernel(kernel: str, tmp_path: Path) -> None:
    path = tmp_path / "ops.yaml"
    path.write_text(
        f'- {{name: f, arguments: [THTensor* self, THTensor* other], kernel: "{kernel}"}}\n',
        encoding="utf-8",
    )
    swallow(path)


CALL_WORDS = [
    "f", "(", ")", "(", ")", ",", ",", "self", "other", "n", "data", "copy", "work", "count", "nbytes", "size",
    "stride", "ndim", "int", "uint", "result", "&", "=", "double", "1", "0", '"x"', "'", "{", "}", "[", "]", ";", "+",
    "*", "CAPITAL",
]  # fmt: skip


@given(
    words=st.lists(st.sampled_from(CALL_WORDS), max_size=12),
    keys=st.lists(
        st.sampled_from(
            [
                "return: double",
                "return: void",
                "fails: nonzero",
                "fails: negative",
                "message: it failed",
                "message: g(status)",
                'core: "(n)->()"',
                'core: "(n),(n)->(n)"',
                "types: [Double]",
                "cname: {Float: f, Double: g}",
                "promote: float",
            ]
        ),
        unique_by=lambda key: key.partition(":")[0],
    ),
)
@SETTINGS
def test_any_call(words: list[str], keys: list[str], tmp_path: Path) -> None:
    path = tmp_path / "ops.yaml"
    rest = "".join(f"  {key}\n" for key in keys)
    path.write_text(
        "- {library: m, headers: [m.h]}\n- name: f\n  library: m\n"
        "  arguments: [THTensor* self, THTensor* other, long n]\n"
        f"{rest}  call: |\n    f({' '.join(words)})\n",
        encoding="utf-8",
    )
    swallow(path)


@pytest.mark.parametrize("count", [1, 10, 100, expression._MAX_TOKENS // 2 - 1])
def test_long_kernels_are_accepted(count: int, tmp_path: Path) -> None:
    """Up to the limit everything that recurses is safe."""
    path = tmp_path / "ops.yaml"
    path.write_text(
        f'- {{name: f, arguments: [THTensor* self], kernel: "{"self + " * count}self"}}\n',
        encoding="utf-8",
    )
    assert swallow(path)


def test_the_fuzz_reaches_both_ends(tmp_path: Path) -> None:
    """Some mutations are accepted, some are not: otherwise nothing was tried."""
    path = tmp_path / "ops.yaml"
    rng = random.Random(1)
    outcomes = set()
    for _ in range(60):
        path.write_text(mutated(rng.choice(ENTRIES), rng), encoding="utf-8")
        outcomes.add(swallow(path))
    assert outcomes == {True, False}
