# What Forti 2018 published of the same kernels, run for run, and what others claim of GPUs; van Antwerpen's tables are in van_antwerpen_published.py.
"""Rates are in rays per second (extensions). "The thesis" is the text of Forti 2018: a GeForce GT 650M, no roulette. "The thesis' code" is his
program, measured later; what his text does not say (camera of cgg-logo, indices 1.05 and 1.01, alpha 0.1) is from there."""

import dataclasses


@dataclasses.dataclass
class Row:
    method: str  # as the thesis calls it
    run: str  # what we measure for it: a kernel and the arguments after it
    published: dict[str, float]  # scene of the thesis: millions of rays per second
    seconds: dict[str, float] = dataclasses.field(default_factory=dict)  # the same table's times
    doubts: dict[str, str] = dataclasses.field(default_factory=dict)  # why a figure cannot be right


@dataclasses.dataclass
class Table:
    number: str
    title: str
    rows: list[Row]
    note: str = ""


# The thesis' scenes; artifix and manix by what stands for them.
PRINTS, SCANS = ("cgg-logo", "ad"), ("artifix", "manix")
FOUR = (*PRINTS, *SCANS)


def rates(scenes: tuple[str, ...], *values: float) -> dict[str, float]:
    return dict(zip(scenes, values, strict=True))


THREAD = Row("regenerationSK (thread)", "regen_thread", rates(FOUR, 81.62, 42.37, 11.80, 11.42))
WARP_BOUNDED = Row("regenerationSK (warp)", "regen_warp", rates(FOUR, 4.37, 7.02, 11.92, 10.95))
STREAM = Row("streamingSK (compaction)", "stream_sk", rates(FOUR, 52.69, 37.81, 7.42, 8.02))
SORTED = Row("streamingSK (sorting)", "stream_sk_sort", rates(FOUR, 20.41, 17.61, 6.78, 6.74))
SORTING = Row("sortingSK", "sort_sk", rates(FOUR, 20.90, 17.83, 7.02, 6.87))
NAIVE = Row("naiveSK", "naive_sk", rates(FOUR, 3.88, 2.13, 8.34, 8.45))


def only_prints(row: Row) -> Row:
    return Row(row.method, row.run, {scene: row.published[scene] for scene in PRINTS})


SUSPECT = "rate times seconds is {rays:.0f} M rays where the other rows have {others:.0f} M: by its seconds, {rate:.1f}"


def timed(method: str, run: str, scene: str, rate: float, seconds: float, others: float | None = None) -> Row:
    """A row of tables 6.2 and 6.3; `others` is rate times seconds of the other rows, where this row's is another."""
    doubts = {} if others is None else {scene: SUSPECT.format(rays=rate * seconds, others=others, rate=others / seconds)}
    return Row(method, run, {scene: rate}, {scene: seconds}, doubts)


