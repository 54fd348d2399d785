"""Scalar C expressions of `kernel:` entries: parsed, checked against the known names, printed for any dtype.

The grammar is C's expressions without assignment, comma, pointers and members. Printing retypes floating literals
to scalar_t, makes functions type-generic, keeps integer division and shifts defined, and computes vector functions
before conditionals, so that loops over them vectorise.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

from wrapgen.errors import nearest, shorten
from wrapgen.tables import MathFunction


class ExpressionError(Exception):
    """Something wrong at an offset of the expression's text."""

    def __init__(self, offset: int, message: str) -> None:
        super().__init__(message)
        self.offset = offset
        self.message = message


@dataclass(frozen=True)
class Node:
    """An operator with operands, a call, a name or a literal."""

    kind: str  # name int float unary binary ternary call cast
    text: str  # the name, literal, operator, function or cast type
    children: tuple[Node, ...] = ()
    offset: int = 0


_TOKEN = re.compile(
    r"\s*(?:(?P<float>(?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)"
    r"|(?P<int>0[xX][0-9a-fA-F]+|\d+)"
    r"|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<op>\|\||&&|<<|>>|<=|>=|==|!=|[-+*/%<>!~&|^?:(),]))"
)
_LEVELS = (
    ("||",),
    ("&&",),
    ("|",),
    ("^",),
    ("&",),
    ("==", "!="),
    ("<", "<=", ">", ">="),
    ("<<", ">>"),
    ("+", "-"),
    ("*", "/", "%"),
)
_CASTS = frozenset(
    [
        "scalar_t",
        "accreal",
        "int",
        "bool",
        "float",
        "double",
        "int64_t",
        "int32_t",
        "uint64_t",
        "uint32_t",
    ]
)
CONSTANTS = frozenset(("INFINITY", "NAN"))
# Operators whose C meaning is undefined for some integers, and the functions that define it.
INTEGER_OPERATORS = {"/": "trunc_divide", "%": "fmod", "<<": "lshift", ">>": "rshift"}
_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
_BITS = frozenset(("~", "&", "|", "^", "<<", ">>"))
_DEPTH = 100
_MAX_TOKENS = 400  # chains of operators are trees as deep as they are long


@dataclass
class _Parser:
    text: str
    tokens: list[tuple[str, str, int]] = field(default_factory=list)
    at: int = 0
    depth: int = 0

    def tokenize(self) -> None:
        position = 0
        end = len(self.text.rstrip())
        while position < end:
            match = _TOKEN.match(self.text, position)
            if match is None or match.lastgroup is None:
                offset = position + len(self.text[position:]) - len(self.text[position:].lstrip())
                raise ExpressionError(offset, f"unexpected '{self.text[offset]}'")
            self.tokens.append(
                (match.lastgroup, match[match.lastgroup], match.start(match.lastgroup))
            )
            position = match.end()
        self.tokens.append(("end", "end of the expression", end))

    def peek(self) -> str:
        return self.tokens[self.at][1] if self.tokens[self.at][0] in ("op", "end") else ""

    def take(self) -> tuple[str, str, int]:
        token = self.tokens[self.at]
        self.at += token[0] != "end"
        return token

    def expect(self, text: str) -> None:
        kind, got, offset = self.take()
        if kind != "op" or got != text:
            raise ExpressionError(offset, f"expected '{text}', got {_quoted(kind, got)}")

    def ternary(self) -> Node:
        self.depth += 1
        if self.depth > _DEPTH:
            raise ExpressionError(self.tokens[self.at][2], "the expression is nested too deeply")
        condition = self.binary(0)
        if self.peek() == "?":
            offset = self.take()[2]
            then = self.ternary()
            self.expect(":")
            condition = Node("ternary", "?:", (condition, then, self.ternary()), offset)
        self.depth -= 1
        return condition

    def binary(self, level: int) -> Node:
        if level == len(_LEVELS):
            return self.unary()
        left = self.binary(level + 1)
        while self.peek() in _LEVELS[level]:
            _, operator, offset = self.take()
            left = Node("binary", operator, (left, self.binary(level + 1)), offset)
        return left

    def unary(self) -> Node:
        self.depth += 1
        if self.depth > _DEPTH:
            raise ExpressionError(self.tokens[self.at][2], "the expression is nested too deeply")
        try:
            if self.peek() in ("-", "+", "!", "~"):
                _, operator, offset = self.take()
                return Node("unary", operator, (self.unary(),), offset)
            return self.primary()
        finally:
            self.depth -= 1

    def primary(self) -> Node:
        kind, text, offset = self.take()
        if kind in ("int", "float"):
            _check_literal(kind, text, offset)
            return Node(kind, text, (), offset)
        if kind == "name":
            if self.peek() != "(":
                return Node("name", text, (), offset)
            self.take()
            return Node("call", text, self.call_arguments(), offset)
        if kind == "op" and text == "(":
            following = self.tokens[self.at]
            if (
                following[0] == "name"
                and following[1] in _CASTS
                and self.tokens[self.at + 1][1] == ")"
            ):
                self.at += 2
                return Node("cast", following[1], (self.unary(),), offset)
            inner = self.ternary()
            self.expect(")")
            return inner
        raise ExpressionError(offset, f"expected a value, got {_quoted(kind, text)}")

    def call_arguments(self) -> tuple[Node, ...]:
        arguments: list[Node] = []
        if self.peek() != ")":
            arguments.append(self.ternary())
            while self.peek() == ",":
                self.take()
                arguments.append(self.ternary())
        self.expect(")")
        return tuple(arguments)


