"""th.explain(): what a call would do, without doing it; the answer to "why is this slow".

The call is made as far as where its work would begin, so what is said of it is what the wrapper and the engine found,
not what Python thinks they would find. See TH/THExplain.h.
"""

from __future__ import annotations

from math import prod
from types import ModuleType

from thwrap import _C
from thwrap._C import Tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_TENSOR, _OPERAND = 0, 1  # THPKind
_SPEED_BYTES = 1 << 25  # copied to measure the memory: more than caches hold
_LARGE = 1 << 22  # bytes from which the memory's speed says something

_PATHS = {
    "empty": "no elements, nothing to do",
    "contiguous": "contiguous: the loop runs over the operands as they lie",
    "staged": "staged: block by block, some operands through small buffers",
    "rows": "strided: row by row, each as it lies",
    "tiled": "tiled: some operand is transposed, in tiles through the cache",
}


class Operand:
    """A tensor or number that a call reads, and how the engine gets at it."""

    def __init__(self, name: str, value: Any) -> None:
        tensor = isinstance(value, Tensor)
        self.name = name
        self.dtype = value.dtype.name if tensor else type(value).__name__
        self.shape = tuple(value.shape) if tensor else ()
        self.strides = tuple(value.stride()) if tensor else ()
        self.layout = _layout(value) if tensor else f"the number {value!r}"
        self.is_number = not tensor
        self.bytes = value.nbytes if tensor else 0
        self.staged = self.converted = self.tiled = self.repeated = False
        self.computed = ""
        self.via = ""

    def __repr__(self) -> str:
        shape = "" if self.is_number else f" {self.shape}"
        head = f"{self.name}: {self.dtype}{shape}, {self.layout}"
        return f"{head}, {self.access}" if self.computed else head

    @property
    def access(self) -> str:
        """What the engine does to read it; empty where that is not known."""
        if not self.computed:
            return ""
        if self.is_number:
            return f"repeated in a buffer as {self.computed}"
        if self.converted:
            via = f"{self.via} and then " if self.via not in (self.dtype, self.computed) else ""
            return f"converted to {via}{self.computed} block by block"
        if self.tiled:
            return "transposed by tiles"
        if self.repeated:
            return "one element for all, repeated in a buffer"
        return "gathered in a buffer" if self.staged else "read as it lies"


class Result:
    """A tensor that a call writes."""

    def __init__(self, dtype: str, shape: tuple[int, ...] | None, place: str) -> None:
        self.dtype = dtype
        self.shape = shape
        self.place = place

    def __repr__(self) -> str:
        shape = "a shape that the data decide" if self.shape is None else str(self.shape)
        return f"{self.dtype} {shape}, {self.place}"


