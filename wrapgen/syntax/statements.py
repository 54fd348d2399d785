"""The statements of a kernel: what each name is, and that every value is used and every result there."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from wrapgen.errors import nearest, shorten
from wrapgen.syntax.expression import (
    CONSTANTS,
    Assignment,
    ExpressionError,
    Node,
    check_names,
    names_in,
    walk,
)
from wrapgen.tables import MathFunction


def check(
    statements: Sequence[Assignment],
    inputs: Collection[str],
    outputs: Sequence[str],
    functions: Mapping[str, MathFunction],
) -> None:
    """Names are inputs or assigned before, results are assigned, values are used."""
    if not statements[0].name:
        check_names(statements[0].value, inputs, functions)
        if len(outputs) > 1:
            first, second = outputs[:2]
            message = f"a kernel with {len(outputs)} outputs assigns each: `{first} = ...; {second} = ...;`"
            raise ExpressionError(0, message)
        return
    assigned = [statement.name for statement in statements]
    for place, statement in enumerate(statements):
        _check_target(statement, inputs, functions)
        _check_order(statement, assigned[:place], assigned, inputs)
        check_names(statement.value, [*inputs, *assigned[:place]], functions)
    for place, statement in enumerate(statements):
        _check_use(statement, statements[place + 1 :], outputs)
    for output in outputs:
        if output not in assigned:
            hint = nearest(output, [name for name in assigned if name not in outputs])
            end = statements[-1].offset
            raise ExpressionError(end, f"output '{output}' is not assigned{hint}")


def _check_target(
    statement: Assignment, inputs: Collection[str], functions: Collection[str]
) -> None:
    name = statement.name
    if name in inputs:
        raise ExpressionError(
            statement.offset, f"'{name}' is an argument, which cannot be assigned"
        )
    if name in functions or name in CONSTANTS:
        what = "function" if name in functions else "constant"
        raise ExpressionError(statement.offset, f"'{name}' is a {what}, which cannot be assigned")


def _check_order(
    statement: Assignment, before: Sequence[str], assigned: Sequence[str], inputs: Collection[str]
) -> None:
    for name in sorted(names_in(statement.value)):
        if name in assigned and name not in before and name not in inputs:
            offset = _offset(statement, name)
            raise ExpressionError(offset, f"'{name}' is used before it is assigned")


def _offset(statement: Assignment, name: str) -> int:
    """Where a name is used first."""
    found: list[int] = []

    def visit(node: Node) -> None:
        if node.kind == "name" and node.text == name:
            found.append(node.offset)

    walk(statement.value, visit)
    return min(found)


def _check_use(
    statement: Assignment, following: Sequence[Assignment], outputs: Collection[str]
) -> None:
    """The value is read before the name gets another one, or is a result."""
    for other in following:
        if statement.name in names_in(other.value):
            return
        if other.name == statement.name:
            raise ExpressionError(
                statement.offset, f"this value of '{shorten(statement.name)}' is never used"
            )
    if statement.name not in outputs:
        hint = nearest(statement.name, outputs)
        raise ExpressionError(
            statement.offset, f"'{shorten(statement.name)}' is assigned but never used{hint}"
        )
