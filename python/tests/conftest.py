"""Small volumes and films that the tests share."""
import json
import signal
import subprocess
import warnings

import numpy as np
import pytest

import volpt
from volpt._programs import find_program

SMALL = {"resolution": (24, 16), "spp": 8, "progress": False}


@pytest.fixture(scope="session", autouse=True)
def take_interrupts():
    """Also where the tests were started in the background by a shell that lets them ignore Ctrl+C."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def density():
    """A soft ball in 20 x 24 x 28 voxels (z, y, x), float32 in 0..1."""
    z, y, x = np.meshgrid(*(np.linspace(-1, 1, count) for count in (20, 24, 28)), indexing="ij")
    return np.clip(1.2 - 1.3 * np.sqrt(x * x + y * y + z * z), 0, 1).astype(np.float32)


@pytest.fixture(scope="session")
def ball(density):
    return volpt.pack(density, pitch_mm=0.5, scale=3, albedo=0.9)


@pytest.fixture(scope="session")
def film(ball):
    return volpt.render(ball, **SMALL)


@pytest.fixture
def run_volrender(tmp_path):
    """The answer of volrender --json."""

    def run(volume, *words):
        result = subprocess.run([find_program("volrender"), volume, "-o", tmp_path / "f.vpf", "-q", "--json", *words],
                                check=True, capture_output=True, text=True)
        return json.loads(result.stdout)

    return run


@pytest.fixture(autouse=True)
def fail_on_notices():
    """A notice that a test does not expect is a failure, but for those on defaults of voxels and media, and on wide
    integers."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", volpt.Notice)
        warnings.filterwarnings("ignore", message=".*(1 mm|24 bits|not given|nothing says otherwise)", category=volpt.Notice)
        yield
