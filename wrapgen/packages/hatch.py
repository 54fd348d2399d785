"""hatchling's build hook for op packages, `[tool.hatch.build.hooks.wrapgen]`: an entry point of the group `hatch`.

A wheel is built in build/wheel, for all instruction sets and without the folders of the machine that built it; an
editable installation is built in place.
"""

from __future__ import annotations

import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.plugin import hookimpl

from wrapgen.errors import DeclarationErrors, UserError


class WrapgenBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Compiles the package and adds the module and its stub to the wheel."""

    PLUGIN_NAME = "wrapgen"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name != "wheel":
            return
        try:
            files = _build(Path(self.root), editable=version == "editable")
        except (DeclarationErrors, UserError) as error:
            self.app.abort(f"wrapgen: {error}")
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["pure_python"] = False
        build_data["tag"] = f"cp311-abi3-{platform}"
        for path, name in files.items():
            if not self._has(name):
                build_data["force_include"][path] = name

    def _has(self, name: str) -> bool:
        """Is a file in the wheel anyway? Then it must be one that is written by hand."""
        known = (Path(self.root) / name).is_file() and self.build_config.include_path(name)
        if known and not name.endswith("py.typed"):
            self.app.abort(f"wrapgen: {name} is built; add it to .gitignore, which hatchling reads")
        return bool(known)

    def clean(self, versions: list[str]) -> None:
        del versions
        for pattern in ("_C.abi3.so", "_C.pyi"):
            for path in Path(self.root).glob(f"*/{pattern}"):
                path.unlink()


def _build(root: Path, editable: bool) -> dict[str, str]:
    """Builds; path on disk -> path in the wheel."""
    from wrapgen.packages import building, project

    package = project.read(root)
    build = building.of_project(package, "release" if editable else "wheel")
    prepared = building.prepare(build)
    building.run(build, prepared, building.Progress(f"building {package.module} ..."))
    print(f"wrapgen: built {build.target}", file=sys.stderr)
    if editable:
        return {}
    out = (root / build.target).parent
    return {str(path): f"{package.package}/{path.name}" for path in sorted(out.iterdir())}


@hookimpl
def hatch_register_build_hook() -> type[BuildHookInterface]:  # type: ignore[type-arg]
    return WrapgenBuildHook
