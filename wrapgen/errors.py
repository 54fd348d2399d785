"""Errors in declarations: where, what, expected and got."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Loc:
    """A place in a declarations file; line and column count from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class DeclarationError(Exception):
    """One thing wrong in a declaration."""

    def __init__(self, loc: Loc, message: str) -> None:
        message = " ".join(message.split())  # what it quotes may have several lines
        super().__init__(message)
        self.loc = loc
        self.message = message

    def __str__(self) -> str:
        return f"{self.loc}: error: {self.message}"


class DeclarationErrors(Exception):
    """All that was wrong, in the order of the files."""

    def __init__(self, errors: Iterable[DeclarationError]) -> None:
        self.errors = tuple(sorted(errors, key=lambda error: error.loc))
        super().__init__("\n".join(map(str, self.errors)))

    def _render_traceback_(self) -> list[str]:
        """What notebooks show: where wrapgen was meanwhile helps nobody."""
        return [str(self)]


class UserError(Exception):
    """Something about the call or the machine that its user can mend: shown as a message."""

    def _render_traceback_(self) -> list[str]:
        return [str(self)]


class BuildError(UserError):
    """The compiler or the linker refused: what they said, at the user's lines."""


class UnknownOperation(UserError):
    """No declaration gives this name."""


def shorten(text: str, width: int = 60) -> str:
    """What a message quotes of a value."""
    return text if len(text) <= width else text[: width - 3] + "..."


def nearest(word: str, known: Iterable[str]) -> str:
    """`; did you mean 'x'?` for the closest known word, or nothing."""
    import difflib  # only when something is wrong

    close = difflib.get_close_matches(word, sorted(known), n=1, cutoff=0.6)
    return f"; did you mean '{close[0]}'?" if close else ""


def listing(words: Iterable[str]) -> str:
    """Words as a sentence part: `a, b, c`."""
    return ", ".join(words)
