"""The examples run, in an empty folder and with few samples, and leave their pictures."""
import os
import pathlib
import subprocess
import sys

import pytest

EXAMPLES = pathlib.Path(__file__).parent.parent / "examples"


def run(words, folder):
    environment = os.environ | {"SPP": "8", "MPLBACKEND": "Agg", "PYTHONPATH": os.pathsep.join(sys.path)}
    result = subprocess.run([sys.executable, *words], cwd=folder, env=environment, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


@pytest.mark.parametrize("name, pictures", [
    ("numpy_volume", ["numpy_volume.png"]), ("ct_turntable", ["ct_000.png", "ct_007.png", "ct_turntable.png"]),
    ("print_prediction", ["print_prediction.png", "print_comparison.png"]), ("convergence", ["convergence.png"])])
def test_script(name, pictures, tmp_path):
    pytest.importorskip("matplotlib")
    run([EXAMPLES / f"{name}.py"], tmp_path)
    for picture in pictures:
        assert (tmp_path / picture).read_bytes().startswith(b"\x89PNG")


def test_image_diff_passes_under_pytest(tmp_path):
    assert "4 passed" in run(["-m", "pytest", "-q", "-p", "no:cacheprovider", EXAMPLES / "test_image_diff.py"], tmp_path)
