"""What is tested: a module, and the declarations that it was built from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

from wrapgen.chain import Operation

# The dtype of a result that follows from the values of a call and the dtype that is computed in.
ResultDtype = Callable[[Mapping[str, Any], str], str]


@dataclass(frozen=True)
class Subject:
    """What the laws are tested of."""

    module: ModuleType  # with the functions
    read: Callable[[], Iterable[Operation]]  # what is declared
    tests: Path  # the folder with the tests that entries name
    stub: Path
    methods: bool = True  # ops with the variant `method` are methods of tensors
    results_like: bool = False  # results are the kind of array that came in
    # More than entries promise: values outside of samples, instruction sets as near as their vector functions.
    strict: bool = False
    result_dtypes: Mapping[str, ResultDtype] = field(default_factory=dict)  # of ops by name


_used: list[Subject] = []


def use(subject: Subject) -> None:
    """The laws that are imported from now on are about this one."""
    _used[:] = [subject]


def current() -> Subject:
    if not _used:
        raise RuntimeError("the laws have no subject: call wrapgen.testing.subject.use() first")
    return _used[0]
