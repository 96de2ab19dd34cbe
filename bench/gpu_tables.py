# Writes what gpu_report.py measured as Markdown tables and SVG bar plots, beside what was published.
"""write_report(folder, report): report.md and plots from the contents of report.json."""

import pathlib

from gpu_thesis import CLAIMS, CODE_ON_H100, TABLES, TILED_SECONDS, TILINGS, Table
from svg_charts import draw_bars, format_number
from van_antwerpen_published import PATH_RUNS, SCENES as ANTWERPEN_SCENES


def get_rate(scene: dict, run: str, key: str = "extensions_per_second") -> float | None:
    return scene["runs"].get(run, {}).get(key)


def write_scene(folder: pathlib.Path, scene: dict) -> list[str]:
    stands = f" It stands for the thesis' {scene['stands_for']}." if scene["stands_for"] else ""
    lines = [f"## {scene['name']}", "", f"{scene['note'][0].upper()}{scene['note'][1:]}.{stands}", "", f"    volrender {scene['volume']} "
             + " ".join(scene["view"]), "",
             "| kernel | G ext/s | M paths/s | G tentative/s | SIMD ext | SIMD regen | registers | occupancy | spp | seconds, median (min-max) |",
             "|---|---|---|---|---|---|---|---|---|---|"]
    for run, answer in scene["runs"].items():
        if "error" in answer:
            lines.append(f"| {run} | {answer['error'].replace('|', '/')} |" + " |" * 8)
            continue
        gpu, seconds = answer.get("gpu", {}), answer["seconds"]
        cells = [answer["extensions_per_second"] / 1e9, answer["paths_per_second"] / 1e6, answer["tentative_collisions_per_second"] / 1e9,
                 gpu.get("extension_efficiency"), gpu.get("regeneration_efficiency"), gpu.get("registers"), gpu.get("occupancy")]
        lines.append(f"| {run} | " + " | ".join(map(format_number, cells)) + f" | {answer['samples_per_pixel']} | "
                     f"{seconds['median']:.3f} ({seconds['min']:.3f}-{seconds['max']:.3f}) |")
    good = {run: answer for run, answer in scene["runs"].items() if "error" not in answer}
    if good:
        some = next(iter(good.values()))
        lines += ["", f"{some['extensions'] / some['paths']:.2f} extensions and {some['tentative_collisions'] / some['paths']:.2f} tentative "
                  f"collisions per path. Films of the same samples: {'all equal' if scene['films_equal'] else 'NOT ALL EQUAL'}."]
    final = scene.get("final", {})
    if "seconds" in final:
        lines += ["", f"The fastest, `{scene['best']}`, at 1000 samples per pixel: {final['seconds']['median']:.3f} s, "
                  f"{final['extensions_per_second'] / 1e9:.2f} G ext/s, {final['paths_per_second'] / 1e6:.0f} M paths/s, film {final['film_hash']}."]
    draw_bars(folder / f"scene-{scene['name']}.svg", scene["name"], "G extensions/s", [],
              [(run, [answer["extensions_per_second"] / 1e9]) for run, answer in good.items()])
    return [*lines, "", f"![rates on {scene['name']}](scene-{scene['name']}.svg)", ""]


def write_rows(table: Table, scenes: dict[str, dict], mitsuba: dict) -> tuple[list[str], list[tuple]]:
    """The rows of one table, and (label, scene, our rate, its rate) for its plot."""
    lines, bars = [], []
    for row in table.rows:
        for name, published in row.published.items():
            scene = scenes.get(name)
            ours = mitsuba.get(name, {}).get("extensions_per_second") if row.run == "mitsuba" else scene and get_rate(scene, row.run)
            ours = ours and ours / 1e6
            substitute = bool(scene and scene["stands_for"])
            later = None if substitute or " " in row.run else CODE_ON_H100.get((name, row.run))
            shown = f"{name} (ours: {scene['name']}, a substitute)" if substitute else name
            ratio = format_number(ours / published) if ours and published and not substitute and name not in row.doubts else "-"
            ratio_later = format_number(ours / later[1]) if ours and later else "-"
            spread = "-" if not later else format_number(later[0]) + (f" to {format_number(later[1])}" if later[0] != later[1] else "")
            cells = [row.method, f"`{row.run}`", shown, format_number(ours), f"{published or '-'}{' (!)' if name in row.doubts else ''}", ratio, spread, ratio_later]
            if any(line.seconds for line in table.rows):
                seconds = row.seconds.get(name)
                cells += [f"{seconds or '-'}", format_number(published * seconds / ours) if seconds and ours else "-"]
            lines.append(f"| {' | '.join(cells)} |")
            if published and name not in row.doubts:
                bars.append((f"{row.method}, {name}", name, ours, published))
    return lines, bars


def write_table(folder: pathlib.Path, table: Table, scenes: dict[str, dict], mitsuba: dict) -> list[str]:
    headings = ["method", "run", "scene", "ours, M rays/s", "the thesis", "ratio", "the thesis' code on an H100", "ratio"]
    if any(row.seconds for row in table.rows):
        headings += ["the thesis, s", "ours for as many rays, s"]
    rows, bars = write_rows(table, scenes, mitsuba)
    lines = [f"### Table {table.number}: {table.title}", "", f"| {' | '.join(headings)} |", "|---" * len(headings) + "|", *rows, ""]
    doubts = [f"{row.method}, {name}: {doubt}." for row in table.rows for name, doubt in row.doubts.items()]
    if doubts:
        lines += ["(!) The thesis contradicts itself, so there is no ratio. " + " ".join(doubts), ""]
    lines += [table.note, ""] if table.note else []
    relative = []
    for label, name, ours, published in bars:
        best_ours = max((bar[2] for bar in bars if bar[1] == name and bar[2]), default=None)
        best_theirs = max(bar[3] for bar in bars if bar[1] == name)
        relative.append((label, [ours / best_ours if ours and best_ours else None, published / best_theirs]))
    file = f"table-{table.number}.svg"
    draw_bars(folder / file, f"Table {table.number}: {table.title}", "share of the fastest in its scene:", ["ours", "the thesis"], relative)
    return [*lines, f"![table {table.number}]({file})", ""]


