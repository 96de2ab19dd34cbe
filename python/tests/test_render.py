"""Films equal those of volrender bit for bit, and hold what arrays need."""
import os
import signal
import threading
import time

import numpy as np
import pytest

import volpt
from conftest import SMALL


@pytest.mark.parametrize("options, words", [
    ({}, []),
    ({"seed": 7, "origin": (0, -40, 10), "target": (0, 0, 0), "fov": 30}, ["--seed=7", "--origin=0,-40,10", "--target=0,0,0", "--fov=30"]),
    ({"camera": {"from": "+x", "fov": 25.5}}, ["--from=+x", "--fov=25.5"]),
    ({"boundary": "smooth", "int_ior": 1.5}, ["--boundary=smooth", "--int-ior=1.5"]),
    ({"integrator": "bdpt", "light": ["sphere center=0,-20,20 radius=3mm power=100"]},
     ["--integrator=bdpt", "--light=sphere center=0,-20,20 radius=3mm power=100"]),
    ({"roulette": "off", "majorant": "global"}, ["--roulette=off", "--majorant=global"])],
    ids=["default", "camera", "from", "boundary", "bdpt", "roulette"])
def test_film_hash_is_that_of_volrender(ball, run_volrender, options, words):
    film = volpt.render(ball, **SMALL, **options)
    answer = run_volrender(ball.path, "--resolution=24x16", "--spp=8", *words)
    assert film.film_hash == answer["film_hash"]
    assert film.scene_hash == answer["scene_hash"]
    np.testing.assert_allclose(film.mean.mean(axis=(0, 1)), answer["mean"], rtol=1e-5)


@pytest.mark.skipif(not volpt.list_gpus(), reason="no GPU")
@pytest.mark.parametrize("options", [
    {}, {"boundary": "smooth", "int_ior": 1.5}, {"probe": "top"},
    {"integrator": "bdpt", "light": ["sphere center=0,-20,20 radius=3mm power=100"]}], ids=["default", "boundary", "probe", "bdpt"])
def test_films_of_a_gpu_are_those_of_the_cpu(ball, options):
    on_gpu, on_cpu = (volpt.render(ball, **SMALL, **options, device=device) for device in ("cuda", "cpu"))
    assert on_gpu == on_cpu
    assert on_gpu.film_hash == on_cpu.film_hash


def test_film_of_a_probe_has_lab(run_volrender):
    slab = volpt.pack(make="slab", size=("4mm", "4mm", "1mm"), sigma_t=(5, 6, 7), albedo=(0.9, 0.8, 0.7))
    film = volpt.render(slab, probe="top", resolution=(4, 4), spp=16, progress=False)
    assert film.lab.shape == (4, 4, 3)
    np.testing.assert_array_equal(film.lab[..., 0], film.layers()["Lab.L"])
    assert film.film_hash == run_volrender(slab.path, "--probe=top", "--resolution=4x4", "--spp=16")["film_hash"]


def test_arrays_have_rows_columns_and_bands(film):
    assert film.mean.shape == film.standard_error.shape == (16, 24, 1)
    assert film.samples.shape == (16, 24) and (film.samples == 8).all()
    assert np.asarray(film).dtype == np.float32
    np.testing.assert_array_equal(np.asarray(film, np.float64), film.mean)
    np.testing.assert_array_equal(film.layers()["standard_error.Y"], film.standard_error[..., 0])


def test_numpy_array_of_a_film_may_be_changed_only_as_a_copy(film):
    copy = np.array(film)
    copy[:] = 0
    assert film.mean.any()


def test_arrays_that_the_film_keeps_are_read_only():
    slab = volpt.pack(make="slab", size=("4mm", "4mm", "1mm"), sigma_t=5, albedo=0.9)
    film = volpt.render(slab, probe="top", resolution=(4, 4), spp=4, progress=False)
    for values in (film.mean, film.standard_error, film.samples, film.lab, np.asarray(film)):
        with pytest.raises(ValueError, match="read-only"):
            values[:] = 0


