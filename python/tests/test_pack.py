"""Arrays and files become volumes; what cannot be a volume is told."""
import gc
import json
import os
import signal
import subprocess
import threading

import numpy as np
import pytest

import volpt
from volpt._programs import find_program

TYPES = ["u1", "i1", "<u2", "<i2", "<u4", "<i4", "<i8", "<f2", "<f4", "<f8", ">u2", ">f4"]


@pytest.mark.parametrize("dtype", TYPES)
def test_values_of_every_type_come_back(dtype):
    values = np.arange(9 * 10 * 11).reshape(9, 10, 11) % 100
    volume = volpt.pack(values.astype(dtype), pitch_mm=1)
    assert volume.dims == (11, 10, 9)
    np.testing.assert_array_equal(volume.dense(), values.astype(np.float32))


@pytest.mark.parametrize("view", [
    lambda a: a[::2, ::-1, 1:], lambda a: np.asfortranarray(a), lambda a: a.transpose(2, 1, 0),
    lambda a: np.broadcast_to(a[:1], a.shape), lambda a: a.tolist()], ids=["slices", "fortran", "transposed", "broadcast", "lists"])
def test_any_layout_is_read(density, view):
    values = view(density)
    np.testing.assert_array_equal(volpt.pack(values, pitch_mm=1).dense(), np.asarray(values, np.float32))


def test_axes_are_z_y_x_with_pitch_by_x_y_z(density):
    volume = volpt.pack(density, pitch_mm=(0.1, 0.2, 0.3))
    assert volume.dims == density.shape[::-1]
    assert volume.pitch_mm == pytest.approx((0.1, 0.2, 0.3))


def test_array_of_colours_is_albedo():
    colours = np.random.default_rng(1).random((4, 5, 6, 3)).astype(np.float32)
    with pytest.warns(volpt.Notice, match="albedo by band"):
        volume = volpt.pack(colours, pitch_mm=1)
    assert volume.bands == 3
    np.testing.assert_allclose(1 - volume.dense("one_minus_albedo"), colours, atol=1e-3)


def test_array_of_labels_with_a_table(tmp_path):
    table = tmp_path / "two.json"
    table.write_text(json.dumps({"materials": [{"id": number, "name": name, "sigma_t": [number], "albedo": [0.5]}
                                               for number, name in ((1, "A"), (2, "B"))]}))
    labels = np.ones((8, 8, 9), np.uint8)
    labels[4:] = 2
    volume = volpt.pack(labels, pitch_mm=1, materials=table)
    assert [material["name"] for material in volume.info["materials"]] == ["A", "B"]
    np.testing.assert_array_equal(volume.dense("label"), labels - 1)


def test_file_and_its_array_give_equal_data(density, tmp_path):
    raw = tmp_path / "ball.raw"
    density.tofile(raw)
    z, y, x = density.shape
    of_file = volpt.pack(raw, dims=(x, y, z), type="f32", pitch="0.5mm", scale=3, albedo=0.9)
    of_array = volpt.pack(density, pitch_mm=0.5, scale=3, albedo=0.9)
    assert of_file.info["data_checksum"] == of_array.info["data_checksum"]


def test_program_and_function_give_equal_data(density, ball, tmp_path):
    raw, packed = tmp_path / "ball.raw", tmp_path / "ball.vpk"
    density.tofile(raw)
    subprocess.run([find_program("volprep"), raw, "--dims", "28,24,20", "--type", "f32", "--pitch", "0.5mm", "--scale", "3",
                    "--albedo", "0.9", "-o", packed, "-q"], check=True, stdout=subprocess.DEVNULL)
    assert volpt.read(packed).info["data_checksum"] == ball.info["data_checksum"]


