"""What files hold, as volinfo tells it: volumes, films, and files of other programs."""
import json
import subprocess

import numpy as np
import pytest

import volpt
from volpt._programs import find_program


@pytest.fixture
def scan(tmp_path):
    """A MetaImage with the numbers -100 to 923."""
    path = tmp_path / "scan.mha"
    header = "NDims = 3\nDimSize = 8 8 16\nElementSpacing = 1 1 2\nElementType = MET_SHORT\nElementDataFile = LOCAL\n"
    path.write_bytes(header.encode() + np.arange(-100, 924).astype("<i2").tobytes())
    return path


@pytest.fixture
def labels(tmp_path):
    """Material A in the lower layers, B in the upper one."""
    table = tmp_path / "two.json"
    table.write_text(json.dumps({"materials": [{"id": number, "name": name, "sigma_t": [number], "albedo": [0.5]}
                                               for number, name in ((1, "A"), (2, "B"))]}))
    values = np.ones((4, 3, 2), np.uint8)
    values[3:] = 2
    return volpt.pack(values, pitch_mm=1, materials=table)


def run_volinfo(*words):
    return json.loads(subprocess.run([find_program("volinfo"), *words, "--json"], check=True, capture_output=True, text=True).stdout)


def test_volume_and_film_are_told_as_by_the_program(ball, film, tmp_path):
    film.save(tmp_path / "f.vpf")
    assert volpt.info(ball.path) == run_volinfo(ball.path)
    assert volpt.info(tmp_path / "f.vpf", verify="full") == run_volinfo(tmp_path / "f.vpf", "--verify=full")
    assert volpt.info(tmp_path / "f.vpf")["film_hash"] == film.film_hash


def test_contents_are_counted(ball, labels):
    counts = volpt.info(ball.path, histogram=True)["histogram"]
    assert sum(counts["counts"]) == np.prod(ball.dims)
    told = volpt.info(labels.path, coverage=True)
    assert told == run_volinfo(labels.path, "--coverage=none")
    assert told["coverage"]["total"] == {"A": 0.75, "B": 0.25}
    assert "coverage" not in volpt.info(labels.path, coverage=False)


def test_source_is_told_as_by_the_program(scan):
    with pytest.warns(volpt.Notice, match="window") as caught:
        told = volpt.info(scan, histogram=True)
    assert told == run_volinfo(scan, "--histogram")
    assert told["kind"] == "source" and told["pitch_mm"] == [1, 1, 2] and told["values"]["min"] == -100
    assert [str(warning.message) for warning in caught] == told["notices"]


def test_header_alone_reads_no_numbers(scan):
    assert "values" not in volpt.info(scan, header=True)


def test_headerless_file_takes_dims_and_type(tmp_path):
    np.arange(24, dtype=np.uint8).tofile(tmp_path / "-q.raw")
    told = volpt.info(tmp_path / "-q.raw", dims=(4, 3, 2), type="u8")
    assert told["format"] == "headerless" and told["values"]["max"] == 23


@pytest.mark.parametrize("options, words", [
    ({"slice": 0}, "volpt.info has no option slice"), ({"verfy": "full"}, "the nearest is verify"), ({"verify": "some"}, "verify 'some'"),
    ({"coverage": "inks.svg"}, "coverage is 'inks.svg', and volpt.info writes no plot"), ({"layer_memory": 1}, "layer_memory has no meaning"),
    ({"coverage": True}, "no materials"), ({"json": True}, "has no option json")])
def test_errors_name_the_argument(ball, options, words):
    with pytest.raises(volpt.UsageError, match=words) as caught:
        volpt.info(ball.path, **options)
    assert "--" not in str(caught.value)


def test_errors_of_sources_name_the_argument(scan):
    for options, words in [({"verify": "full"}, "verify has no meaning for"), ({"series": "1"}, "series has no meaning for"),
                           ({"header": True, "histogram": True}, "header reads no numbers that histogram could count")]:
        with pytest.raises(volpt.UsageError, match=words) as caught:
            volpt.info(scan, **options)
        assert "--" not in str(caught.value)


def test_damaged_and_missing_files_are_told(ball, tmp_path):
    with open(ball.path, "rb") as file:
        (tmp_path / "cut.vpk").write_bytes(file.read()[:-100])
    (tmp_path / "text.txt").write_text("hello")
    for name in ("cut.vpk", "none.vpk", "none.nrrd", "text.txt"):
        with pytest.raises(volpt.InputError, match=name):
            volpt.info(tmp_path / name)


def test_progress_stops_the_counting(tmp_path):
    path = tmp_path / "zeros.raw"
    with open(path, "wb") as file:
        file.truncate(1024**3)
    seen = []

    def stop(*words):
        seen.append(words)
        return False

    with pytest.raises(volpt.SystemFailure, match="was stopped"):
        volpt.info(path, dims=(1024, 1024, 1024), type="u8", progress=stop)
    assert seen[0][2] == "slices" and seen[0][3].startswith("count")
