"""`th.ops`: what is loaded, from where, and whose methods Tensor has."""

from __future__ import annotations

import importlib
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from making import MakePackage

import thwrap as th

OPS = """
- name: zig
  arguments: [THTensor* self]
  kernel: "self + 1"

- name: zag
  arguments: [THTensor* self]
  kernel: "self + 2"
"""
# `aaa` comes first, so that there is something to take back when `zig` is refused.
CLASHING = """
- name: aaa
  arguments: [THTensor* self]
  kernel: "self + 3"

- name: zig
  arguments: [THTensor* self]
  kernel: "self + 4"
"""


@pytest.fixture(scope="module")
def package(make_package: MakePackage) -> ModuleType:
    return make_package("regone", OPS, methods=True)


@pytest.fixture
def registry() -> Iterator[ModuleType]:
    """The registry, and Tensor's methods, as they were."""
    from thwrap import ops

    packages, methods = dict(ops._packages), dict(vars(th.Tensor))
    yield ops
    for name in set(vars(th.Tensor)) - set(methods):
        delattr(th.Tensor, name)
    for name in set(methods) - set(vars(th.Tensor)):
        setattr(th.Tensor, name, methods[name])
    ops._packages.clear()
    ops._packages.update(packages)


def test_loaded_packages_are_listed(package: ModuleType) -> None:
    assert th.ops.regone is package
    assert th.ops.regone.zig(th.ones(2)).tolist() == [2, 2]
    assert "regone" in th.ops
    assert "nothing" not in th.ops
    assert "regone" in dir(th.ops)
    assert sorted(th.ops) == dir(th.ops)
    assert len(th.ops) == len(list(th.ops))
    assert f"  regone: {package.__file__}" in repr(th.ops).splitlines()
    with pytest.raises(AttributeError, match=r"no package .regtwo. is loaded .*import it first"):
        _ = th.ops.regtwo


def test_it_is_empty_at_first() -> None:
    code = "import thwrap as th; print(len(th.ops))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("0\n", "")
    with pytest.raises(AttributeError, match="module 'thwrap' has no attribute 'opps'"):
        _ = th.opps


def test_methods_are_tensors(package: ModuleType) -> None:
    assert th.ones(2).zig().tolist() == [2, 2]
    tensor = th.ones(2)
    assert tensor.zag_() is tensor
    assert tensor.tolist() == [3, 3]


def test_methods_only_when_asked_for(make_package: MakePackage) -> None:
    make_package("regplain", OPS.replace("zig", "zog").replace("zag", "zug"))
    assert not hasattr(th.Tensor, "zog")
    assert th.ops.regplain.zog(th.zeros(1)).tolist() == [1]


def test_again_from_the_same_place_replaces(package: ModuleType, registry: ModuleType) -> None:
    before = th.Tensor.zig
    del sys.modules["regone._C"]
    again = importlib.import_module("regone._C")
    assert again is not package
    assert th.ops.regone is again
    assert th.Tensor.zig is not before
    assert th.ones(2).zig().tolist() == [2, 2]
    sys.modules["regone._C"] = package


def test_from_another_place_is_an_error(
    package: ModuleType, tmp_path: Path, registry: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert package.__file__ is not None
    shutil.copytree(Path(package.__file__).parent, tmp_path / "regone")
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("regone", "regone._C"):
        monkeypatch.delitem(sys.modules, name)
    with pytest.raises(ImportError) as raised:
        importlib.import_module("regone._C")
    assert str(raised.value) == (
        f"op package 'regone' is loaded from {package.__file__} already; the one from "
        f"{tmp_path}/regone/_C.abi3.so needs another name"
    )
    assert "regone._C" not in sys.modules
    assert th.ops.regone is package
    assert th.ones(2).zig().tolist() == [2, 2]


def test_half_an_import_leaves_nothing(package: ModuleType, make_package: MakePackage) -> None:
    """Two packages cannot have the same method; the second is not there at all."""
    with pytest.raises(ImportError) as raised:
        make_package("regclash", CLASHING, methods=True)
    text = str(raised.value)
    assert text.startswith("op package 'regclash' (")
    assert (
        f"has a method 'zig', which Tensor has already from op package 'regone' ({package.__file__})"
        in text
    )
    assert "regclash" not in th.ops
    assert "regclash._C" not in sys.modules
    assert not hasattr(th.Tensor, "aaa")
    assert th.ones(2).zig().tolist() == [2, 2]


def test_methods_of_thwrap_are_not_replaced(registry: ModuleType) -> None:
    before = th.Tensor.add
    for name in ("add", "T", "__repr__", "shape"):
        with pytest.raises(
            ImportError, match=f"method '{name}', which Tensor has already from thwrap itself"
        ):
            registry._register(
                "some._C", ModuleType("some"), "/some.yaml", {"fresh": len, name: len}
            )
    assert th.Tensor.add is before
    assert not hasattr(th.Tensor, "fresh")
    assert "some" not in th.ops


def test_a_new_version_may_have_other_methods(registry: ModuleType) -> None:
    registry._register("some._C", ModuleType("one"), "/some.yaml", {"first": len, "second": len})
    registry._register("some._C", ModuleType("two"), "/some.yaml", {"second": repr, "third": len})
    assert not hasattr(th.Tensor, "first")
    assert th.Tensor.second is repr
    assert th.Tensor.third is len
    with pytest.raises(ImportError, match="has a method 'add'"):
        registry._register("some._C", ModuleType("three"), "/some.yaml", {"add": len})
    assert th.Tensor.second is repr
    assert th.ops.some.__name__ == "two"


def test_names_of_packages_inside_packages(registry: ModuleType) -> None:
    registry._register("lab.water._C", ModuleType("water"), None, {})
    assert th.ops.lab_water.__name__ == "water"
    assert "  lab_water: lab.water._C" in repr(th.ops).splitlines()


def test_threads_register_one_after_the_other(registry: ModuleType) -> None:
    """Of many places that want one name exactly one gets it."""
    errors: list[str] = []
    barrier = threading.Barrier(8)

    def register(i: int) -> None:
        barrier.wait()
        try:
            registry._register("race._C", ModuleType(f"m{i}"), f"/{i}.yaml", {f"race_{i}": len})
        except ImportError as error:
            errors.append(str(error))

    threads = [threading.Thread(target=register, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(errors) == 7
    winner = th.ops.race.__name__.removeprefix("m")
    assert [i for i in range(8) if hasattr(th.Tensor, f"race_{i}")] == [int(winner)]