TABLES = [
    Table("4.1", "one kernel or several", [Row("naiveSK", "naive_sk", {"cgg-logo": 3.91}), Row("naiveMK", "naive_mk", {"cgg-logo": 1.19})]),
    Table("4.3", "regeneration", [NAIVE, THREAD, Row("regenerationSK (warp)", "regen_warp", rates(FOUR, 17.13, 17.05, 12.11, 14.82)),
                                  Row("regenerationSK (block), refilled when all are idle", "regen_block --refill off",
                                      rates(FOUR, 3.52, 3.21, 7.35, 7.41)),
                                  Row("the same as section 4.2.1 describes it, refilled after every event", "regen_block", {"cgg-logo": None, "ad": None})]),
    Table("4.4", "registers bounded for an occupancy of 100 %",
          [Row("regenerationSK (thread), 100 %", "regen_thread --min-blocks 16", rates(FOUR, 39.04, 32.81, 12.66, 11.37)),
           Row("regenerationSK (thread), 50 %", "regen_thread", THREAD.published),
           Row("regenerationSK (warp), 100 %", "regen_warp --min-blocks 16", WARP_BOUNDED.published),
           Row("regenerationSK (warp), 50 %", "regen_warp", rates(FOUR, 17.13, 17.05, 12.11, 14.82))],
          "32 registers of each of 2048 threads spill, in the thesis and here; 64 registers give 50 %."),
    Table("4.5", "compaction", [THREAD, WARP_BOUNDED, Row("streamingSK", "stream_sk", STREAM.published),
                                Row("streamingMK", "stream_mk", rates(FOUR, 6.59, 4.70, 5.44, 5.18))],
          "The thesis repeats for warp regeneration the bounded figures of table 4.4, here and in 4.6 and 6.1."),
    Table("4.6", "sorting", [THREAD, WARP_BOUNDED, STREAM, SORTED, SORTING]),
    Table("6.1", "prints, and Mitsuba", [only_prints(row) for row in (NAIVE, THREAD, WARP_BOUNDED, STREAM, SORTED, SORTING)] +
          [Row("mitsuba (volpath_simple)", "mitsuba", {"cgg-logo": 0.003, "ad": 17.83}, doubts={"ad": "sortingSK's figure again"})],
          "Mitsuba on one CPU counts shadow rays too. Ours is Mitsuba 3's volpath on the device of this report."),
    Table("6.2", "smoke, and Mitsuba", [timed("regenerationSK (thread)", "regen_thread", "smoke", 2.52, 131, others=934),
                                        timed("regenerationSK (warp)", "regen_warp", "smoke", 7.35, 127),
                                        timed("streamingSK (compaction)", "stream_sk", "smoke", 17.41, 53.68),
                                        timed("sortingSK", "sort_sk", "smoke", 14.64, 63.83),
                                        timed("mitsuba (volpath_simple)", "mitsuba", "smoke", 0.58, 1076),
                                        timed("mitsuba (volpath)", "mitsuba", "smoke", 0.54, 1195)],
          "The camera, size and samples of the thesis' smoke are not known; ours are those of the scene's file."),
    Table("6.3", "bucky", [timed("regenerationSK (thread)", "regen_thread", "bucky", 10.96, 39.71, others=304),
                           timed("streamingSK (compaction)", "stream_sk", "bucky", 5.75, 52.83), timed("sortingSK", "sort_sk", "bucky", 5.69, 53.30),
                           timed("naiveSK", "naive_sk", "bucky", 4.99, 60.86)]),
]

# Table 4.2: seconds for cgg-logo at 1920x1920 and 5 samples per pixel, by the number of tiles along an edge.
TILINGS = (1, 2, 4, 8, 32, 64)
TILED_VIEW = "--resolution 1920x1920 --spp 5"
TILED_SECONDS = {
    "stream_sk": (61.27, 67.98, 72.72, 76.13, 90.66, 224.04),
    "regen_thread": (7.99, 10.02, 9.44, 9.48, 34.11, 98.40),
    "naive_sk": (219.47, 223.65, 221.93, 224.59, 224.85, 123.32),
}

# The thesis' code on an NVIDIA H100, millions of rays per second, least and most: measured by the authors of this suite when it was begun, with
# cgg-logo at 400x400x100 and 1024x1024x50 and bucky at 1024x1024x50; the commands were not kept.
CODE_ON_H100 = {
    ("cgg-logo", "regen_thread"): (6300, 8800), ("cgg-logo", "stream_sk"): (3300, 4100), ("cgg-logo", "sort_sk"): (3700, 3700),
    ("cgg-logo", "naive_sk"): (430, 430), ("cgg-logo", "stream_mk"): (1030, 1030), ("cgg-logo", "naive_mk"): (11, 11),
    ("bucky", "regen_thread"): (3400, 3400),
}

# How many times as fast as a CPU the GPU is said to be: who, where, what, times.
CLAIMS = [
    ("Forti 2018, table 6.1", "GeForce GT 650M, against Mitsuba on a quad-core Core i7", "cgg-logo, regenerationSK (thread)", "27,000"),
    ("van Antwerpen 2011, table 7", "GeForce GTX 480, Core i7 920", "path tracing of six surface scenes", "10.4 to 17.8"),
    ("Pitkin 2013, conclusion", "GeForce GTX 570, Core i7 920, one thread", "ray tracing of spheres and triangles", "up to 1852"),
    ("Gurfinkel and Jarrett, figures 3 to 5", "not named", "path tracing of three triangle scenes", "3, 6.5 and 7"),
]
