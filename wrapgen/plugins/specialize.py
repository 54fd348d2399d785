"""`specialize: [{exponent: 2, kernel: "self * self"}, {other: any}]`: loops for an argument that often is one number.

Such an argument is read once, not for each element, and what follows from it alone is computed once. A number, or
those `from 1 to 255`, have a kernel of their own, `any` may have one for all other numbers; else it is the entry's.
`types:` says which of the entry's dtypes a special kernel is for, by default all. Tensors of one element count as any
number, but only Python numbers as a certain one; where several arguments are single elements, the first has the loop,
but where an item names all of them: `{min: any, max: any}` is a loop that reads one element of each. Where the order
of two does not matter, `{self: as other}` needs no loop: a self that is one element, or one for each row, becomes
other.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from wrapgen.errors import listing
from wrapgen.model import Arg, Body, Key, Op, Plugin, Special
from wrapgen.plugins import kernel, types
from wrapgen.plugins.kernel import KERNEL, Expression
from wrapgen.plugins.outputs import OUTPUT, outputs_of
from wrapgen.plugins.types import TYPES, dtypes_of
from wrapgen.syntax.node import Node
from wrapgen.syntax.values import DTYPE_GROUPS, TEXT, list_of, mapping, some


@dataclass(frozen=True)
class Case:
    """An argument's name, a number, and the kernel for it; several names where they are any number."""

    node: Node
    names: tuple[str, ...]
    number: str  # itself, "any", the first and the last with a space between, or "as" and the argument it changes with
    source: Expression | None  # the entry's
    types: tuple[str, ...]

    @property
    def place(self) -> str:
        """The argument that it changes places with; "" where it has a loop."""
        return self.number.removeprefix(AS) if self.number.startswith(AS) else ""

    def __str__(self) -> str:
        return f"{', '.join(self.names)} = {self.number}: {self.source or 'kernel'}"


ANY, AS = "any", "as "
_RANGE = re.compile(r"from (-?\d+) to (-?\d+)")


def _number(node: Node) -> str:
    text = node.text("a number")
    if text == ANY or re.fullmatch(rf"{AS}\w+", text):
        return text
    if limits := _RANGE.fullmatch(text):
        return " ".join(limits.groups())
    try:
        return repr(float(text))
    except ValueError:
        expected = f"a number, 'from 1 to 9', '{ANY}' or '{AS}other'"
        raise node.error(f"expected {expected}, got '{text}'") from None


def _parse_case(node: Node) -> Case:
    source, dtypes, numbers = None, tuple[str, ...](), []
    for key, value in node.mapping("a special kernel"):
        word = key.text("a key")
        if word == "kernel":
            source = kernel.parse(value)
        elif word == "types":
            dtypes = types.parse(value)
        else:
            numbers.append((word, _number(value)))
    certain = [number for _, number in numbers if number != ANY]
    if not numbers or (certain and len(numbers) > 1):
        raise node.error(f"expected one argument with a number, or several with '{ANY}'")
    if source is None and certain and not certain[0].startswith(AS):
        raise node.error(f"expected `kernel:` for the number {certain[0]}")
    return Case(node, tuple(name for name, _ in numbers), numbers[0][1], source, dtypes)


def _parse(node: Node) -> tuple[Case, ...]:
    return tuple(_parse_case(item) for item in node.sequence("specialize"))


SPECIALIZE = Key[tuple[Case, ...]](
    "specialize",
    _parse,
    "Loops for an argument that often is one number, and kernels for such numbers;"
    " `types` restricts one to some dtypes.",
    list_of(mapping({"kernel": TEXT, "types": some(DTYPE_GROUPS)}, [], TEXT)),
    'specialize: [{exponent: 2, kernel: "self * self"}, {exponent: any}]',
)


def _as_entry(op: Op, case: Case) -> Op:
    """The op with the case's kernel and dtypes."""
    of = op[KERNEL]
    assert of is not None
    source = replace(case.source or of, outputs=of.outputs)
    dtypes = tuple(name for name in dtypes_of(op) if name in (case.types or dtypes_of(op)))
    options = op.options.plus(KERNEL, source, case.node.loc)
    return replace(op, options=options.plus(TYPES, dtypes, case.node.loc))


