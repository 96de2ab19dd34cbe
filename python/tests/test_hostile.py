"""Whatever the arrays and options: an answer or an exception of the package."""
import warnings

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import volpt

# A minute in all on two cores.
FOR_A_MINUTE = settings(max_examples=1300, deadline=None, suppress_health_check=list(HealthCheck))
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(-5, 1 << 40), st.floats(), st.text(max_size=8), st.binary(max_size=4))


@pytest.fixture(autouse=True)
def fail_on_notices():
    """Not here: what is drawn has losses that no test can expect."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", volpt.Notice)
        yield


@FOR_A_MINUTE
@given(arrays.arrays(arrays.scalar_dtypes(), arrays.array_shapes(min_dims=0, max_dims=5, min_side=0, max_side=6)))
def test_arrays(values):
    try:
        volume = volpt.pack(values, pitch_mm=1)
    except volpt.InputError:
        return
    assert volume.dims == values.shape[2::-1]


@FOR_A_MINUTE
@given(st.dictionaries(st.sampled_from(["scale", "albedo", "g", "window", "pitch", "filter", "encode", "materials"]), SCALARS))
def test_options_of_pack(options):
    try:
        volpt.pack(np.ones((2, 2, 2), np.float32), **options)
    except volpt.Error:
        pass


@FOR_A_MINUTE
@given(st.dictionaries(st.sampled_from(["resolution", "fov", "origin", "seed", "probe", "light", "integrator", "depth_limit"]),
                       st.one_of(SCALARS, st.tuples(SCALARS, SCALARS))))
def test_options_of_render(ball, options):
    small = isinstance(options.get("resolution"), tuple) and all(isinstance(side, int) and 0 < side < 64 for side in options["resolution"])
    if not small:
        options["resolution"] = (4, 4)
    try:
        film = volpt.render(ball, **options, spp=1, progress=False)
    except volpt.Error:
        return
    assert film.mean.ndim == 3


@FOR_A_MINUTE
@given(arrays.arrays(arrays.scalar_dtypes(), arrays.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=6)))
def test_pictures(values):
    try:
        verdict = volpt.compare(values, values)
    except volpt.InputError:
        return
    assert verdict.report["verdict"] in ("pass", "fail")
