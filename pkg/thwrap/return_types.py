"""The types of results that are several tensors: tuples with names, one type for each function that returns them.

A type is made when its function first returns one, so that asking for `return_types.max` calls `max` once.
"""

from __future__ import annotations

from thwrap import _C, _functions


def __getattr__(name: str) -> type:
    if name in _functions.__all__:
        for argument in (0, 1):  # a dim; how many, for those that want a count
            try:
                made = type(getattr(_C, name)(_C.zeros(1), argument))
            except (TypeError, ValueError, IndexError):
                continue
            if made.__module__ == __name__ and made.__name__ == name:
                globals()[name] = made
                return made
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
