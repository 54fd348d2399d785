"""The chain: every plugin once, in the order in which it works. Nothing registers itself."""

from wrapgen.model import Plugin
from wrapgen.plugins import (
    argcount_sort,
    argument_references,
    assert_ndim,
    before_after_call,
    bool_option,
    broadcast,
    constant_arguments,
    core,
    gil_release,
    inplace,
    kernel,
    kwargs,
    library,
    nullable_arguments,
    optional_arguments,
    outputs,
    promote,
    return_arguments,
    specialize,
    types,
    wrap_dim,
)

CHAIN: tuple[Plugin, ...] = (
    library.PLUGIN,  # first: a call of elements is a kernel
    kernel.PLUGIN,  # completes an entry that is only an expression, for all that follow
    specialize.PLUGIN,  # adds to that
    core.PLUGIN,  # likewise, for a function over arrays
    argcount_sort.PLUGIN,
    kwargs.PLUGIN,  # the Python parameters, which the next two fill in
    optional_arguments.PLUGIN,
    nullable_arguments.PLUGIN,
    constant_arguments.PLUGIN,
    bool_option.PLUGIN,
    promote.PLUGIN,  # the computing dtype, which types, outputs and in-place checks name
    types.PLUGIN,  # that tensors are there, before anything looks into them
    assert_ndim.PLUGIN,
    wrap_dim.PLUGIN,
    broadcast.PLUGIN,  # the common shape, before results are made in it; after promote: it expands what is cast
    before_after_call.PLUGIN,
    inplace.PLUGIN,  # derives name_; its checks need dtype and shape, as those of outputs do
    outputs.PLUGIN,
    argument_references.PLUGIN,  # after every plugin that hands on another local
    gil_release.PLUGIN,  # knows all tensors and results
    return_arguments.PLUGIN,
)
