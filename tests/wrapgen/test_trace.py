"""The map of names and `wrapgen trace`: the way from Python to the line that computes, for every op of the tree."""

from __future__ import annotations

import gzip
import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from declaring import ROOT

from wrapgen import generate
from wrapgen.__main__ import main
from wrapgen.emit import trace_map
from wrapgen.errors import UserError
from wrapgen.show import trace


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> generate.Package:
    """thwrap's declarations, generated elsewhere."""
    folder = tmp_path_factory.mktemp("traced")
    result = generate.Package(
        module="thwrap._C",
        declarations=ROOT / "declarations",
        output=folder / "gen",
        root=ROOT,
        python=folder / "thwrap",
        stub=ROOT / "pkg/thwrap/_C.pyi.in",
        base=True,
    )
    generate.generate(result)
    return result


@pytest.fixture(scope="module")
def content(package: generate.Package) -> dict[str, Any]:
    return trace.read_map(package.output / "map.json")


def steps_of(form: dict[str, Any]) -> list[str]:
    """What the way of a form must have."""
    steps = ["signature", "arguments read", "wrapper"]
    if form["types"]:
        steps.append("dtype switch")
    if form["kernel"]:
        return [*steps, "function", "inner loop"]
    return [*steps, "generic function" if form["types"] else "function"]


def test_every_step_is_there(content: dict[str, Any]) -> None:
    missing = []
    assert len(content["ops"]) > 300
    for name, op in content["ops"].items():
        there = {step[0] for step in op["steps"]}
        wanted = ["declared", "stub", "method table", "arguments sorted"]
        for form in op["forms"]:
            label = f" {form['symbol']}" if len(op["forms"]) > 1 else ""
            wanted += [step + label for step in steps_of(form)]
        missing += [f"{name}: {step}" for step in wanted if step not in there]
        missing += [f"{name}: isas" for f in op["forms"] if f["kernel"] and not f["isas"]]
    assert missing == []


def test_lines_are_where_the_map_says(content: dict[str, Any], package: generate.Package) -> None:
    texts: dict[str, list[str]] = {}
    for op in content["ops"].values():
        for _, file, line, text in op["steps"]:
            if file not in texts:
                there = (ROOT / file).is_file()
                path = ROOT / file if there else package.output.parent / file
                texts[file] = path.read_text().split("\n")
            lines = texts[file]
            assert "\n".join(lines[line - 1 : line + text.count("\n")]) == text, (file, line)


def test_it_is_written_when_it_changes(package: generate.Package) -> None:
    path = package.output / "map.json"
    before = path.read_bytes()
    assert path not in generate.generate(package)
    path.unlink()
    assert path in generate.generate(package)
    assert path.read_bytes() == before


def test_functions() -> None:
    text = """\
int THPlain_name(int a,
                 int b)
{
    return a + b;
}

static __attribute__((noinline)) int hidden(void)
{
}

int THTensor_(op)(THTensor *self)
{
}
typedef struct Thing {
    int a;
} Thing;
int declared(void);
"""
    found = trace_map.functions({"a.c": text})
    assert list(found) == ["THPlain_name", "hidden", "THTensor_(op)"]
    assert (found["THPlain_name"].line, found["hidden"].line) == (1, 7)
    assert found["THPlain_name"].text == text[: text.index("\n\n")]


def test_trace(content: dict[str, Any]) -> None:
    text = trace.trace("prelu", content, ROOT)
    assert text.startswith("th.prelu, Tensor.prelu\n\ndeclarations/pointwise.yaml:")
    order = [
        "- name: prelu",
        "def prelu(self, weight",
        '{"prelu", (PyCFunction)',
        "static PyObject *THPCall_prelu(",
        "static PyObject *THPRun_prelu(",
        "int TH_prelu(THTensor **out",
        "THFloatTensor_prelu(result, self, weight)",
        "int THTensor_(prelu)(",
        "void THLoop_(prelu)(",
        "inner loops compiled for ",
    ]
    places = [text.index(each) for each in order if each in text]
    assert len(places) == len(order)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("th.add", "th.add, Tensor.add, operator +\n"),
        ("Tensor.add_", "th.add_, Tensor.add_"),
        ("max_dim", "th.max, Tensor.max\n"),
        ("thwrap.narrow", "th.narrow, Tensor.narrow\n"),
    ],
)
def test_names(content: dict[str, Any], name: str, shown: str) -> None:
    package, op = trace.parse_name(name)
    assert package == "thwrap"
    assert trace.trace(op, content, ROOT).startswith(shown)


