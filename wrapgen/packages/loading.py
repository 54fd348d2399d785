"""`wrapgen.load` and `wrapgen.inline`: ops from a YAML file or a text, built when they are not in the cache.

What is built is known by its content, options, compilers, instruction set, and by the thwrap and wrapgen that built it.
Each place (a file, or a name within the file that calls `inline`) has a folder in the cache, where ninja rebuilds what
an edit touched. A finished module gets a name of its own there and never changes: a module in use cannot be replaced.
A module that is in the cache is imported without the generator; so nothing here imports it, or anything slow.
"""

from __future__ import annotations

import os
import sys

try:
    from _blake2 import blake2b  # hashlib would load OpenSSL
except ImportError:
    from hashlib import blake2b

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType
    from typing import Any

USED = "used"  # the file of a place that says when it was used, and by its lock that it is
# Place -> its file of that name, open as long as the process lives.
_held: dict[str, int] = {}
# Place -> what was loaded from there last.
_loaded: dict[str, tuple[str, ModuleType]] = {}


class Request:
    """What is asked for."""

    def __init__(
        self,
        text: bytes,
        name: str,
        origin: str,
        path: str = "",
        results: str = "tensor",
        methods: bool = False,
        cflags: str | Sequence[str] = (),
        plugins: str | Sequence[str] = (),
    ) -> None:
        if not name.isidentifier() or not name.isascii():
            raise ValueError(f"expected a name that is a Python identifier, got '{name}'")
        if results not in ("tensor", "like"):
            raise ValueError(f"expected results 'tensor' or 'like', got {results!r}")
        self.text = text
        self.name = name
        self.origin = origin  # for the registry and the cache: the YAML file, or who calls inline()
        self.path = path  # of the YAML file; "" for a text
        self.results = results
        self.methods = bool(methods)
        self.cflags = tuple(cflags.split() if isinstance(cflags, str) else cflags)
        self.plugins = (plugins,) if isinstance(plugins, str) else tuple(plugins)
        if not all(isinstance(plugin, str) for plugin in self.plugins):
            raise TypeError("expected plugins as texts 'module:NAME after Other'")
        # What paths in the YAML are relative to, and where plugins are imported from.
        self.root = os.path.dirname(origin) if os.path.isabs(origin) else os.getcwd()
        place = f"{origin}\n{name}" if path else f"{origin}\n{name}\n{self.root}"
        self.folder = os.path.join(cache_folder(), f"{name}-{_digest(place.encode())[:16]}")

    def key(self) -> str:
        """A digest of all that the module follows from but the files that the YAML names."""
        options = f"{self.results} {self.methods} {self.cflags} {self.plugins}"
        return _digest(self.text, options.encode(), _environment().encode())

    def list_file(self, key: str) -> str:
        """The file that lists the files which the YAML names."""
        return os.path.join(self.folder, f"{key}.files")

    def module_file(self, key: str) -> str:
        """Where the finished module is, as the listed files are now; "" when it was never built."""
        try:
            with open(self.list_file(key), encoding="utf-8") as lines:
                files = lines.read().splitlines()
            path = self.file_for(key, files)
        except OSError:  # never built, or a file is gone
            return ""
        return path if os.path.isfile(path) else ""

    def file_for(self, key: str, files: Sequence[str]) -> str:
        """The module's name, given the files it follows from too."""
        contents = [key.encode()]
        for name in files:
            with open(name, "rb") as file:
                contents.append(file.read())
        return os.path.join(self.folder, f"{self.name}.{_digest(*contents)[:24]}.abi3.so")


def cache_folder() -> str:
    """$WRAPGEN_CACHE, or wrapgen/ in the user's cache folder."""
    own = os.environ.get("WRAPGEN_CACHE")
    if own:
        return os.path.abspath(own)
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(base, "wrapgen")


def hold(folder: str) -> None:
    """Keeps a place in the cache while this process lives, and says that it is used. It may be that it cannot."""
    import fcntl

    path = os.path.join(folder, USED)
    try:
        while folder not in _held or not is_at(_held[folder], path):  # somebody may have removed it
            if folder in _held:
                os.close(_held.pop(folder))
            _held[folder] = os.open(path, os.O_RDWR | os.O_CREAT)
            fcntl.flock(_held[folder], fcntl.LOCK_SH)
        os.utime(path)
    except OSError:  # nobody may write there, or there are no locks
        pass


def is_at(file: int, path: str | os.PathLike[str]) -> bool:
    """Is the open file the one that has the name?"""
    try:
        return os.path.samestat(os.fstat(file), os.stat(path))
    except FileNotFoundError:
        return False


def _digest(*parts: bytes) -> str:
    whole = blake2b(digest_size=32)
    for part in parts:
        whole.update(b"%d:" % len(part))
        whole.update(part)
    return whole.hexdigest()


def _environment() -> str:
    """What a build depends on beside its input: tools, libraries, the generator, the machine."""
    import thwrap

    library = os.path.join(thwrap.get_lib(), "libTHPackage.a")
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    stamps = [_stamp(library), *map(_program, (("CC", "cc"), ("CXX", "c++")))]
    for folder in ("share/declarations", "../declarations"):  # installed, or not
        stamps += [_stamp(os.path.join(here, folder, name)) for name in ("math.yaml", "cwrap.yaml")]
    words = (thwrap.__version__, thwrap._C._isa(), os.uname().machine, library)
    return "\n".join([*words, *stamps, str(_newest(here))])


