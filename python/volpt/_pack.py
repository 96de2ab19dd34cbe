"""volpt.pack: volprep, of files and of arrays."""
from __future__ import annotations

import os
import tempfile
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._errors import InputError, UsageError
from ._options import spell_options
from ._programs import run_program
from ._volume import Volume

# NRRD's names of the types that volprep reads.
_TYPES = {"u1": "uint8", "i1": "int8", "u2": "uint16", "i2": "int16", "u4": "uint32", "i4": "int32", "u8": "uint64",
          "i8": "int64", "f2": "float16", "f4": "float", "f8": "double"}
_OF_FILES = ("dims", "type")


def _check_array(source: ArrayLike) -> NDArray[Any]:
    values = np.asarray(source)
    if values.dtype == np.bool_:
        values = values.astype(np.uint8)
    if values.dtype.str[1:] not in _TYPES:
        raise InputError(f"the array is of type {values.dtype}, not of integers or floats; convert it with .astype('float32')")
    if values.ndim not in (3, 4) or (values.ndim == 4 and values.shape[3] not in (1, 3)):
        raise InputError(f"the array has the shape {values.shape}, not [z, y, x] or [z, y, x, 3]; add or remove axes")
    if values.size == 0:
        raise InputError(f"the array has the shape {values.shape} and holds nothing")
    if values.dtype == np.float16:
        values = values.astype(np.float32)
    return np.ascontiguousarray(values, dtype=values.dtype.newbyteorder("<"))


def _write_nrrd(values: NDArray[Any], file: int) -> None:
    """A header of NRRD 4 and the values; the box's middle becomes the origin, as that of made volumes."""
    z, y, x = values.shape[:3]
    colours = values.ndim == 4 and values.shape[3] > 1
    sizes, kinds = ([3], ["RGB-color"]) if colours else ([], [])
    lines = ["NRRD0004", f"type: {_TYPES[values.dtype.str[1:]]}", f"dimension: {len(sizes) + 3}",
             "sizes: " + " ".join(map(str, [*sizes, x, y, z])), "kinds: " + " ".join([*kinds, *["domain"] * 3]),
             "endian: little", "encoding: raw", "", ""]
    with open(file, "wb", closefd=False) as target:
        target.write("\n".join(lines).encode())
        target.flush()
        values.tofile(target)


def pack(source: ArrayLike | str | os.PathLike[str] | None = None, output: str | os.PathLike[str] | None = None,
         *, pitch_mm: Any = None, **options: Any) -> Volume:
    """Packs an array or a file, as volprep does with the same options (docs/tools/volprep.md).

    source: an array [z, y, x] of densities, measured values or, with `materials`, of labels; [z, y, x, 3] of albedos by
    band; or a file or folder that volprep reads; None with options that make a volume (make=, slab=, print=).
    output: a .vpk to write; None: a temporary file that goes with the last reference to the volume.
    pitch_mm: size of a voxel along x, y, z, or one number for all; an array has 1 mm without it.
    scale, albedo, g, window, opacity, transfer, materials, ..: the options of volprep, with "_" for "-".
    """
    if pitch_mm is not None:
        if "pitch" in options:
            raise UsageError("pitch and pitch_mm both give the size of a voxel; leave one out")
        options["pitch"] = pitch_mm
    folder = None
    if output is None:
        folder = tempfile.TemporaryDirectory(prefix="volpt-")
        output = os.path.join(folder.name, "volume.vpk")
    words = ["volprep", *spell_options(options), "-o", os.fspath(output)]
    if source is None or isinstance(source, str | os.PathLike):
        run_program([*words, *([] if source is None else [os.fspath(source)])])
        return Volume(_open(output), folder)
    for name in _OF_FILES:
        if name in options:
            raise UsageError(f"{name} is for headerless files; an array has its own")
    values = _check_array(source)
    memory = os.memfd_create("array")
    try:
        _write_nrrd(values, memory)
        path = f"/proc/self/fd/{memory}"
        run_program([*words, path], files=[memory], renamed=(path, "the array"))
    finally:
        os.close(memory)
    return Volume(_open(output), folder)


def _open(path: str | os.PathLike[str]) -> Any:
    from . import _core

    return _core.Volume.open(os.fspath(path))
