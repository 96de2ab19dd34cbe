# Writes what van_antwerpen.py measured as Markdown tables and SVG charts, beside the tables and figures of van Antwerpen 2011.
"""write_report(path, measured): the report, and beside it NAME.json with the numbers and NAME-*.svg; `measured` are contents of measured.json."""

import json
import pathlib

from svg_charts import draw_bars, draw_curves, format_number
from van_antwerpen_published import CONNECT_THRESHOLD, EMITTER_RUNS, FACTORS, SCENES, STATE_BYTES

INTEGRATORS = ("path", "light", "bdpt", "mlt")
HIS_NAMES = {"path": "PT", "bdpt": "BDPT", "mlt": "MLT"}
STAGES = {"extension_efficiency": "extension", "regeneration_efficiency": "regeneration", "shadow_ray_efficiency": "connections"}


class Records:
    def __init__(self, measured: list[dict]):
        """Of two files, the last counts."""
        self.all = {name: record for file in measured for name, record in file["values"].items()}
        self.scenes = list(dict.fromkeys(record["scene"] for record in self.all.values()))

    def find(self, scene: str, integrator: str, device: str, run: str, kind: str) -> dict:
        """Empty where nothing was measured."""
        record = self.all.get(": ".join((scene, integrator, device, run, kind)), {})
        return {} if "error" in record else record

    def list_runs(self, scene: str, integrator: str, device: str) -> list[dict]:
        return [record for record in self.all.values() if (record["scene"], record["integrator"], record["device"], record["kind"]) ==
                (scene, integrator, device, "rate") and "error" not in record]

    def find_best(self, scene: str, integrator: str, device: str) -> dict:
        return max(self.list_runs(scene, integrator, device), key=lambda record: record["paths_per_second"], default={})


def write_table(title: str, note: str, headings: list[str], rows: list[list[str]]) -> list[str]:
    lines = [f"## {title}", "", note, ""]
    if not rows:
        return [*lines, "Not measured.", ""]
    return [*lines, f"| {' | '.join(headings)} |", "|---" * len(headings) + "|", *(f"| {' | '.join(row)} |" for row in rows), ""]


def percent(share: float | None) -> str:
    return "-" if not share else f"{100 * share:.1f} %"


def write_efficiencies(records: Records) -> list[str]:
    his = [scene.regeneration_efficiency for scene in SCENES.values()]
    walks, connections = [scene.walk_efficiency for scene in SCENES.values()], [scene.connect_efficiency for scene in SCENES.values()]
    rows = []
    for scene in records.scenes:
        for integrator in INTEGRATORS:
            for record in records.list_runs(scene, integrator, "cuda"):
                shares = [record["gpu"].get(stage) for stage in STAGES]
                low = ", ".join(name for share, name in zip(shares, STAGES.values()) if share and share < CONNECT_THRESHOLD)
                rows.append([scene, integrator, f"`{record['run']}`", *map(percent, shares), low or "none"])
    note = (f"Lanes that worked over lanes of the warps that ran, by stage. His table 1, regeneration in place: {percent(min(his))} to {percent(max(his))}; table 3, "
            f"BDPT without streams: random walk {percent(min(walks))} to {percent(max(walks))}, connections {percent(min(connections))} to "
            f"{percent(max(connections))}. The last column names stages below {percent(CONNECT_THRESHOLD)}, the share of complete samples at which he connects.")
    return write_table("Tables 1 and 3: SIMD efficiency", note, ["scene", "integrator", "run", *STAGES.values(), "below the threshold"], rows)


def write_regeneration(records: Records) -> list[str]:
    rows = [[f"{name} (his)", "path", "-", *(format_number(rate) for rate in his.path_rates), f"{100 * (his.path_rates[2] / his.path_rates[0] - 1):+.1f} %",
             "-"] for name, his in SCENES.items()]
    rows += [[f"{name} (his)", "bdpt", "-", "-", *(format_number(rate) for rate in his.connect_rates), "-",
              f"{100 * (his.connect_rates[1] / his.connect_rates[0] - 1):+.1f} %"] for name, his in SCENES.items()]
    gain = lambda a, b: f"{100 * (a / b - 1):+.1f} %" if a and b else "-"
    for scene in records.scenes:
        for integrator in INTEGRATORS:
            rates = [records.find(scene, integrator, "cuda", run, "rate").get("paths_per_second") for _, run in EMITTER_RUNS]
            if any(rates):
                rows.append([scene, integrator, *(format_number(rate and rate / 1e6) for rate in rates), gain(rates[3], rates[1]), gain(rates[3], rates[2])])
    note = ("Millions of samples per second. " + ", ".join(f"{name} is `{run}`" for name, run in EMITTER_RUNS) + ". His table 2 compares SPT+R with PT+R; his table 5 BDPT "
            "that is connected when all or 60 % of its samples are complete, which the streams without and with refilling come nearest to.")
    return write_table("Tables 2 and 5: regeneration", note, ["scene", "integrator", *(name for name, _ in EMITTER_RUNS), "SPT+R over PT+R", "SPT+R over SPT"], rows)


