"""The generated files as a whole: the same every time, written only when changed; and wrapgen's own promises."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from declaring import HERE, ROOT, Declared

from wrapgen import chain, generate, loader
from wrapgen.commands import VERBS
from wrapgen.emit import cffi_file
from wrapgen.keys import TOLERANCES
from wrapgen.plugins import CHAIN
from wrapgen.testing.oracle import IN_LONG_DOUBLE
from wrapgen.testing.samples import WORDS
from wrapgen.types import TYPES

SOURCES = sorted((ROOT / "wrapgen").rglob("*.py"))
TREES = {path: ast.parse(path.read_text(encoding="utf-8")) for path in SOURCES}
ONE = "- {name: one, arguments: [THTensor* self, THTensor* other], kernel: 'self + other'}\n"
TWO = "- {name: two, arguments: [THTensor* self], kernel: 'self * 2'}\n"


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def run_generate(output: Path, hash_seed: str) -> None:
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)}
    command = [
        sys.executable,
        "-m",
        "wrapgen",
        "generate",
        "--output",
        str(output / "gen"),
        "--base",
    ]
    command += ["--python", str(output / "python"), "--stub", "pkg/thwrap/_C.pyi.in"]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All files of the library's own declarations."""
    folder = tmp_path_factory.mktemp("real")
    run_generate(folder, "1")
    return folder


def test_two_runs_write_the_same(real: Path, tmp_path: Path) -> None:
    """Also with other hashes: nothing is printed in the order of a set."""
    run_generate(tmp_path, "2")
    assert contents(real) == contents(tmp_path)


def test_no_machine_in_the_output(real: Path) -> None:
    """Neither paths of this machine nor dates."""
    for name, content in contents(real).items():
        assert str(ROOT).encode() not in content, name
        assert str(real).encode() not in content, name


def test_generated_lines_are_short(real: Path) -> None:
    """But for what a declaration's own C text, or the stub's own template, has on a line."""
    template = (ROOT / "pkg/thwrap/_C.pyi.in").read_text(encoding="utf-8").splitlines()
    for name, content in contents(real).items():
        long = [
            line
            for line in content.decode().splitlines()
            if len(line) > 120 and line not in template and not name.endswith(".json")
        ]
        assert long == [], name


def test_unchanged_files_are_not_touched(declared: Declared, tmp_path: Path) -> None:
    """So that ninja has nothing to do: only the edited chapter is written again."""
    declared.write(ONE, "first.yaml")
    declared.write(TWO, "second.yaml")
    output = tmp_path / "gen"
    package = declared.generate(output)
    for path in output.rglob("*"):
        os.utime(path, ns=(0, 0))
    assert generate.generate(package) == []
    declared.write(TWO.replace("self * 2", "self * 3"), "second.yaml")
    written = {str(path.relative_to(output)) for path in generate.generate(package)}
    assert written == {"kernels/second.c"}
    touched = {
        str(path.relative_to(output))
        for path in output.rglob("*")
        if path.is_file() and path.stat().st_mtime_ns
    }
    assert touched == written


def test_declarations_come_and_go(declared: Declared, tmp_path: Path) -> None:
    """A new file and a deleted one change what names all chapters."""
    declared.write(ONE, "first.yaml")
    output = tmp_path / "gen"
    package = declared.generate(output)
    assert (output / "chapters.txt").read_text() == "first few\n"
    second = declared.write(
        "- {name: two, return: bool, cname: THTensor_two, arguments: [THTensor* self]}\n",
        "second.yaml",
    )
    generate.generate(package)
    assert (output / "chapters.txt").read_text() == "first few\nsecond\n"
    assert "THPFunctions_second" in (output / "py_module.c").read_text()
    assert "TH_two" in (output / "sample/ops.h").read_text()
    second.unlink()
    generate.generate(package)
    assert (output / "chapters.txt").read_text() == "first few\n"
    assert "second" not in (output / "py_module.c").read_text()
    assert "TH_two" not in (output / "sample/ops.h").read_text()


def test_the_module_says_where_it_comes_from(declared: Declared, tmp_path: Path) -> None:
    """Origin and flags, as the registry and the binding runtime read them."""
    path = declared.write(ONE.encode())
    package = generate.Package(
        "own._C",
        path.parent,
        tmp_path / "gen",
        tmp_path,
        origin='/a "place"/own.yaml',
        flags=("THP_RESULTS_LIKE", "THP_METHODS"),
    )
    generate.generate(package)
    text = (tmp_path / "gen/py_module.c").read_text()
    assert (
        '    "own._C", functions, methods, resultTypes, NULL, "/a \\"place\\"/own.yaml", '
        "THP_RESULTS_LIKE | THP_METHODS,\n" in text
    )
    generate.generate(replace(package, origin="", flags=()))
    text = (tmp_path / "gen/py_module.c").read_text()
    assert '    "own._C", functions, methods, resultTypes, NULL, NULL, 0,\n' in text


