"""Verdicts on films, files and arrays are those of volcompare."""
import json
import subprocess

import numpy as np
import pytest

import volpt
from conftest import SMALL
from volpt._programs import find_program


def test_film_equals_itself_and_no_other(ball, film):
    assert volpt.compare(film, volpt.render(ball, **SMALL)).equal_bits
    other = volpt.compare(film, volpt.render(ball, seed=1, **SMALL))
    assert not other and not other.equal_bits and other.reasons


def test_films_of_other_seeds_have_one_expectation(ball, film):
    assert volpt.compare(film, volpt.render(ball, seed=1, **SMALL), statistical=True)
    brighter = np.asarray(film) * 1.2
    assert volpt.compare(brighter, film, threshold="rmse<1")
    assert not volpt.compare(brighter, film, threshold="rmse<0.0001")


def test_report_is_that_of_the_program(ball, film, tmp_path):
    other = volpt.render(ball, seed=1, **SMALL)
    film.save(tmp_path / "a.vpf")
    other.save(tmp_path / "b.vpf")
    words = ["--metric", "rmse", "--metric", "bias", "--threshold", "rmse<1", "--json"]
    printed = subprocess.run([find_program("volcompare"), tmp_path / "a.vpf", tmp_path / "b.vpf", *words], check=True,
                             capture_output=True, text=True).stdout
    verdict = volpt.compare(film, other, metric=["rmse", "bias"], threshold="rmse<1")
    assert verdict.metrics == json.loads(printed)["metrics"]
    assert volpt.compare(tmp_path / "a.vpf", tmp_path / "b.vpf", metric=["rmse", "bias"], threshold="rmse<1").metrics == verdict.metrics


def test_illuminant_is_that_of_the_program(tmp_path):
    table = tmp_path / "six.json"
    bands = [400, 460, 520, 580, 640, 700]
    table.write_text(json.dumps({"bands": bands, "materials": [
        {"id": 1, "name": "red", "sigma_t": [5] * 6, "albedo": [0.2, 0.2, 0.3, 0.5, 0.9, 0.9]}]}))
    slab = volpt.pack(make="slab", size=("4mm", "4mm", "1mm"), materials=table, material="red")
    test, reference = (volpt.render(slab, probe="top", resolution=(4, 4), spp=16, seed=seed, progress=False) for seed in (0, 1))
    test.save(tmp_path / "a.vpf")
    reference.save(tmp_path / "b.vpf")
    metrics = {}
    for illuminant in ("D50", "D65"):
        words = ["--metric=de2000", "--threshold=rmse<1", f"--illuminant={illuminant}", "--json"]
        printed = subprocess.run([find_program("volcompare"), tmp_path / "a.vpf", tmp_path / "b.vpf", *words], check=False,
                                 capture_output=True, text=True).stdout
        options = {"metric": "de2000", "threshold": "rmse<1", "illuminant": illuminant}
        metrics[illuminant] = json.loads(printed)["metrics"]
        assert volpt.compare(test, reference, **options).metrics == metrics[illuminant]
        assert volpt.compare(tmp_path / "a.vpf", tmp_path / "b.vpf", **options).metrics == metrics[illuminant]
    assert metrics["D50"] != metrics["D65"]


def test_metric_without_bounds_is_a_number():
    picture = np.full((4, 4), 0.5, np.float32)
    assert volpt.compare(picture, picture, metric="psnr").metrics["psnr"] == np.inf


def test_metrics_of_arrays_are_those_of_numpy():
    rng = np.random.default_rng(3)
    a, b = rng.random((2, 12, 10, 3), np.float32)
    verdict = volpt.compare(a, b, metric=["rmse", "mae", "bias"])
    assert verdict.metrics["rmse"] == pytest.approx(np.sqrt(np.mean((a.astype(float) - b) ** 2)), rel=1e-6)
    assert verdict.metrics["mae"] == pytest.approx(np.mean(np.abs(a.astype(float) - b)), rel=1e-6)
    np.testing.assert_allclose(verdict.maps["difference"], (a - b).mean(axis=2), atol=1e-6)


def test_bytes_are_srgb_as_in_a_picture():
    values = np.full((4, 5, 3), 128, np.uint8)
    linear = np.full((4, 5, 3), ((128 / 255 + 0.055) / 1.055) ** 2.4, np.float32)
    verdict = volpt.compare(values, linear, threshold="max<0.004")
    assert verdict and "sRGB" in verdict.notices[0]


def test_pictures_of_other_sizes_get_a_negative_verdict():
    assert not volpt.compare(np.zeros((4, 4)), np.zeros((5, 4)))


@pytest.mark.parametrize("value", [np.zeros((0, 4)), np.zeros((65536, 1), np.uint8), np.zeros((2, 2, 2, 2)), np.zeros((4, 4), complex), np.array("x")])
def test_what_is_no_picture_is_told(value):
    with pytest.raises(volpt.InputError, match="no picture"):
        volpt.compare(value, np.zeros((4, 4)))


def test_unknown_options_and_files_are_told(film, tmp_path):
    with pytest.raises(volpt.UsageError, match="nearest is threshold"):
        volpt.compare(film, film, treshold="rmse<1")
    with pytest.raises(volpt.UsageError, match="no option"):
        volpt.compare(film, film, statistcal=False)
    with pytest.raises(volpt.UsageError, match="html"):
        volpt.compare(film, film, html="x.html")
    with pytest.raises(volpt.InputError):
        volpt.compare(film, tmp_path / "missing.exr")


def test_verdict_speaks(film):
    verdict = volpt.compare(film, film)
    assert "pass" in repr(verdict) and str(verdict)


def test_convergence_is_that_of_the_program(ball, tmp_path):
    films = [volpt.render(ball, seed=spp, **SMALL | {"spp": spp}) for spp in (4, 16, 64)]
    names = [tmp_path / f"{i}.vpf" for i in range(3)]
    for film, name in zip(films, names):
        film.save(name)
    printed = subprocess.run([find_program("volcompare"), "--convergence", "--json", *names], check=False, capture_output=True,
                             text=True).stdout
    convergence = volpt.convergence(films)
    assert convergence.slope == json.loads(printed)["slope_samples"]
    assert list(convergence.samples) == [4, 16]


def test_arrays_converge_to_a_reference():
    rng = np.random.default_rng(1)
    truth = np.full((48, 48, 3), 0.5)
    samples = [16, 64, 256]
    noisy = [truth + rng.normal(0, 0.5 / spp**0.5, truth.shape) for spp in samples]
    convergence = volpt.convergence(noisy, truth, spp=samples)
    assert convergence and "<circle" in convergence.svg
    assert list(convergence.samples) == samples and np.all(np.diff(convergence.errors) < 0)
    assert not volpt.convergence([1.1 * picture for picture in noisy], truth, spp=samples)
    with pytest.raises(volpt.InputError, match="number of samples"):
        volpt.convergence(noisy, truth)
    with pytest.raises(volpt.UsageError, match="2 numbers for 3"):
        volpt.convergence(noisy, truth, spp=samples[:2])
