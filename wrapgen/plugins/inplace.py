"""`inplace: true | direct | false`: derives the in-place form `name_` from the entry.

`true`: the result is computed aside and copied into self, once it is known to fit. `direct`: the C
function is called with self as its result. Default `direct` for kernels (the engine reads before it
writes), else `false`. A name that ends in `_` is in place as declared: the C function gets self
first, checked to be fit for writing unless `with_gil` says that it is only re-seated.
"""

from __future__ import annotations

from dataclasses import replace

from wrapgen.model import Body, Key, Op, Output, Plugin
from wrapgen.plugins.common import array
from wrapgen.plugins.gil_release import WITH_GIL
from wrapgen.plugins.nullable_arguments import may_be_null
from wrapgen.plugins.outputs import OUTPUT, outputs_of
from wrapgen.syntax.values import one_of

_WORDS = ("true", "false", "direct")
INPLACE = Key[str](
    "inplace",
    lambda node: node.word("inplace", _WORDS),
    "Derives the form `name_`. `true`: the result is computed aside and copied into self;"
    " `direct`: the C function is called with self as its result. Default `direct` for "
    "kernels, whose engine reads before it writes, else `false`.",
    one_of(_WORDS),
    "inplace: direct",
)


def result_local(op: Op, body: Body) -> str:
    """The C local that an in-place form's result is written to."""
    return "self" if op.inplace == "self" or body.shaped else "self_result"


def _declared(op: Op) -> Op:
    """An op that is in place by its name."""
    if op.returns not in ("", "self"):
        return op
    self_arg = op.arg("self")
    if self_arg is None or not self_arg.type.tensor:
        raise op.error(None, "is in place, but has no tensor argument 'self'")
    if may_be_null(self_arg):
        raise op.error(None, "is in place, but 'self' may be None")
    inputs = tuple(arg for arg in op.args if not arg[OUTPUT])
    return replace(
        op, args=inputs, inplace="self" if inputs == op.args else "direct", returns="self"
    )


def _rewrite(op: Op) -> tuple[Op, ...]:
    word = op[INPLACE] or "false"
    if op.name.endswith("_") or op.returns == "self":
        if op.options.has(INPLACE):
            raise op.error(INPLACE, "is in place by its name already")
        return (_declared(op),)
    if word == "false":
        return (op,)
    if len(outputs_of(op)) != 1:
        raise op.error(
            INPLACE, f"an in-place form needs exactly one output, got {len(outputs_of(op))}"
        )
    self_arg = op.arg("self")
    if self_arg is None or not self_arg.type.tensor:
        raise op.error(INPLACE, "an in-place form needs a tensor argument 'self'")
    if may_be_null(self_arg):
        raise op.error(
            INPLACE, "an in-place form needs a 'self' that is always there: it may be None"
        )
    derived = replace(
        op,
        name=f"{op.name}_",
        python_name=f"{op.python_name}_",
        cname=op.cname,
        doc=f"In-place form of {op.python_name}(): the result is stored in self.",
        args=tuple(arg for arg in op.args if not arg[OUTPUT]),
        inplace="direct" if word == "direct" else "copy",
        returns="self",
        reference="",
        options=replace(
            op.options, values=tuple(v for v in op.options.values if v[0] != INPLACE.name)
        ),
    )
    return (op, derived)


def _weave(op: Op, body: Body) -> Body:
    if not op.inplace or (op.inplace == "self" and op[WITH_GIL]):
        return body
    self_arg = op.arg("self")
    assert self_arg is not None
    loc = op.options.loc(INPLACE) or op.loc
    others = [arg.cname for arg in body.tensors if arg is not self_arg]
    dtype = body.result_dtype or "(THDtype)self->dtype"
    shape = "&shape" if body.shaped else "NULL"
    inputs, checked = f"inputs, {len(body.tensors)}", dtype
    if op.inplace == "self":
        inputs, checked = f"others, {len(others)}" if others else "NULL, 0", "(THDtype)self->dtype"
    if others and not body.shaped and op.inplace in ("self", "direct"):
        text = f"THTensor *const others[] = {array(others)};"
        body = body.plus("locals", PLUGIN.name, loc, text)
    text = f'TH_TRY(THInplace_check("{op.name}", self, {checked}, {shape}, {inputs}));'
    body = body.plus("outputs", PLUGIN.name, loc, text)
    if op.inplace == "self":
        return body
    if body.shaped:
        return replace(body, results=(Output("self", self_arg, dtype),))
    return _aside(op, body, dtype, f"others, {len(others)}" if others else "NULL, 0")


def _aside(op: Op, body: Body, dtype: str, others: str) -> Body:
    """The result is self itself where that is possible, else another tensor that is copied into self."""
    self_arg = op.arg("self")
    assert self_arg is not None
    loc = op.options.loc(INPLACE) or op.loc
    body = body.plus("locals", PLUGIN.name, loc, "THTensor *self_result = NULL;")
    make = f"TH_TRY(THTensor_newEmpty(&self_result, {dtype}));"
    if op.inplace == "direct":
        make = f'TH_TRY(THOutput_plain("{op.name}", &self_result, self, {dtype}, {others}));'
    body = body.plus("outputs", PLUGIN.name, loc, make)
    return replace(
        body,
        results=(Output("self_result", self_arg, dtype),),
        finish=f'THInplace_end("{op.name}", status, self, self_result)',
    )


PLUGIN = Plugin("Inplace", __doc__, op_keys=(INPLACE,), rewrite=_rewrite, weave=_weave)
