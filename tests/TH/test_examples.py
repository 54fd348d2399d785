"""examples/c: compiled as its Makefile does it, and its numbers compared with the same steps in Python."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import thwrap as th

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def layer(tmp_path_factory: pytest.TempPathFactory, environment: dict[str, str]) -> Path:
    """The compiled example; Python runs with the build's sanitizers, the compiler without."""
    program = tmp_path_factory.mktemp("example") / "layer"
    places = f"PLACES={th.get_include()} {th.get_lib()}"
    command = ["make", "-s", "-C", str(ROOT / "examples/c"), f"PYTHON={sys.executable}", places]
    made = subprocess.run(
        [*command, f"OUT={program}"], env=environment, capture_output=True, text=True
    )
    assert made.returncode == 0, made.stderr
    assert "layer.c" not in made.stderr  # no warnings
    return program


def line(name: str, tensor: th.Tensor) -> str:
    return f"{name}: " + " ".join(f"{x:.4f}" for x in tensor.tolist())


def test_layer(layer: Path) -> None:
    generator = th.Generator()
    generator.manual_seed(42)
    first = th.randn(3, 4, generator=generator)
    second = th.randn(1, 3, generator=generator)
    hidden = th.addmv(th.zeros(3), first, th.ones(4))
    active = th.prelu(hidden, th.tensor(0.25))
    output = th.addmv(th.zeros(1), second, active)
    run = subprocess.run([layer], env=os.environ, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert run.stderr == ""
    assert run.stdout.splitlines() == [
        line("hidden", hidden),
        line("active", active),
        line("output", output),
        "refused: addmv: expected vec of shape (4,), got (5,)",
        "tensors left: 0",
    ]


def test_makefile_finds_the_package(environment: dict[str, str]) -> None:
    """Without PLACES the Makefile asks Python, and says when that has no thwrap."""
    make = ["make", "-n", "-B", "-C", str(ROOT / "examples/c")]
    shown = subprocess.run([*make, f"PYTHON={sys.executable}"], capture_output=True, text=True)
    assert shown.returncode == 0
    assert "-lTH -Wl,-rpath," in shown.stdout
    failed = subprocess.run(
        [*make, "PYTHON=false"], env=environment, capture_output=True, text=True
    )
    assert failed.returncode == 2
    assert "false cannot import thwrap" in failed.stderr
