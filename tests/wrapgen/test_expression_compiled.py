"""Random kernel expressions, compiled: what is printed computes the tree, what is parsed is what C would parse."""

from __future__ import annotations

import ctypes
import math
import random
import subprocess
from pathlib import Path

import pytest
from declaring import ROOT
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_expression import KINDS, NAMES

from wrapgen import tables
from wrapgen.syntax.expression import (
    Node,
    kind_of,
    parse,
)
from wrapgen.syntax.printer import Printer

BATCH = settings(
    max_examples=1,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)  # fmt: skip

Value = tuple[float | int, str]  # with its C type: int, long or double
INT_FUNCTIONS = {"abs": 1, "neg": 1, "maximum": 2, "minimum": 2}
FLOAT_FUNCTIONS = {"abs": 1, "neg": 1, "exp": 1, "sqrt": 1}


class Maker:
    """Random trees: of int64 elements, or of double."""

    def __init__(self, seed: int, floating: bool) -> None:
        self.random = random.Random(seed)
        self.floating = floating
        self.functions = FLOAT_FUNCTIONS if floating else INT_FUNCTIONS

    def tree(self, depth: int) -> Node:
        choose = self.random.random()
        if depth == 0 or choose < 0.1:
            return self.leaf()
        if choose < 0.6:
            return self.binary(depth)
        if choose < 0.75:
            operators = "-+!" if self.floating else "-+!~"
            return Node("unary", self.random.choice(operators), (self.tree(depth - 1),))
        if choose < 0.88:
            return Node("ternary", "?:", tuple(self.tree(depth - 1) for _ in range(3)))
        if choose < 0.93:
            types = (
                ("double", "scalar_t", "bool")
                if self.floating
                else ("int64_t", "scalar_t", "bool", "int")
            )
            return Node("cast", self.random.choice(types), (self.tree(depth - 1),))
        name, count = self.random.choice(list(self.functions.items()))
        return Node("call", name, tuple(self.tree(depth - 1) for _ in range(count)))

    def binary(self, depth: int) -> Node:
        operators = ["+", "-", "*", "/", "%", "<", "<=", ">", ">=", "==", "!=", "&&", "||"]
        if not self.floating:
            operators += ["<<", ">>", "&", "|", "^"]
        return Node(
            "binary", self.random.choice(operators), (self.tree(depth - 1), self.tree(depth - 1))
        )

    def leaf(self) -> Node:
        if self.random.random() < 0.7:
            return Node("name", self.random.choice(NAMES))
        if self.floating and self.random.random() < 0.5:
            return Node("float", self.random.choice(("0.5", "1e-3", "2.", ".25")))
        return Node("int", str(self.random.randrange(10)))


def source(tree: Node) -> str:
    """A tree as text, every operand in brackets."""
    parts = [f"({source(child)})" for child in tree.children]
    if tree.kind == "call":
        return f"{tree.text}({', '.join(parts)})"
    if tree.kind == "cast":
        return f"({tree.text}){parts[0]}"
    if tree.kind == "ternary":
        return f"{parts[0]} ? {parts[1]} : {parts[2]}"
    if tree.kind == "unary":
        return tree.text + parts[0]
    return f"{parts[0]} {tree.text} {parts[1]}" if parts else tree.text


def wrap(value: int, ctype: str) -> Value:
    bits = 32 if ctype == "int" else 64
    return (value + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1), ctype


def wider(x: Value, y: Value) -> str:
    return next(ctype for ctype in ("double", "long", "int") if ctype in (x[1], y[1]))


def truncated(x: int, y: int) -> int:
    return 0 if y == 0 else abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)


def shifted(x: int, y: int, operator: str) -> int:
    if operator == "<<":
        return x << y if 0 <= y < 64 else 0
    return x >> y if 0 <= y < 64 else -(x < 0)


