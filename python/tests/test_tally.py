"""Tallies as arrays: the numbers that volrender writes."""
import subprocess

import numpy as np
import pytest

import volpt
from volpt._programs import find_program

BEAM = "beam origin=0,0,40 direction=0,0,-1 radius=2mm power=1"
OPTIONS = {"integrator": "light", "light": [BEAM], "resolution": (4, 4), "spp": 64, "progress": False}


@pytest.mark.parametrize("tally", ["absorbed", "fluence:gates=3,ns=0.1,grid=7x6x5"])
def test_numbers_are_those_of_volrender(ball, tmp_path, tally):
    film = volpt.render(ball, **OPTIONS, tally=tally)
    path = tmp_path / "dose.nii"
    subprocess.run([find_program("volrender"), ball.path, "--integrator=light", "--light=" + BEAM, "--resolution=4x4", "--spp=64",
                    "--tally=" + tally, "-o", path, "-q"], check=True)
    values, errors = np.frombuffer(path.read_bytes(), "<f4", offset=352).reshape(2, *film.tally.values[:, 0].shape)
    np.testing.assert_array_equal(film.tally.values[:, 0], values)
    np.testing.assert_array_equal(film.tally.standard_error[:, 0], errors)
    assert values.max() > 0


def test_tally_says_what_it_is(ball):
    film = volpt.render(ball, **OPTIONS, tally="absorbed")
    tally = film.tally
    assert (tally.kind, tally.unit, tally.gate_ns) == ("absorbed", "1/mm^3 per launched watt", 0)
    assert tally.values.shape == tally.standard_error.shape == (1, 1, 20, 24, 28)
    assert tally.cell_size_mm == ball.pitch_mm
    absorbed = tally.values.sum(dtype=np.float64) * np.prod(tally.cell_size_mm)
    assert absorbed == pytest.approx(film.render_info["energy"]["absorbed"], rel=1e-5)
    assert not film.mean.any() and (film.samples == 64).all()
    with pytest.raises(ValueError, match="read-only"):
        tally.values[:] = 0
    assert "absorbed (1, 1, 20, 24, 28)" in repr(tally)


def test_detectors_are_in_the_report(ball):
    film = volpt.render(ball, **OPTIONS, detector="disc center=0,0,5 radius=3mm")
    assert film.tally is None
    assert film.render_info["detectors"][0]["radius_mm"] == 3


def test_errors_name_the_argument(ball, film):
    for options, words in [({"tally": "absorbed"}, "^tally needs particles: .*; give integrator light$"),
                           ({**OPTIONS, "tally": "heat"}, "tally heat: 'heat' is not absorbed or fluence")]:
        with pytest.raises(volpt.UsageError, match=words) as caught:
            volpt.render(ball, **{"progress": False, **options})
        assert "--" not in str(caught.value)
    with pytest.raises(volpt.UsageError, match="tally and resume contradict"):
        volpt.render(ball, **OPTIONS, tally="absorbed").resume(spp=128, progress=False)
    assert film.tally is None