@pytest.mark.filterwarnings("ignore:.*were clamped")
def test_another_window_of_a_packed_volume(tmp_path):
    values = np.random.default_rng(2).integers(-500, 500, (9, 10, 11)).astype(np.int16)
    volpt.pack(values, tmp_path / "all.vpk", pitch_mm=1, window=(-500, 500))
    with pytest.warns(volpt.Notice, match="were clamped"):
        again = volpt.pack(tmp_path / "all.vpk", window=(-100, 300))
    with pytest.warns(volpt.Notice, match="were clamped"):
        packed = volpt.pack(values, pitch_mm=1, window=(-100, 300))
    np.testing.assert_array_equal(again.dense(), packed.dense())
    cube = volpt.pack(make="cube", size=1)
    with pytest.raises(volpt.UsageError, match="its extinction is constant"):
        volpt.pack(cube.path, window=(0, 1))


def test_made_volumes_need_no_source():
    assert volpt.pack(make="cube", size=("1mm", "1mm", "1mm"), sigma_t=10, albedo=1).bands == 1


def test_temporary_file_goes_with_the_volume(density):
    volume = volpt.pack(density)
    path = volume.path
    assert os.path.exists(path)
    del volume
    gc.collect()
    assert not os.path.exists(os.path.dirname(path))


def test_save_copies_and_keeps_what_is_there_on_failure(ball, tmp_path):
    saved = ball.save(tmp_path / "ball.vpk")
    assert saved.info["data_checksum"] == ball.info["data_checksum"]
    with pytest.raises(volpt.UsageError):
        ball.save(tmp_path / "ball.png")
    with pytest.raises(OSError):
        ball.save(tmp_path / "missing" / "ball.vpk")
    assert sorted(os.listdir(tmp_path)) == ["ball.vpk"]


def test_bricks_are_views_of_the_file(ball, density):
    bricks = ball.bricks()
    assert not bricks.values.flags.writeable and not bricks.values.flags.owndata
    unpacked = np.zeros(np.array(bricks.table.shape[:3]) * 8, np.float32)
    x, y, z = bricks.voxel_order.T
    for bz, by, bx in np.ndindex(bricks.table.shape[:3]):
        slot, constant = bricks.table[bz, by, bx, :2]
        brick = np.full(512, constant.view(np.float32)) if slot == 0xFFFFFFFF else bricks.values[slot, :, 0]
        unpacked[bz * 8 + z, by * 8 + y, bx * 8 + x] = brick * (1 if bricks.values.dtype == np.float32 else bricks.value_scale)
    np.testing.assert_array_equal(unpacked[tuple(map(slice, density.shape))], density)


def test_bricks_outlive_their_volume(density):
    values = volpt.pack(density).bricks().values
    gc.collect()
    assert np.isfinite(values).all()


@pytest.mark.parametrize("values, words", [
    (np.full((4, 4, 4), np.nan), "voxel"), (np.full((4, 4, 4), -1.0), "voxel"), (np.full((4, 4, 4), np.inf), "voxel"),
    (np.zeros((4, 4)), "shape"), (np.zeros((0, 4, 4)), "holds nothing"), (np.zeros((4, 4, 4, 7)), "shape"),
    (np.zeros((4, 4, 4), complex), "complex"), (np.array([[["a"]]]), "type"), (np.array([[[None]]]), "type")],
    ids=["nan", "negative", "infinite", "2d", "empty", "seven bands", "complex", "text", "objects"])
def test_values_that_are_no_volume_are_told(values, words):
    with pytest.raises(volpt.InputError, match=words):
        volpt.pack(values, pitch_mm=1)


def test_sizes_beyond_the_format_are_told():
    with pytest.raises(volpt.InputError, match="65535|65536"):
        volpt.pack(np.zeros((1, 1, 65536), np.uint8), pitch_mm=1)


def test_unknown_options_are_told(density):
    with pytest.raises(volpt.UsageError, match="albdo"):
        volpt.pack(density, albdo=0.9)
    with pytest.raises(volpt.UsageError, match="pitch"):
        volpt.pack(density, pitch_mm=1, pitch=1)
    with pytest.raises(volpt.UsageError, match="headerless"):
        volpt.pack(density, dims=(1, 1, 1))


