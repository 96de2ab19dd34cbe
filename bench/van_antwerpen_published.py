# The tables of van Antwerpen 2011: surfaces, a GeForce GTX 480 and a Core i7 920, rates in millions of samples per second.
"""SCENES by name, as his tables have them; what his methods are called, and the kernels that stand for those of path tracing."""

import dataclasses


@dataclasses.dataclass
class Published:
    regeneration_efficiency: float  # table 1: active threads of a warp while samples are regenerated in place
    path_rates: tuple[float, float, float]  # table 2: PT+R, SPT, SPT+R
    walk_efficiency: float  # table 3: active threads of a warp, a thread per sample, without streams
    connect_efficiency: float
    walk_share: float  # table 4: of the time of BDPT
    connect_share: float
    connect_rates: tuple[float, float]  # table 5: BDPT, connected when 100 % and when 60 % of the samples are complete
    rates: dict[str, tuple[float, float]]  # table 7: CPU and GPU


def of(table_1, table_2, table_3, table_4, table_5, path, bdpt, mlt):
    return Published(table_1, table_2, *table_3, *table_4, table_5, {"path": path, "bdpt": bdpt, "mlt": mlt})


SCENES = {
    "Crysis Sponza": of(0.334, (8.7, 9.9, 10.8), (0.292, 0.174), (0.554, 0.428), (2.98, 3.64), (0.61, 10.8), (0.24, 3.64), (0.19, 2.84)),
    "Cornell Box": of(0.257, (5.8, 6.2, 7.1), (0.250, 0.140), (0.553, 0.428), (2.53, 2.93), (0.62, 7.1), (0.28, 2.93), (0.28, 2.97)),
    "Glass Egg": of(0.342, (16.4, 15.4, 19.8), (0.355, 0.194), (0.553, 0.427), (2.67, 3.07), (1.74, 19.8), (0.38, 3.07), (0.30, 2.71)),
    "Kitchen": of(0.351, (11.0, 11.3, 13.5), (0.332, 0.184), (0.542, 0.441), (2.62, 3.03), (1.12, 13.5), (0.27, 3.03), (0.24, 2.89)),
    "Buddha": of(0.311, (8.3, 11.0, 12.3), (0.307, 0.173), (0.394, 0.588), (2.73, 3.10), (1.18, 12.3), (0.32, 3.10), (0.33, 3.06)),
    "Invisible Date": of(0.330, (15.6, 15.1, 18.1), (0.297, 0.170), (0.493, 0.480), (4.22, 5.23), (1.49, 18.1), (0.38, 5.23), (0.31, 3.85)),
}

# Table 6: bytes per sample, of paths of up to 16 vertices (BDPT: 32).
STATE_BYTES = {"path": 152, "bdpt": 3404, "mlt": 4434}

FACTORS = (8.1, 17.8)  # table 7: GPU over CPU, least and most

# Section 5.1: how many of the samples are complete when their connections begin.
CONNECT_THRESHOLD = 0.6

# His methods, and what is measured for them: in scenes without emitters, and with emitters, which not all kernels render.
PATH_RUNS = [("PT", "naive_sk"), ("PT+R", "regen_mk"), ("SPT", "stream_mk --refill off"), ("SPT+R", "stream_mk")]
EMITTER_RUNS = [("PT", "naive_sk"), ("PT+R", "regen_thread"), ("SPT", "stream_mk --refill off"), ("SPT+R", "stream_mk")]
