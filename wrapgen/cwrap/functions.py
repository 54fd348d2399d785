"""TH's functions of 2018 and what does their work today: the rows of declarations/cwrap.yaml.

A row's `was` is matched against the arguments a form passes: letters are bound to arguments, literals must be
CONSTANTs of that value.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass

import yaml

from wrapgen import tables
from wrapgen.cwrap.declarations import Argument, Form

_CALL = re.compile(r"(\w+)\((.*)\)$")
OUTPUTS = {"out": "", "accumulate": "accumulate", "bool": "Bool", "long": "Long"}
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$")


@dataclass(frozen=True)
class Parameter:
    """A letter with its mark, or a literal."""

    text: str
    mark: str = ""

    @property
    def variable(self) -> bool:
        return len(self.text) == 1 and self.text.isalpha()


@dataclass(frozen=True)
class Row:
    """A function of then and one of today, or a kernel."""

    name: str
    was: tuple[Parameter, ...]
    kernel: str
    cname: str
    now: tuple[Parameter, ...]
    types: tuple[str, ...]
    returns: str
    promote: str
    with_gil: bool
    out: bool
    itself: bool

    def shown(self) -> str:
        return f"{self.name}({', '.join(parameter.text for parameter in self.was)})"


@dataclass(frozen=True)
class Bound:
    """What a letter stands for: an argument, in all places where it is passed, or a constant."""

    args: tuple[Argument, ...] = ()
    constant: str = ""

    @property
    def output(self) -> bool:
        return any(arg.output for arg in self.args)

    @property
    def name(self) -> str:
        return self.args[0].name


def _parameter(text: str) -> Parameter:
    mark, _, rest = text.strip().rpartition(" ")
    return Parameter(rest, mark)


def _call(text: str) -> tuple[str, tuple[Parameter, ...]]:
    match = _CALL.match(text)
    assert match is not None, text
    return match[1], tuple(map(_parameter, match[2].split(",")))


def _row(entry: dict[str, str]) -> Row:
    name, was = _call(entry["was"])
    cname, now = _call(entry["now"]) if "now" in entry else ("", ())
    types = entry.get("types", "[]").strip("[]")
    return Row(
        name=name,
        was=was,
        kernel=entry.get("kernel", ""),
        cname=cname,
        now=now,
        types=tuple(word.strip() for word in types.split(",") if word.strip()),
        returns=entry.get("return", ""),
        promote=entry.get("promote", ""),
        with_gil=entry.get("with_gil") == "true",
        out=entry.get("out") == "true",
        itself=entry.get("itself") == "true",
    )


@functools.cache
def _entries() -> list[dict[str, str]]:
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    text = (tables.data_folder() / "cwrap.yaml").read_text(encoding="utf-8")
    return [
        {key: ", ".join(value) if isinstance(value, list) else value for key, value in row.items()}
        for row in yaml.load(text, loader)
    ]


@functools.cache
def absent() -> frozenset[str]:
    """Functions of then that nothing stands for."""
    lists = [entry["absent"].split(", ") for entry in _entries() if "absent" in entry]
    return frozenset(name for names in lists for name in names)


def is_absent(cname: str) -> bool:
    """Nothing stands for this function of then."""
    prefixes = tuple(name.removesuffix("*") for name in absent() if name.endswith("*"))
    return cname in absent() or cname.startswith(prefixes)


@functools.cache
def rows() -> dict[str, tuple[Row, ...]]:
    """The rows of each function, in the order in which they are tried."""
    result: dict[str, tuple[Row, ...]] = {}
    for entry in _entries():
        if "absent" in entry:
            continue
        row = _row(entry)
        result[row.name] = (*result.get(row.name, ()), row)
    return result


def bare(text: str) -> str:
    """A constant without cwrap's AS_REAL."""
    match = re.fullmatch(r"AS_REAL\((.*)\)", text.strip())
    return match[1].strip() if match else text.strip()


def operand(text: str) -> str:
    """A constant as it can stand in any expression."""
    text = bare(text)
    return text if re.fullmatch(r"[\w.]+", text) else f"({text})"


def is_number(text: str) -> bool:
    return bool(_NUMBER.match(text))


def same(a: str, b: str) -> bool:
    """Two constants of one value."""
    a, b = bare(a), bare(b)
    if is_number(a) and is_number(b):
        return float(a) == float(b)
    words = {"false": "0", "true": "1"}
    return words.get(a.lower(), a) == words.get(b.lower(), b)


def passed(form: Form) -> list[Bound]:
    """What is passed at each place of the call; `argument N` is argument N again."""
    by_name: dict[str, list[Argument]] = {}
    for arg in form.args:
        if arg.visible:
            by_name.setdefault(arg.name, []).append(arg)
    result = []
    for arg in form.args:
        for _ in form.args:  # a chain of references ends, or is a circle
            if arg.typed.type != "argument":
                break
            arg = form.args[int(arg.name)]
        if arg.typed.type == "CONSTANT":
            result.append(Bound(constant=arg.default if arg.default is not None else arg.name))
        else:
            result.append(Bound(args=tuple(by_name.get(arg.name, [arg]))))
    return result


def match(row: Row, form: Form) -> dict[str, Bound] | None:
    """What the letters of a row stand for in a form, or None where it does not fit."""
    actual = passed(form)
    if len(actual) != len(row.was):
        return None
    bound: dict[str, Bound] = {}
    for parameter, value in zip(row.was, actual, strict=True):
        if parameter.text == "*":
            if value.args:
                return None
        elif parameter.variable:
            if value.constant == "NULL":
                return None
            first = bound.setdefault(parameter.text, value)
            if first.args != value.args or (not value.args and first != value):
                return None
        elif value.args or not same(parameter.text, value.constant):
            return None
    return bound