def test_files_hold_the_film(film, tmp_path):
    film.save(tmp_path / "f.vpf", tmp_path / "f.png", tmp_path / "f.exr")
    again = volpt.read(tmp_path / "f.vpf")
    assert again == film and again.info["film_hash"] == film.film_hash
    assert (tmp_path / "f.png").read_bytes().startswith(b"\x89PNG")
    assert film._repr_png_().startswith(b"\x89PNG")


def test_pictures_show_white_objects_in_white_light(film, tmp_path):
    film.save(tmp_path / "f.vpf", tmp_path / "f.png", reproducible=True)
    film.save(tmp_path / "light.png", backdrop=1, reproducible=True)
    read = volpt.Film.read(tmp_path / "f.vpf")
    read.save(tmp_path / "read.png", reproducible=True)
    assert (tmp_path / "light.png").read_bytes() == (tmp_path / "read.png").read_bytes() != (tmp_path / "f.png").read_bytes()
    assert film._repr_png_() != read._repr_png_()
    with pytest.raises(volpt.UsageError, match="does not have its volume"):
        read.save(tmp_path / "other.png", backdrop=0.5)
    with pytest.raises(volpt.UsageError, match="backdrop"):
        film.save(tmp_path / "other.png", backdrop=1.5)
    assert not (tmp_path / "other.png").exists()


@pytest.mark.parametrize("name, options, words", [
    ("a.png", {"exposure": "auto"}, ["--exposure=auto"]),
    ("a.png", {"denoise": True}, ["--denoise=on"]),
    ("a.exr", {"denoise": True, "aov": ["depth", "normal", "albedo"]}, ["--denoise=on", "--aov=depth,normal,albedo"]),
    ("a.exr", {"aov": "all"}, ["--aov=all"]),
    ("a.png", {"tone": "filmic"}, ["--tone=filmic"])], ids=["exposure", "denoise", "both", "aov", "tone"])
def test_files_are_those_of_volrender(ball, film, run_volrender, tmp_path, name, options, words):
    film.save(tmp_path / name, reproducible=True, **options)
    run_volrender(ball.path, "--resolution=24x16", "--spp=8", "--reproducible", *words, f"--output={tmp_path / ('program_' + name)}")
    assert (tmp_path / name).read_bytes() == (tmp_path / f"program_{name}").read_bytes()
    film.save(tmp_path / f"plain_{name}", reproducible=True)
    assert (tmp_path / name).read_bytes() != (tmp_path / f"plain_{name}").read_bytes()


def test_files_that_need_the_volume_are_refused_of_films_that_were_read(film, tmp_path):
    film.save(tmp_path / "f.vpf")
    read = volpt.Film.read(tmp_path / "f.vpf")
    for options in ({"denoise": True}, {"aov": "depth"}):
        with pytest.raises(volpt.UsageError, match="does not have its volume"):
            read.save(tmp_path / "f.exr", **options)
    with pytest.raises(volpt.UsageError, match="no materials"):
        film.save(tmp_path / "f.exr", aov=["depth", "label"])
    with pytest.raises(volpt.UsageError, match="no plane 'z'"):
        film.save(tmp_path / "f.exr", aov="depth,z")
    with pytest.raises(volpt.UsageError, match="write an .exr"):
        film.save(tmp_path / "f.png", aov="depth")
    with pytest.raises(volpt.UsageError, match="no factor"):
        film.save(tmp_path / "f.png", exposure="bright")
    with pytest.raises(volpt.UsageError, match="tone"):
        film.save(tmp_path / "f.png", tone="log")
    assert not (tmp_path / "f.exr").exists() and not (tmp_path / "f.png").exists()
    read.save(tmp_path / "f.png", exposure="auto", tone="filmic")
    assert (tmp_path / "f.png").exists()