class Explanation:
    """What a call would do.

    name, form          the operation, the overload that was matched
    function            the C functions called, where thwrap's map is there; else ""
    declared            where the operation is declared; else ""
    operands, arguments the tensors and numbers that are computed with; the other arguments
    dtype               what is computed in; None where that does not depend on a dtype
    results, shape      what is written, the first one's shape
    copies              whole tensors that are copied or converted beside the work
    overlap             operands that share memory with the result, and how: "full" or "partial"
    path                "contiguous", "staged", "rows" (strided), "tiled", "empty"; None where there is no plan
    plan                the engine's plan as a dict, None where there is none
    threads             how many share the work, at most
    gil_released        whether other Python threads run meanwhile
    bytes               read and written, at least
    instruction_set     what the loops are compiled for
    """

    def __init__(self, report: dict[str, Any], function: Any) -> None:
        plan = report["plan"]
        self.name: str = report["name"]
        self.form: str = report["name"] + report["form"]
        self.plan: dict[str, Any] | None = plan
        self.operands = [
            Operand(name, value)
            for name, kind, value in report["arguments"]
            if kind in (_TENSOR, _OPERAND) and value is not None
        ]
        self.arguments = {
            name: value
            for name, kind, value in report["arguments"]
            if kind not in (_TENSOR, _OPERAND)
        }
        self.copies = [
            f"{_count(count)} from {old} to {new}"
            if old != new
            else f"{_count(count)} of {old}, {'contiguous' if contiguous else 'strided'} before"
            for old, new, contiguous, count in report["copies"]
        ]
        self._worked: bool = report["stopped"] or bool(self.copies)
        self.dtype = _dtype(report, self.operands, self.arguments) if report["stopped"] else None
        self.overlap = _overlaps(report)
        self.results = _results(report)
        self.path = _path(plan)
        self.gil_released: bool = report["unlocked"]
        self.instruction_set: str = report["isa"]
        self.threads: int = _threads(report, self._worked)
        self.bytes: int = _bytes(self) if self._worked else 0
        self.function, self.declared = _traced(function, self)
        if plan:
            _assign(self.operands, report, plan)

    @property
    def shape(self) -> tuple[int, ...] | None:
        return self.results[0].shape if self.results else None

    @property
    def seconds(self) -> float | None:
        """How long the memory takes to move so many bytes; None where they may stay in the caches."""
        return self.bytes / memory_speed() if self.bytes >= _LARGE else None

    def _rows(self) -> list[tuple[str, str]]:
        rows = [("operand", repr(operand)) for operand in self.operands]
        rows += [("argument", f"{name}={_short(value)}") for name, value in self.arguments.items()]
        rows += [("computed in", self.dtype)] if self.dtype else []
        rows += [("result", repr(result)) for result in self.results]
        rows += [("overlap", text) for text in map(_overlap_text, self.overlap.items())]
        rows += [("copied", text) for text in self.copies]
        if self.function:
            rows.append(("function", f"{self.function}  ({self.declared})"))
        if self.plan:
            rows.append(("engine", _engine(self.plan, self.path or "")))
        if self._worked:
            rows.append(("threads", self._threads()))
            rows.append(("memory", self._memory()))
            rows.append(("instructions", self.instruction_set))
        return rows

    def _threads(self) -> str:
        count = f"{self.threads}" if self.plan else f"up to {self.threads}"
        return f"{count}, the GIL is {'released' if self.gil_released else 'kept'}"

    def _memory(self) -> str:
        moved = f"{'' if self.plan else 'at least '}{_amount(self.bytes)}"
        if self.seconds is None:
            return moved
        speed = f"{memory_speed() / 1e9:.0f} GB/s as measured here"
        return f"{moved}, {self.seconds * 1e3:.2g} ms at {speed}"

    def __repr__(self) -> str:
        rows = self._rows()
        width = max(len(label) for label, _ in rows)
        lines, last = [self.form], ""
        for label, text in rows:
            lines.append(f"  {'' if label == last else label:<{width}}  {text}")
            last = label
        return "\n".join(lines)


def _layout(tensor: Tensor) -> str:
    size, stride = tuple(tensor.shape), tuple(tensor.stride())
    if tensor.is_contiguous():
        return "contiguous"
    if any(step == 0 and length > 1 for length, step in zip(size, stride, strict=True)):
        return f"expanded, strides {stride}"
    if tensor.ndim > 1 and tensor.transpose(-1, -2).is_contiguous():
        return "transposed"
    return f"strided {stride}"


def _dtype(
    report: dict[str, Any], operands: list[Operand], arguments: dict[str, Any]
) -> str | None:
    """What is computed in: asked for, promoted, or that of the tensors, which then have one."""
    given = arguments.get("dtype")
    if given is not None:
        return str(given.name)
    found = report["rounded"] or report["dtype"]
    if found is not None:
        return str(found)
    tensors = [operand.dtype for operand in operands if not operand.is_number]
    return tensors[0] if tensors and len(set(tensors)) == 1 else None


