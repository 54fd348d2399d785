"""Scalar C expressions of `kernel:` entries: parsed, checked against the known names; printer.py prints them.

The grammar is C's expressions without comma, pointers and members; assignments are statements of their own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

from wrapgen.errors import nearest, shorten
from wrapgen.syntax.habits import instead
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
    r"|(?P<op>\|\||&&|<<|>>|<=|>=|==|!=|[-+*/%<>!~&|^?:(),=;]))"
)
_SUFFIX = re.compile(r"[A-Za-z_]\w*")
LEVELS = (
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
COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
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
                character = self.text[offset]
                raise ExpressionError(offset, f"unexpected '{character}'{instead(character)}")
            self.tokens.append(
                (match.lastgroup, match[match.lastgroup], match.start(match.lastgroup))
            )
            position = match.end()
            suffix = _SUFFIX.match(self.text, position)
            if suffix and match.lastgroup in ("int", "float"):
                raise ExpressionError(
                    position,
                    f"unexpected '{shorten(suffix[0])}' after a number, which needs no suffix: "
                    "it takes the dtype computed in",
                )
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
        if level == len(LEVELS):
            return self.unary()
        left = self.binary(level + 1)
        while self.peek() in LEVELS[level]:
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
        hint = instead(self.text[offset - 1 : offset + 1])
        raise ExpressionError(offset, f"expected a value, got {_quoted(kind, text)}{hint}")

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


@dataclass(frozen=True)
class Assignment:
    """`name = expression;`; the name of an expression that stands alone is empty."""

    name: str
    value: Node
    offset: int = 0


def _check_length(tokens: list[tuple[str, str, int]]) -> None:
    """Each expression is short enough for a tree."""
    count = 0
    for kind, text, offset in tokens:
        count = 0 if kind == "op" and text == ";" else count + 1
        if count > _MAX_TOKENS:
            raise ExpressionError(
                offset,
                f"the expression is too long: more than {_MAX_TOKENS} names, numbers and operators",
            )


def _parser(text: str) -> _Parser:
    parser = _Parser(text)
    parser.tokenize()
    _check_length(parser.tokens)
    return parser


def _alone(parser: _Parser) -> Node:
    """An expression up to the end."""
    tree = parser.ternary()
    kind, got, offset = parser.tokens[parser.at]
    if kind != "end":
        hint = instead(got, parser.tokens[parser.at - 1][1])
        if got in ("=", ";"):
            hint = "; a statement is `name = expression;`"
        raise ExpressionError(offset, f"expected an operator, got {_quoted(kind, got)}{hint}")
    return tree


def parse(text: str) -> Node:
    """The tree of an expression; ExpressionError where it is not one."""
    return _alone(_parser(text))


def parse_statements(text: str) -> tuple[Assignment, ...]:
    """Statements `name = expression;`, or an expression alone; the last semicolon may be missing."""
    parser = _parser(text)
    if not any(kind == "op" and got == "=" for kind, got, _ in parser.tokens):
        return (Assignment("", _alone(parser)),)
    statements: list[Assignment] = []
    while not statements or parser.tokens[parser.at][0] != "end":
        kind, name, offset = parser.take()
        if kind != "name":
            raise ExpressionError(
                offset, f"expected a statement `name = expression;`, got {_quoted(kind, name)}"
            )
        parser.expect("=")
        statements.append(Assignment(name, parser.ternary(), offset))
        if parser.tokens[parser.at][0] != "end":
            parser.expect(";")
    return tuple(statements)


def check_calls(tree: Node, functions: Mapping[str, MathFunction]) -> None:
    """Every function is known and called with its number of arguments."""
    if tree.kind == "call":
        function = functions.get(tree.text)
        if function is None:
            hint = instead(tree.text) or nearest(tree.text, functions)
            raise ExpressionError(tree.offset, f"unknown function '{shorten(tree.text)}'{hint}")
        if len(tree.children) != function.arguments:
            raise ExpressionError(
                tree.offset,
                f"function '{tree.text}' takes {function.arguments} argument"
                f"{'' if function.arguments == 1 else 's'}, got {len(tree.children)}",
            )
    for child in tree.children:
        check_calls(child, functions)


def check_names(tree: Node, names: Collection[str], functions: Collection[str]) -> None:
    """Every name is known."""
    if tree.kind == "name" and tree.text not in names and tree.text not in CONSTANTS:
        if tree.text in functions:
            raise ExpressionError(tree.offset, f"function '{tree.text}' is not called")
        hint = instead(tree.text) or nearest(tree.text, [*names, *CONSTANTS])
        raise ExpressionError(tree.offset, f"unknown name '{shorten(tree.text)}'{hint}")
    for child in tree.children:
        check_names(child, names, functions)


def kind_of(tree: Node, kinds: Mapping[str, str]) -> str:
    """`int` for values that are integers whatever the dtype, `float` for floating ones, `real` for scalar_t.
    `kinds` has names, and functions as `name()`."""
    if tree.kind == "name":
        return kinds.get(tree.text, "real")
    if tree.kind == "int" or tree.text in ("!", "&&", "||", *COMPARISONS):
        return "int"
    if tree.kind == "call":
        return kinds.get(f"{tree.text}()", "real")
    if tree.kind == "float":
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


def check_literals(tree: Node, misfit: Callable[[float], str], argument: bool = False) -> None:
    """No number is silently another one: floating ones are converted to the dtype computed in, and so is what
    functions get. `misfit` names a dtype that does not hold the value."""
    if (
        tree.kind == "cast"
        and tree.text in ("float", "double")
        and tree.children[0].kind == "float"
    ):
        return
    negative = tree.kind == "unary" and tree.text == "-"
    number = tree.children[0] if negative else tree
    value = _value(number)
    if value is not None and (argument or number.kind != "int"):
        problem = misfit(-value if negative else value)
        if problem:
            sign = "-" if negative else ""
            message = (
                f"{sign}{shorten(number.text)} does not fit {problem}, which the op exists for"
            )
            hint = "say which `types:`" if value.is_integer() else "say `types: [floating_point]`"
            raise ExpressionError(tree.offset, f"{message}; {hint}")
        return
    for child in tree.children:
        check_literals(child, misfit, tree.kind == "call")


def _value(tree: Node) -> float | None:
    """The number that a literal or a constant is."""
    if tree.kind == "int":
        return float(int(tree.text, 0))
    if tree.kind == "float" or (tree.kind == "name" and tree.text in CONSTANTS):
        return float(tree.text.lower())
    return None


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


def cost(
    tree: Node, functions: Mapping[str, MathFunction], fixed: Collection[str] = frozenset()
) -> int:
    """Elementary steps for each element: an operator is one. What is made of `fixed` names alone is computed once, and
    a condition over them chooses once: its longer branch counts."""
    if names_in(tree) <= set(fixed):
        return 0
    steps = {"unary": 1, "binary": 1, "ternary": 1}.get(tree.kind, 0)
    if tree.kind == "call":
        steps = functions[tree.text].steps
    children = [cost(child, functions, fixed) for child in tree.children]
    if tree.kind == "ternary" and names_in(tree.children[0]) <= set(fixed):
        return max(children)
    return steps + sum(children)
