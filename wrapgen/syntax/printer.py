"""Expressions of `kernel:` entries as C for any dtype.

Printing retypes floating literals to scalar_t, makes functions type-generic, keeps integer division, shifts and
conversions to integers defined, and computes vector functions before conditionals, so that loops over them vectorise.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from wrapgen.syntax.expression import COMPARISONS, CONSTANTS, LEVELS, Node, kind_of
from wrapgen.tables import MathFunction

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
        if tree.kind == "call" or tree.text in ("!", "&&", "||", *COMPARISONS):
            return False
        return any(map(self._wide, tree.children[tree.kind == "ternary" :]))

    def _binary(self, tree: Node, conditional: bool, level: int) -> str:
        left, right = tree.children
        function = self._function(tree)
        if function:
            return f"{function}({self.show(left, conditional)}, {self.show(right, conditional)})"
        mine = next(i for i, operators in enumerate(LEVELS) if tree.text in operators) + 1
        lazy = tree.text in ("&&", "||")
        # Parentheses where C's own precedence would do are kept for the mixtures compilers warn of.
        inner = 12 if tree.text in ("&", "|", "^", "<<", ">>") else mine
        inner = 8 if tree.text in COMPARISONS else inner
        inner = mine + 1 if lazy else inner
        text = (
            f"{self.show(left, conditional, inner)} {tree.text} "
            f"{self.show(right, conditional or lazy, max(inner, mine + 1))}"
        )
        return f"({text})" if level > mine or (level == mine and lazy) else text