def _results(report: dict[str, Any]) -> list[Result]:
    """Those that the call would have written, or what it gave back without having any work to do."""
    if report["stopped"]:
        if report["name"].endswith("_"):
            return [_in_place(report)]
        return [Result(each["dtype"], each["shape"], _place(each)) for each in report["outputs"]]
    value = report["result"]
    if not isinstance(value, Tensor):
        return []
    shared = _source(value, report["arguments"])
    place = f"a view of {shared}: nothing is copied" if shared else "a new tensor"
    for name, _, argument in report["arguments"]:
        if argument is value:
            place = f"{name} itself"
    return [Result(value.dtype.name, tuple(value.shape), place)]


def _in_place(report: dict[str, Any]) -> Result:
    receiver = report["arguments"][0][2]
    aside = any(not each["direct"] for each in report["outputs"])
    place = "computed aside, then copied to input" if aside else "in place"
    return Result(receiver.dtype.name, tuple(receiver.shape), place)


def _place(output: dict[str, Any]) -> str:
    if not output["given"]:
        return "a new tensor"
    return "written to out" if output["direct"] else "computed aside, then copied to out"


def _source(result: Tensor, arguments: list[tuple[str, int, Any]]) -> str:
    """The name of the argument whose memory a result has."""
    storage = result.storage()._cdata
    for name, _, value in arguments:
        if isinstance(value, Tensor) and value.storage()._cdata == storage:
            return name
    return ""


def _assign(operands: list[Operand], report: dict[str, Any], plan: dict[str, Any]) -> None:
    """What the plan says of the inputs; tensors that may be None are read as another one when they are."""
    present = [
        value is not None for _, kind, value in report["arguments"] if kind in (_TENSOR, _OPERAND)
    ]
    inputs = [row for row in plan["operands"] if not row["output"]]
    if len(inputs) < len(present):  # copy_: self is no input
        present = present[len(present) - len(inputs) :]
        operands = operands[len(operands) - len(inputs) :]
    rows = [row for row, there in zip(inputs, present, strict=False) if there]
    for operand, row in zip(operands, rows, strict=False):
        operand.staged, operand.tiled = row["staged"], row["tiled"]
        operand.repeated = row["staged"] and not any(row["strides"])
        operand.converted = row["converted"]
        operand.computed, operand.via = row["computed"], row["via"]


def _path(plan: dict[str, Any] | None) -> str | None:
    if plan is None:
        return None
    rows = plan["path"] == "staged" and not any(row["staged"] for row in plan["operands"])
    return "rows" if rows else str(plan["path"])


def _engine(plan: dict[str, Any], path: str) -> str:
    if plan["small"]:
        return "few elements: handed to the loop at once"
    if path in ("empty", "contiguous"):
        return _PATHS[path]
    shape = f"{plan['rows']} x {plan['block']}" if path == "tiled" else f"{plan['block']}"
    dims = "x".join(map(str, plan["dims"]))
    return f"{_PATHS[path]}; {plan['items']} blocks of {shape} elements, dims {dims}"


def _overlap_text(item: tuple[str, str]) -> str:
    name, how = item
    exact = "is where the result is written: each element is read before"
    return f"{name} {exact if how == 'full' else 'shares memory with out'}"


def _bytes(explanation: Explanation) -> int:
    """What is read and written, each element once: what is broadcast stays in the caches."""
    plan = explanation.plan
    total = 0
    for row in plan["operands"] if plan else ():
        sizes = (size for size, stride in zip(plan["dims"], row["strides"], strict=True) if stride)
        total += prod(sizes) * _itemsize(row["dtype"]) if plan["elements"] else 0
    if plan:
        return total
    total = sum(operand.bytes for operand in explanation.operands)
    return total + sum(
        prod(result.shape) * _itemsize(result.dtype)
        for result in explanation.results
        if result.shape is not None
    )


def _itemsize(dtype: str) -> int:
    return int(getattr(_C, dtype).itemsize)


def _threads(report: dict[str, Any], worked: bool) -> int:
    if report["plan"]:
        return int(report["plan"]["threads"])
    return int(report["threads"]) if worked else 1


