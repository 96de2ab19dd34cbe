#!/usr/bin/env python3
# Fits a model of the time of a render on many GPUs to measurements, and draws it up to 1000 GPUs and beyond.
"""scaling_model.py [--measured bench/scaling_measured.json] [--picture docs/pictures/scaling.png]

A render that one GPU does in W seconds takes, on n GPUs of machines with four each and a film of F bytes,

    start + launch(n) + W / n + drain + straggle(n) + gather(n, F) + asks(n)

  start      devices, volume, writing the film: command less render on one GPU, and what each further GPU of a machine adds (fit)
  launch     mpirun: measured with four ranks of one machine; a tenth of a second a doubling beyond is an assumption
  drain      what does not shrink with n: first and last launches, copying the film, adding it up (fit: render = W / n + drain)
  straggle   the last of n workers to end, after the mean: spread of the measured ends times the expected maximum of n normal deviates
  gather     the reduction of the films: F * (u + v log2 n), fitted to ranks of one machine, which share its memory; a network of
             25 GB/s and more is not slower
  asks       rank 0 hands out a work item every 0.4 s to each GPU: while that takes less than all its time it costs nothing

A job array of n tasks has start, W / n and drain of its own for each, no ranks, and then the merge of n films.
"""

import argparse
import json
import math
import pathlib
import statistics

ROOT = pathlib.Path(__file__).resolve().parent.parent

BATCH_S = 0.4
MESSAGE_S = 2e-6  # receiving a question and sending its answer, of rank 0's time: an assumption
LAUNCH_DOUBLING_S = 0.1  # an assumption


def fit_line(points):
    """Least squares of y = a + b x."""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    mean_x, mean_y = statistics.mean(xs), statistics.mean(ys)
    slope = sum((x - mean_x) * (y - mean_y) for x, y in points) / sum((x - mean_x) ** 2 for x in xs)
    return mean_y - slope * mean_x, slope


class Model:
    def __init__(self, measured):
        renders = [row for row in measured["renders"] if row["ranks"] == 1]
        self.cases = {}
        for case in dict.fromkeys(row["case"] for row in renders):
            rows = [row for row in renders if row["case"] == case]
            drain, work = fit_line([(1 / row["gpus"], row["seconds"]) for row in rows])
            start, per_gpu = fit_line([(row["gpus"], row["command"] - row["seconds"]) for row in rows])
            self.cases[case] = {"drain": drain, "work": work, "start": start, "start_per_gpu": per_gpu,
                                "film_bytes": rows[0]["film_bytes"], "rows": rows}
        of_ranks = [row for row in measured["renders"] if row["ranks"] > 1]
        by_case = {row["case"]: row["command"] - row["seconds"] for row in of_ranks}
        self.launch = statistics.mean(extra - self.start(case, 1) for case, extra in by_case.items())
        self.sigma = statistics.mean(statistics.stdev(row["ends"]) for row in renders if row["gpus"] > 1)
        self.gather_line = fit_line([(math.log2(point["ranks"]), point["seconds"] / point["bytes"]) for point in measured["gather"]])
        self.take = fit_line([(int(workers), seconds) for workers, seconds in measured["take"].items()])
        self.merge_bytes_per_s = max(row["films"] * row["bytes"] / row["seconds"] for row in measured["merge"])

    def start(self, case, gpus):
        fit = self.cases[case]
        return fit["start"] + fit["start_per_gpu"] * min(gpus, 4)

    def gather(self, ranks, film_bytes):
        return 0 if ranks == 1 else max(0, film_bytes * (self.gather_line[0] + self.gather_line[1] * math.log2(ranks)))

    def straggle(self, n):
        return 0 if n == 1 else self.sigma * math.sqrt(2 * math.log(n))

    def ask_load(self, n):
        """Share of rank 0's time that goes into handing out work items."""
        return n * (self.take[0] + self.take[1] * n + MESSAGE_S) / BATCH_S

    def predict(self, case, work_s, n, film_bytes):
        fit = self.cases[case]
        launch = 0 if n == 1 else self.launch + LAUNCH_DOUBLING_S * max(0, math.log2(n / 4))
        parts = {"start": self.start(case, n), "launch": launch, "work": work_s / n, "drain": fit["drain"], "straggle": self.straggle(n),
                 "gather": self.gather(n, film_bytes)}
        slowed = max(1, self.ask_load(n))
        parts["asks"] = (slowed - 1) * parts["work"]
        return parts

    def predict_array(self, case, work_s, n, film_bytes):
        fit = self.cases[case]
        return {"start": self.start(case, 1), "work": work_s / n, "drain": fit["drain"], "merge": n * film_bytes / self.merge_bytes_per_s}


