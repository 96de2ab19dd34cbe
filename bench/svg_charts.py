# Draws bars and curves as SVG, for the reports of the benches; Python's standard library alone.
"""draw_bars(path, ..) and draw_curves(path, ..) write a file each."""

import html
import math
import pathlib

COLOURS = ("#3b6ea5", "#d98b2b", "#5b9a68", "#a14a76")


def format_number(value: float | None, digits: int = 3) -> str:
    if value is None:
        return "-"
    return f"{value:.{digits}g}" if abs(value) < 1000 else f"{value:,.0f}"


def draw_legend(series: list[str]) -> str:
    return "".join(f'<tspan fill="{colour}" dx="10">{html.escape(name)}</tspan>' for colour, name in zip(COLOURS, series))


def draw_frame(width: int, height: int, title: str, unit: str, series: list[str], shapes: list[str]) -> str:
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" '
            f'font-size="12"><rect width="100%" height="100%" fill="white"/><text x="8" y="18" font-size="14">{html.escape(title)}'
            f'</text><text x="8" y="36">{html.escape(unit)}{draw_legend(series)}</text>{"".join(shapes)}</svg>\n')


def draw_bars(path: pathlib.Path, title: str, unit: str, series: list[str], bars: list[tuple[str, list[float | None]]], is_log: bool = False) -> None:
    """Horizontal bars, one group a label and one bar a series; lengths are logarithmic on request, from the decade below the least."""
    shown = [value for _, values in bars for value in values if value]
    most = max(shown, default=1.0)
    decade = math.floor(math.log10(min(shown, default=1.0)) - 1e-9)
    span = max(math.log10(most) - decade, 1e-9)
    share = lambda value: (math.log10(value) - decade) / span if is_log and value else value / most
    height, left, width = 14, 260, 420
    rows, y = [], 46
    for label, values in bars:
        rows.append(f'<text x="{left - 8}" y="{y + height * len(values) / 2 + 4:.0f}" text-anchor="end">{html.escape(label)}</text>')
        for colour, value in zip(COLOURS, values):
            if value is not None:
                rows.append(f'<rect x="{left}" y="{y}" width="{max(1.0, width * share(value)):.1f}" height="{height - 2}" fill="{colour}"/>')
                rows.append(f'<text x="{left + width * share(value) + 6:.1f}" y="{y + 10}" font-size="10">{format_number(value)}</text>')
            y += height
        y += 8
    path.write_text(draw_frame(left + width + 80, y + 8, title, unit, series, rows))


def list_ticks(low: float, high: float) -> list[float]:
    """Powers of 10, or 1, 2, 5 of them where there are few, from below `low` to above `high`."""
    for steps in ((1,), (1, 3), (1, 2, 5)):
        ticks = [step * 10.0**decade for decade in range(math.floor(math.log10(low)) - 1, math.ceil(math.log10(high)) + 1) for step in steps]
        first = max((i for i, tick in enumerate(ticks) if tick <= low), default=0)
        last = min((i for i, tick in enumerate(ticks) if tick >= high), default=len(ticks) - 1)
        if last - first >= 3:
            break
    return ticks[first : last + 1]


def draw_curves(path: pathlib.Path, title: str, x_label: str, y_label: str, series: dict[str, list[tuple[float, float]]]) -> None:
    """Curves with both axes logarithmic; points that are not above 0 are left out."""
    curves = {name: [(x, y) for x, y in points if x > 0 and y > 0] for name, points in series.items()}
    points = [point for curve in curves.values() for point in curve]
    if not points:
        return
    left, top, width, height = 70, 52, 440, 280
    x_ticks, y_ticks = (list_ticks(min(p[axis] for p in points), max(p[axis] for p in points)) for axis in (0, 1))
    place = lambda ticks, value: math.log(value / ticks[0]) / math.log(ticks[-1] / ticks[0])
    to_x = lambda value: left + width * place(x_ticks, value)
    to_y = lambda value: top + height * (1 - place(y_ticks, value))
    shapes = [f'<path d="M{to_x(tick):.1f} {top}v{height}" stroke="#ddd"/><text x="{to_x(tick):.1f}" y="{top + height + 16}" text-anchor="middle">{tick:g}</text>'
              for tick in x_ticks]
    shapes += [f'<path d="M{left} {to_y(tick):.1f}h{width}" stroke="#ddd"/><text x="{left - 6}" y="{to_y(tick) + 4:.1f}" text-anchor="end">{tick:g}</text>'
               for tick in y_ticks]
    for colour, curve in zip(COLOURS, curves.values()):
        if curve:
            shapes.append(f'<polyline fill="none" stroke="{colour}" stroke-width="1.5" points="{" ".join(f"{to_x(x):.1f},{to_y(y):.1f}" for x, y in curve)}"/>')
            shapes += [f'<circle cx="{to_x(x):.1f}" cy="{to_y(y):.1f}" r="3" fill="{colour}"/>' for x, y in curve]
    shapes.append(f'<text x="{left + width / 2}" y="{top + height + 34}" text-anchor="middle">{html.escape(x_label)}</text>')
    path.write_text(draw_frame(left + width + 40, top + height + 46, title, y_label, list(curves), shapes))
