"""The manual and the schema: they say what the keys are, and every declaration there is agrees."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from declaring import HERE, ROOT
from jsonschema import Draft202012Validator

from wrapgen import chain, keys, loader
from wrapgen.__main__ import main
from wrapgen.keys import Described
from wrapgen.model import Key, Plugin
from wrapgen.packages import project
from wrapgen.plugins import CHAIN
from wrapgen.show import reference, schema
from wrapgen.types import RETURNS, TYPES

MANUAL = ROOT / "docs/reference.md"
PACKAGES = sorted((ROOT / "examples/packages").glob("*/pyproject.toml"))
DECLARATIONS = [
    *loader.declaration_files(ROOT / "declarations"),
    *sorted((HERE / "good").glob("*.yaml")),
    *sorted((HERE / "golden").glob("*.yaml")),
]
REFUSED = 80  # of the bad declarations: the others are wrong in what a schema has no words for

ENTRY_KEYS: list[Described] = [*keys.ENTRY, *(key for p in CHAIN for key in p.op_keys)]
ARGUMENT_KEYS: list[Described] = [*keys.ARGUMENT, *(key for p in CHAIN for key in p.arg_keys)]
UNIT_KEYS: list[Described] = [*keys.UNITS, *keys.LIBRARY]


def validator(plugins: tuple[Plugin, ...] = CHAIN) -> Draft202012Validator:
    document = schema.schema(plugins)
    Draft202012Validator.check_schema(document)
    return Draft202012Validator(document)


def part(definition: str) -> Draft202012Validator:
    """The schema of a part of a file."""
    document = {**schema.schema(CHAIN), "items": {}, "type": ["object", "string"]}
    return Draft202012Validator({**document, "$ref": f"#/$defs/{definition}"})


def test_the_manual_is_up_to_date() -> None:
    files = [
        (path, f"declarations/{path.name}")
        for path in DECLARATIONS
        if path.parent.name == "declarations"
    ]
    text = reference.reference(CHAIN, chain.read(files))
    hint = "docs/reference.md is stale: write it anew with `wrapgen reference -o docs/reference.md`"
    assert MANUAL.read_text(encoding="utf-8") == text, hint


def test_the_manual_has_everything() -> None:
    text = MANUAL.read_text(encoding="utf-8")
    for key in (*ENTRY_KEYS, *ARGUMENT_KEYS, *UNIT_KEYS):
        assert f"| `{key.name}` | " in text, key.name
    for plugin in CHAIN:
        assert f"\n### {plugin.name}\n" in text
    for name in (*TYPES, *RETURNS):
        assert f"`{name}" in text, name
    assert "| `lgamma` | 1 | floating_point | 8 |" in text


@pytest.mark.parametrize("key", [*ENTRY_KEYS, *ARGUMENT_KEYS, *UNIT_KEYS], ids=lambda key: key.name)
def test_a_key_is_a_sentence_with_an_example(key: Described) -> None:
    assert key.doc.endswith(".")
    assert key.doc[0].isupper() or key.doc[0] in "`"
    assert key.schema
    assert key.name in key.example


@pytest.mark.parametrize("key", ENTRY_KEYS, ids=lambda key: key.name)
def test_an_example_of_an_entry_is_one(key: Described) -> None:
    example = yaml.safe_load(key.example)
    assert list(example) == [key.name]
    where = "option" if key.name == "overload" else "entry"
    part(where).validate(example if where == "option" else {"name": "x", **example})


@pytest.mark.parametrize("key", ARGUMENT_KEYS, ids=lambda key: key.name)
def test_an_example_of_an_argument_is_one(key: Described) -> None:
    example = yaml.safe_load(key.example)
    assert key.name in example
    part("argument").validate(example)


@pytest.mark.parametrize(
    "key", [key for key in CHAIN for key in (*key.op_keys, *key.arg_keys)], ids=lambda key: key.name
)
def test_the_parser_takes_the_example(key: Key[Any]) -> None:
    from wrapgen.syntax.node import compose_text

    node = compose_text(key.example, "example")
    assert node is not None
    values = {name.text("a key"): value for name, value in node.mapping("an example")}
    key.parse(values[key.name])


@pytest.mark.parametrize("path", DECLARATIONS, ids=lambda path: path.stem)
def test_declarations_agree_with_the_schema(path: Path) -> None:
    validator().validate(yaml.safe_load(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("path", PACKAGES, ids=lambda path: path.parent.name)
def test_packages_agree_with_the_schema_of_their_plugins(path: Path) -> None:
    plugins, files = project.chain_of(path.parent)
    for file in files:
        if file.suffix == ".yaml":
            validator(plugins).validate(yaml.safe_load(file.read_text(encoding="utf-8")))


def test_the_schema_refuses_what_it_can_see() -> None:
    checker = validator()
    refused, read = set(), 0
    for path in sorted((HERE / "bad").glob("*.yaml")):
        try:
            document = yaml.safe_load(path.read_text(encoding="utf-8"))
        except (yaml.YAMLError, UnicodeDecodeError, RecursionError):
            continue
        read += 1
        try:
            refused |= {path.stem} if not checker.is_valid(document) else set()
        except RecursionError:
            continue
    assert {
        *("entry_unknown_key", "argument_unknown_key", "argument_type_misspelt", "argument_without_type"),
        *("entry_without_name", "options_empty", "promote_unknown", "wrap_dim_extra"),
        *("broadcast_both", "assert_ndim_negative", "return_unknown", "variants_unknown", "dtype_unknown"),
    } & {path.stem for path in (HERE / "bad").glob("*.yaml")} <= refused  # fmt: skip
    assert len(refused) >= REFUSED, f"{len(refused)} of {read}"


def test_a_plugin_of_a_package_is_in_its_manual_and_schema(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = next(path.parent for path in PACKAGES if path.parent.name == "units")
    monkeypatch.chdir(folder)
    assert main(["schema"]) == 0
    plugins, _ = project.chain_of(folder)
    own = [
        plugin
        for plugin in plugins
        if plugin not in CHAIN and plugin.name not in {p.name for p in CHAIN}
    ]
    names = [key.name for plugin in own for key in (*plugin.op_keys, *plugin.arg_keys)]
    text = capsys.readouterr().out
    assert names
    assert all(f'"{name}":' in text for name in names)
    assert main(["reference"]) == 0
    text = capsys.readouterr().out
    assert all(f"| `{name}` | " in text for name in names)


def test_files_are_written_where_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "schema.json"
    assert main(["schema", "-o", str(target)]) == 0
    assert yaml.safe_load(target.read_text())["$schema"] == schema.DRAFT
    assert main(["reference", "-o", str(tmp_path)]) == 1
    assert capsys.readouterr().err.startswith(f"wrapgen: cannot write {tmp_path}: ")
