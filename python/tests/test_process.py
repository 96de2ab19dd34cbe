"""Threads, forks, memory: the package in programs that do other things, too."""
import functools
import multiprocessing
import os
import shutil
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import volpt
from conftest import SMALL
from volpt._programs import find_program


def run_python(code, *words):
    return subprocess.run([sys.executable, *words, "-c", code], capture_output=True,
                          env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)})


def test_threads_render_at_once(ball, film):
    hashes, count = [], 6
    threads = [threading.Thread(target=lambda: hashes.append(volpt.render(ball, threads=1, **SMALL).film_hash)) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert hashes == [film.film_hash] * count


def test_other_threads_run_during_a_render(ball):
    ticks, done = [], threading.Event()

    def count():
        while not done.is_set():
            ticks.append(0)
            time.sleep(0.01)

    thread = threading.Thread(target=count)
    thread.start()
    volpt.render(ball, resolution=(128, 128), time_limit=1, spp=1000000, progress=False)
    done.set()
    thread.join()
    assert len(ticks) > 20


def _call_in_child(call, queue):
    try:
        queue.put(call())
    except volpt.Error as error:
        queue.put(str(error))


def _call_in_process(start, call):
    context = multiprocessing.get_context(start)
    queue = context.Queue()
    process = context.Process(target=_call_in_child, args=(call, queue))
    process.start()
    answer = queue.get(timeout=60)
    process.join()
    return answer


def _hash_render(path):
    return volpt.render(path, **SMALL).film_hash


def test_spawned_process_renders(ball, film):
    assert _call_in_process("spawn", functools.partial(_hash_render, ball.path)) == film.film_hash


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
@pytest.mark.parametrize("name", ["open", "render", "compare", "merge", "info", "lab", "layers", "save"])
def test_forked_process_is_told(ball, film, tmp_path, name):
    calls = {"open": lambda: volpt.Volume.open(ball.path), "render": lambda: volpt.render(ball, **SMALL),
             "compare": lambda: volpt.compare(film, film), "merge": lambda: volpt.merge("f.vpf"),
             "info": lambda: volpt.info(ball.path), "lab": lambda: film.lab, "layers": lambda: film.layers(),
             "save": lambda: film.save(tmp_path / "f.vpf")}
    answer = _call_in_process("fork", calls[name])
    assert "forked" in answer and "spawn" in answer


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_forked_process_reads_what_is_open(ball, film, density):
    np.testing.assert_array_equal(_call_in_process("fork", ball.dense), density)
    np.testing.assert_array_equal(_call_in_process("fork", lambda: film.standard_error), film.standard_error)
    assert os.path.exists(ball.path)


def test_memory_does_not_grow_with_renders(ball):
    code = f"""
import resource, volpt
volume = volpt.read({ball.path!r})
def render(count):
    for _ in range(count):
        volpt.render(volume, resolution=(8, 8), spp=1, progress=False).mean
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
before = render(50)
print(render(1000) - before)
"""
    assert int(run_python(code).stdout) < 16 * 1024  # KiB


def test_array_may_change_after_packing(density):
    values = density.copy()
    volume = volpt.pack(values)
    values[:] = 0
    del values
    np.testing.assert_array_equal(volume.dense(), density)


def test_package_is_silent_in_a_pipe(ball):
    code = f"import volpt; volpt.render({ball.path!r}, resolution=(32, 32), spp=64)"
    result = run_python(code)
    assert (result.returncode, result.stdout, result.stderr) == (0, b"", b"")


def test_programs_are_those_of_the_package_and_not_of_path(tmp_path, monkeypatch):
    for name in ("volprep", "volshow"):
        (tmp_path / name).write_text("#!/bin/sh\nexit 7\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    folder = os.path.join(os.path.dirname(volpt._core.__file__), "bin")
    assert find_program("volprep") == os.path.join(folder, "volprep")
    with pytest.raises(volpt.SystemFailure, match="PATH is not searched") as caught:
        find_program("volshow")
    assert folder in str(caught.value)
    assert volpt.pack(make="cube", size=1).bands == 1


def test_module_shows_no_symbols_of_the_library():
    """A program that has another version of libvolpt would take them."""
    if shutil.which("nm") is None:
        pytest.skip("nm is not there")
    shown = subprocess.run(["nm", "-D", "--defined-only", "-C", volpt._core.__file__], check=True, capture_output=True, text=True).stdout
    assert "PyInit__core" in shown and "volpt::" not in shown


def test_script_without_its_program_ends():
    result = run_python("from volpt import _programs; _programs._become('volshow')")
    assert result.returncode == 4 and result.stderr.startswith(b"volshow: error: ")


def test_volume_without_a_name_leaves_no_warning():
    code = "import numpy, volpt; volpt.pack(numpy.ones((2, 2, 2), numpy.float32), pitch_mm=1, scale=1, albedo=0.9).dims"
    result = run_python(code, "-W", "error")
    assert (result.returncode, result.stderr) == (0, b"")