NOT_BUILDING = ("commands", "show", "testing")  # rooms of wrapgen that no built file follows from


def _newest(folder: str) -> int:
    """When the generator last changed: the newest file or folder of it, as a folder is when a file leaves it."""
    times = [os.stat(folder).st_mtime_ns]
    for entry in os.scandir(folder):
        if entry.name in ("__pycache__", *NOT_BUILDING):
            continue
        times.append(_newest(entry.path) if entry.is_dir() else entry.stat().st_mtime_ns)
    return max(times)


def _stamp(path: str) -> str:
    """Changes when the file does."""
    try:
        status = os.stat(path)
    except OSError:
        return f"{path} is missing"
    return f"{path} {status.st_size} {status.st_mtime_ns}"


def _program(variable: tuple[str, str]) -> str:
    """A compiler, as the environment names it, and the file that is found."""
    command = os.environ.get(variable[0]) or variable[1]
    words = command.split()
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        path = os.path.join(folder, words[0] if words else "")
        if os.path.isfile(path):
            return f"{command} {_stamp(path)}"
    return command


def load(
    path: str | os.PathLike[str],
    name: str | None = None,
    *,
    results: str = "tensor",
    methods: bool = False,
    cflags: str | Sequence[str] = (),
    plugins: str | Sequence[str] = (),
    verbose: bool = False,
) -> ModuleType:
    """The module of a declarations file, built where it has changed.

    `name` is the module's, by default the file's. `results="like"` gives the kind of array that came in, `methods=True`
    makes the ops with the variant `method` methods of tensors. `cflags` come last on the compiler's command line.
    `plugins` are your own, `module:NAME after Other`, imported from the file's folder.
    """
    shown = os.fspath(path)
    with open(shown, "rb") as file:
        text = file.read()
    full = os.path.abspath(shown)
    stem = os.path.splitext(os.path.basename(full))[0]
    request = Request(text, name or stem, full, full, results, methods, cflags, plugins)
    return _module(request, (shown, 0), verbose)


def inline(
    text: str,
    name: str | None = None,
    *,
    results: str = "tensor",
    methods: bool = False,
    cflags: str | Sequence[str] = (),
    plugins: str | Sequence[str] = (),
    verbose: bool = False,
) -> ModuleType:
    """The module of declarations given as a text; see `load`. Without a name it gets one from its content.

    Paths in the text are relative to the folder of the file that calls, in a notebook to the working directory.
    """
    caller = sys._getframe(1).f_code.co_filename
    origin = os.path.abspath(caller) if os.path.isfile(caller) else "<inline>"
    content = text.encode()
    options = (results, methods, cflags, plugins)
    request = Request(content, name or _name_of(content), origin, "", *options)
    return _module(request, None, verbose)


def _name_of(content: bytes) -> str:
    return f"inline_{_digest(content)[:8]}"


def _module(request: Request, shown: tuple[str, int] | None, verbose: bool) -> ModuleType:
    """The module, from this process, from the cache, or from the compiler."""
    key = request.key()
    path = request.module_file(key)
    if path:
        hold(request.folder)
        path = path if os.path.isfile(path) else ""  # it may have been removed just before
    before = _loaded.get(request.folder)
    if path and before is not None and before[0] == path:
        return before[1]
    if not path:
        path = _build(request, key, shown, verbose)
    module = _import(request.name, path)
    _loaded[request.folder] = (path, module)
    return module


def _build(request: Request, key: str, shown: tuple[str, int] | None, verbose: bool) -> str:
    """Imports the generator and builds; the many objects that both make are no garbage."""
    import gc

    collects = gc.isenabled()
    gc.disable()
    try:
        from wrapgen.packages import caching

        return caching.build(request, key, shown, verbose)
    finally:
        if collects:
            gc.enable()


def _import(name: str, path: str) -> ModuleType:
    import importlib.util

    import thwrap  # noqa: F401 - brings libTH.so, which the module is linked with

    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    # cffi puts both into sys.modules, where `random.yaml` would be what others import as `random`.
    found = {each: sys.modules.get(each) for each in (name, f"{name}.lib")}
    try:
        module = importlib.util.module_from_spec(spec)
    finally:
        for each, before in found.items():
            if before is None:
                sys.modules.pop(each, None)
            else:
                sys.modules[each] = before
    spec.loader.exec_module(module)
    return module


def load_ipython_extension(shell: Any) -> None:
    """`%load_ext wrapgen`: a cell that begins with `%%wrapgen [name]` declares ops, which become variables."""

    def wrapgen(line: str, cell: str) -> None:
        words = line.split()
        if len(words) > 1:
            raise ValueError(f"expected `%%wrapgen [name]`, got '{line.strip()}'")
        content = cell.encode()
        request = Request(content, words[0] if words else _name_of(content), "<inline>")
        module = _module(request, ("<cell>", 1), verbose=False)
        names = {name: value for name, value in vars(module).items() if not name.startswith("_")}
        del names["ffi"], names["lib"]
        shell.push({**names, **dict.fromkeys(words, module)})

    shell.register_magic_function(wrapgen, "cell", "wrapgen")
