"""Malformed declarations: what is said of each, verbatim, and that the good ones around them are read.

`bad/<what>.yaml` are the declarations, `bad/<what>.txt` what `wrapgen check` says of them.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from declaring import HERE, Declared

from wrapgen import chain, loader
from wrapgen.errors import DeclarationErrors, nearest
from wrapgen.types import TYPES

BAD = sorted((HERE / "bad").glob("*.yaml"))
Golden = Callable[[Path, str], None]


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_message(path: Path, golden: Golden) -> None:
    with pytest.raises(DeclarationErrors) as caught:
        chain.read([(path, path.name)])
    golden(path.with_suffix(".txt"), f"{caught.value}\n")


def test_the_corpus_is_complete() -> None:
    """Every malformed file has its message, every message its file, and there are many."""
    assert len(BAD) >= 50
    assert {path.stem for path in BAD} == {path.stem for path in (HERE / "bad").glob("*.txt")}


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_messages_begin_with_the_place(path: Path) -> None:
    """file:line:column, inside the file; no message runs over several lines."""
    lines = path.with_suffix(".txt").read_text(encoding="utf-8").splitlines()
    count = path.read_bytes().count(b"\n") + 1
    assert lines
    for text in lines:
        name, line, column, _ = text.split(":", 3)
        assert name == path.name
        assert 1 <= int(line) <= count
        assert int(column) >= 1
        assert ": error: " in text
        assert len(text) < 1000


def test_all_errors_at_once(declared: Declared) -> None:
    """One pass tells of every wrong entry, in the order of the file."""
    first = "- {name: f, arguments: [THTensr* self], kernel: 'self'}\n- {name: g, kernal: 'x'}\n"
    second = "- {name: h, typos: [all]}\n"
    files = [
        (declared.write(text, name), name) for text, name in ((first, "a.yaml"), (second, "b.yaml"))
    ]
    with pytest.raises(DeclarationErrors) as caught:
        loader.load(files)
    assert [f"{error.loc.file}:{error.loc.line}" for error in caught.value.errors] == [
        "a.yaml:1",
        "a.yaml:2",
        "b.yaml:1",
    ]


def test_a_name_in_two_files(declared: Declared) -> None:
    text = "- {name: f, arguments: [THTensor* self], kernel: 'self'}\n"
    files = [(declared.write(text, name), name) for name in ("a.yaml", "b.yaml")]
    with pytest.raises(
        DeclarationErrors, match=r"b.yaml:1:3: error: op 'f' is declared already, in a.yaml:1:3"
    ):
        loader.load(files)


@pytest.mark.parametrize("text", ["", "# nothing\n", "---\n", "[]\n"])
def test_a_file_without_entries(declared: Declared, text: str) -> None:
    assert declared.load(text) == []


@pytest.mark.parametrize("name", sorted(TYPES))
def test_arguments_print_as_declared(declared: Declared, name: str) -> None:
    """str(arg) is the declaration's own syntax: reading it again gives the same argument."""
    text = f"{name} 1" if name in ("CONSTANT", "argument") else f"{name} x"
    ((op,),) = declared.load(f"- name: f\n  return: void\n  options: [{{arguments: ['{text}']}}]\n")
    assert str(op.args[0]) == text


def test_scalars_stay_text(declared: Declared) -> None:
    """`no` is not False and `1e-8` not a string by accident: the key's owner types them."""
    ((op,),) = declared.load(
        "- {name: on, doc: no, python_name: y, arguments: [{arg: real x, default: 1e-8}]}\n"
    )
    assert (op.name, op.doc, op.python_name) == ("on", "no", "y")
    assert [value for _, value, _ in op.args[0].options.values] == ["1e-8"]


def test_defaults_of_the_keys(declared: Declared) -> None:
    ((op,),) = declared.load("- {name: f_, arguments: [THTensor* self]}\n")
    assert (op.cname, op.python_name, op.variants, op.chapter) == (
        "f",
        "f_",
        ("method", "function"),
        "ops",
    )
    ((op,),) = declared.load("- {name: f, arguments: [THTensor* x]}\n")
    assert op.variants == ("function",)


def test_options_inherit(declared: Declared) -> None:
    """What an option does not say, the entry says."""
    text = """
- name: f
  doc: both
  types: [Float]
  options:
    - {overload: a, arguments: [THTensor* self], kernel: "self"}
    - {overload: b, doc: own, types: [Long], arguments: [THTensor* self, real x], kernel: "x"}
"""
    ((first, second),) = declared.load(text)
    assert (first.doc, second.doc) == ("both", "own")
    assert (first.symbol, second.symbol) == ("f_a", "f_b")
    assert {name: value for name, value, _ in second.options.values}["types"] == ("Long",)


def test_every_place_is_exact(declared: Declared) -> None:
    """Lines and columns count from 1 and point at the value."""
    text = "- name: f\n  arguments:\n    - THTensor* self\n    - {arg: real x, default: 2}\n"
    ((op,),) = declared.load(text)
    assert str(op.loc) == "ops.yaml:1:3"
    assert [str(arg.loc) for arg in op.args] == ["ops.yaml:3:7", "ops.yaml:4:13"]
    assert str(op.args[1].options.values[0][2]) == "ops.yaml:4:30"


def test_nearest() -> None:
    assert nearest("brodcast", ["broadcast", "output"]) == "; did you mean 'broadcast'?"
    assert nearest("zzz", ["broadcast", "output"]) == ""