def test_operators(content: dict[str, Any]) -> None:
    for name, slot in (("add", "nb_add"), ("eq", "compare_eq"), ("neg", "nb_negative")):
        text = trace.trace(name, content, ROOT)
        assert f"PyObject *THPSlot_{slot}(PyObject *" in text
        assert ": the operator's slot\n" in text


def test_hand_written_functions(content: dict[str, Any]) -> None:
    assert "TH/ops/THShape.c:" in trace.trace("narrow", content, ROOT)
    text = trace.trace("sum", content, ROOT)
    assert "TH/generic/reduce.c:" in text
    assert "inner loops (TH/loops/reduce.c) compiled for" in text
    for name in ("max", "argmin", "any", "count_nonzero"):
        assert "inner loops (TH/loops/extreme.c) compiled" in trace.trace(name, content, ROOT)


def test_lines_that_have_moved(content: dict[str, Any], tmp_path: Path) -> None:
    _, file, line, text = next(
        step for step in content["ops"]["sum"]["steps"] if step[0] == "generic function"
    )
    (tmp_path / file).parent.mkdir(parents=True)
    (tmp_path / file).write_text("\n" * 500 + text + "\n")
    assert f"\n{tmp_path / file}:501: the function" in trace.trace("sum", content, tmp_path)
    away = f"\n{file}:{line} (not on this machine): the function"
    assert away in trace.trace("sum", content, tmp_path / "none")


def test_unknown_names(capsys: pytest.CaptureFixture[str], package: generate.Package) -> None:
    path = str(package.output / "map.json")
    assert main(["trace", "--map", path, "prelo"]) == 1
    assert capsys.readouterr().err == (
        "wrapgen: no operation 'prelo' in thwrap._C; did you mean 'prelu'?\n"
    )
    assert main(["trace", "no_such_package.op"]) == 1
    assert capsys.readouterr().err == (
        "wrapgen: trace: no package 'no_such_package' can be imported here, and wrapgen.load built "
        "none of this name\n"
    )


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"[]",
        b'{"format": 0}',
        b"\xff\xfe",
        b"\x1f\x8b\x08",
        gzip.compress(b"{", mtime=0),
    ],
)
@pytest.mark.parametrize("name", ["map.json", "map.json.gz"])
def test_damaged_maps(tmp_path: Path, data: bytes, name: str) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(UserError, match="trace: "):
        trace.read_map(tmp_path / name)
    with pytest.raises(UserError, match="trace: cannot read"):
        trace.read_map(tmp_path / "none" / name)


def test_the_map_of_an_installed_package(
    package: generate.Package,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A wheel has it compressed in share/, and none of the files; the package is not imported."""
    folder = tmp_path / "installed"
    (folder / "share").mkdir(parents=True)
    (folder / "__init__.py").write_text("raise RuntimeError('imported')\n")
    packed = gzip.compress((package.output / "map.json").read_bytes(), mtime=0)
    assert len(packed) < 300_000
    (folder / "share/map.json.gz").write_bytes(packed)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert main(["trace", "installed.prelu"]) == 0
    assert "void THLoop_(prelu)(" in capsys.readouterr().out
    shutil.rmtree(folder / "share")
    assert main(["trace", "installed.prelu"]) == 1
    assert "'installed' has no map; build it again" in capsys.readouterr().err
    assert "installed" not in sys.modules


def test_a_map_is_json_with_an_op_on_each_line(package: generate.Package) -> None:
    lines = (package.output / "map.json").read_text().split("\n")
    names = [json.loads("{" + line.rstrip(",") + "}") for line in lines[1:-2]]
    assert len(names) == len(trace.read_map(package.output / "map.json")["ops"])