class Evaluator:
    """What a tree computes, by C's types and this library's definitions."""

    def __init__(self, names: dict[str, Value], floating: bool) -> None:
        self.names = names
        self.floating = floating
        self.real = "double" if floating else "long"

    def value(self, tree: Node) -> Value:
        if tree.kind == "name":
            return self.names[tree.text]
        if tree.kind == "int":
            return int(tree.text), "int"
        if tree.kind == "float":
            return float(tree.text), "double"
        values = [self.value(child) for child in tree.children]
        if tree.kind == "ternary":
            ctype = wider(values[1], values[2])
            return self.convert(values[1] if values[0][0] else values[2], ctype)
        if tree.kind == "cast":
            ctype = {"scalar_t": self.real, "int64_t": "long"}.get(tree.text, tree.text)
            return (
                (int(bool(values[0][0])), "int")
                if ctype == "bool"
                else self.convert(values[0], ctype)
            )
        if tree.kind == "call":
            return self.call(tree.text, [self.convert(value, self.real)[0] for value in values])
        return (
            self.unary(tree.text, values[0]) if tree.kind == "unary" else self.binary(tree, *values)
        )

    def convert(self, value: Value, ctype: str) -> Value:
        return (float(value[0]), ctype) if ctype == "double" else wrap(int(value[0]), ctype)

    def unary(self, operator: str, x: Value) -> Value:
        if operator == "!":
            return int(not x[0]), "int"
        result = {"-": lambda: -x[0], "+": lambda: x[0], "~": lambda: ~int(x[0])}[operator]()
        return self.convert((result, x[1]), x[1])

    def call(self, name: str, values: list[float | int]) -> Value:
        if name in ("maximum", "minimum"):
            return (max if name == "maximum" else min)(values), self.real
        functions = {
            "abs": abs,
            "neg": lambda x: -x,
            "exp": exp,
            "sqrt": lambda x: math.sqrt(x) if x >= 0 else math.nan,
        }
        return self.convert((functions[name](values[0]), self.real), self.real)

    def binary(self, tree: Node, x: Value, y: Value) -> Value:
        operator, ctype = tree.text, wider(x, y)
        if operator in ("&&", "||"):
            return int(
                bool(x[0]) and bool(y[0]) if operator == "&&" else bool(x[0]) or bool(y[0])
            ), "int"
        if operator in ("<", "<=", ">", ">=", "==", "!="):
            return int(compare(operator, x[0], y[0])), "int"
        if operator in ("/", "%", "<<", ">>"):
            return self.divided(tree, x, y)
        operations = {"+": lambda: x[0] + y[0], "-": lambda: x[0] - y[0], "*": lambda: x[0] * y[0]}
        bits = {
            "&": lambda: int(x[0]) & int(y[0]),
            "|": lambda: int(x[0]) | int(y[0]),
            "^": lambda: int(x[0]) ^ int(y[0]),
        }
        return self.convert(((operations | bits)[operator](), ctype), ctype)

    def divided(self, tree: Node, x: Value, y: Value) -> Value:
        """Functions of int64 where the operands are integers, so the result is one; of literals C's own int."""
        if self.floating and "double" in (x[1], y[1]):
            return (divide if tree.text == "/" else fmod)(float(x[0]), float(y[0])), "double"
        left, right = int(x[0]), int(y[0])
        literal = (
            all(child.kind == "int" for child in tree.children) and tree.text in "/%" and right > 0
        )
        quotient = truncated(left, right)
        result = {"/": lambda: quotient, "%": lambda: left - quotient * right}.get(
            tree.text, lambda: shifted(left, right, tree.text)
        )()
        plain = self.floating and any(kind_of(child, KINDS) != "int" for child in tree.children)
        return wrap(result, "int" if literal else "double" if plain else "long")


def exp(x: float) -> float:
    try:
        return math.exp(x)
    except OverflowError:
        return math.inf


def divide(x: float, y: float) -> float:
    if y != 0 or math.isnan(x):
        return x / y if y != 0 else math.nan
    return math.nan if x == 0 else math.copysign(math.inf, x) * math.copysign(1, y)


def fmod(x: float, y: float) -> float:
    return math.nan if y == 0 or math.isinf(x) or math.isnan(x + y) else math.fmod(x, y)


def compare(operator: str, x: float, y: float) -> bool:
    return {"<": x < y, "<=": x <= y, ">": x > y, ">=": x >= y, "==": x == y, "!=": x != y}[
        operator
    ]


def function(index: int, tree: Node, floating: bool) -> str:
    """A C function of the printed expression."""
    printer = Printer(tables.math(), not floating, KINDS, floating=floating)
    result = printer.show(tree)
    hoisted = "".join(f"    const scalar_t {name} = {call};\n" for name, call in printer.hoisted)
    return (
        f"scalar_t case_{index}(scalar_t a, scalar_t b, scalar_t c, int64_t k)\n"
        f"{{\n    (void)a, (void)b, (void)c, (void)k;\n{hoisted}    return {result};\n}}\n"
    )


