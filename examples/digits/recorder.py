"""Calls operations, remembers an example of each, and checks them against NumPy.

What NumPy should give is the `reference:` of the declarations.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy

import thwrap as th
from wrapgen import loader
from wrapgen.model import Op
from wrapgen.plugins.optional_arguments import DEFAULT
from wrapgen.plugins.outputs import OUTPUT


@dataclass
class Example:
    """A call: arguments as NumPy values, by declared name where known, and the result."""

    arguments: tuple[Any, ...]
    keywords: dict[str, Any]
    result: Any
    calls: int = 1


# What can be said of random results: NumPy cannot draw the same numbers.
RANDOM: dict[str, Callable[[Any], bool]] = {
    "randperm": lambda drawn: bool((numpy.sort(drawn) == numpy.arange(len(drawn))).all()),
    "randn": lambda drawn: abs(drawn.mean()) < 4 / drawn.size**0.5 and abs(drawn.std() - 1) < 0.1,
}


def _numpy(value: Any) -> Any:
    return numpy.array(value.numpy()) if isinstance(value, th.Tensor) else value


class Recorder:
    """Stands for the module: `ops.mm(a, b)` is `th.mm(a, b)`."""

    def __init__(self, module: Any) -> None:
        self._module = module
        self._examples: dict[str, Example] = {}

    def __getattr__(self, name: str) -> Callable[..., Any]:
        function = getattr(self._module, name)

        def call(*arguments: Any, **keywords: Any) -> Any:
            known = self._examples.get(name)
            if known is not None:
                known.calls += 1
                return function(*arguments, **keywords)
            before = tuple(map(_numpy, arguments))
            result = function(*arguments, **keywords)
            self._examples[name] = Example(before, keywords, _numpy(result))
            return result

        return call

    def write_names(self, path: Path) -> None:
        """The list of a selective build: the operations that were called."""
        head = "# The operations of the demo, as `demo.py --ops FILE` writes them: a list for a selective build.\n"
        path.write_text(head + "".join(f"- {name}\n" for name in sorted(self._examples)))

    def check(self, declarations: Path) -> list[str]:
        """Compares each example with its reference; what differs."""
        files = [(path, path.name) for path in loader.declaration_files(declarations)]
        ops = [op for forms in loader.load(files) for op in forms if op.reference]
        failures = []
        for name, example in self._examples.items():
            if name in RANDOM:
                holds = RANDOM[name](example.result)
                print(
                    f"   {name:14} {example.calls:6} calls, {'as it should be distributed' if holds else 'WRONG'}"
                )
                failures += [] if holds else [f"{name}: {example.result} is not what it should be"]
                continue
            op = next(
                (op for op in ops if op.name == name.rstrip("_") and _fits(op, example)), None
            )
            if op is None:
                failures.append(f"{name}: its declaration has no reference")
                continue
            expected = _reference(op, example)
            close = numpy.allclose(example.result, expected, rtol=1e-4, atol=1e-5)
            error = numpy.max(numpy.abs(example.result.astype(float) - expected), initial=0)
            print(f"   {name:14} {example.calls:6} calls, largest difference {error:.1e}")
            if not close:
                failures.append(f"{name}: differs from NumPy by up to {error}")
        return failures


def _names(op: Op) -> list[str]:
    return [arg.name for arg in op.declared if arg.visible and not arg[OUTPUT]]


def _fits(op: Op, example: Example) -> bool:
    """Is this the form that was called?"""
    required = [arg for arg in op.declared if arg.name in _names(op) and arg[DEFAULT] is None]
    given = len(example.arguments) + len(example.keywords)
    return len(required) <= given <= len(_names(op))


def _reference(op: Op, example: Example) -> Any:
    """The declared reference, evaluated over the call's arguments."""
    values: dict[str, Any] = {"numpy": numpy}
    for arg in op.declared:
        text = arg[DEFAULT]
        if text is not None:
            values[arg.name] = _default(text)
    values |= dict(zip(_names(op), example.arguments, strict=False)) | example.keywords
    return numpy.asarray(eval(op.reference, values))


def _default(text: str) -> Any:
    """A default of the declarations as a Python value."""
    bare = text.removeprefix("AS_REAL(").removesuffix(")")
    known = {"NULL": None, "true": True, "false": False}
    return known[bare] if bare in known else float(bare)
