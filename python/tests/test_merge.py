"""Films in files add up as volmerge adds them; what is missing, and what cannot be merged, is told."""
import json
import os
import signal
import subprocess
import threading

import pytest

import volpt
from conftest import SMALL
from volpt._programs import find_program


@pytest.fixture
def parts(ball, tmp_path):
    """A folder with films of samples 0:4 and 4:4."""
    folder = tmp_path / "parts"
    folder.mkdir()
    options = {key: value for key, value in SMALL.items() if key != "spp"}
    for first in (0, 4):
        volpt.render(ball, **options, samples=(first, 4)).save(folder / f"{first}.vpf")
    return folder


def test_parts_are_the_whole(parts, film, tmp_path):
    outputs = [tmp_path / "all.vpf", tmp_path / "all.png"]
    merged = volpt.merge([parts / "0.vpf", str(parts / "4.vpf")], outputs, expect=(0, 8))
    assert merged and merged.film == volpt.read(outputs[0]) == film
    assert merged.written == [str(output) for output in outputs] and outputs[1].exists()
    assert merged.deviation is None and merged.missing_tasks is None
    assert repr(merged) == "<volpt.Merge of 2 films: whole>"


def test_folder_stands_for_its_films(parts, film):
    assert volpt.merge(parts).film == volpt.merge([parts]).film == film


def test_report_is_that_of_the_program(parts):
    words = [find_program("volmerge"), parts, "--expect=0:8", "--json"]
    printed = json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)
    assert volpt.merge(parts, expect="0:8").report == printed


def test_missing_samples_are_told_and_nothing_is_written(parts, tmp_path):
    target = tmp_path / "all.vpf"
    merged = volpt.merge(parts, target, expect=(0, 16), chunk=4)
    assert not merged and not merged.written and not target.exists()
    assert "lacks 8:8" in merged.deviation and merged.missing_tasks == "2-3" and "lacks 8:8" in repr(merged)
    assert not volpt.merge(parts, target, expect=(0, 16), partial=True) and target.exists()
    assert volpt.merge(parts, expect=(0, 8), heads_only=True).film is None


def test_film_that_is_there_twice_counts_once(parts, film):
    with pytest.warns(volpt.Notice, match="counted once"):
        merged = volpt.merge([parts, parts / "0.vpf"])
    assert merged.film == film and merged.report["inputs_counted_once"] == 1


@pytest.mark.parametrize("options, words", [
    ({"heads_only": True}, "heads_only requires expect and writes nothing; give expect FIRST:COUNT and no output"),
    ({"partial": True}, "partial requires expect and output"), ({"expct": 1}, "the nearest is expect"),
    ({"inputs": "x"}, "volpt.merge has no option inputs"), ({"chunk": 4}, "chunk requires expect"), ({"expect": "many"}, "expect 'many'")])
def test_errors_name_the_argument(parts, options, words):
    with pytest.raises(volpt.UsageError, match=words) as caught:
        volpt.merge(parts, **options)
    assert "--" not in str(caught.value)


def test_films_that_are_no_paths_are_told(parts, film):
    for films, words in [([], "no films"), ([parts, 3], r"films\[1\] is of type int"), ([film], r"films\[0\].*Film.merge"),
                         (film, "films is of type Film"), (None, "no films")]:
        with pytest.raises(volpt.UsageError, match=words):
            volpt.merge(films)
    with pytest.raises(volpt.UsageError, match="output is of type int"):
        volpt.merge(parts, 3)


def test_films_that_cannot_be_added_are_told(parts, ball, tmp_path):
    volpt.render(ball, **SMALL).save(tmp_path / "whole.vpf")
    volpt.render(ball, **{**SMALL, "seed": 1}).save(tmp_path / "other.vpf")
    for other, words in [("whole.vpf", "0.vpf"), ("other.vpf", "seed"), ("none.vpf", "none.vpf")]:
        with pytest.raises(volpt.InputError, match=words):
            volpt.merge([parts, tmp_path / other], tmp_path / "all.vpf")
    assert not (tmp_path / "all.vpf").exists()


def test_output_of_no_format_is_told_before_anything_is_written(parts, tmp_path):
    with pytest.raises(volpt.UsageError, match="all.doc"):
        volpt.merge(parts, [tmp_path / "all.vpf", tmp_path / "all.doc"])
    assert not (tmp_path / "all.vpf").exists()


def test_interrupt_leaves_a_whole_film_or_none(parts, film, tmp_path):
    folder = tmp_path / "out"
    folder.mkdir()
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        for _ in range(100000):
            volpt.merge(parts, folder / "all.vpf")
    assert {path.name for path in folder.iterdir()} <= {"all.vpf"}
    assert all(volpt.read(path) == film for path in folder.iterdir())
