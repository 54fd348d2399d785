"""wrapgen writes tensor operations' C wrappers and Python bindings from YAML declarations.

`wrapgen.load` and `wrapgen.inline` give the ops of a file or a text as a module; `%load_ext wrapgen` gives notebooks a
`%%wrapgen` cell. They are imported when they are used, so that `import wrapgen` costs nothing.
"""

__version__ = "0.1.0"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from wrapgen.errors import BuildError, DeclarationErrors, UserError
    from wrapgen.packages.loading import inline, load, load_ipython_extension

__all__ = [
    "BuildError",
    "DeclarationErrors",
    "UserError",
    "inline",
    "load",
    "load_ipython_extension",
]


def __getattr__(name: str) -> object:
    if name in ("load", "inline", "load_ipython_extension"):
        from wrapgen.packages import loading

        return getattr(loading, name)
    if name in __all__:
        from wrapgen import errors

        return getattr(errors, name)
    raise AttributeError(f"module 'wrapgen' has no attribute '{name}'")