def write_work(records: Records) -> list[str]:
    rows = []
    for scene in records.scenes:
        for integrator in INTEGRATORS:
            record = records.find_best(scene, integrator, "cuda") or records.find_best(scene, integrator, "cpu")
            if record:
                paths = max(record["paths"], 1)
                rows.append([scene, integrator, record["device"], format_number(record["extensions"] / paths), format_number(record["shadow_rays"] / paths),
                             format_number((record["extensions_per_second"] + record["shadow_rays_per_second"]) / 1e6)])
    shares = [scene.connect_share for scene in SCENES.values()]
    note = (f"His table 4 has the share of the time that connections take: {percent(min(shares))} to {percent(max(shares))} of BDPT. volrender counts rays per stage, not "
            "time: extensions and connections (shadow rays) per sample, and both together in millions per second.")
    return write_table("Table 4: walk and connections", note, ["scene", "integrator", "device", "extensions per sample", "connections per sample", "M rays/s"], rows)


def write_memory(records: Records) -> list[str]:
    rows = []
    for scene in records.scenes:
        for integrator in INTEGRATORS:
            for record in records.list_runs(scene, integrator, "cuda"):
                gpu = record["gpu"]
                threads = gpu["block_threads"] * gpu["blocks_per_multiprocessor"] * gpu["multiprocessors"]
                rows.append([scene, integrator, f"`{record['run']}`", str(gpu["registers"]), str(gpu["local_bytes"]), format_number(gpu["shared_bytes"] / gpu["block_threads"]),
                             format_number(gpu["memory"]["workspace_bytes"] / threads)])
    note = ("His bytes per sample: " + ", ".join(f"{HIS_NAMES[name]} {size}" for name, size in STATE_BYTES.items()) + ". A sample here is in registers and local memory of its thread, in "
            "shared memory, or in a pool in global memory; the last two columns are per resident thread.")
    return write_table("Table 6: memory per sample", note, ["scene", "integrator", "run", "registers", "local bytes", "shared bytes", "global bytes"], rows)


def write_devices(records: Records) -> list[str]:
    rows = [[f"{name} (his)", integrator, format_number(cpu), format_number(gpu), format_number(gpu / cpu), "-"]
            for name, his in SCENES.items() for integrator, (cpu, gpu) in his.rates.items()]
    for scene in records.scenes:
        for integrator in INTEGRATORS:
            cpu, gpu = (records.find_best(scene, integrator, device) for device in ("cpu", "cuda"))
            rates = [record.get("paths_per_second", 0) / 1e6 for record in (cpu, gpu)]
            if any(rates):
                rows.append([scene, integrator, *(format_number(rate or None) for rate in rates), format_number(rates[1] / rates[0] if all(rates) else None),
                             f"`{gpu['run']}`" if gpu else "-"])
    note = (f"Millions of samples per second, his factors {FACTORS[0]} to {FACTORS[1]} with a GeForce GTX 480 over a Core i7 920 with 4 cores. A sample of light is a "
            "particle, one of bdpt a particle and a path. Short renders are slower: of long paths the last ones run alone, and of chains (mlt) a GPU needs some 100,000, where each pass of these films has 400.")
    return write_table("Table 7: GPU over CPU", note, ["scene", "integrator", "CPU", "GPU", "factor", "fastest run"], rows)


def list_noise(records: Records, scene: str, integrator: str, device: str) -> list[dict]:
    """By time."""
    return sorted((record for record in records.all.values() if record["kind"].startswith("noise") and
                   (record["scene"], record["integrator"], record["device"]) == (scene, integrator, device)), key=lambda record: record["seconds"])


