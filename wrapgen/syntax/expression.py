"""Scalar C expressions of `kernel:` entries: parsed, checked against the known names, printed for any dtype.

The grammar is C's expressions without comma, pointers and members; assignments are statements of their own.
Printing retypes floating literals to scalar_t, makes functions type-generic, keeps integer division, shifts and
conversions to integers defined, and computes vector functions before conditionals, so that loops over them vectorise.
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
# Conversions of floating values to the integer types of C.
_TO_INTEGER = {
    "int": "toInt",
    "int8_t": "toInt",
    "int16_t": "toInt",
    "int32_t": "toInt",
    "int64_t": "toLong",
    "uint8_t": "toInt",
    "uint32_t": "toLong",
    "uint64_t": "toLong",
}
_NARROW = 127  # integers up to here are numbers of every integral dtype
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
    if tree.kind == "int" or tree.text in ("!", "&&", "||", *_COMPARISONS):
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


def cost(tree: Node, functions: Mapping[str, MathFunction]) -> int:
    """Elementary steps: an operator is one."""
    steps = {"unary": 1, "binary": 1, "ternary": 1}.get(tree.kind, 0)
    if tree.kind == "call":
        steps = functions[tree.text].steps
    return steps + sum(cost(child, functions) for child in tree.children)


@dataclass
class Printer:
    """Prints a tree as C. `integers`: some dtype is integral, so that division and shifts must be defined;
    `floating`: some dtype is not, so that conversions to integers must be."""

    functions: Mapping[str, MathFunction]
    integers: bool
    kinds: Mapping[str, str]  # of names: real, float or int
    names: Mapping[str, str] = field(default_factory=dict)  # C names of those that have another one
    hoisted: list[tuple[str, str]] = field(default_factory=list)
    floating: bool = True

    def convert(self, tree: Node, to: str, conditional: bool = False) -> str:
        """The value as another type, defined where C's cast is not: what does not fit is the smallest integer."""
        kind = kind_of(tree, self.kinds)
        if to == "scalar_t" and kind == "float" and self.integers:
            return f"TH_MATH(fromDouble)({self.show(tree, conditional)})"
        if to in _TO_INTEGER and (kind == "float" or (kind == "real" and self.floating)):
            name = _TO_INTEGER[to]
            function = f"THDouble_{name}" if kind == "float" else f"TH_MATH({name})"
            cast = "" if to in ("int", "int32_t", "int64_t") else f"({to})"
            return f"{cast}{function}({self.show(tree, conditional)})"
        literal = tree.kind == "float" and to in ("float", "double")
        return f"({to}){tree.text if literal else self.show(tree, conditional, 12)}"

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
            return self.convert(tree.children[0], tree.text, conditional)
        if tree.kind == "unary":
            if tree.text == "~" and kind_of(tree, self.kinds) == "real" and not self._wide(tree):
                return f"TH_MATH(bitwise_not)({self.show(tree.children[0], conditional)})"
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
        function = self.functions[tree.text]
        text = f"{function.called}({arguments})"
        if not (conditional and function.hoisted):
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
        name = INTEGER_OPERATORS[tree.text]
        kinds = {kind_of(left, self.kinds), kind_of(right, self.kinds)}
        if kinds == {"int"}:
            return f"THLong_{name}"
        if "float" in kinds:
            return "THDouble_fmod" if tree.text == "%" else ""
        if self.integers and (self._wide(left) or self._wide(right)):
            return f"TH_WIDE({name})"
        return f"TH_MATH({name})" if self.integers or tree.text == "%" else ""

    def _wide(self, tree: Node) -> bool:
        """Is the value an int64 where scalar_t is a narrower integer?"""
        if tree.kind == "int":
            return int(tree.text, 0) > _NARROW
        if tree.kind == "name":
            return self.kinds.get(tree.text) == "int"
        if tree.kind == "cast":
            return tree.text in _TO_INTEGER
        if tree.kind == "call" or tree.text in ("!", "&&", "||", *_COMPARISONS):
            return False
        return any(map(self._wide, tree.children[tree.kind == "ternary" :]))

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