def _overlaps(report: dict[str, Any]) -> dict[str, str]:
    """The inputs that share memory with the result, but for what is the result itself by the call's form."""
    own = {"out"}
    if report["name"].endswith("_") and report["arguments"]:
        own.add(report["arguments"][0][0])
    return {
        name: how for name, how in report["overlaps"].items() if how != "none" and name not in own
    }


def _count(elements: int) -> str:
    return f"{elements} element{'' if elements == 1 else 's'}"


def _short(value: Any) -> str:
    """An argument in a line; of tensors dtype and shape."""
    if isinstance(value, Tensor):
        return f"{value.dtype.name} {tuple(value.shape)}"
    if isinstance(value, list | tuple) and any(isinstance(item, Tensor) for item in value):
        shown = [_short(item) for item in value[:3]] + ["..."] * (len(value) > 3)
        return f"[{', '.join(shown)}]"
    return repr(value)


def _amount(count: int) -> str:
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= size:
            return f"{count / size:.3g} {unit}"
    return f"{count} bytes"


_speeds: dict[int, float] = {}


def memory_speed() -> float:
    """Bytes in a second, read and written, by a large copy on as many threads as are used now. Measured once."""
    from time import perf_counter

    threads = _C.get_num_threads()
    if threads not in _speeds:
        source = _C.zeros(_SPEED_BYTES, dtype=_C.uint8)
        target = _C.zeros(_SPEED_BYTES, dtype=_C.uint8)
        times = []
        for _ in range(3):
            start = perf_counter()
            target.copy_(source)
            times.append(perf_counter() - start)
        _speeds[threads] = 2 * _SPEED_BYTES / min(times)
    return _speeds[threads]


_maps: dict[str, dict[str, Any]] = {}


def _map(module: str, file: str) -> dict[str, Any]:
    """The map of a package or a loaded module, or nothing where there is none."""
    if file not in _maps:
        from wrapgen.errors import UserError
        from wrapgen.show import trace

        try:
            _maps[file] = trace.map_of(module, file)
        except UserError:
            _maps[file] = {"ops": {}, "dtypes": {}}
    return _maps[file]


def _traced(function: Any, explanation: Explanation) -> tuple[str, str]:
    """The C functions of the form that was matched, and where it is declared."""
    owner = function.__self__ if isinstance(function.__self__, ModuleType) else _C
    content = _map(owner.__name__, str(owner.__file__))
    for op in content["ops"].values():
        if op["python_name"] != explanation.name:
            continue
        for form in op["forms"]:
            if explanation.name + form["shown"] == explanation.form:
                real = content["dtypes"].get(explanation.dtype, "<Real>")
                called = form["calls"].replace("<Real>", real)
                _, file, line, _ = op["steps"][0]
                return f"TH_{form['symbol']}, {called}", f"{file}:{line}"
    return "", ""


def _is_loaded(module: Any) -> bool:
    """Is it the module of a loaded op package?"""
    from thwrap import ops

    return any(getattr(ops, name) is module for name in ops)


def explain(function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Explanation:
    """What `function(*args, **kwargs)` would do, without doing it: nothing of the caller's is changed.

    `function` is a declared operation: `th.explain(th.add, a, b)`, `th.explain(a.add_, b)`,
    `th.explain(th.ops.NAME.op, x)`. A call that would raise raises.
    """
    if args and isinstance(args[0], Tensor) and getattr(function, "__objclass__", None) is Tensor:
        function = function.__get__(args[0], type(args[0]))
        args = args[1:]
    owner = getattr(function, "__self__", None)
    if isinstance(owner, ModuleType) and owner is not _C and not _is_loaded(owner):
        raise TypeError(
            f"explain: expected a declared operation (th.add, a.add_, th.ops.NAME.op), got {function!r}"
        )
    return Explanation(_C._explain(function, args, kwargs), function)