def write_noise(records: Records, path: pathlib.Path) -> list[str]:
    rows, bars = [], []
    for scene in records.scenes:
        for device in ("cpu", "cuda"):
            longest = {integrator: noise[-1] for integrator in INTEGRATORS if (noise := list_noise(records, scene, integrator, device))}
            base = longest.get("path", {}).get("measured_s")
            for integrator, record in longest.items():
                spread = record["measured_error_s"]
                rows.append([scene, device, integrator, format_number(record["predicted_s"]),
                             format_number(record["measured_s"]) + (f" ± {format_number(spread, 2)}" if spread else ""), format_number(record["median_s"]),
                             format_number(base / record["measured_s"] if base and record["measured_s"] else None)])
            if longest:
                bars.append((f"{scene}, {device}", [longest.get(integrator, {}).get("measured_s") for integrator in INTEGRATORS]))
    chart = f"{path.stem}-noise.svg"
    draw_bars(path.with_name(chart), "Noise after equal times", "variance x time in s, logarithmic:", list(INTEGRATORS), bars, is_log=True)
    note = ("Variance times time in seconds: after so many seconds the noise is as large as the picture is bright, and half the value is the same noise in half the time. "
            "Predicted: mean over pixels and bands of the squared standard error that the film states, times the seconds of transport, over the squared mean of the picture. "
            "Measured: the same with the variance among films of several seeds; median: with the median over pixels of the squared difference to a long reference. Predicted is an upper bound, since the samples of a pixel are stratified: it is far off where lamps are seen directly, as in the box. The last column "
            "is how many times as long `path` takes to the same noise.")
    return [*write_table("Figure 10: noise after equal times", note, ["scene", "device", "integrator", "predicted, s", "measured, s", "median, s", "path over it"], rows),
            f"![variance times time]({chart})", ""]


def write_convergence(records: Records, path: pathlib.Path) -> list[str]:
    lines = ["## Figure 8: noise over time", "", "His figure 8 shows start-up bias: pictures of MLT after 10 s, 1 min and 10 min. Here: the relative standard "
             "deviation among films, over the seconds of transport. It falls by half when the time is four times as long. Start-up bias would show in the table of means below; chains that count by "
             "their own candidates have none.", ""]
    for scene in records.scenes:
        for device in ("cpu", "cuda"):
            curves = {integrator: [(record["seconds"], (record["measured_s"] / record["seconds"]) ** 0.5)
                                   for record in list_noise(records, scene, integrator, device)] for integrator in INTEGRATORS}
            curves = {integrator: points for integrator, points in curves.items() if points}
            if curves:
                chart = f"{path.stem}-{scene}-{device}.svg"
                draw_curves(path.with_name(chart), f"{scene}, {device}", "seconds", "relative standard deviation:", curves)
                lines += [f"![{scene}, {device}]({chart})", ""]
    return lines


def write_agreement(records: Records) -> list[str]:
    rows = [[record["scene"], record["device"], record["integrator"], record["verdict"], " ".join(f"{z:+.1f}" for z in record["z_of_means"]),
             " ".join(f"{100 * difference:+.2f} %" for difference in record["relative_differences"])]
            for record in records.all.values() if record["kind"] == "agreement" and "verdict" in record]
    return write_table("Whether the integrators agree", "`volcompare --statistical` on films of two integrators, a quarter as wide and high as the others; z of the means of the picture and their difference, by band. With `mlt`, whose pixels are not independent of each other: Student's t on the means of eight films. Pixels "
                       "that few paths have reached are joined before they are judged; `undecided`: less than half of the light could be.",
                       ["scene", "device", "integrators", "verdict", "z", "difference"], rows)


def write_refusals(records: Records) -> list[str]:
    refused = {}
    for record in records.all.values():
        if "error" in record:
            refused.setdefault((record["integrator"], record["error"]), {})[f"{record['scene']} ({record['device']}, {record['run']})"] = None
    rows = [[integrator, error.replace("|", "/"), ", ".join(places)] for (integrator, error), places in refused.items()]
    return write_table("Not available", "What volrender refused, with its message.", ["integrator", "message", "scenes"], rows)


def write_report(path: pathlib.Path, measured: list[dict]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    records = Records(measured)
    hardware = dict.fromkeys(record["hardware"] for record in records.all.values() if "hardware" in record)
    lines = ["# Light that is hard to find: van Antwerpen's tables", "", "Scenes whose light paths from the film seldom find, made by `bench/van_antwerpen_scenes.py`, beside the tables of "
             "van Antwerpen 2011. His scenes are not public, and his hardware is of 2010: figures of rates do not compare, factors and efficiencies do. Written by `bench/van_antwerpen.py`; "
             "its help says how noise is measured.", "", "Measured: " + "; ".join(file["build"] for file in measured) + f". On: {', '.join(hardware)}.", ""]
    lines += write_noise(records, path) + write_convergence(records, path) + write_devices(records) + write_efficiencies(records)
    lines += write_regeneration(records) + write_work(records) + write_memory(records) + write_agreement(records) + write_refusals(records)
    path.write_text("\n".join(lines).rstrip("\n") + "\n")
    path.with_suffix(".json").write_text(json.dumps({"measured": measured}, indent=1) + "\n")
