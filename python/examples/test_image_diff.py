"""An image test in somebody's own suite: run it by pytest. The renderer under test is theirs; volpt judges its pictures."""
# %%
import os

import numpy as np
import pytest

import volpt

SPP = int(os.environ.get("SPP", 64))


def render_with_my_program(seed: int, brightness: float = 1.0) -> np.ndarray:
    """Stands for the program under test: a picture with noise."""
    y, x = np.mgrid[0:64, 0:96] / 64
    clean = np.stack([x / 1.5, y, 1 - y], axis=2)
    noise = np.random.default_rng(seed).normal(0, 0.2 / np.sqrt(SPP), clean.shape)
    return (brightness * np.clip(clean + noise, 0, None)).astype(np.float32)


# %% A threshold on a metric, as in any image test; the map shows where it went wrong.
def test_picture_is_close_to_its_reference():
    verdict = volpt.compare(render_with_my_program(seed=1), render_with_my_program(seed=2), metric=["flip"], threshold="rmse<0.1")
    assert verdict, verdict


def test_darker_picture_is_found():
    verdict = volpt.compare(render_with_my_program(seed=1, brightness=0.5), render_with_my_program(seed=2), metric="bias", threshold="rmse<0.1")
    assert not verdict
    assert verdict.maps["difference"].mean() < 0


# %% Films hold their own noise: no threshold to guess.
@pytest.fixture(scope="module")
def fog():
    return volpt.pack(np.ones((8, 8, 8), np.float32), pitch_mm=1, scale=0.4, albedo=0.9)


def test_films_of_two_seeds_agree(fog):
    first, second = (volpt.render(fog, resolution=(32, 32), seed=seed, spp=SPP, progress=False) for seed in (1, 2))
    assert volpt.compare(first, second, statistical=True)


def test_thinner_fog_is_found(fog):
    thin = volpt.pack(np.ones((8, 8, 8), np.float32), pitch_mm=1, scale=0.2, albedo=0.9)
    first, second = (volpt.render(volume, resolution=(32, 32), spp=SPP, progress=False) for volume in (fog, thin))
    assert not volpt.compare(first, second, statistical=True)
