"""What is told of laws: by op, with the place of its entry."""

from __future__ import annotations

import inspect
import itertools
from collections import Counter
from dataclasses import dataclass, field

import pytest

from wrapgen.chain import Operation
from wrapgen.errors import Loc
from wrapgen.testing.declared import Case

# Lines of a failed comparison that are shown.
_MOST_LINES = 12


@dataclass(frozen=True)
class Law:
    """A law for an op."""

    subject: str  # the file it is in
    test: str
    text: str
    op: str
    loc: Loc

    def __str__(self) -> str:
        broken = f"{self.loc}: error: op '{self.op}' breaks a law of {self.subject}, {self.test}"
        return f"{broken}\n  {self.text}" if self.text else broken


def law_of(item: pytest.Item) -> Law | None:
    """The law that a test is, and of which op; None of other tests."""
    callspec = getattr(item, "callspec", None)
    if callspec is None:
        return None
    for value in callspec.params.values():
        form = value.form if isinstance(value, Case) else None
        if isinstance(value, Operation):
            form = value.forms[0]
        if form is None:
            continue
        function = getattr(item, "function", None)
        text = (inspect.getdoc(function) or "").partition("\n\n")[0]
        name = getattr(item, "originalname", item.name)
        return Law(item.path.stem, name, " ".join(text.split()), form.op.symbol, form.op.loc)
    return None


def complaint(law: Law, raised: pytest.ExceptionInfo[BaseException]) -> str:
    """What a failure says: where the op is declared, the law, what was found."""
    lines = raised.exconly().removeprefix("AssertionError: ").splitlines()
    own = list(itertools.takewhile(lambda line: not line.startswith("assert "), lines))
    lines = own or lines[:_MOST_LINES]  # what pytest adds to a law's own words is left out
    if not isinstance(raised.value, AssertionError | pytest.fail.Exception):
        lines.append("if it may not be called like this, `sample:` says how it may")
    return "\n".join([str(law), *(f"  {line}" for line in lines)])


@dataclass
class Table:
    """How many tests of each subject an entry passed."""

    names: dict[Loc, str] = field(default_factory=dict)
    passed: Counter[tuple[Loc, str]] = field(default_factory=Counter)
    run: Counter[tuple[Loc, str]] = field(default_factory=Counter)

    def add(self, law: Law, passed: bool) -> None:
        name = self.names.setdefault(law.loc, law.op)
        if len(law.op) < len(name):  # the in-place form was first
            self.names[law.loc] = law.op
        self.run[law.loc, law.subject] += 1
        self.passed[law.loc, law.subject] += passed

    def _cell(self, loc: Loc, subject: str) -> str:
        passed, run = self.passed[loc, subject], self.run[loc, subject]
        return "-" if not run else str(run) if passed == run else f"{passed}/{run}"

    def lines(self) -> list[str]:
        subjects = sorted({subject for _, subject in self.run})
        head = ["op", "declared in", *subjects]
        rows = [
            [
                self.names[loc],
                f"{loc.file}:{loc.line}",
                *(self._cell(loc, subject) for subject in subjects),
            ]
            for loc in sorted(self.names)
        ]
        if not rows:
            return []
        widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
        return [
            "  ".join(
                cell.ljust(width) if number < 2 else cell.rjust(width)
                for number, (cell, width) in enumerate(zip(row, widths, strict=True))
            ).rstrip()
            for row in (head, *rows)
        ]