def write_tilings(tilings: dict) -> list[str]:
    lines = ["### Table 4.2: tiles", "", "Seconds for cgg-logo at 1920x1920 with 5 samples per pixel, by tiles along an edge; the thesis' in brackets.", "",
             "| kernel | " + " | ".join(f"{n}x{n}" for n in TILINGS) + " |", "|---" * (len(TILINGS) + 1) + "|"]
    for kernel, theirs in TILED_SECONDS.items():
        ours = [answer.get("seconds", {}).get("median") for answer in tilings.get(kernel, [{}] * len(TILINGS))]
        lines.append(f"| {kernel} | " + " | ".join(f"{format_number(a)} ({b})" for a, b in zip(ours, theirs)) + " |")
    counted = [answer.get("tiles") for answer in next(iter(tilings.values()), [])]
    return [*lines, "", f"Tiles rendered: {', '.join(map(str, counted))}.", ""] if counted else [*lines, ""]


def write_antwerpen(scenes: list[dict]) -> list[str]:
    lines = ["## van Antwerpen's tables", "", "van Antwerpen 2011, tables 1 and 2: a GeForce GTX 480, path tracing of surfaces in millions of samples per "
             "second; ours in millions of paths per second. The scenes have nothing in common, so only the last two columns compare.", "",
             "| scene | regeneration in place, active threads | PT | PT+R | SPT | SPT+R | SPT+R / PT+R | SPT+R / SPT |", "|---" * 8 + "|"]

    def write_line(name: str, efficiency: float | None, rates: list[float | None]) -> str:
        _, in_place, compacted, both = rates
        ratios = [both / in_place if both and in_place else None, both / compacted if both and compacted else None]
        return f"| {name} | {'-' if efficiency is None else f'{100 * efficiency:.1f} %'} | " + " | ".join(map(format_number, [*rates, *ratios])) + " |"

    for name, his in ANTWERPEN_SCENES.items():
        lines.append(write_line(f"{name} (his)", his.regeneration_efficiency, [None, *his.path_rates]))
    for scene in scenes:
        rates = [get_rate(scene, run, "paths_per_second") for _, run in PATH_RUNS]
        efficiency = scene["runs"].get("regen_mk", {}).get("gpu", {}).get("regeneration_efficiency")
        lines.append(write_line(scene["name"], efficiency, [rate and rate / 1e6 for rate in rates]))
    return [*lines, "", "Ours: " + ", ".join(f"{name} is `{run}`" for name, run in PATH_RUNS) + ".", ""]


def write_claims(scenes: list[dict]) -> list[str]:
    """How many times as fast as a CPU: what all sources claim."""
    lines = ["## GPU against CPU", "", "Ours: the same scene and the same film, bit for bit, by the fastest kernel and by all threads of the host's CPU.", "",
             "| scene | GPU, M paths/s | CPU, M paths/s | CPU kernel | times |", "|---" * 5 + "|"]
    for scene in scenes:
        best, cpu = scene["runs"].get(scene.get("best", ""), {}), scene.get("cpu", {})
        if "paths_per_second" in best and "paths_per_second" in cpu:
            lines.append(f"| {scene['name']} | {format_number(best['paths_per_second'] / 1e6)} | {format_number(cpu['paths_per_second'] / 1e6)} | {cpu['kernel']} | "
                         f"{format_number(best['paths_per_second'] / cpu['paths_per_second'])} |")
    lines += ["", "| source | hardware | what | times |", "|---|---|---|---|"]
    lines += [f"| {' | '.join(claim)} |" for claim in CLAIMS]
    return [*lines, ""]


def write_report(folder: pathlib.Path, report: dict) -> None:
    scenes = report["scenes"]
    by_thesis_name = {scene["stands_for"] or scene["name"]: scene for scene in scenes}
    some = next((answer for scene in scenes for answer in scene["runs"].values() if "error" not in answer), {})
    gpu = some.get("gpu", {})
    lines = ["# GPU kernels measured", "", f"{some.get('device', 'no device')}, compute capability {gpu.get('capability', '-')}, CUDA {gpu.get('driver', '-')} "
             f"driver, {gpu.get('clock_mhz', '-')} MHz, volpt {some.get('version', '-')}. Medians of {report['trials']} trials of about "
             f"{report['seconds_wanted']:g} s after a warm-up, by the device's clock. Rays are extensions: real collisions, boundary events and escapes.", ""]
    for scene in scenes:
        lines += write_scene(folder, scene)
    lines += ["## The thesis' tables", "", "Figures of the thesis are of a GeForce GT 650M. Its code on an H100 was measured by this suite's authors when "
              "they began (cgg-logo at 400x400x100 and 1024x1024x50, bucky at 1024x1024x50; the commands were not kept); ratios take the most "
              "that was measured. A dash: not published, not run, or no ratio, the dataset being a substitute.", ""]
    for table in TABLES:
        if table.number == "4.3":
            lines += write_tilings(report["tilings"])
        lines += write_table(folder, table, by_thesis_name, report["mitsuba"])
    if "skipped" in report["mitsuba"]:
        lines += [f"Mitsuba's rows are skipped: {report['mitsuba']['skipped']}.", ""]
    (folder / "report.md").write_text("\n".join(lines + write_antwerpen(scenes) + write_claims(scenes)))
