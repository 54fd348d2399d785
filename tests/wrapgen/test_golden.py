"""What is generated, verbatim: a small declaration for each plugin, and one with every key.

`golden/<Plugin>.yaml` is the declaration; beside it lie the wrapper, the kernel and the Python side generated from it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from declaring import HERE

from wrapgen import chain, loader
from wrapgen.emit import calls, kernels, readers, result_types, stubs, wrappers
from wrapgen.plugins import CHAIN

FOLDER = HERE / "golden"
DECLARATIONS = sorted(FOLDER.glob("*.yaml"))
Golden = Callable[[Path, str], None]


def texts(path: Path) -> dict[str, str]:
    """The generated texts by the ending of their file."""
    name = path.stem
    operations = chain.read([(path, path.name)])
    forms = [form for operation in operations for form in operation.forms]
    stub = [
        *result_types.stub(operations, "Tensor"),
        *stubs.functions(operations),
        "class Tensor:",
        *stubs.methods(operations),
        "    ...",
    ]
    result = {
        "wrapper.c": wrappers.chapter(path.name, name, operations, "ops.h", f"{name}.h"),
        "binding.c": readers.chapter(path.name, name, operations, "ops.h"),
        "stub.txt": "\n".join(stub) + "\n",
    }
    if any(form.body.looped for form in forms):
        result["kernel.c"] = kernels.source(path.name, name, forms)
    if calls.whole(forms):
        result["calls.c"] = calls.source(path.name, name, forms)
    return result


@pytest.mark.parametrize("path", DECLARATIONS, ids=lambda path: path.stem)
def test_generated(path: Path, golden: Golden) -> None:
    for ending, text in texts(path).items():
        golden(path.with_suffix(f".{ending}"), text)


def test_every_plugin_has_its_golden_files() -> None:
    """A new plugin comes with a declaration; what lies here belongs to one."""
    assert {path.stem for path in DECLARATIONS} == {plugin.name for plugin in CHAIN} | {
        "everything"
    }
    expected = {
        path.with_suffix(f".{ending}").name for path in DECLARATIONS for ending in texts(path)
    }
    assert {path.name for path in FOLDER.iterdir()} == expected | {
        path.name for path in DECLARATIONS
    }


def test_everything_has_every_key() -> None:
    operations = loader.load([(FOLDER / "everything.yaml", "everything.yaml")])
    ops = [op for forms in operations for op in forms]
    written = {name for op in ops for name, _, _ in op.options.values}
    assert written == {key.name for plugin in CHAIN for key in plugin.op_keys}
    written = {name for op in ops for arg in op.args for name, _, _ in arg.options.values}
    assert written == {key.name for plugin in CHAIN for key in plugin.arg_keys}
    text = (FOLDER / "everything.yaml").read_text(encoding="utf-8")
    assert all(f"{key}:" in text for key in loader.CORE_KEYS)


@pytest.mark.parametrize("path", DECLARATIONS, ids=lambda path: path.stem)
def test_stubs_are_python(path: Path) -> None:
    compile(texts(path)["stub.txt"], path.name, "exec")


@pytest.mark.parametrize("path", DECLARATIONS, ids=lambda path: path.stem)
def test_lines_are_short(path: Path) -> None:
    for text in texts(path).values():
        assert [line for line in text.splitlines() if len(line) > 120] == []
