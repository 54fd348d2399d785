"""Plugins of a package's own: where they go, what is wrong with them, and what follows from an edit of one."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import thwrap as th
import wrapgen
from wrapgen.__main__ import main
from wrapgen.errors import DeclarationErrors, UserError
from wrapgen.packages import extending, project
from wrapgen.plugins import CHAIN
from wrapgen.toolchain import machine

OP = """\
- name: f
  types: [Float]
  arguments: [{arg: THTensor* self, nonempty: true}]
  kernel: self + 1
"""
PLUGIN = """\
from wrapgen.model import Body, Key, Op, Plugin

NONEMPTY = Key("nonempty", lambda node: node.boolean("nonempty"), "it must have elements")


def weave(op: Op, body: Body) -> Body:
    for arg in op.args:
        if arg[NONEMPTY]:
            check = f'TH_REQUIRE(THTensor_nElement({arg.cname}) > 0, TH_ERROR_VALUE, "{op.name}: empty");'
            body = body.plus("checks", "NonEmpty", arg.loc, check)
    return body


PLUGIN = Plugin("NonEmpty", "`nonempty: true`", arg_keys=(NONEMPTY,), weave=weave)
"""
HEAD = "from dataclasses import replace\nfrom wrapgen.model import Key, Plugin\n"


@pytest.fixture(autouse=True)
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A cache of its own; what is imported and where from is as before afterwards."""
    monkeypatch.setenv("WRAPGEN_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(sys, "path", list(sys.path))
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        if getattr(sys.modules[name], "__file__", None) and str(tmp_path) in str(
            sys.modules[name].__file__
        ):
            del sys.modules[name]


def package(
    root: Path, plugin: str = PLUGIN, entry: str = "mine:PLUGIN after WrapDim", op: str = OP
) -> Path:
    (root / "declarations").mkdir(exist_ok=True)
    (root / "pk").mkdir(exist_ok=True)
    (root / "pk/__init__.py").write_text("import thwrap\nfrom pk._C import *\n")
    (root / "declarations/ops.yaml").write_text(op)
    (root / "mine.py").write_text(plugin)
    table = f'[project]\nname = "pk"\n[tool.wrapgen]\nplugins = ["{entry}"]\n'
    (root / "pyproject.toml").write_text(table)
    return root


def test_its_place_in_the_chain(tmp_path: Path) -> None:
    for entry, place in (("after WrapDim", 1), ("before WrapDim", 0)):
        root = package(tmp_path, entry=f"mine:PLUGIN {entry}")
        names = [plugin.name for plugin in project.read(root).chain()]
        assert names.index("NonEmpty") == names.index("WrapDim") + (1 if place else -1)
        assert [name for name in names if name != "NonEmpty"] == [plugin.name for plugin in CHAIN]


def test_several_in_order(tmp_path: Path) -> None:
    """One may be placed by another; helpers of theirs are files of the package too."""
    package(tmp_path, "from helper import A, B\n")
    (tmp_path / "helper.py").write_text(HEAD + 'A = Plugin("A", "")\nB = Plugin("B", "")\n')
    entries = ["mine:A before Kernel", "mine:B after A"]
    extended = extending.extend(entries, tmp_path, "here")
    names = [plugin.name for plugin in extended.chain]
    assert names[names.index("A") :][:3] == ["A", "B", "Kernel"]
    assert [path.name for path in extended.files] == ["helper.py", "mine.py"]
    (tmp_path / "helper.py").write_text(HEAD + 'A = Plugin("A", "")\nB = Plugin("C", "")\n')
    again = extending.extend(entries, tmp_path, "here")
    assert [plugin.name for plugin in again.chain if plugin.name in "ABC"] == ["A", "C"]
    assert again.files == extended.files


BAD_ENTRIES = [
    ("mine:PLUGIN", "expected a plugin as 'module:NAME after Other', got 'mine:PLUGIN'"),
    (
        "mine:PLUGIN behind Kernel",
        "expected a plugin as 'module:NAME after Other', got 'mine:PLUGIN behind Kernel'",
    ),
    (
        "mine.PLUGIN after Kernel",
        "expected a plugin as 'module:NAME after Other', got 'mine.PLUGIN after Kernel'",
    ),
    (
        "mine:PLUGIN after Wrapdim",
        "plugin 'mine:PLUGIN after Wrapdim': there is no plugin 'Wrapdim'; did you mean 'WrapDim'?",
    ),
    (
        "none:PLUGIN after Kernel",
        "plugin 'none:PLUGIN after Kernel' cannot be imported: ModuleNotFoundError: No module named 'none'",
    ),
    (
        "mine:PLUGGIN after Kernel",
        "plugin 'mine:PLUGGIN after Kernel': mine has no 'PLUGGIN'; did you mean 'PLUGIN'?",
    ),
    (
        "mine:NONEMPTY after Kernel",
        "plugin 'mine:NONEMPTY after Kernel': expected a Plugin, got Key",
    ),
]


@pytest.mark.parametrize(("entry", "message"), BAD_ENTRIES)
def test_entries_that_are_wrong(entry: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(UserError) as caught:
        project.read(package(tmp_path, entry=entry)).chain()
    assert str(caught.value) == f"pyproject.toml, [tool.wrapgen]: {message}"


KEY = "lambda node: 1, ''"
BAD_PLUGINS = [
    ("PLUGIN = (", "cannot be imported: SyntaxError: '(' was never closed (mine.py, line 3)"),
    ("1 / 0", "cannot be imported: ZeroDivisionError: division by zero (mine.py:3)"),
    ("raise SystemExit(3)", "cannot be imported: SystemExit: 3 (mine.py:3)"),
    ('PLUGIN = Plugin("", "")', ": expected a name like 'WrapDim', got ''"),
    ('PLUGIN = Plugin(3, "")', ": expected a name like 'WrapDim', got 3"),
    ('PLUGIN = Plugin("Kernel", "")', ": there is a plugin 'Kernel' already"),
    ('PLUGIN = Plugin("A", "", op_keys=["x"])', ": expected op_keys as a tuple of Key"),
    (
        f'PLUGIN = Plugin("A", "", arg_keys=(Key("a b", {KEY}),))',
        ": expected a key's name like 'wrap_dim', got 'a b'",
    ),
    (
        'PLUGIN = Plugin("A", "", arg_keys=(Key("a", 3, ""),))',
        ": expected a function that reads key 'a', got 3",
    ),
    ('PLUGIN = Plugin("A", "", weave=1)', ": expected weave as a function, got 1"),
    (
        f'PLUGIN = Plugin("A", "", op_keys=(Key("kernel", {KEY}),))',
        ": key 'kernel' of an entry is one that plugin 'Kernel' has already",
    ),
    (
        f'PLUGIN = Plugin("A", "", op_keys=(Key("name", {KEY}),))',
        ": key 'name' of an entry is one that wrapgen itself has already",
    ),
    (
        f'PLUGIN = Plugin("A", "", arg_keys=(Key("wrap_dim", {KEY}),))',
        ": key 'wrap_dim' of an argument is one that plugin 'WrapDim' has already",
    ),
    (
        f'PLUGIN = Plugin("A", "", arg_keys=(Key("arg", {KEY}),))',
        ": key 'arg' of an argument is one that wrapgen itself has already",
    ),
]


@pytest.mark.parametrize(("text", "message"), BAD_PLUGINS)
def test_plugins_that_are_wrong(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(UserError) as caught:
        project.read(package(tmp_path, HEAD + text + "\n")).chain()
    space = "" if message[0] == ":" else " "
    expected = f"pyproject.toml, [tool.wrapgen]: plugin 'mine:PLUGIN after WrapDim'{space}{message}"
    assert str(caught.value) == expected


def raising(**functions: str) -> str:
    """A plugin whose functions are these expressions."""
    arguments = "".join(f", {name}={text}" for name, text in functions.items() if name != "parse")
    parse = functions.get("parse", "lambda node: True")
    return (
        f'{HEAD}PLUGIN = Plugin("Own", "", arg_keys=(Key("nonempty", {parse}, ""),){arguments})\n'
    )


FAILING = [
    (
        raising(parse="lambda node: node.nothing"),
        "declarations/ops.yaml:3:47: error: plugin 'Own' failed to read 'nonempty': AttributeError: "
        "'Node' object has no attribute 'nothing' (mine.py:3)",
    ),
    (
        raising(rewrite="lambda op: op.nothing"),
        "declarations/ops.yaml:1:3: error: op 'f': plugin 'Own' failed in rewrite: AttributeError: "
        "'Op' object has no attribute 'nothing' (mine.py:3)",
    ),
    (
        raising(rewrite="lambda op: [op]"),
        "declarations/ops.yaml:1:3: error: op 'f': plugin 'Own' failed in rewrite: expected a tuple of Op, got [Op(",
    ),
    (
        raising(rewrite="lambda op: ()"),
        "declarations/ops.yaml:1:3: error: op 'f': plugin 'Own' failed in rewrite: expected at least one Op",
    ),
    (
        raising(rewrite="lambda op: (replace(op, cname=3),)"),
        "declarations/ops.yaml:1:3: error: op 'f': plugin 'Own' failed in rewrite: "
        "expected names and texts of an Op as str",
    ),
    (
        raising(rewrite="lambda op: (replace(op, args=3),)"),
        "declarations/ops.yaml:1:3: error: op 'f': plugin 'Own' failed in rewrite: "
        "expected args of an Op as a tuple of Arg",
    ),
    (
        raising(weave="lambda op, body: 1 / 0"),
        "declarations/ops.yaml:1:3: error: op 'f': plugin 'Own' failed in weave: "
        "ZeroDivisionError: division by zero (mine.py:3)",
    ),
    (
        raising(weave="lambda op, body: None"),
        "declarations/ops.yaml:1:3: error: op 'f': plugin 'Own' failed in weave: expected a Body, got None",
    ),
    (
        raising(weave="lambda op, body: body.plus('checks', 'Own', op.loc, 3)"),
        "declarations/ops.yaml:1:3: error: op 'f': plugin 'Own' failed in weave: "
        "expected statements of text in 'checks', got Statement(",
    ),
    (
        raising(weave="lambda op, body: body.plus('checks', 'Own', 7, 'f();')"),
        "declarations/ops.yaml:1:3: error: op 'f': plugin 'Own' failed in weave: "
        "expected a Loc with a statement in 'checks', got 7",
    ),
    (
        raising(weave="lambda op, body: replace(body, tensors=None)"),
        "declarations/ops.yaml:1:3: error: op 'f': plugin 'Broadcast', after Own, failed in weave: TypeError: ",
    ),
]


@pytest.mark.parametrize(("plugin", "message"), FAILING)
def test_plugins_that_fail(plugin: str, message: str, tmp_path: Path, monkeypatch, capsys) -> None:
    """As an error of the entry, without a traceback unless that is asked for."""
    monkeypatch.chdir(package(tmp_path, plugin))
    assert main(["check"]) == 1
    shown = capsys.readouterr().err
    lines = shown.splitlines()
    assert lines[0].startswith(message)
    assert lines[-1] == "wrapgen: 1 error"
    assert "Traceback" not in shown
    if "mine.py:3" in message:
        assert main(["check", "--verbose"]) == 1
        assert 'mine.py", line 3, in <lambda>' in capsys.readouterr().err


def test_import_errors_have_a_traceback_too(tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(package(tmp_path, "1 / 0\n"))
    assert main(["build", "--verbose"]) == 1
    shown = capsys.readouterr().err
    assert 'mine.py", line 1, in <module>' in shown
    assert shown.splitlines()[-1].startswith(
        "wrapgen: pyproject.toml, [tool.wrapgen]: plugin 'mine"
    )


def test_explain_shows_it_like_the_others(tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(package(tmp_path))
    assert main(["explain", "f"]) == 0
    shown = capsys.readouterr().out
    assert "\nNonEmpty\n  checks   TH_REQUIRE(THTensor_nElement(self) > 0" in shown
    assert main(["explain", "f", "--html", "f.html"]) == 0
    assert "NonEmpty" in (tmp_path / "f.html").read_text()


def run(root: Path) -> str:
    program = "import pk, thwrap as th\ntry: print(pk.f(th.ones(0)).tolist())\nexcept ValueError as e: print(e)"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=root, capture_output=True, text=True, check=False
    )
    return done.stdout.strip() or done.stderr


def test_ninja_follows_an_edit(tmp_path: Path, capsys) -> None:
    root = package(tmp_path)
    assert main(["build", "--native", str(root)]) == 0
    capsys.readouterr()
    assert run(root) == "f: empty"
    path = root / "mine.py"
    path.write_text(PLUGIN.replace(": empty", ": nothing there"))
    later = time.time_ns() + 5_000_000
    os.utime(path, ns=(later, later))
    done = subprocess.run(
        [machine.ninja_program()], cwd=root, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    assert run(root) == "f: nothing there"
    done = subprocess.run(
        [machine.ninja_program()], cwd=root, capture_output=True, text=True, check=False
    )
    assert "no work to do" in done.stdout


def test_load(tmp_path: Path) -> None:
    """Plugins are imported from the file's folder, and are part of what the cache is known by."""
    path = package(tmp_path) / "declarations/ops.yaml"
    (tmp_path / "mine.py").rename(tmp_path / "declarations/mine.py")
    with pytest.raises(DeclarationErrors, match="unknown key 'nonempty'"):
        wrapgen.load(path)
    for message in ("empty", "none"):
        (tmp_path / "declarations/mine.py").write_text(PLUGIN.replace(": empty", f": {message}"))
        module = wrapgen.load(path, plugins="mine:PLUGIN after WrapDim")
        assert wrapgen.load(path, plugins=["mine:PLUGIN after WrapDim"]) is module
        with pytest.raises(ValueError, match=f"f: {message}"):
            module.f(th.ones(0))
    with pytest.raises(
        UserError, match="plugins of ops: expected a plugin as 'module:NAME after Other'"
    ):
        wrapgen.load(path, plugins="mine")
    with pytest.raises(TypeError, match="expected plugins as texts"):
        wrapgen.load(path, plugins=[3])  # type: ignore[list-item]
