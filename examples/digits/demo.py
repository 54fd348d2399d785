"""The demo: a declaration, the C it became, and a network trained with the compiled package on real data.

The data are the 1797 handwritten digits (8x8 scans) that scikit-learn's wheel ships. The network has two layers with
prelu between them; its gradients are written out, every step is a thwrap operation, and every operation that was
used is checked against NumPy at the end. With `--ops FILE` it writes their names, for a selective build.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import network
import numpy
from recorder import Recorder
from sklearn.datasets import load_digits

import thwrap as th

ROOT = Path(__file__).resolve().parents[2]
NEEDED = 0.96  # share of held-out digits that must be recognised


@contextmanager
def step(title: str) -> Iterator[None]:
    """A heading, and how long it took."""
    print(f"\n== {title}")
    start = time.perf_counter()
    yield
    print(f"   ({time.perf_counter() - start:.2f} s)")


def show_declaration() -> None:
    """The entry of prelu, and the function it became."""
    entry = _between(
        (ROOT / "declarations/pointwise.yaml").read_text(), "- name: prelu\n", "\n- name:"
    )
    wrapper = _between((ROOT / "build/gen/pointwise.c").read_text(), "int TH_prelu(", "\n}\n")
    loop = _between(
        (ROOT / "build/gen/kernels/pointwise.c").read_text(), "void THLoop_(prelu)", "\n}\n"
    )
    print(entry.rstrip(), "\n\nbecame, in build/gen/pointwise.c,\n", sep="\n")
    print(wrapper, "}\n\nand, for every dtype and instruction set,\n", loop, "}", sep="\n")


def _between(text: str, start: str, end: str) -> str:
    """From a start to the end that follows it."""
    first = text.index(start)
    return text[first : text.index(end, first)]


def load(ops: Any) -> tuple[th.Tensor, th.Tensor, th.Tensor, th.Tensor]:
    """Training and held-out images (values in [0, 1]) and labels."""
    digits = load_digits()
    images = ops.div(th.from_numpy(digits.data.astype(numpy.float32)), 16)
    labels = th.from_numpy(digits.target.astype(numpy.int64))
    order = ops.randperm(len(labels))
    images, labels = ops.index_select(images, 0, order), ops.index_select(labels, 0, order)
    held_out = len(labels) // 5
    print(f"   {len(labels) - held_out} digits to learn from, {held_out} held out")
    return images[held_out:], labels[held_out:], images[:held_out], labels[:held_out]


def draw(images: th.Tensor, labels: th.Tensor, guesses: th.Tensor, count: int = 6) -> None:
    """Some digits side by side with what was recognised."""
    shades = " .:-=+*#%@"
    for row in range(8):
        cells = []
        for digit in range(count):
            line = images[digit].view(8, 8)[row]
            cells.append("".join(shades[int(value * 9)] * 2 for value in line.tolist()))
        print("   " + "  ".join(cells))
    answers = [f"{int(guesses[i])} (is {int(labels[i])})".center(16) for i in range(count)]
    print("   " + "  ".join(answers))


def main() -> int:
    th.manual_seed(7)
    ops: Any = Recorder(th)
    with step("A declaration and the C it became"):
        show_declaration()
    with step("Reading the digits"):
        x, y, x_test, y_test = load(ops)
    with step("Training"):
        model = network.Network(ops, inputs=64, hidden=96, classes=10)
        model.train(x, y, epochs=40, batch=64, rate=0.1, momentum=0.9)
    with step("Recognising the held-out digits"):
        guesses = model.classify(x_test)
        right = model.share_right(guesses, y_test)
        draw(x_test, y_test, guesses)
        print(
            f"   {100 * right:.1f} % of {len(y_test)} held-out digits recognised (needed: {100 * NEEDED:.0f} %)"
        )
    with step("Checking every operation that was used against NumPy"):
        failures = ops.check(ROOT / "declarations")
    if len(sys.argv) == 3 and sys.argv[1] == "--ops":
        ops.write_names(Path(sys.argv[2]))
    if failures or right < NEEDED:
        print("\nFAILED:", *failures, f"{right:.3f} of the digits recognised", sep="\n  ")
        return 1
    print("\nAll right.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
