"""Orders the forms of an operation by their number of checked arguments, most first.

A form with more required arguments says more about a call, so it is tried earlier; forms of equal
rank keep the order of the file.
"""

from dataclasses import replace

from wrapgen.model import Op, Plugin


def _rewrite(op: Op) -> tuple[Op, ...]:
    return (replace(op, rank=sum(arg.visible for arg in op.args)),)


PLUGIN = Plugin("ArgcountSort", __doc__, rewrite=_rewrite)
