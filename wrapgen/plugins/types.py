"""`types: [floating_point, Int]`: the dtypes an op exists for, as names and groups; default all.

Checks that tensors are there and that arguments of a fixed dtype have it, and sets the dtypes of the switch.
"""

from __future__ import annotations

from dataclasses import replace

from wrapgen import tables
from wrapgen.errors import listing, nearest
from wrapgen.model import Arg, Body, Key, Op, Plugin
from wrapgen.node import Node
from wrapgen.plugins.nullable_arguments import may_be_null
from wrapgen.plugins.outputs import DTYPE, OUTPUT


def _parse(node: Node) -> tuple[str, ...]:
    items = node.sequence("types") if node.is_sequence() else [node]
    table = tables.dtypes()
    groups = table.groups()
    chosen: set[str] = set()
    for item in items:
        word = item.text("a dtype")
        if word not in groups and word not in table.names:
            hint = nearest(word, [*groups, *table.names])
            raise item.error(
                f"unknown dtype '{word}'{hint}; known: {listing([*groups, *table.names])}"
            )
        chosen.update(groups.get(word, (word,)))
    if not chosen:
        raise node.error("types is empty: the op would exist for no dtype")
    return tuple(name for name in table.names if name in chosen)


TYPES = Key[tuple[str, ...]]("types", _parse, "dtypes the op exists for")


def fixed_dtype(arg: Arg) -> str:
    """The dtype an input must have whatever the others are, or nothing."""
    return arg.type.dtype or (arg[DTYPE] or "" if not arg[OUTPUT] else "")


def dtypes_of(op: Op) -> tuple[str, ...]:
    return op[TYPES] or tables.dtypes().names


def _bits(names: tuple[str, ...]) -> str:
    for group, members in tables.dtypes().groups().items():
        if set(members) == set(names):
            return f"TH_TYPES_{group.upper()}"
    return " | ".join(f"TH_TYPE_BIT({tables.dtypes()[name].enum})" for name in names)


def _check(op: Op, body: Body, arg: Arg) -> Body:
    """That a tensor is there and has the dtype it must have."""
    name, texts = arg.cname, []
    if arg.type.name == "THTensorList":
        texts.append(f'TH_TRY(THCheck_list("{op.name}", "{arg.name}", {name}, {name}_n));')
    if arg.type.tensor and not may_be_null(arg):
        texts.append(f'TH_TRY(THCheck_tensor("{op.name}", "{arg.name}", {name}));')
    fixed = fixed_dtype(arg)
    if fixed and arg.type.tensor:
        enum = tables.dtypes()[fixed].enum
        condition = f"if ({name} != NULL)\n    " if may_be_null(arg) else ""
        check = f'TH_TRY(THCheck_dtype("{op.name}", "{arg.name}", {name}, {enum}));'
        texts.append(condition + check)
    return body.plus("checks", PLUGIN.name, arg.loc, *texts)


def _weave(op: Op, body: Body) -> Body:
    for arg in op.args:
        if arg.visible and not arg[OUTPUT]:
            body = _check(op, body, arg)
    if op.dispatched and not body.dtype:
        raise op.error(
            None, f"has no tensor argument whose dtype could choose TH<Real>Tensor_{op.cname}"
        )
    loc = op.options.loc(TYPES) or op.loc
    if body.dtype and (op.dispatched or op.options.has(TYPES)):
        body = body.plus(
            "prepare",
            PLUGIN.name,
            loc,
            f'TH_TRY(THCheck_types("{op.name}", {body.dtype}, {_bits(dtypes_of(op))}));',
        )
    return replace(body, dispatch=dtypes_of(op) if op.dispatched else ())


PLUGIN = Plugin(
    "Types",
    __doc__,
    op_keys=(TYPES,),
    weave=_weave,
    types=(
        "THTensor*",
        "THIndexTensor*",
        "THBoolTensor*",
        "THByteTensor*",
        "THIntegerTensor*",
        "THTensorList",
    ),
)
