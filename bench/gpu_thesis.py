# What others published of the same kernels: the tables of Forti 2018, run for run, and rates of his code on later devices.
"""Rates are in rays a second (extensions); the thesis measured on a GeForce GT 650M, without roulette."""

import dataclasses


@dataclasses.dataclass
class Row:
    method: str  # as the thesis calls it
    run: str  # what we measure for it: a kernel and the arguments after it
    published: dict[str, float]  # scene of the thesis: millions of rays a second


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


TABLES = [
    Table("4.1", "one kernel or several", [Row("naiveSK", "naive_sk", {"cgg-logo": 3.91}), Row("naiveMK", "naive_mk", {"cgg-logo": 1.19})]),
    Table("4.3", "regeneration", [NAIVE, THREAD, Row("regenerationSK (warp)", "regen_warp", rates(FOUR, 17.13, 17.05, 12.11, 14.82)),
                                  Row("regenerationSK (block)", "regen_block", rates(FOUR, 3.52, 3.21, 7.35, 7.41))]),
    Table("4.4", "registers bounded for the highest occupancy",
          [Row("regenerationSK (thread)", "regen_thread --min-blocks 8", rates(FOUR, 39.04, 32.81, 12.66, 11.37)),
           Row("regenerationSK (thread), not bounded", "regen_thread --min-blocks 1", THREAD.published),
           Row("regenerationSK (warp)", "regen_warp --min-blocks 8", WARP_BOUNDED.published),
           Row("regenerationSK (warp), not bounded", "regen_warp --min-blocks 1", rates(FOUR, 17.13, 17.05, 12.11, 14.82))]),
    Table("4.5", "compaction", [THREAD, WARP_BOUNDED, Row("streamingSK", "stream_sk", STREAM.published),
                                Row("streamingMK", "stream_mk", rates(FOUR, 6.59, 4.70, 5.44, 5.18))],
          "The thesis repeats for warp regeneration the bounded figures of table 4.4, here and in 4.6 and 6.1."),
    Table("4.6", "sorting", [THREAD, WARP_BOUNDED, STREAM, SORTED, SORTING]),
    Table("6.1", "prints, and Mitsuba", [only_prints(row) for row in (NAIVE, THREAD, WARP_BOUNDED, STREAM, SORTED, SORTING)] +
          [Row("mitsuba (volpath_simple)", "mitsuba", {"cgg-logo": 0.003})],
          "Mitsuba on one CPU counts shadow rays too. For ad the thesis prints 17.83 for it, sortingSK's figure again: left out."),
    Table("6.2", "smoke, and Mitsuba", [Row("regenerationSK (thread)", "regen_thread", {"smoke": 2.52}),
                                        Row("regenerationSK (warp)", "regen_warp", {"smoke": 7.35}),
                                        Row("streamingSK (compaction)", "stream_sk", {"smoke": 17.41}), Row("sortingSK", "sort_sk", {"smoke": 14.64}),
                                        Row("mitsuba (volpath)", "mitsuba", {"smoke": 0.54})],
          "The camera, size and samples of the thesis' smoke are not known; ours are those of the scene's file."),
    Table("6.3", "bucky", [Row("regenerationSK (thread)", "regen_thread", {"bucky": 10.96}), Row("streamingSK (compaction)", "stream_sk", {"bucky": 5.75}),
                           Row("sortingSK", "sort_sk", {"bucky": 5.69}), Row("naiveSK", "naive_sk", {"bucky": 4.99})]),
]

# Table 4.2: seconds for cgg-logo at 1920x1920 and 5 samples per pixel, by the number of tiles along an edge.
TILINGS = (1, 2, 4, 8, 32, 64)
TILED_VIEW = "--resolution 1920x1920 --spp 5"
TILED_SECONDS = {
    "stream_sk": (61.27, 67.98, 72.72, 76.13, 90.66, 224.04),
    "regen_thread": (7.99, 10.02, 9.44, 9.48, 34.11, 98.40),
    "naive_sk": (219.47, 223.65, 221.93, 224.59, 224.85, 123.32),
}

# The thesis' own code on an NVIDIA H100, millions of rays a second: least and most of what was measured.
CODE_ON_H100 = {
    ("cgg-logo", "regen_thread"): (6300, 8800), ("cgg-logo", "stream_sk"): (3300, 4100), ("cgg-logo", "sort_sk"): (3700, 3700),
    ("cgg-logo", "naive_sk"): (430, 430), ("cgg-logo", "stream_mk"): (1030, 1030), ("cgg-logo", "naive_mk"): (11, 11),
    ("bucky", "regen_thread"): (3400, 3400),
}

# van Antwerpen 2011 compares these on surfaces; his figures are not repeated here, his comparison is.
ANTWERPEN = [("PT", "naive_sk"), ("PT+R", "regen_mk"), ("SPT", "stream_mk --refill off"), ("SPT+R", "stream_mk")]