def _arguments(op: Op, case: Case) -> tuple[Arg, ...]:
    known = {arg.name: arg for arg in op.args if arg.type.tensor and not arg[OUTPUT]}
    for name in case.names:
        if name not in known:
            raise case.node.error(f"'{name}' is no tensor argument: {listing([*known])}")
    return tuple(known[name] for name in case.names)


def _with_rest(op: Op, cases: tuple[Case, ...]) -> tuple[Case, ...]:
    """Each argument has a loop for any number in every dtype, and so have several together."""
    rest = []
    for names in dict.fromkeys(case.names for case in cases):
        of = [case for case in cases if case.names == names]
        done = {each for case in of if case.number == ANY for each in case.types or dtypes_of(op)}
        left = tuple(each for each in dtypes_of(op) if each not in done)
        if left:
            rest.append(Case(of[0].node, names, ANY, None, left))
    return (*cases, *rest)


def _exchanged(op: Op, cases: tuple[Case, ...]) -> tuple[str, ...]:
    """The argument that changes places with another one, and that one."""
    names = {arg.name: arg.kernel_name for arg in op.args}
    pairs = [(names[case.names[0]], names[case.place]) for case in cases if case.place]
    return pairs[0] if pairs else ()


def _rewrite(op: Op) -> tuple[Op, ...]:
    cases = op[SPECIALIZE]
    if not cases:
        return (op,)
    if op[KERNEL] is None or len(outputs_of(op)) != 1:
        raise op.error(SPECIALIZE, "needs a `kernel:` with one result")
    for case in cases:
        _arguments(op, case)
        kernel.check(_as_entry(op, case))
    alone = {case.names[0] for case in cases if len(case.names) == 1 and not case.place}
    several = {case.names for case in cases if len(case.names) > 1}
    if len(several) > 1 or any(alone != {*names} for names in several):
        raise op.error(SPECIALIZE, "has one loop for several arguments: all that have their own")
    places = [case for case in cases if case.place]
    if len(places) > 1 or any(case.place not in alone - {*case.names} for case in places):
        raise op.error(SPECIALIZE, "lets one argument change places with one that has a loop")
    return (op,)


def _weave(op: Op, body: Body) -> Body:
    cases = op[SPECIALIZE]
    if not cases or body.kernel is None or kernel.PLUGIN.weave is None:
        return body
    specials, used, params = [], list(body.kernel.used), list(body.kernel.params)
    exchanged, cases = _exchanged(op, cases), tuple(case for case in cases if not case.place)
    names = {arg.kernel_name for case in cases for arg in _arguments(op, case)}
    # Next to each other, as `TH/THEngine.h` says.
    params += [
        (f"{name}_single", "bool", f"THTensor_isSingle({name})")
        for name, _ in body.kernel.inputs
        if name in names
    ]
    for case in _with_rest(op, cases):
        known, entry = [arg.kernel_name for arg in _arguments(op, case)], _as_entry(op, case)
        special = kernel.PLUGIN.weave(entry, body).kernel
        assert special is not None
        number = "" if case.number == ANY else case.number
        specials.append(Special(tuple(known), number, dtypes_of(entry), special))
        used += known
        params += special.params
        if number and " " not in number:
            params.append((f"number_{known[0]}", "bool", f"THTensor_isNumber({known[0]})"))
    whole = body.kernel.whole_vectors or any(each.kernel.whole_vectors for each in specials)
    return replace(
        body,
        kernel=replace(
            body.kernel,
            specials=tuple(sorted(specials, key=lambda special: not special.number)),
            used=tuple(dict.fromkeys(used)),
            params=tuple(dict.fromkeys(params)),
            exchanged=exchanged,
            whole_vectors=whole,
            light=body.kernel.light and all(each.kernel.light for each in specials),
            signless=body.kernel.signless
            and all(each.kernel.signless and not each.number for each in specials),
            moved=body.kernel.moved
            and all(each.kernel.moved and not each.number for each in specials),
        ),
    )


PLUGIN = Plugin("Specialize", __doc__, op_keys=(SPECIALIZE,), rewrite=_rewrite, weave=_weave)
