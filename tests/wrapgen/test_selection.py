"""The choice of operations for a selective build; tests/selective has the build itself."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from declaring import ROOT

from wrapgen import chain, loader, selection
from wrapgen.chain import Operation
from wrapgen.errors import DeclarationErrors
from wrapgen.selection import Selection
from wrapgen.syntax.node import compose

# Attributes in Python files that are called like operations but are other things.
HOMONYMS = {
    "_explain.py": {"add"},  # of a set
    "_numpy.py": {
        *("add", "sub", "mul", "pow", "matmul", "eq", "ne", "lt", "le", "gt", "ge")  # of `operator`
    },
    "_dtype.py": {"max", "min"},  # limits
}


@pytest.fixture(scope="module")
def operations() -> list[Operation]:
    files = loader.declaration_files(ROOT / "declarations")
    return chain.read([(path, path.name) for path in files])


def choose(
    folder: Path, operations: list[Operation], text: str
) -> tuple[set[str], selection.Absent]:
    path = folder / "ops.yaml"
    path.write_text(text)
    built, absent = Selection(path, ROOT / selection.NEEDS, folder).choose(operations)
    return {operation.name for operation in built}, absent


def test_overloads_and_in_place_forms_come_along(
    tmp_path: Path, operations: list[Operation]
) -> None:
    base, _ = choose(tmp_path, operations, "[]")
    for text in ("- add", "- add_"):
        built, absent = choose(tmp_path, operations, text)
        assert built - base == {"add", "add_"}
        assert not {"add", "add_"} & {*absent.functions, *absent.methods}
    assert ("sub" in absent.functions, "sub_" in absent.methods) == (True, True)
    assert "- sub" in absent.operators


def test_another_name_is_an_operation_of_its_own(
    tmp_path: Path, operations: list[Operation]
) -> None:
    base, _ = choose(tmp_path, operations, "[]")
    built, _ = choose(tmp_path, operations, "- arcsin")
    assert built - base == {"arcsin", "arcsin_"}


def test_what_python_functions_call_comes_along(
    tmp_path: Path, operations: list[Operation]
) -> None:
    base, _ = choose(tmp_path, operations, "[]")
    built, _ = choose(tmp_path, operations, "- normal\n")
    assert {"normal_", "randn_like", "any"} <= built - base


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- add\n- sotfmax\n", "ops.yaml:2:3: error: there is no operation 'sotfmax'; did you mean 'softmax'?"),
        ("- qqqq\n", "ops.yaml:1:3: error: there is no operation 'qqqq'"),
        ("- {name: add}\n", "ops.yaml:1:3: error: expected the name of an operation as text, got a mapping"),
        ("ops: [add]\n", "ops.yaml:1:1: error: expected the operations as a list, got a mapping"),
        ("", "ops.yaml:1:1: error: the list of operations is empty"),
        ("- [\n", "ops.yaml:2:1: error: this is not YAML: "
         "while parsing a flow node did not find expected node content"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_list_is_told(
    tmp_path: Path, operations: list[Operation], text: str, message: str
) -> None:
    with pytest.raises(DeclarationErrors) as caught:
        choose(tmp_path, operations, text)
    assert str(caught.value) == message


def test_all_that_is_wrong_is_told_at_once(tmp_path: Path, operations: list[Operation]) -> None:
    with pytest.raises(DeclarationErrors) as caught:
        choose(tmp_path, operations, "- a1\n- add\n- b2\n")
    assert [error.loc.line for error in caught.value.errors] == [1, 3]


def _called(tree: ast.AST, names: set[str]) -> set[str]:
    """What a Python file may call of these names."""
    attributes = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    imported = {
        alias.name for node in imports if node.module == "thwrap._C" for alias in node.names
    }
    return (attributes | imported) & names


def test_the_needs_are_those_of_the_python_files(operations: list[Operation]) -> None:
    """Whatever an attribute in a Python file of the package may be is listed, and nothing else is."""
    entries = selection._entries(operations)
    called = set()
    for path in sorted((ROOT / "pkg/thwrap").glob("*.py")):
        if path.name != "_functions.py":
            found = _called(ast.parse(path.read_text()), set(entries))
            called |= {entries[name] for name in found - HOMONYMS.get(path.name, set())}
    document = compose(ROOT / selection.NEEDS, selection.NEEDS)
    assert document is not None
    listed = set()
    for entry in document.sequence("needs"):
        fields = {key.text("key"): value for key, value in entry.mapping("a need")}
        listed |= {entries[item.text("a name")] for item in fields["depends"].sequence("depends")}
    # What operators and comparisons of Python code call.
    assert listed - called == {"eq", "lt"}
    assert called <= listed


def test_the_base_is_small(tmp_path: Path, operations: list[Operation]) -> None:
    built, _ = choose(tmp_path, operations, "[]")
    assert 5 < len(built) < 25
