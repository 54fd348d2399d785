"""hatchling's build hook: configure and ninja, then everything into the wheel.

A wheel has the objects of the usual build, in `build`, which need not be compiled again where they are.
With `THWRAP_OPS=FILE` in the environment, a list of operations, the wheel has these and what they need. The file
is relative to the source tree.
"""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ThwrapBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Compiles the package and lists what git does not know of."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        editable = version == "editable"
        ops = "" if editable else os.environ.get("THWRAP_OPS", "")
        folder = f"build/{version}-selective" if ops else f"build/{version}"
        builddir = folder if editable or ops else "build"
        out = "pkg/thwrap" if editable else f"{folder}/thwrap"
        chosen = ("--ops", ops) if ops else ("--profile", "release" if editable else "wheel")
        places = ("--builddir", builddir, "--out", out)
        self._run("-m", "wrapgen", "configure", *chosen, *places)
        self._run("-m", "ninja", "-f", f"{folder}/build.ninja")
        build_data["pure_python"] = False
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["tag"] = f"cp311-abi3-{platform}"
        if not editable:
            contents = self._contents(root, root / out)
            contents[self._packed_map(root / builddir, root / folder)] = "thwrap/share/map.json.gz"
            build_data["force_include"].update(contents)

    def _run(self, *arguments: str) -> None:
        """A step; it has said itself why it failed."""
        done = subprocess.run([sys.executable, *arguments], cwd=self.root, check=False)
        if done.returncode != 0:
            self.app.abort(f"{' '.join(arguments)} failed")

    def _packed_map(self, builddir: Path, folder: Path) -> str:
        """The map that `wrapgen trace` and th.explain() read, compressed: it is mostly C."""
        packed = folder / "map.json.gz"
        packed.write_bytes(gzip.compress((builddir / "gen/map.json").read_bytes(), mtime=0))
        return str(packed)

    def _contents(self, root: Path, built: Path) -> dict[str, str]:
        """Path on disk -> path in the wheel: what is compiled or generated, and what op packages are built from."""
        files = {}
        for path in sorted(built.rglob("*")):
            if path.is_file():
                files[str(path.resolve())] = f"thwrap/{path.relative_to(built)}"
        for name in ("cwrap.yaml", "dtypes.yaml", "math.yaml"):
            files[str(root / "declarations" / name)] = f"wrapgen/share/declarations/{name}"
        return files