def test_outputs_that_cannot_be_written_are_told(film, tmp_path):
    with pytest.raises(volpt.UsageError):
        film.save(tmp_path / "f.docx")
    with pytest.raises(volpt.UsageError):
        film.save()
    with pytest.raises(volpt.SystemFailure):
        film.save(tmp_path / "missing" / "f.vpf")
    for exposure in (-1, 2e12, float("nan")):
        with pytest.raises(volpt.UsageError, match="exposure"):
            film.save(tmp_path / "f.png", exposure=exposure)
    assert not (tmp_path / "f.png").exists()


def test_merged_parts_equal_the_whole(ball, film):
    parts = [volpt.render(ball, resolution=(24, 16), samples=(first, 4), progress=False) for first in (0, 4)]
    assert parts[0].merge(parts[1]) == film
    assert parts[0] != film
    with pytest.raises(volpt.InputError):
        parts[0].merge(parts[0])
    with pytest.raises(volpt.InputError):
        film.merge(volpt.render(ball, resolution=(24, 16), samples=(8, 4), seed=1, progress=False))


def test_resumed_film_equals_the_whole(ball, film, tmp_path):
    begun = volpt.render(ball, resolution=(24, 16), spp=3, progress=False)
    assert begun.resume(spp=8, progress=False) == film
    assert int(begun.samples.max()) == 3
    begun.save(tmp_path / "begun.vpf")
    assert volpt.read(tmp_path / "begun.vpf").resume(ball, spp=8, progress=False) == film
    with pytest.raises(volpt.UsageError, match="volume"):
        volpt.read(tmp_path / "begun.vpf").resume(spp=8)
    with pytest.raises(volpt.UsageError, match="number of samples"):
        begun.resume(progress=False)
    with pytest.raises(volpt.UsageError, match="seed"):
        begun.resume(spp=8, seed=5, progress=False)
    assert volpt.read(tmp_path / "begun.vpf").resume(ball.path, spp=8, progress=False) == film


def test_resume_remembers_options_however_they_were_given(ball):
    begun = volpt.render(ball, camera={"from": "+x", "fov": 25}, time_limit=1000, resolution=(8, 8), spp=2, progress=False)
    whole = volpt.render(ball, from_="+x", fov=25, resolution=(8, 8), spp=4, progress=False)
    assert begun.resume(spp=4, progress=False) == whole
    assert begun.resume(spp=4, camera={"fov": 25}, from_="+x", progress=False) == whole
    cut = volpt.render(ball, time_limit=0.3, resolution=(64, 64), spp=1000000, progress=False)
    assert cut.resume(spp=4, progress=False).render_info["finished"]


def test_noise_ends_a_render(ball):
    film = volpt.render(ball, resolution=(8, 8), stop_at_de=5, progress=False)
    assert film.samples.min() >= 16


def test_volume_may_be_a_path(ball, film):
    assert volpt.render(ball.path, **SMALL) == film


def test_options_that_do_not_exist_are_told(ball):
    with pytest.raises(volpt.UsageError, match="nearest is resolution"):
        volpt.render(ball, resolutoin=(8, 8))
    with pytest.raises(volpt.UsageError, match="output"):
        volpt.render(ball, output="x.vpf")
    for options in ({"exposure": 2}, {"reproducible": True}, {"denoise": True}, {"aov": "depth"}, {"tone": "filmic"}):
        with pytest.raises(volpt.UsageError, match="give it to save"):
            volpt.render(ball, **SMALL, **options)
    with pytest.raises(volpt.UsageError, match="given twice"):
        volpt.render(ball, fov=20, camera={"fov": 30})
    with pytest.raises(volpt.UsageError):
        volpt.render(ball, spp="many")
    with pytest.raises(volpt.UsageError):
        volpt.render(ball, spp=object())


