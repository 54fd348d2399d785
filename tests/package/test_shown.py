"""Ops of a package can be looked at like thwrap's own: th.explain(), `wrapgen trace`, `wrapgen explain --html`."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from types import ModuleType

import pytest
from making import MakePackage

import thwrap as th
import wrapgen
from wrapgen.__main__ import main

DECLARATIONS = """\
- name: softclip
  types: [floating_point]
  arguments: [THTensor* self, THTensor* limit]
  kernel: "self > limit ? limit : self"
- name: smash_
  types: [Float]
  arguments: [THTensor* self]
- name: count
  types: [Float]
  return: long
  arguments: [THTensor* self]
- name: pair
  types: [Float]
  inplace: true
  arguments:
    - {arg: THTensor* result, output: true}
    - THTensor* self
"""

GENERIC = """\
int THTensor_(smash)(THTensor *self)
{
    storage_t *data = THTensor_data(self);
    TH_STORE(data, 0);
    return TH_OK;
}

int THTensor_(count)(int64_t *result, THTensor *self)
{
    storage_t *data = THTensor_data(self);
    TH_STORE(data, 0);
    *result = THTensor_nElement(self);
    return TH_OK;
}

int THTensor_(pair)(THTensor *result, THTensor *self)
{
    const int64_t size = 2;
    int status = TH_OK;
    TH_TRY(THTensor_resizeOutput("pair", result, 1, &size));
    storage_t *to = THTensor_data(result), *from = THTensor_data(self);
    to[0] = to[1] = from[0];
done:
    return status;
}
"""


@pytest.fixture(scope="module")
def shown(make_package: MakePackage) -> ModuleType:
    return make_package("shown", DECLARATIONS, GENERIC)


def test_explain(shown: ModuleType) -> None:
    explanation = th.explain(shown.softclip, th.ones(300, 400), th.ones(400).half())
    assert explanation.path == "staged"
    assert explanation.operands[1].access == "converted to float32 block by block"
    assert explanation.function == "TH_softclip, THFloatTensor_softclip"
    assert explanation.declared == "declarations/ops.yaml:2"
    assert th.explain(th.ops.shown.softclip, th.ones(2), 1).shape == (2,)


def test_functions_that_could_write_are_not_called(shown: ModuleType) -> None:
    a = th.ones(3)
    assert th.explain(shown.smash_, a).results[0].place == "in place"
    assert th.explain(shown.count, a).results == []
    assert a.tolist() == [1, 1, 1]
    assert (shown.count(a), a.tolist()) == (3, [0, 1, 1])


def test_a_result_that_does_not_fit(shown: ModuleType) -> None:
    assert th.explain(shown.pair_, th.ones(2)).shape == (2,)
    assert th.explain(shown.pair, th.ones(3), out=th.ones(5)).shape == (2,)
    for call in (shown.pair_, lambda a: th.explain(shown.pair_, a)):
        with pytest.raises(ValueError, match=r"pair_: result of shape \(2,\) does not fit in self"):
            call(th.ones(3))


def test_explain_with_arrays(shown: ModuleType) -> None:
    numpy = pytest.importorskip("numpy")
    a = numpy.ones(4, "float32")
    out = numpy.zeros(4, "float32")
    explanation = th.explain(shown.softclip, a, 0.5, out=out)
    assert explanation.shape == (4,)
    th.explain(shown.smash_, a)
    assert (a.tolist(), out.tolist()) == ([1] * 4, [0] * 4)


def test_trace(shown: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trace", "shown.softclip"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("shown.softclip\n")
    for place in (
        "declarations/ops.yaml:2: as declared",
        "shown/_C.pyi:",
        "build/gen/ops.c:",
        "build/gen/kernels/ops.c:",
        "THLoop_(softclip)",
    ):
        assert place in text
    assert main(["trace", "shown.smash_"]) == 0
    assert "declarations/own.c:1: the function, written once for all dtypes" in (
        capsys.readouterr().out
    )
    assert main(["trace", "shown.softclop"]) == 1
    assert capsys.readouterr().err == (
        "wrapgen: no operation 'softclop' in shown._C; did you mean 'softclip'?\n"
    )


HOP = re.compile(r"^(\S.*?):(\d+)( \(.*\))?: .*\n((?:    .*\n|\n(?=    ))+)", re.M)


def hops(text: str) -> dict[str, str]:
    """What a trace says of each place, by file name; the lines of those that are here are there."""
    found = {}
    for file, line, remark, quoted in HOP.findall(text):
        found[Path(file).name] = remark.strip()
        if not remark:
            wanted = [each.removeprefix("    ") for each in quoted.rstrip("\n").split("\n")]
            lines = Path(file).read_text().split("\n")[int(line) - 1 :]
            assert lines[: len(wanted)] == wanted, (file, line)
    assert len(HOP.findall(text)) == len(re.findall(r"^\S.*:\d+.*: ", text, re.M))
    return found


def traced(name: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["trace", name]) == 0
    return capsys.readouterr().out


HERE = dict.fromkeys(("ops.yaml", "_C.pyi", "py_ops.c", "ops.c", "own.c"), "")


def test_traced_lines_are_there(
    shown: ModuleType, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """From anywhere, as paths that lead there from here; in its folder the package need not be named."""
    monkeypatch.chdir("/usr")
    assert hops(traced("shown.softclip", capsys)).keys() == HERE.keys() - {"own.c"}
    text = traced("shown.smash_", capsys)
    assert hops(text) == HERE
    root = Path(shown.__file__ or "").parents[1]
    monkeypatch.chdir(root)
    assert traced("smash_", capsys) == text.replace(f"{root}/", "")
    assert "\ndeclarations/own.c:1: the function" in traced("smash_", capsys)


def test_ops_that_are_no_methods(shown: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    """As of packages that do not ask for it: nothing is said of tensors' methods."""
    text = traced("shown.softclip", capsys)
    assert text.startswith("shown.softclip\n")
    assert text.count('{"softclip", (PyCFunction)') == 1
    assert not hasattr(th.Tensor, "softclip")