def compiled(folder: Path, headers: Path, functions: list[str], real: str) -> ctypes.CDLL:
    """A library of functions over int64 or double."""
    scalar = {"Long": "int64_t", "Double": "double"}[real]
    macros = [
        f"#define {macro}(name) TH_CONCAT_3(TH, {real}_, name)\n"
        for macro in ("TH_MATH", "TH_WIDE")
    ]
    text = f"#include <TH/THMath.h>\n{''.join(macros)}typedef {scalar} scalar_t;\n"
    path = folder / f"{real}.c"
    path.write_text(text + "\n".join(functions))
    library = folder / f"{real}{len(list(folder.iterdir()))}.so"
    flags = [
        "-std=c11",
        "-O0",
        "-fwrapv",
        "-ffp-contract=off",
        "-fno-math-errno",
        "-w",
        "-shared",
        "-fPIC",
    ]
    subprocess.run(
        ["gcc", *flags, f"-I{ROOT}", f"-I{headers}", str(path), "-o", str(library), "-lm"],
        check=True,
        capture_output=True,
    )
    return ctypes.CDLL(str(library))


def called(library: ctypes.CDLL, index: int, values: list[float | int], real: str) -> float | int:
    ctype = ctypes.c_int64 if real == "Long" else ctypes.c_double
    code = library[f"case_{index}"]
    code.restype = ctype
    code.argtypes = [ctype, ctype, ctype, ctypes.c_int64]
    result: float | int = code(*values)
    return result


def inputs(floating: bool) -> list[list[float | int]]:
    if floating:
        return [
            [0.5, -2.0, 3.0, 2],
            [0.0, 0.0, -0.0, 0],
            [1e308, -1e308, 7.25, -3],
            [math.inf, math.nan, -1.0, 5],
        ]
    smallest, largest = -(1 << 63), (1 << 63) - 1
    return [[5, -3, 2, 7], [0, 0, 0, 0], [smallest, -1, 1, -1], [largest, smallest, 63, 64]]


@pytest.mark.parametrize("real", ["Long", "Double"])
@given(seed=st.integers(0, 10**6))
@BATCH
def test_printed_c_computes_the_tree(
    seed: int, real: str, base_headers: Path, tmp_path: Path
) -> None:
    """Text, parser, printer and compiler agree with an evaluation of the tree in Python."""
    floating = real == "Double"
    maker = Maker(seed, floating)
    trees = [maker.tree(4) for _ in range(400)]
    functions = [function(index, parse(source(tree)), floating) for index, tree in enumerate(trees)]
    library = compiled(tmp_path, base_headers, functions, real)
    for index, tree in enumerate(trees):
        for values in inputs(floating):
            types = ["double" if floating else "long"] * 3 + ["long"]
            names: dict[str, Value] = dict(zip(NAMES, zip(values, types, strict=True), strict=True))
            expected = Evaluator(names, floating).value(tree)[0]
            got = called(library, index, values, real)
            same = got == expected or (math.isnan(got) and math.isnan(expected))
            assert same, f"{source(tree)}\nwith {values}: {got}, not {expected}\n{functions[index]}"


@given(seed=st.integers(0, 10**6))
@BATCH
def test_the_parser_reads_as_c_does(seed: int, base_headers: Path, tmp_path: Path) -> None:
    """Text without brackets means the same to the C compiler before and after printing."""
    rng = random.Random(seed)
    looser = ["<", "<=", ">", ">=", "==", "!=", "&&", "||", "&", "|", "^", "?"]
    operators = [*looser, "+", "-", "*", "<<", ">>"]
    functions = []
    for index in range(0, 400, 2):
        text, operator = rng.choice(NAMES), ""
        for _ in range(rng.randrange(1, 8)):
            operator = rng.choice(looser if operator in ("<<", ">>") else operators)
            operand = rng.choice(["-", "!", "~", "", "", "", ""]) + rng.choice(NAMES)
            if operator == "?":
                text += f" ? {rng.choice(NAMES)} : {operand}"
            else:
                text += f" {operator} {rng.randrange(4) if operator in ('<<', '>>') else operand}"
        signature = "(scalar_t a, scalar_t b, scalar_t c, int64_t k)"
        functions.append(f"/* {text} */ scalar_t case_{index}{signature} {{ return {text}; }}")
        functions.append(function(index + 1, parse(text), False))
    library = compiled(tmp_path, base_headers, functions, "Long")
    for index in range(0, 400, 2):
        for values in [[5, -3, 2, 7], [0, 1, -1, 3], [12, 0, 9, -8]]:
            first, second = (called(library, index + i, list(values), "Long") for i in (0, 1))
            assert first == second, f"{functions[index]}\n{functions[index + 1]}"
