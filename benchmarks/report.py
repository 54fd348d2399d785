"""Tables of Markdown: printed as they come, kept in README.md between two marks."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.rows import Row, Target

README = Path(__file__).parent / "README.md"
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
SCALES = {"ns": 1e9, "us": 1e6, "ms": 1e3, "s": 1.0}
HEADINGS = ("numpy", "torch", "thwrap", "/ numpy", "/ torch", "target")


@dataclass
class Report:
    """Lines of the report, the targets met and missed so far."""

    lines: list[str] = field(default_factory=list)
    met: int = 0
    missed: list[str] = field(default_factory=list)

    def add(self, *lines: str) -> None:
        """Prints and keeps."""
        for line in lines:
            print(line, flush=True)
        self.lines += lines

    def heading(self, title: str, unit: str) -> None:
        """Begins a table."""
        columns = [f"{title}, {unit}", *HEADINGS]
        self.add(
            "", "| " + " | ".join(columns) + " |", "|---|" + "--:|" * (len(HEADINGS) - 1) + "---|"
        )

    def row(self, name: str, times: dict[str, float], unit: str, target: Target) -> None:
        """One line; a time that is not there is a dash."""
        cells = [_time(times.get(library), unit) for library in ("numpy", "torch", "thwrap")]
        cells += [_ratio(times, library) for library in ("numpy", "torch")]
        self.add(f"| {name} | " + " | ".join(cells) + f" | {self._judge(name, times, target)} |")

    def missing(self, name: str, library: str, error: Exception) -> None:
        """A row that could not be run."""
        self.add(
            f"| {name} | {library}: {type(error).__name__}: {' '.join(str(error).split())[:80]} ||||||"
        )

    def _judge(self, name: str, times: dict[str, float], target: Target) -> str:
        parts, held = [], True
        bounds = (
            ("NumPy", target.numpy, times.get("numpy")),
            ("PyTorch", target.torch, times.get("torch")),
        )
        for title, bound, time in bounds:
            if bound is not None and time is not None:
                parts.append(f"{bound:g} {title}")
                held = held and times["thwrap"] <= bound * time
        if target.better is not None:
            others = [time for library, time in times.items() if library != "thwrap"]
            parts.append(f"{target.better:g}")
            held = held and times["thwrap"] <= target.better * min(others)
        if not parts:
            return ""
        self.judge(name, held)
        return ", ".join(parts) + ("" if held else " **missed**")

    def judge(self, name: str, held: bool) -> None:
        """Counts a target."""
        self.met += held
        self.missed += [] if held else [name]

    def summary(self) -> str:
        """How many targets hold."""
        text = f"{self.met} of {self.met + len(self.missed)} targets hold"
        return text + (f"; missed: {', '.join(self.missed)}." if self.missed else ".")

    def write(self) -> None:
        """Replaces what README.md has between the marks."""
        text = README.read_text()
        head, _, rest = text.partition(BEGIN)
        _, _, tail = rest.partition(END)
        README.write_text(head + BEGIN + "\n" + "\n".join(self.lines).strip() + "\n" + END + tail)


def row_name(row: Row) -> str:
    """The name with its threads where there are several."""
    return (
        row.name
        if row.threads == 1 or "threads" in row.name
        else f"{row.name}, {row.threads} threads"
    )


def _time(seconds: float | None, unit: str) -> str:
    if seconds is None:
        return "-"
    value = seconds * SCALES[unit]
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def _ratio(times: dict[str, float], library: str) -> str:
    return f"{times['thwrap'] / times[library]:.2f}" if library in times else "-"