@pytest.mark.parametrize("options", [
    {"help": True}, {"version": True}, {"list_options": True}, {"json": True}, {"config": "x.cfg"}, {"export": "x.mha"},
    {"plane": "label"}, {"list_grids": True}, {"check_mesh": True}, {"list_materials": True}, {"files": {"output": "x.vpk"}},
    {"output=x.vpk": None, "export=x.mha": ""}], ids=lambda options: next(iter(options)))
def test_options_that_pack_nothing_are_told(density, options):
    with pytest.raises(volpt.UsageError, match="has no option"):
        volpt.pack(density, **options)


def test_errors_have_the_words_of_python(density):
    for options, words in [({"ink_depth": "1mm"}, "ink_depth"), ({"albdo": 0.9}, "albedo"), ({"albedo": 2}, "albedo")]:
        with pytest.raises(volpt.UsageError, match=words) as caught:
            volpt.pack(density, **options)
        assert "--" not in str(caught.value)


def test_interrupt_ends_a_pack_at_once(tmp_path):
    values = np.random.default_rng(1).random((384, 384, 384), np.float32)
    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        for _ in range(100):  # a fast machine packs it in less
            volpt.pack(values, tmp_path / "large.vpk")
    assert {path.name for path in tmp_path.iterdir()} <= {"large.vpk"}


def test_names_that_are_no_text_are_read(density, tmp_path):
    table = os.fsencode(tmp_path) + b"/\xff.json"
    with open(table, "w") as file:
        json.dump({"materials": [{"id": 1, "name": "A", "sigma_t": [1], "albedo": [0.5]}]}, file)
    volume = volpt.pack(np.ones((2, 2, 2), np.uint8), os.fsdecode(os.fsencode(tmp_path) + b"/\xfe.vpk"), materials=os.fsdecode(table))
    assert volume.info["materials"][0]["name"] == "A"
    with pytest.raises(volpt.UsageError, match="zero byte"):
        volpt.pack(density, materials="a\0b")


def test_switch_that_is_off_is_known_or_told(density):
    assert volpt.pack(density, allow_outside=False).dims == density.shape[::-1]
    with pytest.raises(volpt.UsageError, match="nearest is albedo"):
        volpt.pack(density, albdo=False)


def test_paths_are_those_of_the_folder_of_the_call(density, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    volume = volpt.pack(density, "-q.vpk")
    again = volpt.Volume.open("-q.vpk")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir("elsewhere")
    assert volume.path == again.path == str(tmp_path / "-q.vpk")
    assert volume.save("copy.vpk").path == str(tmp_path / "elsewhere" / "copy.vpk")
    assert volpt.render(again, resolution=(4, 4), spp=1, progress=False) == volpt.render(volume, resolution=(4, 4), spp=1, progress=False)


def test_file_whose_name_begins_with_a_dash_is_read(density, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    density.tofile("-q.raw")
    z, y, x = density.shape
    np.testing.assert_array_equal(volpt.pack("-q.raw", dims=(x, y, z), type="f32").dense(), density)


def test_missing_and_damaged_files_are_told(tmp_path):
    with pytest.raises(volpt.InputError, match="missing.nrrd"):
        volpt.pack(tmp_path / "missing.nrrd")
    damaged = tmp_path / "damaged.vpk"
    damaged.write_bytes(b"VOLPTVPK" + bytes(100))
    with pytest.raises(volpt.InputError, match="damaged.vpk"):
        volpt.read(damaged)
    with pytest.raises(FileNotFoundError):
        volpt.read(tmp_path / "missing.vpk")


def test_failure_keeps_the_file_of_before(density, tmp_path):
    target = tmp_path / "ball.vpk"
    volpt.pack(density, target)
    before = target.read_bytes()
    with pytest.raises(volpt.InputError):
        volpt.pack(-density - 1, target)
    assert target.read_bytes() == before
