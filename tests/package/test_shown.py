"""Ops of a package can be looked at like thwrap's own: th.explain(), `wrapgen trace`, `wrapgen explain --html`."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest
from making import MakePackage

import thwrap as th
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
    assert text.startswith("shown.softclip, Tensor.softclip\n")
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
