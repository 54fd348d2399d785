"""Lets other Python threads run during the call, unless `with_gil: true`.

The wrapper knows only after planning how much work there is, so it announces the work to a hook of
the calling thread; the binding's hook releases the GIL when it is worth it, and the tensors'
storages are pinned meanwhile. C callers have no hook. Functions that make their own result are
called with the GIL, for most of them make views; `with_gil: false` is for those that do work.
"""

from dataclasses import replace

from wrapgen.model import Body, Key, Op, Plugin
from wrapgen.syntax.values import FLAG

WITH_GIL = Key[bool](
    "with_gil",
    lambda node: node.boolean("with_gil"),
    "The GIL is kept during the call. Default for `return: THTensor*`, mostly views, else false.",
    FLAG,
    "with_gil: true",
)


def _weave(op: Op, body: Body) -> Body:
    tensors = [arg.cname for arg in body.tensors]
    work = tuple(dict.fromkeys([*(output.name for output in body.results), *tensors]))
    writes = bool(body.results) or op.inplace == "self"
    works = op.dispatched or writes or op.options.has(WITH_GIL)
    if op[WITH_GIL] or not work or not works:
        return body
    return replace(body, unlocked=True, work=work)


PLUGIN = Plugin("GILRelease", __doc__, op_keys=(WITH_GIL,), weave=_weave)
