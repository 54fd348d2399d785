"""`output: true` marks a result: made by the wrapper, or given by the caller as `out=` (a tuple of
several).

`dtype:` says which dtype it has: `compute` (the dtype computed in, or Bool after `promote:
comparison`; the default), `accumulate` (integers and bool: Long), `truth` (Bool, of Byte itself),
or a name. On an input `dtype:`
names the dtype it must have; it is then not promoted.

`out: true` on an entry with `return: THTensor*` lets the function that makes its own result take
`out=` too: the result is then copied there, and an absent dtype argument is out's.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from wrapgen import tables
from wrapgen.model import Arg, Body, Key, Op, Output, Param, Plugin
from wrapgen.syntax.node import Node
from wrapgen.syntax.values import DTYPES, FLAG, either, one_of
from wrapgen.types import TYPES

_WORDS = ("compute", "accumulate", "truth")


def _parse_dtype(node: Node) -> str:
    return node.word("dtype", (*_WORDS, *tables.dtypes().names))


_MAX_OUTPUTS = 7  # fields of THPResultType
OUTPUT = Key[bool](
    "output",
    lambda node: node.boolean("output"),
    "A result: made by the wrapper, or given as `out=`. It comes first in the call of the"
    " C function.",
    FLAG,
    "{arg: THTensor* result, output: true}",
)
DTYPE = Key[str](
    "dtype",
    _parse_dtype,
    "Of a result: `compute` (the dtype dispatched on; the default), `accumulate` "
    "(integers and bool: Long), `truth` (Bool, of Byte itself), or a name. Of an input: "
    "the dtype it must have; it is then not dispatched on.",
    either(one_of(_WORDS), DTYPES),
    "{arg: THTensor* indices, output: true, dtype: Long}",
)


OUT = Key[bool](
    "out",
    lambda node: node.boolean("out"),
    "A function that makes its result itself (`return: THTensor*`) takes `out=` too.",
    FLAG,
    "out: true",
)


def outputs_of(op: Op) -> tuple[Arg, ...]:
    return tuple(arg for arg in op.args if arg[OUTPUT])


def named_dtype(arg: Arg) -> str:
    """The dtype that a result has in every case; "" where it follows from the call."""
    name = arg.type.dtype or arg[DTYPE] or ""
    return "" if name in _WORDS else name


def parameter(op: Op, arg: Arg) -> str:
    """The C parameter through which a result comes."""
    return "out" if len(outputs_of(op)) == 1 else f"{arg.cname}_out"


def _rewrite(op: Op) -> tuple[Op, ...]:
    if op[OUT] and op.returns != "THTensor*":
        raise op.error(
            OUT, "out is for entries with `return: THTensor*`; mark an output argument instead"
        )
    for arg in outputs_of(op):
        if not arg.type.tensor:
            raise op.error(OUTPUT, f"an output must be a tensor, not '{arg}'", arg)
        if op.returns not in ("", "self") and not op.returns.startswith("argument"):
            raise op.error(OUTPUT, f"has an output, so it cannot return '{op.returns}'", arg)
    if len(outputs_of(op)) > _MAX_OUTPUTS:
        raise op.error(None, f"an op has at most {_MAX_OUTPUTS} outputs, got {len(outputs_of(op))}")
    for arg in op.args:
        if arg.options.has(DTYPE) and (
            not arg.type.tensor or arg.type.dtype not in ("", arg[DTYPE])
        ):
            raise op.error(DTYPE, f"dtype is for THTensor*, not '{arg}'", arg)
        if arg[DTYPE] in ("compute", "accumulate", "truth") and not arg[OUTPUT]:
            raise op.error(DTYPE, f"dtype '{arg[DTYPE]}' is for outputs; '{arg}' is an input", arg)
    return (op,)


def _made(op: Op, body: Body) -> Body:
    """The function makes the result; with out= it is copied there."""
    loc = op.options.loc(OUT) or op.loc
    given = next((a.cname for a in op.args if a.type.name == "THDtype" and a.name == "dtype"), "")
    body = body.plus("locals", PLUGIN.name, loc, "THTensor *out_result = NULL;")
    if given:
        text = f"if ({given} < 0 && *out != NULL)\n    {given} = (*out)->dtype;"
        body = body.plus("prepare", PLUGIN.name, loc, text)
    return replace(
        body,
        finish=f'THOutput_end("{op.name}", status, out, out_result)',
        params=(*body.params, _out_param(op)),
    )


def _dtype(op: Op, body: Body, arg: Arg) -> str:
    word = arg.type.dtype or arg[DTYPE] or "compute"
    if word == "compute":
        if not body.result_dtype:
            raise op.error(
                None, f"output '{arg.name}' needs a dtype: there is no input to take it from", arg
            )
        return body.result_dtype
    if word == "truth":
        return f"THDtype_truth({body.dtype}, *{parameter(op, arg)})"
    if word == "accumulate":
        given = next(
            (a.cname for a in op.args if a.type.name == "THDtype" and a.name == "dtype"), ""
        )
        sums = f"THDtype_accumulate({body.dtype})"
        return f"({given} >= 0 ? {body.dtype} : {sums})" if given else sums
    return tables.dtypes()[word].enum


def _opened(op: Op, body: Body, arg: Arg) -> Body:
    """A result, made by the wrapper or given."""
    dtype, out = _dtype(op, body, arg), parameter(op, arg)
    shape = ", &shape" if body.shaped else ""
    apart = body.core is not None and body.core.fails
    function = f"THOutput_{'shaped' if body.shaped else 'apart' if apart else 'plain'}"
    inputs = f"inputs, {len(body.tensors)}" if body.tensors else "NULL, 0"
    body = body.plus("locals", PLUGIN.name, arg.loc, f"THTensor *{arg.cname} = NULL;")
    text = f'TH_TRY({function}("{op.name}", &{arg.cname}, *{out}, {dtype}{shape}, {inputs}));'
    body = body.plus("outputs", PLUGIN.name, arg.loc, text)
    return replace(body, results=(*body.results, Output(arg.cname, arg, dtype)))


def _tensors(names: Iterable[str]) -> str:
    return f"(THTensor *const[]){{{', '.join(names)}}}"


def _weave(op: Op, body: Body) -> Body:
    outputs = outputs_of(op)
    if op.inplace:
        return body
    if op[OUT]:
        return _made(op, body)
    given = _tensors(f"*{parameter(op, arg)}" for arg in outputs)
    made = _tensors(arg.cname for arg in outputs)
    several = len(outputs) > 1
    if several:
        text = f'TH_TRY(THOutput_check("{op.name}", {given}, {len(outputs)}));'
        body = body.plus("outputs", PLUGIN.name, op.loc, text)
    for arg in outputs:
        body = _opened(op, body, arg)
    finish = [
        f'THOutput_end("{op.name}", status, {parameter(op, arg)}, {arg.cname})' for arg in outputs
    ]
    if several:
        text = f'TH_TRY(THOutput_fit("{op.name}", {given}, {made}, {len(outputs)}));'
        body = body.plus("after", PLUGIN.name, op.loc, text)
        body = body.plus("cleanup", PLUGIN.name, op.loc, *(f"status = {text};" for text in finish))
    elif finish:
        body = replace(body, finish=finish[0])
    return replace(body, params=(*body.params, _out_param(op))) if finish else body


def _out_param(op: Op) -> Param:
    several = len(outputs_of(op)) > 1
    count = len(outputs_of(op))
    annotation = f"tuple[{', '.join(['Tensor'] * count)}]" if several else "Tensor"
    out = Arg(TYPES["THTensor*"], "out", op.loc)
    return Param(
        out,
        "out",
        kind="THP_OUT",
        default="NULL",
        shown_default="None",
        kwarg_only=True,
        nullable=True,
        annotation=annotation,
        shown="tuple of Tensors" if several else "Tensor",
    )


PLUGIN = Plugin(
    "Outputs", __doc__, op_keys=(OUT,), arg_keys=(OUTPUT, DTYPE), rewrite=_rewrite, weave=_weave
)
