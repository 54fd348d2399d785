"""A package with the demo's operations alone: `make selective` builds it and says where it is.

Each test is a process of its own.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from wrapgen import selection

ROOT = Path(__file__).parents[2]
BUILT = os.environ.get("THWRAP_SELECTIVE", "")
pytestmark = pytest.mark.skipif(not BUILT, reason="the package is built by `make selective`")
SHARE = 0.25  # of the size of the full libraries


def run(code: str) -> str:
    """What Python code prints that imports the package."""
    start = f"import sys; sys.path[:] = [p for p in sys.path if p != {str(ROOT / 'pkg')!r}]\n"
    environment = {**os.environ, "PYTHONPATH": str((ROOT / BUILT).parent)}
    result = subprocess.run(
        [sys.executable, "-c", start + code],
        cwd=ROOT / "examples/digits",
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_it_is_a_quarter_of_the_full_package() -> None:
    def size(folder: Path) -> int:
        return sum(selection.stripped_size(folder / name) for name in selection.LIBRARIES)

    assert size(ROOT / BUILT) <= SHARE * size(ROOT / selection.FULL)


def test_the_demo_learns_and_its_list_is_exact() -> None:
    """On random digits: the recorder sees every operation of the list and no other."""
    run(
        """
import network, recorder, thwrap as th
th.manual_seed(7)
ops = recorder.Recorder(th)
centres = th.randn(10, 64)
y = th.tensor([i % 10 for i in range(200)])
x = ops.div(ops.index_select(centres, 0, y) * 16, 16)
model = network.Network(ops, inputs=64, hidden=32, classes=10)
model.train(x, y, epochs=10, batch=50, rate=0.1, momentum=0.9)
assert model.share_right(model.classify(x), y) > 0.9
ops.randperm(3)
from pathlib import Path
from wrapgen.syntax.node import compose
listed = {item.text("name") for item in compose(Path("ops.yaml"), "ops.yaml").sequence("ops")}
assert listed == set(ops._examples), listed ^ set(ops._examples)
"""
    )


def test_with_an_operation_come_its_variants() -> None:
    run(
        """
import thwrap as th
a = th.full((2, 2), 3.0)
assert (a + 1).tolist() == (1 + a).tolist() == [[4.0, 4.0], [4.0, 4.0]]
out = th.empty(2, 2)
assert th.add(a, a, alpha=2, out=out) is out and out.tolist() == [[9.0, 9.0], [9.0, 9.0]]
a += 1
assert a.add_(1) is a and a.sum().item() == 20
from thwrap._C import ffi, lib
assert lib.TH_add and lib.TH_add_
"""
    )


def test_everything_written_in_python_is_there() -> None:
    run(
        """
import copy, pickle, thwrap as th
a = th.tensor([[1.0, 2.0], [3.0, 4.0]])
assert "3., 4." in repr(a)
assert pickle.loads(pickle.dumps(a)).tolist() == copy.deepcopy(a).tolist() == a.clone().tolist()
assert a.T.tolist() == a.mT.tolist() == [[1.0, 3.0], [2.0, 4.0]]
assert [part.tolist() for part in a.split(1)] == [[[1.0, 2.0]], [[3.0, 4.0]]]
assert len(a.split(1)) == len(a.split([1, 1])) == len(th.tensor_split(a, 2)) == 2
assert a.to(th.int64).tolist() == [[1, 2], [3, 4]] and a.half().dtype is th.float16
assert a[1, 0].item() == 3 and a[a > 2].tolist() == [3.0, 4.0] and a[:, [1]].shape == (2, 1)
a[0] = 7
assert [row.tolist() for row in a][0] == [7.0, 7.0]
assert th.from_numpy(a.numpy()).data_ptr() == a.data_ptr() == th.from_dlpack(a).data_ptr()
assert th.FloatTensor([1, 2]).tolist() == [1.0, 2.0] and th.finfo().bits == 32
assert "add" in repr(th.explain(th.add, a, a)) and list(th.ops) == []
"""
    )


def test_what_is_not_there_says_so() -> None:
    out = run(
        """
import thwrap as th
a = th.zeros(2)
assert not hasattr(th, "sort") and not hasattr(a, "sort") and "sort" not in th.__all__
for call in (lambda: th.sort(a), lambda: a.sort(), lambda: th.Tensor.cumsum, lambda: th.nothing,
             lambda: a != a, lambda: a <= a, lambda: th.normal(0, 1, (2,))):
    try:
        call()
    except (AttributeError, TypeError) as error:
        print(type(error).__name__, error)
"""
    )
    rest = (
        "is not in this build of thwrap, which has the operations of a list only; "
        "add '- {}' to it and build again (wrapgen configure --ops)"
    )
    assert out.splitlines() == [
        f"AttributeError thwrap.sort {rest.format('sort')}",
        f"AttributeError Tensor.sort {rest.format('sort')}",
        f"AttributeError Tensor.cumsum {rest.format('cumsum')}",
        "AttributeError module 'thwrap' has no attribute 'nothing'",
        f"TypeError tensor != other {rest.format('ne')}",
        "TypeError '<=' not supported between instances of 'thwrap.Tensor' and 'thwrap.Tensor'",
        f"AttributeError Tensor.normal_ {rest.format('normal_')}",
    ]


def test_libth_exports_nothing_of_other_operations() -> None:
    command = ["nm", "--dynamic", "--defined-only", str(ROOT / BUILT / "libTH.so")]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    names = {line.split()[-1] for line in text.splitlines()}
    assert {"TH_add", "TH_add_", "TH_prelu", "THTensor_retain", "THKernel_run"} <= names
    assert not {"TH_sort", "TH_cumsum", "TH_exp", "THTensor_sort"} & names