def test_trace_of_an_installed_package(
    shown: ModuleType,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A wheel has the stub alone; the lines of the rest are shown, and said to be elsewhere."""
    folder = Path(shown.__file__ or "").parent
    shutil.copytree(folder, tmp_path / "shown")
    monkeypatch.chdir(tmp_path)
    away = "(not on this machine)"
    assert hops(traced("shown.smash_", capsys)) == {
        name: "" if name == "_C.pyi" else away for name in HERE
    }


def test_loaded_modules(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The map lies beside the module: each has its own, and what was edited since is said to be."""
    monkeypatch.setenv("WRAPGEN_CACHE", str(tmp_path / "cache"))
    (tmp_path / "own.c").write_text(GENERIC)
    path = tmp_path / "loaded.yaml"
    path.write_text("- generic: own.c\n" + DECLARATIONS)
    first = wrapgen.load(path)
    text = traced("loaded.smash_", capsys)
    assert hops(text) == dict.fromkeys(("loaded.yaml", "py_loaded.c", "loaded.c", "own.c"), "")
    explanation = th.explain(first.softclip, th.ones(2), 1)
    assert explanation.function == "TH_softclip, THFloatTensor_softclip"
    assert explanation.declared == "loaded.yaml:2"
    path.write_text("\n- generic: own.c\n" + DECLARATIONS)
    assert th.explain(wrapgen.load(path).softclip, th.ones(2), 1).declared == "loaded.yaml:3"
    path.write_text("- generic: own.c\n")
    assert hops(traced("loaded.smash_", capsys))["loaded.yaml"] == "(changed since it was built)"
    wrapgen.inline("- {name: half, arguments: [THTensor* self], kernel: self / 2}\n", "texts")
    assert hops(traced("texts.half", capsys)).keys() == {"inline.yaml", "py_inline.c", "inline.c"}


def test_explain_html(
    shown: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = Path(shown.__file__ or "").parents[1]
    target = tmp_path / "page.html"
    arguments = ["explain", "softclip", "--declarations", str(root), "--html", str(target)]
    assert main(arguments) == 0
    assert "declarations/ops.yaml" in target.read_text()
    assert main(["explain", "softclip", "--declarations", str(root)]) == 0
    assert "self &gt; limit" in target.read_text()
    assert "self > limit" in capsys.readouterr().out