def _quoted(kind: str, text: str) -> str:
    return text if kind == "end" else f"'{shorten(text)}'"


def _check_literal(kind: str, text: str, offset: int) -> None:
    """C reads it as the number it looks like."""
    if kind == "float" and float(text) == float("inf"):
        raise ExpressionError(offset, f"{text} is too large for a double")
    if kind == "int" and re.fullmatch(r"0\d+", text):
        raise ExpressionError(
            offset, f"{shorten(text)} would be octal in C; write it without the leading 0"
        )
    if kind == "int" and (len(text) > 20 or int(text, 0) >= 1 << 63):
        raise ExpressionError(offset, f"{shorten(text)} does not fit an int64")


def parse(text: str) -> Node:
    """The tree of an expression; ExpressionError where it is not one."""
    parser = _Parser(text)
    parser.tokenize()
    if len(parser.tokens) > _MAX_TOKENS:
        offset = parser.tokens[_MAX_TOKENS][2]
        raise ExpressionError(
            offset,
            f"the expression is too long: more than {_MAX_TOKENS} names, numbers and operators",
        )
    tree = parser.ternary()
    kind, got, offset = parser.tokens[parser.at]
    if kind != "end":
        raise ExpressionError(offset, f"expected an operator, got {_quoted(kind, got)}")
    return tree


def check(tree: Node, names: Collection[str], functions: Mapping[str, MathFunction]) -> None:
    """Every name is known and every function called with its number of arguments."""
    if tree.kind == "name" and tree.text not in names and tree.text not in CONSTANTS:
        if tree.text in functions:
            raise ExpressionError(tree.offset, f"function '{tree.text}' is not called")
        hint = nearest(tree.text, [*names, *CONSTANTS])
        raise ExpressionError(tree.offset, f"unknown name '{shorten(tree.text)}'{hint}")
    if tree.kind == "call":
        function = functions.get(tree.text)
        if function is None:
            hint = nearest(tree.text, functions)
            raise ExpressionError(tree.offset, f"unknown function '{shorten(tree.text)}'{hint}")
        if len(tree.children) != function.arguments:
            raise ExpressionError(
                tree.offset,
                f"function '{tree.text}' takes {function.arguments} argument"
                f"{'s' if function.arguments > 1 else ''}, got {len(tree.children)}",
            )
    for child in tree.children:
        check(child, names, functions)


def kind_of(tree: Node, kinds: Mapping[str, str]) -> str:
    """`int` for values that are integers whatever the dtype, `float` for floating ones, `real` for scalar_t."""
    if tree.kind == "name":
        return kinds.get(tree.text, "real")
    if tree.kind == "int" or tree.text in ("!", "&&", "||", *_COMPARISONS):
        return "int"
    if tree.kind in ("call", "float"):
        return "real"
    if tree.kind == "cast":
        return {"scalar_t": "real", "accreal": "real", "float": "float", "double": "float"}.get(
            tree.text, "int"
        )
    operands = tree.children[1:] if tree.kind == "ternary" else tree.children
    found = {kind_of(child, kinds) for child in operands}
    return next(kind for kind in ("float", "real", "int") if kind in found)


def check_integers(tree: Node, kinds: Mapping[str, str], integral: bool) -> None:
    """Operators on bits have integer operands; `integral`: scalar_t is one."""
    if tree.kind in ("unary", "binary") and tree.text in _BITS:
        for child in tree.children:
            if kind_of(child, kinds) not in (("int", "real") if integral else ("int",)):
                hint = ", or call pow()" if tree.text == "^" else ""
                raise ExpressionError(
                    tree.offset,
                    f"operator '{tree.text}' is for integers; say `types: [integral]`{hint}",
                )
    for child in tree.children:
        check_integers(child, kinds, integral)


