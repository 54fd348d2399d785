"""Pictures as SVG: how thwrap's time compares in each row of a family, and time against size."""

from __future__ import annotations

import math
from collections.abc import Callable
from html import escape
from pathlib import Path

from benchmarks.results import RIVALS, Result, Run, size_text

COLOURS = {"numpy": "#4477aa", "torch": "#ee6677", "thwrap": "#228833"}
STYLE = (
    "<style>text{font:11px sans-serif;fill:#333}"
    ".title{font-size:13px;font-weight:bold}.end{text-anchor:end}</style>"
)
LABEL, WIDTH, HEIGHT, TOP = 260, 420, 22, 46
LEAST, MOST = 1 / 64, 8  # ratios beyond are drawn up to the edge
PANEL, GAP, COLUMNS = 150, 50, 5
DTYPE = "float32"


def write(run: Run, folder: Path) -> list[Path]:
    """All pictures; the files that were written."""
    folder.mkdir(parents=True, exist_ok=True)
    families = dict.fromkeys(result.family for result in run.results)
    written = []
    for family in families:
        group = [r for r in run.results if r.family == family and not r.error and r.times]
        for kind, draw in (("ratios", bars), ("sizes", curves)):
            picture = draw(family, group)
            if picture:
                path = folder / f"{family.replace(' ', '-')}-{kind}.svg"
                path.write_text(picture)
                written.append(path)
    return written


def bars(family: str, group: list[Result]) -> str:
    """Ratios of each row at its largest size, on one thread."""
    largest: dict[str, Result] = {}
    for result in sorted(group, key=lambda result: (result.dtype != DTYPE, -result.size)):
        largest.setdefault(result.name, result)
    across = _scale(LEAST, MOST, LABEL, LABEL + WIDTH)
    bottom = TOP + HEIGHT * len(largest)
    parts = [_text(8, 18, f"{family}: thwrap's time to a rival's, one thread", "title")]
    parts += _legend(8, 34, RIVALS)
    for mark in (2.0**power for power in range(-6, 4)):
        x = across(mark)
        parts.append(_line(x, TOP - 6, x, bottom, "#333" if mark == 1 else "#ddd"))
        parts.append(
            _text(x + 12, bottom + 14, f"{mark:g}" if mark >= 1 else f"1/{1 / mark:g}", "end")
        )
    for place, (name, result) in enumerate(largest.items()):
        y = TOP + place * HEIGHT
        title = f"{name}, {result.dtype}, {size_text(result.size)}"
        parts.append(_text(LABEL - 8, y + 13, title, "end"))
        for rival, library in enumerate(RIVALS):
            ratio = result.ratio(library, 1)
            if ratio:
                x = across(min(max(ratio, LEAST), MOST))
                left, right = sorted((x, across(1.0)))
                parts.append(_box(left, y + 2 + 8 * rival, right - left, 7, COLOURS[library]))
    return _picture(LABEL + WIDTH + 24, bottom + 24, parts)


def curves(family: str, group: list[Result]) -> str:
    """A panel for each row that was measured at several sizes: time against size."""
    rows: dict[str, list[Result]] = {}
    for result in sorted(group, key=lambda result: result.size):
        if result.dtype == DTYPE:
            rows.setdefault(result.name, []).append(result)
    rows = {name: results for name, results in rows.items() if len(results) > 2}
    if not rows:
        return ""
    parts = [_text(8, 18, f"{family}: time against size, {DTYPE}, one thread", "title")]
    parts += _legend(8, 34, (*RIVALS, "thwrap"))
    for place, (name, results) in enumerate(rows.items()):
        left = 50 + place % COLUMNS * (PANEL + GAP)
        top = 70 + place // COLUMNS * (PANEL + GAP)
        parts += _panel(name, results, left, top)
    lines = math.ceil(len(rows) / COLUMNS)
    return _picture(50 + COLUMNS * (PANEL + GAP), 70 + lines * (PANEL + GAP), parts)


def _panel(name: str, results: list[Result], left: float, top: float) -> list[str]:
    """Log axes: decades of seconds upwards, elements to the right."""
    times = [t for r in results for library in COLOURS if (t := r.seconds(library, 1))]
    low, high = (
        10.0 ** round_(math.log10(f(times))) for f, round_ in ((min, math.floor), (max, math.ceil))
    )
    across = _scale(results[0].size, results[-1].size, left, left + PANEL)
    up = _scale(low, max(high, 10 * low), top + PANEL, top)
    parts = [_text(left, top - 6, name)]
    for power in range(round(math.log10(low)), round(math.log10(high)) + 1):
        y = up(10.0**power)
        parts.append(_line(left, y, left + PANEL, y, "#ddd"))
        parts.append(_text(left - 4, y + 4, f"1e{power} s", "end"))
    for result in results:
        parts.append(
            _text(across(result.size) + 10, top + PANEL + 14, size_text(result.size), "end")
        )
    for library, colour in COLOURS.items():
        points = [(r.size, t) for r in results if (t := r.seconds(library, 1))]
        path = " ".join(f"{across(size):.1f},{up(time):.1f}" for size, time in points)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
    return parts


def _scale(low: float, high: float, begin: float, end: float) -> Callable[[float], float]:
    """Places on a log axis."""
    width = math.log(high / low)
    return lambda value: begin + (end - begin) * math.log(value / low) / width


def _legend(x: float, y: float, names: tuple[str, ...]) -> list[str]:
    parts = []
    for place, name in enumerate(names):
        parts.append(_box(x + 80 * place, y - 8, 9, 9, COLOURS[name]))
        parts.append(_text(x + 80 * place + 13, y, name))
    return parts


def _text(x: float, y: float, text: str, kind: str = "") -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}"{f" class={kind!r}" if kind else ""}>{escape(text)}</text>'
    )


def _line(x: float, y: float, to_x: float, to_y: float, colour: str) -> str:
    return f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}" stroke="{colour}"/>'


def _box(x: float, y: float, width: float, height: float, colour: str) -> str:
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height}" fill="{colour}"/>'


def _picture(width: float, height: float, parts: list[str]) -> str:
    frame = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}">'
    ground = '<rect width="100%" height="100%" fill="white"/>'
    return "\n".join([frame, STYLE, ground, *parts, "</svg>"]) + "\n"
