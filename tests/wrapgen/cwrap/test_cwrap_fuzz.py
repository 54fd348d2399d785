"""Whatever is in a .cwrap file, the answer is a report or DeclarationErrors; what is imported means the same."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest
from fragments import round_trip
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_cwrap import CORPUS, HERE

from wrapgen.cwrap import convert, functions, languages, parsing, report
from wrapgen.errors import DeclarationErrors
from wrapgen.loader import CORE_KEYS, Loader
from wrapgen.types import TYPES

SETTINGS = settings(
    max_examples=120,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
LOADER = Loader()
KEYS = sorted({*parsing.OP_KEYS, *parsing.OP_IGNORED, *CORE_KEYS, *LOADER.op_keys})
ARG_KEYS = sorted({*parsing.ARG_KEYS, *parsing.ARG_IGNORED, *LOADER.arg_keys})
WORDS = [
    *KEYS, *ARG_KEYS, *TYPES, "self", "result", "other", "dim", "True", "no", "NULL", "~", "0", "1", "-1", "1e-8",
    "AS_REAL(1)", "argument 0", "argument 1", "argument 0,1", "argument 99", "CONSTANT 0", "THTensor* self",
    "THTensor* other", "real value", "long dim", "bool keepdim", "other fallback", "other inplace fallback",
    "mat,vec dims:mat.dim0", "self+1", "self", "CPU", "CUDA", "floating_point", "Float", "[[CPU, Float]]", "$arg0",
    "((THPTensor*)$arg0)->cdata;", "__last_dim", "kernel", "[[", "]]", "!!inc x", "#if IS_CUDA", "#endif", "// text",
    "\t", "é", "'", '"', "{", "|", ">", "- ", ": ", "&a", "*a", "!!str",
]  # fmt: skip
SEEDS = [
    *CORPUS.rglob("*.cwrap"),
    *(HERE / "bad").glob("*.cwrap"),
]
BLOCKS = [
    f"[[\n{text.split(f'{chr(10)}]]')[0]}\n]]\n"
    for path in sorted(SEEDS)
    for text in path.read_bytes().decode("utf-8", "replace").split("[[\n")[1:]
    if "name" in text
]


def swallow(path: Path, folder: Path) -> bool:
    """Everything that is done with a file; whether it is well formed."""
    refused: DeclarationErrors | None = None
    try:
        report.report(convert.convert(path, path.name))
    except DeclarationErrors as errors:
        refused = errors
    if refused is not None:
        places = [error.loc for error in refused.errors if error.message]
        assert places
        assert all(loc.line >= 1 and loc.column >= 1 for loc in places)
        return False
    before, after = round_trip(path, folder)
    assert before == after
    return True


def mutated(text: str, rng: random.Random) -> str:
    """A few words replaced, doubled, dropped or moved; sometimes blanks too."""
    parts = re.split(r"([^\s,:{}\[\]]+)", text)
    words = range(1, len(parts), 2)
    for _ in range(rng.randrange(1, 4)):
        index, change = rng.choice(words), rng.randrange(6)
        if change < 2:
            parts[index] = rng.choice(WORDS)
        elif change == 2:
            parts[index] += f" {rng.choice(WORDS)}"
        elif change == 3:
            parts[index] = ""
        elif change == 4:
            other = rng.choice(words)
            parts[index], parts[other] = parts[other], parts[index]
        else:
            parts[index - 1] += rng.choice((" ", "\n", "- ", ": ", ", "))
    return "".join(parts)


@given(seed=st.integers(0, 2**32))
@SETTINGS
def test_mutated_blocks(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    path = tmp_path / "ops.cwrap"
    for _ in range(4):
        text = "".join(rng.choice(BLOCKS) for _ in range(rng.randrange(1, 3)))
        path.write_text(mutated(text, rng), encoding="utf-8")
        swallow(path, tmp_path)


values = st.recursive(
    st.sampled_from(WORDS)
    | st.text(max_size=8).map(lambda text: "".join(c for c in text if c.isprintable())),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS), inner, max_size=3)
    ),
    max_leaves=5,
)
names = st.sampled_from(["self", "other", "result", "dim", "value", "size", "index"])
typed = st.builds("{} {}".format, st.sampled_from(sorted(TYPES)), names)
arguments = typed | st.fixed_dictionaries(
    {"arg": typed},
    optional={
        "output": st.sampled_from(["True", "no", "x"]),
        "default": st.sampled_from(["1", "NULL", "false", "AS_REAL(1)", "__last_dim", "x y"]),
        "wrap_dim": st.sampled_from(["self", "self+1", "other", "1"]),
        "broadcast": st.sampled_from(
            ["other fallback", "other", "self inplace", "a,b,c", "x dims:"]
        ),
        "kwarg_only": st.sampled_from(["True", "on"]),
        "if_true": values,
    },
)
ops = st.fixed_dictionaries(
    {
        "name": st.sampled_from(["f", "f_", "__and__", "__iadd__", "THPTensor_(f)", "1"]),
        "arguments": st.lists(arguments, max_size=6),
    },
    optional={
        "cname": st.sampled_from([*functions.rows(), "THTensor_f", "gesv", "nothing"]),
        "return": st.sampled_from(
            ["self", "argument 0", "argument 0,1", "accreal", "void", "THTensor*", "x"]
        ),
        "types": st.lists(st.sampled_from(["floating_point", "Float", "Byte", "x"]), max_size=2),
        "variants": st.lists(st.sampled_from(["method", "function"]), max_size=2),
        "before_call": st.sampled_from(
            ["f($arg0);", "((THPTensor*)$arg9)->cdata", "$x;", '"', "};"]
        ),
        "kernel": st.sampled_from(["self", "self + other", "("]),
        "backends": st.sampled_from(["CPU", ["CUDA"], "x"]),
        "python_name": st.sampled_from(["g", "lambda", "", "g h"]),
        "doc": values,
        "sample": values,
    },
)


@given(
    declared=st.lists(ops | st.dictionaries(st.sampled_from(KEYS), values, max_size=4), max_size=3)
)
@SETTINGS
def test_structured_blocks(declared: list[object], tmp_path: Path) -> None:
    """Right in form, absurd in content."""
    path = tmp_path / "ops.cwrap"
    texts = (json.dumps(each, ensure_ascii=False) for each in declared)
    path.write_text("".join(f"[[\n{text}\n]]\n" for text in texts), encoding="utf-8")
    swallow(path, tmp_path)


LINES = "[[ ]] !!inc_ops.cwrap !!inc_. !!inc_\0 name:_f #if_x #else #endif //".split()


@given(
    content=st.binary(max_size=200)
    | st.text(max_size=200).map(lambda text: f"[[\n{text}\n]]".encode("utf-8", "surrogatepass"))
    | st.lists(st.sampled_from(LINES), max_size=8).map(
        lambda lines: "\n".join(lines).replace("_", " ").encode()
    )
)
@SETTINGS
def test_any_bytes(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "ops.cwrap"
    path.write_bytes(content)
    swallow(path, tmp_path)


@given(text=st.text(alphabet="selfdim0123,.: +inplacetypesfb'\"", max_size=40))
@SETTINGS
def test_any_broadcast_and_dim(text: str, tmp_path: Path) -> None:
    path = tmp_path / "ops.cwrap"
    path.write_text(
        f"[[\n  name: f\n  arguments:\n    - {{arg: THTensor* self, broadcast: {json.dumps(text)}}}\n"
        f"    - {{arg: long dim, wrap_dim: {json.dumps(text)}}}\n]]\n"
    )
    swallow(path, tmp_path)


@given(text=st.text(alphabet="!definTH_REALSOUCDK()|& ", max_size=60))
@SETTINGS
def test_any_condition(text: str) -> None:
    languages.condition(text)


@pytest.mark.parametrize("depth", [10, 60, 5000])
def test_deep_nesting(depth: int, tmp_path: Path) -> None:
    path = tmp_path / "ops.cwrap"
    path.write_text(f"[[\nname: f\nsample: {'[' * depth}{']' * depth}\n]]\n")
    swallow(path, tmp_path)


def test_the_fuzz_reaches_both_ends(tmp_path: Path) -> None:
    rng = random.Random(1)
    path = tmp_path / "ops.cwrap"
    outcomes = set()
    for _ in range(40):
        path.write_text(mutated(rng.choice(BLOCKS), rng), encoding="utf-8")
        outcomes.add(swallow(path, tmp_path))
    assert outcomes == {True, False}