def walk(tree: Node, visit: Callable[[Node], None]) -> None:
    visit(tree)
    for child in tree.children:
        walk(child, visit)


def names_in(tree: Node) -> set[str]:
    found: set[str] = set()
    walk(tree, lambda node: found.add(node.text) if node.kind == "name" else None)
    return found


def calls_in(tree: Node) -> list[str]:
    found: list[str] = []
    walk(tree, lambda node: found.append(node.text) if node.kind == "call" else None)
    return found


def cost(tree: Node, functions: Mapping[str, MathFunction]) -> int:
    """Elementary steps: an operator is one, a vector function sixteen."""
    steps = {"unary": 1, "binary": 1, "ternary": 1, "call": 4}.get(tree.kind, 0)
    if tree.kind == "call" and functions[tree.text].vector:
        steps = 16
    return steps + sum(cost(child, functions) for child in tree.children)


@dataclass
class Printer:
    """Prints a tree as C. `integers`: some dtype is integral, so that division and shifts must be defined."""

    functions: Mapping[str, MathFunction]
    integers: bool
    kinds: Mapping[str, str]  # of names: real, float or int
    names: Mapping[str, str] = field(default_factory=dict)  # C names of those that have another one
    hoisted: list[tuple[str, str]] = field(default_factory=list)

    def show(self, tree: Node, conditional: bool = False, level: int = 0) -> str:
        """The C text; `level` is the precedence around it, `conditional` whether it may not be evaluated."""
        if tree.kind == "name":
            name = self.names.get(tree.text)
            return name or (f"(scalar_t){tree.text}" if tree.text in CONSTANTS else tree.text)
        if tree.kind == "float":
            return f"(scalar_t){tree.text}"
        if tree.kind == "int":
            return tree.text
        if tree.kind == "call":
            return self._call(tree, conditional)
        if tree.kind == "cast":
            return f"({tree.text}){self.show(tree.children[0], conditional, 12)}"
        if tree.kind == "unary":
            inner = self.show(tree.children[0], conditional, 12)
            return f"{tree.text}({inner})" if inner.startswith(tree.text) else f"{tree.text}{inner}"
        if tree.kind == "ternary":
            condition, then, otherwise = tree.children
            text = (
                f"{self.show(condition, conditional, 1)} ? {self.show(then, True, 0)}"
                f" : {self.show(otherwise, True, 0)}"
            )
            return f"({text})" if level > 0 else text
        return self._binary(tree, conditional, level)

    def _call(self, tree: Node, conditional: bool) -> str:
        arguments = ", ".join(self.show(child, conditional) for child in tree.children)
        text = f"TH_MATH({tree.text})({arguments})"
        if not (conditional and self.functions[tree.text].vector):
            return text
        name = f"{tree.text}_{len(self.hoisted)}"
        while name in self.names.values():
            name += "_"
        self.hoisted.append((name, text))
        return name

    def _function(self, tree: Node) -> str:
        """The function that defines a division or shift where C does not; nothing where the operator will do."""
        if tree.text not in INTEGER_OPERATORS:
            return ""
        left, right = tree.children
        if (
            right.kind == "int"
            and tree.text in ("/", "%")
            and int(right.text, 0) > 0
            and left.kind == "int"
        ):
            return ""
        kinds = {kind_of(left, self.kinds), kind_of(right, self.kinds)}
        if kinds == {"int"}:
            return f"THLong_{INTEGER_OPERATORS[tree.text]}"
        if self.integers or tree.text == "%":
            return f"TH_MATH({INTEGER_OPERATORS[tree.text]})"
        return ""

    def _binary(self, tree: Node, conditional: bool, level: int) -> str:
        left, right = tree.children
        function = self._function(tree)
        if function:
            return f"{function}({self.show(left, conditional)}, {self.show(right, conditional)})"
        mine = next(i for i, operators in enumerate(_LEVELS) if tree.text in operators) + 1
        lazy = tree.text in ("&&", "||")
        # Parentheses where C's own precedence would do are kept for the mixtures compilers warn of.
        inner = 12 if tree.text in ("&", "|", "^", "<<", ">>") else mine
        inner = 8 if tree.text in _COMPARISONS else inner
        inner = mine + 1 if lazy else inner
        text = (
            f"{self.show(left, conditional, inner)} {tree.text} "
            f"{self.show(right, conditional or lazy, max(inner, mine + 1))}"
        )
        return f"({text})" if level > mine or (level == mine and lazy) else text
