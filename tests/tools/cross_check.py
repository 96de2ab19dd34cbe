# Volumes as volprep reads and writes them against independent readers: SimpleITK, nibabel, OpenVDB's own Python module.
"""cross_check.py itk|nifti|export|stacks|openvdb|vdb_print

Status 77, with a sentence, where the reader is not to be had. SimpleITK and nibabel are fetched once, into VOLPT_TEST_CACHE or
the user's cache folder.
"""

import fcntl
import importlib
import json
import os
import pathlib
import shutil
import subprocess
import sys

PACKAGES = ["numpy>=1.24", "SimpleITK>=2.2,<3", "nibabel>=5,<6"]
DATA = pathlib.Path(os.environ["VOLPT_TEST_DATA"]) if "VOLPT_TEST_DATA" in os.environ else None


def skip(why):
    print("skipped:", why)
    sys.exit(77)


def fetch_readers():
    """numpy, SimpleITK and nibabel: installed ones, or fetched."""
    names = ["numpy", "SimpleITK", "nibabel"]
    try:
        return [importlib.import_module(name) for name in names]
    except ImportError:
        pass
    home = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / "volpt"
    folder = pathlib.Path(os.environ.get("VOLPT_TEST_CACHE", home)) / f"readers-{sys.version_info.major}.{sys.version_info.minor}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with open(folder / "lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not (folder / "complete").exists():
                subprocess.run([sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--target", folder, *PACKAGES],
                               check=True, timeout=240)
                (folder / "complete").touch()
    except (OSError, subprocess.SubprocessError) as error:
        skip(f"no {', '.join(names)}, and fetching them failed: {error}")
    sys.path.insert(0, str(folder))
    return [importlib.import_module(name) for name in names]


def run(*command):
    return subprocess.run([str(word) for word in command], check=True, stdout=subprocess.PIPE, text=True).stdout


class Packed:
    """A file packed by volprep: its report and its densities [z, y, x]."""

    def __init__(self, numpy, path, *options):
        run("volprep", path, "-o", "v.vpk", "-q", *options)
        run("volprep", "v.vpk", "--export", "v.raw", "-q")
        self.info = json.loads(run("volinfo", "v.vpk", "--json"))
        size = os.path.getsize("v.raw") // int(numpy.prod(self.info["dims"]))
        kind = {1: numpy.uint8, 2: numpy.uint16, 4: numpy.float32}[size]
        self.values = numpy.fromfile("v.raw", kind).reshape(self.info["dims"][::-1])
        pitch = numpy.array(self.info["pitch_mm"])
        self.rotation = numpy.array(self.info["placement"]["rotation"]).reshape(3, 3)
        self.axes = self.rotation * pitch
        self.first_voxel = numpy.array(self.info["placement"]["origin_world_mm"]) + self.axes @ (0.5, 0.5, 0.5)


def check_close(numpy, what, got, wanted, tolerance=1e-4):
    assert numpy.allclose(got, wanted, rtol=1e-6, atol=tolerance), f"{what}: {got} instead of {wanted}"


def check_placement(numpy, name, packed, image):
    pitch = numpy.array(image.GetSpacing()[:3])
    check_close(numpy, f"{name}: axes", packed.axes, numpy.array(image.GetDirection()).reshape(3, 3) * pitch)
    check_close(numpy, f"{name}: first voxel", packed.first_voxel, image.GetOrigin()[:3])


def check_itk():
    if DATA is None:
        skip("VOLPT_TEST_DATA is not set")
    numpy, itk, _ = fetch_readers()
    count = 0
    for path in sorted([*DATA.rglob("*.mha"), *DATA.rglob("*.mhd")]):
        image = itk.ReadImage(str(path))
        if image.GetNumberOfComponentsPerPixel() != 1 or image.GetDimension() != 3:
            continue
        values = itk.GetArrayFromImage(image)
        low = int(numpy.floor(min(0, values.min())))
        window = ["--window", f"{low},{low + 4000}"] if low < 0 else []
        packed = Packed(numpy, path, *window)
        found = numpy.rint(packed.values * 4000.0) + low if window else packed.values
        # volprep stores 24 bits of a double, and says so.
        wanted = values.astype(numpy.float32) if values.dtype == numpy.float64 else values
        assert numpy.array_equal(found, wanted), f"{path.name}: values differ"
        check_placement(numpy, path.name, packed, image)
        count += 1
    assert count >= 15, f"only {count} MetaImages were found"
    print(count, "MetaImages are as SimpleITK reads them")


def check_nifti():
    numpy, itk, nibabel = fetch_readers()
    random = numpy.random.default_rng(1)
    turn = numpy.array([[0.0, -2.0, 0.0], [1.5, 0.0, 0.0], [0.0, 0.0, 3.0]])
    affine = numpy.eye(4)
    affine[:3, :3], affine[:3, 3] = turn, (10, -20, 30)
    for kind in (numpy.uint8, numpy.int16, numpy.float32, numpy.float64):
        for make, name in ((nibabel.Nifti1Image, "one.nii.gz"), (nibabel.Nifti2Image, "two.nii")):
            values = random.integers(0, 200, (7, 6, 5)).astype(kind)
            make(values, affine).to_filename(name)
            packed = Packed(numpy, name)
            assert numpy.array_equal(packed.values, nibabel.load(name).get_fdata().T), f"{name} of {kind}: values differ"
            # volprep's world is LPS, NIfTI's RAS.
            check_close(numpy, f"{name}: axes", packed.axes, numpy.diag((-1, -1, 1)) @ turn)
            check_close(numpy, f"{name}: first voxel", packed.first_voxel, (-10, 20, 30))
            if name == "one.nii.gz":
                check_placement(numpy, name, packed, itk.ReadImage(name))
    scaled = nibabel.Nifti1Image(values.astype(numpy.int16), affine)
    scaled.header.set_slope_inter(0.25, 3)
    scaled.to_filename("scaled.nii")
    check_close(numpy, "scaled.nii", Packed(numpy, "scaled.nii").values, nibabel.load("scaled.nii").get_fdata().T, 0)
    print("NIfTI is as nibabel and, in version 1, SimpleITK read it")


def check_export():
    numpy, itk, _ = fetch_readers()
    values = numpy.random.default_rng(2).integers(0, 60000, (5, 6, 7)).astype(numpy.uint16)
    image = itk.GetImageFromArray(values)
    image.SetSpacing((0.5, 1.5, 2.5))
    image.SetOrigin((-3, 4, 5))
    image.SetDirection((0, -1, 0, 1, 0, 0, 0, 0, 1))
    for source in ("in.mha", "in.nrrd", "in.nii"):
        itk.WriteImage(image, source)
        packed = Packed(numpy, source)
        assert numpy.array_equal(packed.values, values), f"{source}: values differ"
        check_placement(numpy, source, packed, image)
        for target in ("out.mha", "out.nrrd"):
            run("volprep", "v.vpk", "--export", target, "-q")
            back = itk.ReadImage(target)
            assert numpy.array_equal(itk.GetArrayFromImage(back), values), f"{source} to {target}: values differ"
            check_placement(numpy, f"{source} to {target}", packed, back)
        run("volprep", "v.vpk", "--export", "out%d.png", "-q")
        slices = [itk.GetArrayFromImage(itk.ReadImage(f"out{z}.png")) for z in range(len(values))]
        assert numpy.array_equal(slices, values), f"{source} to PNG: values differ"
    print("what volprep writes is as SimpleITK reads it")


def check_stacks():
    numpy, itk, _ = fetch_readers()
    random = numpy.random.default_rng(3)
    for kind in (numpy.uint8, numpy.int16, numpy.uint16, numpy.float32):
        values = random.integers(0, 250, (5, 40, 30)).astype(kind)
        for compressor in ("NoCompression", "PackBits", "Deflate", "LZW"):
            writer = itk.ImageFileWriter()
            writer.SetFileName("s.tif")
            writer.SetUseCompression(compressor != "NoCompression")
            writer.SetCompressor(compressor)
            writer.Execute(itk.GetImageFromArray(values))
            found = Packed(numpy, "s.tif", "--pitch", "1mm").values
            assert numpy.array_equal(found, values), f"{compressor} TIFF of {kind}: values differ"
    values = random.integers(0, 250, (3, 7, 5)).astype(numpy.uint8)
    for extension in ("bmp", "tif", "png"):
        for z, slice_values in enumerate(values):
            itk.WriteImage(itk.GetImageFromArray(slice_values), f"s{z + 8}.{extension}")
        packed = Packed(numpy, f"s[0-9]*.{extension}", "--pitch", "1mm")
        assert numpy.array_equal(packed.values, values), f"{extension} slices: values differ"
    print("TIFF stacks and slices are as SimpleITK writes them")


def check_openvdb():
    try:
        openvdb = importlib.import_module("pyopenvdb")
    except ImportError:
        system = "/usr/bin/python3"
        if os.path.realpath(sys.executable) != os.path.realpath(system) and os.access(system, os.X_OK):
            os.execv(system, [system, *sys.argv])
        skip("pyopenvdb is not installed (Debian package python3-openvdb)")
    import numpy

    if DATA is None:
        skip("VOLPT_TEST_DATA is not set")
    for name, options in (("arnold-usd/smoke.vdb", []), ("arnold-usd/torus01.vdb", []), ("tinyvdbio/sphere-div1.vdb", [])):
        grids, _ = openvdb.readAll(str(DATA / name))
        check_vdb_grid(numpy, name, Packed(numpy, DATA / name, *options), grids[0])
    packed = Packed(numpy, DATA / "arnold-usd/smoke.vdb")
    run("volprep", "v.vpk", "--export", "out.vdb", "-q")
    check_vdb_grid(numpy, "out.vdb", packed, openvdb.read("out.vdb", "density"))
    print("OpenVDB grids are as pyopenvdb reads them")


def check_vdb_grid(numpy, name, packed, grid):
    low, high = grid.evalActiveVoxelBoundingBox()
    values = numpy.zeros([high[i] - low[i] + 1 for i in range(3)], numpy.float32)
    grid.copyToArray(values, ijk=low)
    if str(grid.gridClass) == "level set":
        values = numpy.clip(-values / grid.background, 0, 1)
    assert list(values.shape) == packed.info["dims"], f"{name}: {values.shape} voxels"
    check_close(numpy, f"{name}: values", packed.values, values.T, 0)
    origin = numpy.array(grid.transform.indexToWorld(low))
    axes = [numpy.array(grid.transform.indexToWorld(tuple(low[j] + (i == j) for j in range(3)))) - origin for i in range(3)]
    check_close(numpy, f"{name}: first voxel", packed.first_voxel, origin)
    check_close(numpy, f"{name}: axes", packed.axes, numpy.array(axes).T)


def check_vdb_print():
    if shutil.which("vdb_print") is None:
        skip("vdb_print is not installed (Debian package libopenvdb-tools)")
    if DATA is None:
        skip("VOLPT_TEST_DATA is not set")
    for name in ("arnold-usd/smoke.vdb", "arnold-usd/grids.vdb", "openimageio/sphereCd.vdb", "mjurczyk-openvdb/sphere.vdb"):
        lines = [line.split() for line in run("vdb_print", DATA / name).splitlines() if line.strip()]
        printed = sorted((line[0], line[1], line[3]) for line in lines)
        listed = []
        for grid in json.loads(run("volprep", DATA / name, "--list-grids", "--json")):
            run("volprep", DATA / name, "--density-grid", grid["name"], "--clamp", "-o", "v.vpk", "-q")
            dims = json.loads(run("volinfo", "v.vpk", "--json"))["dims"]
            listed.append((grid["name"].split("[")[0], grid["type"], "x".join(map(str, dims))))
        assert sorted(listed) == printed, f"{name}: {sorted(listed)}, vdb_print says {printed}"
    print("grids are listed as vdb_print lists them")


if __name__ == "__main__":
    checks = {"itk": check_itk, "nifti": check_nifti, "export": check_export, "stacks": check_stacks, "openvdb": check_openvdb,
              "vdb_print": check_vdb_print}
    checks[sys.argv[1]]()