def test_only_op_packages_take_arrays(declared: Declared, tmp_path: Path) -> None:
    """Beside what tells arrays apart, their readers are thwrap's own."""
    path = declared.write(ONE.encode())
    package = generate.Package("own._C", path.parent, tmp_path / "gen", tmp_path)
    texts = {}
    for base in (False, True):
        generate.generate(replace(package, base=base))
        texts[base] = (tmp_path / f"gen/py_{path.stem}.c").read_text()
    take = """\
static PyObject *THPTake_one(PyObject **objects)
{
    const bool isPlain =
        THP_isPlain(objects[0]) &&
        THP_isPlainOperand(objects[1]) &&
        THP_isPlain(objects[2]);
    if (TH_LIKELY(isPlain))
        return THPRun_one(objects);
    return THP_runForeign(&one_signature, THPRun_one, objects);
}
"""
    assert take in texts[False]
    assert '{"input", "self", THP_TENSOR, THP_WRITTEN, 0},' in texts[False]
    assert "THPTake" not in texts[True]
    assert "THP_WRITTEN" not in texts[True]


def test_an_error_writes_nothing(declared: Declared, tmp_path: Path) -> None:
    declared.write(ONE, "first.yaml")
    output = tmp_path / "gen"
    package = declared.generate(output)
    before = contents(output)
    declared.write("- {name: two, arguments: [THTensor* self], kernel: 'slef'}\n", "second.yaml")
    with pytest.raises(generate.chain.DeclarationErrors):
        generate.generate(package)
    assert contents(output) == before


def test_a_missing_c_function_is_told(declared: Declared, tmp_path: Path) -> None:
    """Of thwrap's own declarations; the prototypes of op packages are written."""
    arguments = "arguments: [{arg: THTensor* result, output: true}, THTensor* self]"
    package = replace(declared.generate(tmp_path / "gen"), base=True)
    header = declared.folder.parent / "generic/sums.h"
    header.parent.mkdir()
    header.write_text("TH_API int THTensor_(known)(THTensor *result, THTensor *self);\n")
    declared.write(f"- {{name: known, {arguments}}}\n- {{name: total, {arguments}}}\n", "sums.yaml")
    with pytest.raises(generate.chain.DeclarationErrors) as caught:
        generate.texts(package, generate.load(package))
    assert str(caught.value) == (
        "declarations/sums.yaml:2:3: error: op 'total': it has no `kernel:` or `core:`, and generic/sums.h no "
        "THTensor_(total); declare that there, define it in generic/sums.c"
    )


def test_the_depfile_names_what_was_read(declared: Declared, tmp_path: Path) -> None:
    """Declarations, tables, the generator: an edit of any of them brings ninja back."""
    declared.write(ONE, "with_name.yaml")
    stamp, depfile = tmp_path / "gen/chapters.txt", tmp_path / "dep"
    command = [
        sys.executable,
        "-m",
        "wrapgen",
        "generate",
        "--declarations",
        "declarations",
        "--output",
        "gen",
    ]
    command += ["--depfile", str(depfile), "--stamp", str(stamp)]
    subprocess.run(command, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=True)
    target, names = depfile.read_text().strip().split(": ", 1)
    assert target == str(stamp)
    paths = {(tmp_path / name).resolve() for name in names.split()}
    assert all(path.is_file() for path in paths)
    shared = {ROOT / "declarations/dtypes.yaml", ROOT / "declarations/math.yaml"}
    assert paths == {declared.folder / "with_name.yaml", *shared, *SOURCES}


# What wrapgen promises of itself.


def strings_of(tree: ast.AST) -> set[str]:
    """String constants and the text between the holes of f-strings, without docstrings."""
    docs = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, (ast.Module, ast.FunctionDef, ast.ClassDef))
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    constants = (
        node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in docs
    )
    return {node.value for node in constants if isinstance(node.value, str)}


def op_names() -> set[str]:
    files = [(path, path.name) for path in loader.declaration_files(ROOT / "declarations")]
    operations = chain.run_all(loader.load(files))
    ops = [form.op for operation in operations for form in operation.forms]
    return {name for op in ops for name in (op.name, op.cname, op.symbol, op.python_name)}


