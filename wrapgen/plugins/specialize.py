"""`specialize: [{exponent: 2, kernel: "self * self"}]`: kernels for numbers that an argument often is.

The loop runs the kernel of the number it is called with, else that of the entry. `any` stands for all other
numbers: what follows from the number alone is then computed once. `types:` says which of the entry's dtypes a
special kernel is for, by default all. Only Python numbers count, not 0-d tensors.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from wrapgen.errors import listing
from wrapgen.model import Arg, Body, Key, Op, Plugin, Special
from wrapgen.plugins import kernel, types
from wrapgen.plugins.kernel import KERNEL, Expression
from wrapgen.plugins.outputs import outputs_of
from wrapgen.plugins.types import TYPES, dtypes_of
from wrapgen.syntax.node import Node
from wrapgen.syntax.values import DTYPE_GROUPS, TEXT, list_of, mapping, some


@dataclass(frozen=True)
class Case:
    """An argument's name, a number, and the kernel for it."""

    node: Node
    name: str
    number: str
    source: Expression
    types: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.name} = {self.number}: {self.source}"


ANY = "any"


def _number(node: Node) -> str:
    text = node.text("a number")
    if text == ANY:
        return ANY
    try:
        return repr(float(text))
    except ValueError:
        raise node.error(f"expected a number or '{ANY}', got '{text}'") from None


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
    if source is None or len(numbers) != 1:
        raise node.error("expected `kernel:` and one argument with a number")
    return Case(node, *numbers[0], source, dtypes)


def _parse(node: Node) -> tuple[Case, ...]:
    return tuple(_parse_case(item) for item in node.sequence("specialize"))


SPECIALIZE = Key[tuple[Case, ...]](
    "specialize",
    _parse,
    "Kernels for numbers that an argument often is; `types` restricts one to some dtypes.",
    list_of(mapping({"kernel": TEXT, "types": some(DTYPE_GROUPS)}, ["kernel"], TEXT)),
    'specialize: [{exponent: 2, kernel: "self * self"}]',
)


def _as_entry(op: Op, case: Case) -> Op:
    """The op with the case's kernel and dtypes."""
    of = op[KERNEL]
    assert of is not None
    source = replace(case.source, outputs=of.outputs)
    dtypes = tuple(name for name in dtypes_of(op) if name in (case.types or dtypes_of(op)))
    options = op.options.plus(KERNEL, source, case.node.loc)
    return replace(op, options=options.plus(TYPES, dtypes, case.node.loc))


def _argument(op: Op, case: Case) -> Arg:
    known = kernel.numbers_of(op)
    for arg in known:
        if arg.name == case.name:
            return arg
    names = [arg.name for arg in known]
    raise case.node.error(f"'{case.name}' is no argument that may be a number: {listing(names)}")


def _rewrite(op: Op) -> tuple[Op, ...]:
    cases = op[SPECIALIZE]
    if not cases:
        return (op,)
    if op[KERNEL] is None or len(outputs_of(op)) != 1:
        raise op.error(SPECIALIZE, "needs a `kernel:` with one result")
    for case in cases:
        _argument(op, case)
        kernel.check(_as_entry(op, case))
    return (op,)


def _weave(op: Op, body: Body) -> Body:
    cases = op[SPECIALIZE]
    if not cases or body.kernel is None or kernel.PLUGIN.weave is None:
        return body
    specials, used, params = [], list(body.kernel.used), list(body.kernel.params)
    for case in cases:
        arg, entry = _argument(op, case), _as_entry(op, case)
        special = kernel.PLUGIN.weave(entry, body).kernel
        assert special is not None
        number = "" if case.number == ANY else case.number
        specials.append(Special(arg.kernel_name, number, dtypes_of(entry), special))
        asks = f"number_{arg.name}"
        used.append(arg.kernel_name)
        params += [(asks, "bool", f"THTensor_isNumber({arg.kernel_name})"), *special.params]
    whole = body.kernel.whole_vectors or any(each.kernel.whole_vectors for each in specials)
    return replace(
        body,
        kernel=replace(
            body.kernel,
            specials=tuple(sorted(specials, key=lambda special: not special.number)),
            used=tuple(dict.fromkeys(used)),
            params=tuple(dict.fromkeys(params)),
            whole_vectors=whole,
        ),
    )


PLUGIN = Plugin("Specialize", __doc__, op_keys=(SPECIALIZE,), rewrite=_rewrite, weave=_weave)
