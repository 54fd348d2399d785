"""`before_call: text`, `after_call: text`: C statements around the call; `$argN` is the C local of
argument N.

Arguments are counted from 0 in the declared list. `before_call` runs when everything is checked and
before results are allocated, so that it may still refuse (`TH_TRY(...)`); text that mentions an
output runs right before the call instead. `dtype` is the computing dtype. `after_call` runs after a
successful call.
"""

from __future__ import annotations

import re

from wrapgen.model import Body, Key, Op, Plugin
from wrapgen.plugins.argument_references import target
from wrapgen.plugins.inplace import result_local
from wrapgen.plugins.outputs import OUTPUT

BEFORE_CALL = Key[str](
    "before_call", lambda node: node.text("before_call"), "C text before the call"
)
AFTER_CALL = Key[str]("after_call", lambda node: node.text("after_call"), "C text after the call")
_ARG = re.compile(r"\$arg(\d+)")


def _numbers(op: Op, key: Key[str]) -> list[int]:
    text = op[key] or ""
    numbers = [int(match) for match in _ARG.findall(text)]
    for number in numbers:
        if number >= len(op.declared):
            raise op.error(
                key, f"$arg{number} is not there: the list has {len(op.declared)} arguments"
            )
    if "$" in _ARG.sub("", text):
        raise op.error(key, "a $ must begin $argN; Python-object expressions are not supported")
    return numbers


def _rewrite(op: Op) -> tuple[Op, ...]:
    for key in (BEFORE_CALL, AFTER_CALL):
        _numbers(op, key)
    return (op,)


def _text(op: Op, body: Body, key: Key[str]) -> str:
    """The text with the locals' names."""

    def local(match: re.Match[str]) -> str:
        arg = op.declared[int(match[1])]
        if arg.type.name == "argument":
            arg = target(op, arg)
        return result_local(op, body) if arg[OUTPUT] and op.inplace else arg.cname

    return _ARG.sub(local, (op[key] or "").strip())


def _weave(op: Op, body: Body) -> Body:
    if op[BEFORE_CALL]:
        outputs = any(op.declared[number][OUTPUT] for number in _numbers(op, BEFORE_CALL))
        body = body.plus(
            "call" if outputs else "prepare",
            PLUGIN.name,
            op.options.loc(BEFORE_CALL) or op.loc,
            _text(op, body, BEFORE_CALL),
        )
    if op[AFTER_CALL]:
        body = body.plus(
            "after",
            PLUGIN.name,
            op.options.loc(AFTER_CALL) or op.loc,
            _text(op, body, AFTER_CALL),
        )
    return body


PLUGIN = Plugin(
    "BeforeAfterCall", __doc__, op_keys=(BEFORE_CALL, AFTER_CALL), rewrite=_rewrite, weave=_weave
)