def efficiency(model, work_s, n, film_bytes, array=False):
    alone = sum(model.predict("print", work_s, 1, film_bytes).values())
    parts = (model.predict_array if array else model.predict)("print", work_s, n, film_bytes)
    return alone / (n * sum(parts.values()))


def print_fit(model):
    for case, fit in model.cases.items():
        print(f"{case}: work {fit['work']:.3f} s, drain {fit['drain']:.3f} s, start {fit['start']:.2f} s + {fit['start_per_gpu']:.2f} s a GPU; predicted and measured:")
        for row in fit["rows"]:
            predicted = fit["work"] / row["gpus"] + fit["drain"]
            print(f"  {row['gpus']} GPUs: {predicted:.3f} s, {row['seconds']:.3f} s ({100 * (predicted / row['seconds'] - 1):+.1f} %)")
    print(f"launch of ranks {model.launch:.2f} s; ends differ by {model.sigma:.3f} s; gather {1e9 * model.gather_line[0]:.2f} + {1e9 * model.gather_line[1]:.2f} log2(n) s a GB; "
          f"take {1e6 * model.take[0]:.2f} us + {1e9 * model.take[1]:.2f} ns per worker; merge {model.merge_bytes_per_s / 1e9:.2f} GB/s")
    full = next(n for n in range(1, 10**6) if model.ask_load(n) >= 1)
    print(f"rank 0's time is used up by questions at {full} GPUs")


def print_parts(model, work_s, film_bytes):
    print(f"\nwork of {work_s:.0f} s on one GPU, film of {film_bytes / 1e6:.0f} MB, seconds:")
    print("| GPUs | start | launch | work | drain | straggle | gather | all | a GPU's share | job array with merge | its share |\n" + "|---" * 11 + "|")
    for n in (1, 4, 16, 64, 256, 1024):
        parts = model.predict("print", work_s, n, film_bytes)
        array = sum(model.predict_array("print", work_s, n, film_bytes).values())
        cells = [parts[key] for key in ("start", "launch", "work", "drain", "straggle", "gather")] + [sum(parts.values())]
        print(f"| {n} | " + " | ".join(f"{cell:.2f}" for cell in cells) + f" | {efficiency(model, work_s, n, film_bytes):.3f} | {array:.1f} | "
              f"{efficiency(model, work_s, n, film_bytes, array=True):.3f} |")


def draw(model, path):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot

    counts = [2**k for k in range(11)]
    figure, axes = pyplot.subplots(figsize=(9.6, 4.2), layout="constrained")
    for words, colour, work_s in (("100 h", "#1f77b4", 360000), ("1 h", "#c8501e", 3600), ("1 min", "#3c8c3c", 60)):
        for kind, line, array in (("ranks", "-", False), ("job array", ":", True)):
            axes.plot(counts, [efficiency(model, work_s, n, 192e6, array) for n in counts], line, color=colour, marker="s", markersize=4,
                      label=f"{words}, {kind}")
    axes.set_title("share of the GPUs' time that renders paths, by number of GPUs (film of 4 Mpx)", loc="left")
    axes.set_xscale("log", base=2)
    axes.set_xticks(counts, [str(n) for n in counts])
    axes.set_ylim(0, 1.02)
    axes.grid(axis="y", color="#cdcdcd")
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False)
    figure.savefig(path, dpi=100)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--measured", type=pathlib.Path, default=ROOT / "bench" / "scaling_measured.json")
    parser.add_argument("--picture", type=pathlib.Path)
    arguments = parser.parse_args()
    model = Model(json.loads(arguments.measured.read_text()))
    print_fit(model)
    for work_s in (60, 3600, 360000):
        print_parts(model, work_s, 192e6)
    if arguments.picture:
        draw(model, arguments.picture)


if __name__ == "__main__":
    main()