def test_errors_and_notices_have_the_words_of_python(ball):
    for options, words in [({"list_kernels": True}, "volpt.render has no option list_kernels"), ({"depth_limit": "many"}, "^depth_limit"),
                           ({"from_": "up"}, "from_"), ({"transparent": "maybe"}, "transparent is a switch"), ({"spp": ""}, "spp has no value")]:
        with pytest.raises(volpt.UsageError, match=words) as caught:
            volpt.render(ball, resolution=(4, 4), progress=False, **options)
        assert "--" not in str(caught.value)
    with pytest.raises(volpt.UsageError, match="volpt.Film.resume has no option output"):
        volpt.render(ball, **SMALL).resume(output="x.vpf")
    with pytest.warns(volpt.Notice, match="int_ior") as notices:
        volpt.render(ball, probe="top", resolution=(4, 4), spp=1, progress=False)
    assert all("--" not in str(notice.message) for notice in notices)


def test_closed_device_is_told(ball):
    if volpt.list_gpus():
        pytest.skip("this machine has a GPU")
    with pytest.raises(volpt.SystemFailure, match="device"):
        volpt.render(ball, device="cuda", **SMALL)


def test_progress_is_told_and_can_stop(ball):
    calls = []
    film = volpt.render(ball, resolution=(256, 256), spp=100000, progress=lambda *facts: calls.append(facts) or len(calls) < 3)
    assert len(calls) == 3 and calls[0][1] == 256 * 256 * 100000
    assert not film.render_info["finished"] and film.samples.max() < 100000


def test_exception_of_progress_keeps_the_film(ball):
    def fail(*_):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough") as caught:
        volpt.render(ball, resolution=(256, 256), spp=100000, progress=fail)
    assert caught.value.film.width == 256


def test_interrupt_leaves_a_film_that_can_be_resumed(ball):
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    start = time.monotonic()
    with pytest.raises(volpt.RenderInterrupted) as caught:
        volpt.render(ball, resolution=(64, 64), spp=1000000, progress=False)
    assert time.monotonic() - start < 10
    film = caught.value.film
    samples = int(film.samples.max()) + 25  # threads finish ranges in any order: some may lie far beyond their number
    while (film.samples != samples).any():
        samples *= 4
        film = film.resume(spp=samples, progress=False)
    assert film == volpt.render(ball, resolution=(64, 64), spp=samples, progress=False)


@pytest.mark.parametrize("make", [lambda: KeyboardInterrupt, lambda: TypeError("of a text")], ids=["class", "text"])
def test_exception_of_a_signal_handler_keeps_the_film(ball, make):
    def stop(*_):
        raise make()

    before = signal.signal(signal.SIGUSR1, stop)
    try:
        threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGUSR1)).start()
        with pytest.raises((KeyboardInterrupt, TypeError)) as caught:
            volpt.render(ball, resolution=(64, 64), spp=1000000, progress=False)
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert caught.value.film.samples.max() > 0


def test_notice_that_is_an_exception_does_not_replace_an_interrupt(ball):
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(volpt.RenderInterrupted) as caught:
        volpt.render(ball, resolution=(64, 64), spp=1000000, depth_limit=1, progress=False)
    assert caught.value.film.samples.max() > 0


def test_volume_that_changes_leaves_a_film(density, tmp_path):
    volume = volpt.pack(density, tmp_path / "ball.vpk")

    def touch(done, *_):
        if done > 0:
            os.utime(volume.path, ns=(0, 0))

    with pytest.raises(volpt.InputError, match="changed") as caught:
        volpt.render(volume, resolution=(64, 64), spp=1000000, device="cpu", progress=touch)  # a GPU may have nothing by then
    film = caught.value.film
    assert film.samples.max() > 0 and not film.render_info["finished"]


def test_limit_of_a_render_to_a_noise_is_told(ball):
    with pytest.warns(volpt.Notice, match="limit of 20 samples"):
        volpt.render(ball, resolution=(8, 8), stop_at_de=0.001, spp=20, progress=False)


def test_losses_are_warnings(ball):
    with pytest.warns(volpt.Notice, match="depth limit"):
        volpt.render(ball, depth_limit=1, **SMALL)