def test_no_operation_is_known_to_wrapgen() -> None:
    """No string of wrapgen is an op's name, or calls one.

    Words that the language of declarations, C or Python have too are no sign of knowledge: they are listed, each with
    where it comes from.
    """
    dunders = "neg add sub mul pow matmul and or xor lt le gt ge eq ne abs lshift rshift"
    words = {name: f"__{name}__" for name in dunders.split()}
    words |= dict.fromkeys(("real", "double", "float", "long", "int", "bool"), "an argument type")
    words |= dict.fromkeys(("fmod", "trunc_divide"), "a function of math.yaml")
    words |= {"all": "a group of dtypes", "half": "a dtype", "dim": "also called axis, as in NumPy"}
    words |= {"_cast": "an ending of generated names", "contiguous": "a key of core operations"}
    words |= dict.fromkeys(VERBS, "a verb of the command line")
    words |= dict.fromkeys(
        ("positive", "nonzero", "negative"), "what samples and `fails:` say of numbers"
    )
    words |= dict.fromkeys(("sum", "square"), "what `tolerance:` says of errors")
    words |= dict.fromkeys(("erf", "erfc", "lgamma"), "a function of Python's math, for references")
    words |= dict.fromkeys(("maximum", "minimum"), "a bound in a JSON Schema")
    words |= {"any": "a value of old cwrap keys", "THTensor_newClone": "a function of TH"}
    words |= {"to": "the end of a range of samples"}
    words |= dict.fromkeys(TOLERANCES, "a tolerance of samples")
    words |= dict.fromkeys(WORDS, "a word of samples")
    words |= dict.fromkeys(IN_LONG_DOUBLE, "a function of libm, for references")
    names = op_names()
    found: dict[str, str] = {}
    for path, tree in TREES.items():
        for text in strings_of(tree):
            if text in names and text not in words:
                found[text] = str(path.relative_to(ROOT))
            for called in re.findall(
                r"TH_([a-z]\w*)|THTensor_\((\w+)\)|TH(?:Float|Double)Tensor_(\w+)", text
            ):
                if set(called) & names:
                    found[text] = str(path.relative_to(ROOT))
    assert found == {}


def functions() -> list[tuple[str, int]]:
    return [
        (f"{path.relative_to(ROOT)}:{node.name}", (node.end_lineno or 0) - node.lineno + 1)
        for path, tree in TREES.items()
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    ]


def test_functions_are_short() -> None:
    assert [(name, lines) for name, lines in functions() if lines > 40] == []


def test_files_are_short() -> None:
    assert [
        str(path) for path in SOURCES if len(path.read_text(encoding="utf-8").splitlines()) > 600
    ] == []


def test_every_module_says_what_it_is_for() -> None:
    assert [str(path) for path, tree in TREES.items() if not ast.get_docstring(tree)] == []


def test_plugins_own_their_keys() -> None:
    """Every plugin has a name, a docstring, and keys that no other plugin and not the loader has."""
    assert len({plugin.name for plugin in CHAIN}) == len(CHAIN)
    assert all(plugin.doc.strip() for plugin in CHAIN)
    assert all(plugin.rewrite or plugin.weave for plugin in CHAIN)
    for keys in (
        [key for p in CHAIN for key in p.op_keys],
        [key for p in CHAIN for key in p.arg_keys],
    ):
        names = [key.name for key in keys]
        assert len(set(names)) == len(names)
        assert not set(names) & set(loader.CORE_KEYS)
        assert all(key.doc for key in keys)


def test_every_plugin_file_is_in_the_chain() -> None:
    files = {path.stem for path in (ROOT / "wrapgen/plugins").glob("*.py")} - {"__init__", "common"}
    modules = {(plugin.rewrite or plugin.weave).__module__.rsplit(".", 1)[-1] for plugin in CHAIN}  # type: ignore[union-attr]
    assert files == modules


def test_special_types_have_an_owner() -> None:
    """Types that a plugin gives a meaning to have one such plugin."""
    owned = [name for plugin in CHAIN for name in plugin.types]
    assert len(set(owned)) == len(owned)
    assert set(owned) <= set(TYPES)


def test_the_tests_have_no_leftovers() -> None:
    """Headers of the good corpus belong to a declaration."""
    stems = {path.stem for path in (HERE / "good").glob("*.yaml")}
    assert {path.stem for path in (HERE / "good").glob("*.h")} <= stems


def test_functions_of_one_signature_share_a_converter() -> None:
    """Converters are most of what is compiled of the cffi module."""
    declared = "int one(double *x, char y);\nint two(double *x, char y);\nvoid three(void);\n"
    text = cffi_file.source(declared, "some._C", "some.h")
    called = re.findall(r'return (\w+)\(\(void \*\)(\w+), "(\w+)", self, \w+\);', text)
    converters = {function: converter for converter, function, _ in called}
    assert all(function == name for _, function, name in called)
    assert converters.keys() == {"one", "two", "three"}
    assert converters["one"] == converters["two"] != converters["three"]
    assert all(text.count(f"static PyObject *{name}(") == 1 for name in converters.values())
