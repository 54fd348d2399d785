"""Run in a folder of ours: `first_call THRESHOLD` or `build`, and the seconds of each part, as JSON on the last line.

Functions of wrapgen are replaced by ones that read the clock before and after them. A part's time is without that of
the parts within it. BEGAN is the clock when the process was started.
"""

import time

STARTED = time.perf_counter()

import contextlib
import functools
import json
import os
import sys
from collections.abc import Callable, Iterator

sys.path.insert(0, "")
READY = time.perf_counter()


class Clock:
    """Seconds by part; `own` are this program's imports."""

    def __init__(self) -> None:
        self.seconds = {"interpreter": STARTED - float(os.environ["BEGAN"]), "own": READY - STARTED}
        self.part, self.since = "rest", READY

    def switch(self, part: str) -> str:
        """Goes on with a part; returns the one before."""
        now, before = time.perf_counter(), self.part
        self.seconds[before] = self.seconds.get(before, 0.0) + now - self.since
        self.part, self.since = part, now
        return before

    @contextlib.contextmanager
    def during(self, part: str) -> Iterator[None]:
        before = self.switch(part)
        try:
            yield
        finally:
            self.switch(before)

    def watch(self, owner: object, name: str, part: str) -> None:
        """Makes a function a part."""
        function: Callable[..., object] = getattr(owner, name)

        @functools.wraps(function)
        def watched(*arguments: object, **options: object) -> object:
            with self.during(part):
                return function(*arguments, **options)

        setattr(owner, name, watched)


clock = Clock()


def import_generator() -> None:
    """Imports and watches what builds."""
    with clock.during("import of the generator"):
        from wrapgen import chain, generate
        from wrapgen.loader import Loader
        from wrapgen.packages import building, caching, project  # noqa: F401
    for owner, name, part in (
        (Loader, "read", "YAML"),
        (chain, "run_all", "chain"),
        (generate, "write", "emitters"),
        (building, "ninja_text", "emitters"),
        (building, "run", "ninja"),
    ):
        clock.watch(owner, name, part)


def build() -> None:
    """`wrapgen build --native`"""
    with clock.during("import of the generator"):
        from wrapgen.__main__ import main
        from wrapgen.packages import current
    plain = current.target

    def target(*arguments: object) -> str:
        with clock.during("rest"):
            found: str = plain(*arguments)
            if not found:
                import_generator()
            return found

    current.target = target
    status = main(["build", "--native"])
    assert not status, status


def first_call(threshold: float) -> None:
    """As programs/first_call.py."""
    with clock.during("import of thwrap"):
        import thwrap  # noqa: F401
        from wrapgen.packages import loading
    plain = loading._build

    def build_watched(*arguments: object) -> object:
        with clock.during("rest"):
            import_generator()
            return plain(*arguments)

    loading._build = build_watched
    with clock.during("loading"):
        from use import make, prelu
    with clock.during("first call"):
        y = prelu(make([-1.0, 0.5, 4.0]), make([0.25])).tolist()
    wanted = [v if v > threshold else 0.25 * v for v in (-1.0, 0.5, 4.0)]
    assert y == wanted, f"expected {wanted}, got {y}"


if sys.argv[1] == "build":
    build()
else:
    first_call(float(sys.argv[2]))
clock.switch("rest")
print(json.dumps(clock.seconds))
