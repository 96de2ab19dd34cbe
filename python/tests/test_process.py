"""Threads, forks, memory: the package in programs that do other things, too."""
import multiprocessing
import os
import resource
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import volpt
from conftest import SMALL


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


def _render_in_child(path, queue):
    try:
        queue.put(volpt.render(path, **SMALL).film_hash)
    except volpt.Error as error:
        queue.put(str(error))


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
@pytest.mark.parametrize("start", ["spawn", "fork"])
def test_processes(ball, film, start):
    context = multiprocessing.get_context(start)
    queue = context.Queue()
    process = context.Process(target=_render_in_child, args=(ball.path, queue))
    process.start()
    answer = queue.get(timeout=60)
    process.join()
    assert answer == film.film_hash if start == "spawn" else "forked" in answer and "spawn" in answer


def test_memory_does_not_grow_with_renders(ball):
    def render(count):
        for _ in range(count):
            volpt.render(ball, resolution=(8, 8), spp=1, progress=False).mean
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    before = render(50)
    assert render(1000) - before < 16 * 1024  # KiB


def test_array_may_change_after_packing(density):
    values = density.copy()
    volume = volpt.pack(values)
    values[:] = 0
    del values
    np.testing.assert_array_equal(volume.dense(), density)


def test_package_is_silent_in_a_pipe(ball):
    code = f"import volpt; volpt.render({ball.path!r}, resolution=(32, 32), spp=64)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)})
    assert (result.returncode, result.stdout, result.stderr) == (0, b"", b"")
