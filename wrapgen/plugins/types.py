"""`types: [floating_point, Int]`: the dtypes an op exists for, as names and groups; default all.

Checks that tensors are there and that arguments of a fixed dtype have it, and sets the dtypes of the switch.
"""

from __future__ import annotations

from dataclasses import replace

from wrapgen import tables
from wrapgen.errors import listing, nearest
from wrapgen.model import Arg, Body, Key, Op, Plugin
from wrapgen.plugins.nullable_arguments import may_be_null
from wrapgen.plugins.outputs import DTYPE, OUTPUT
from wrapgen.syntax.node import Node
from wrapgen.syntax.values import DTYPE_GROUPS, DTYPES, some


def parse(node: Node) -> tuple[str, ...]:
    items = node.sequence("types") if node.is_sequence() else [node]
    table = tables.dtypes()
    groups = table.groups()
    chosen: set[str] = set()
    for item in items:
        word = item.text("a dtype")
        if word not in groups and word not in table.names:
            own = next((row.name for row in table.rows if word in (row.python, *row.aliases)), "")
            hint = f"; it is called {own}" if own else nearest(word, [*groups, *table.names])
            raise item.error(
                f"unknown dtype '{word}'{hint}; known: {listing([*groups, *table.names])}"
            )
        chosen.update(groups.get(word, (word,)))
    if not chosen:
        raise node.error("types is empty: the op would exist for no dtype")
    return tuple(name for name in table.names if name in chosen)


TYPES = Key[tuple[str, ...]](
    "types",
    parse,
    "The dtypes it exists for, by name or by group: `all` (the default), `numeric`, "
    "`integral`, `floating_point`.",
    some(DTYPE_GROUPS),
    "types: [floating_point, Int]",
)


ACCEPT = Key[str](
    "accept",
    lambda node: node.word("accept", tables.dtypes().names),
    "Of an input of a fixed dtype: a further dtype that it may have; it is converted.",
    DTYPES,
    "{arg: THBoolTensor* mask, accept: Byte}",
)


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
    if arg[ACCEPT]:
        return _converted(op, body.plus("checks", PLUGIN.name, arg.loc, *texts), arg, fixed)
    if fixed and arg.type.tensor:
        enum = tables.dtypes()[fixed].enum
        condition = f"if ({name} != NULL)\n    " if may_be_null(arg) else ""
        check = f'TH_TRY(THCheck_dtype("{op.name}", "{arg.name}", {name}, {enum}));'
        texts.append(condition + check)
    return body.plus("checks", PLUGIN.name, arg.loc, *texts)


def _converted(op: Op, body: Body, arg: Arg, fixed: str) -> Body:
    """An input of one of two dtypes, as the first of them."""
    table, name, loc = tables.dtypes(), arg.cname, arg.options.loc(ACCEPT) or arg.loc
    own, other = table[fixed].enum, table[arg[ACCEPT] or ""].enum
    check = f'TH_TRY(THCheck_eitherDtype("{op.name}", "{arg.name}", {name}, {own}, {other}));'
    body = body.plus("checks", PLUGIN.name, loc, check)
    if body.looped:  # the engine converts what its loops read
        return body
    body = body.plus("locals", PLUGIN.name, loc, f"THTensor *{name}_cast = NULL;")
    body = body.plus(
        "inputs", PLUGIN.name, loc, f"TH_TRY(THWrapper_cast(&{name}_cast, {name}, {own}));"
    )
    body = body.plus("cleanup", PLUGIN.name, loc, f"THWrapper_freeCast({name}_cast, {name});")
    return body.passing(arg, f"{name}_cast")


def _rewrite(op: Op) -> tuple[Op, ...]:
    for arg in op.args:
        if not arg[ACCEPT]:
            continue
        if not arg.type.tensor or not fixed_dtype(arg) or may_be_null(arg):
            what = "is for tensors of a fixed dtype that are always there"
            raise op.error(ACCEPT, f"accept {what}, not '{arg}'", arg)
    return (op,)


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
    arg_keys=(ACCEPT,),
    rewrite=_rewrite,
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
