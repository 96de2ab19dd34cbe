"""volpt.pack: volprep, of files and of arrays."""
from __future__ import annotations

import functools
import json
import os
import shutil
import tempfile
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._errors import InputError, UsageError
from ._options import flatten, spell_options
from ._programs import run_program
from ._volume import Volume

# NRRD's names of the types that volprep reads.
_TYPES = {"u1": "uint8", "i1": "int8", "u2": "uint16", "i2": "int16", "u4": "uint32", "i4": "int32", "u8": "uint64",
          "i8": "int64", "f2": "float16", "f4": "float", "f8": "double"}
_OF_FILES = ("dims", "type")
# They pack nothing, or write to other places.
_OF_PROGRAM = {"help", "version", "list-options", "json", "config", "output", "export", "plane", "list-grids", "check-mesh",
               "list-materials"}


@functools.cache
def _list_options() -> dict[str, bool]:
    """Whether an option of volprep takes a value."""
    answer = json.loads(run_program(["volprep", "--list-options", "--json"]))
    return {option["name"]: option["values"] > 0 for option in answer["options"]}


def _spell(options: Mapping[str, Any]) -> list[str]:
    for key in options:
        name = key.partition("=")[0].replace("_", "-")
        if name in _OF_PROGRAM:
            raise UsageError(f"volpt.pack has no option {key}; run the program volprep")
    # volprep itself tells what is unknown; only switches have to be known before.
    return spell_options(options, _list_options() if any(isinstance(value, bool) for value in options.values()) else None)


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
    if isinstance(source, str | os.PathLike):
        source = os.fsdecode(source)
    options = flatten(options)
    if output is not None:
        return Volume(_pack(source, os.path.join(os.getcwd(), os.fsdecode(output)), options))
    folder = tempfile.mkdtemp(prefix="volpt-")
    try:
        return Volume(_pack(source, os.path.join(folder, "volume.vpk"), options), folder)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _pack(source: ArrayLike | str | None, output: str, options: Mapping[str, Any]) -> _core.Volume:
    words = ["volprep", *_spell(options), "-o", output]
    if source is None or isinstance(source, str):
        run_program([*words, *([] if source is None else ["--", source])])  # it may begin with a dash
        return _core.Volume.open(output)
    for name in _OF_FILES:
        if name in options:
            raise UsageError(f"{name} is for headerless files; an array has its own")
    values = _check_array(source)
    memory = os.memfd_create("array")
    try:
        _write_nrrd(values, memory)
        path = f"/proc/self/fd/{memory}"
        run_program([*words, "--", path], files=[memory], renamed=(path, "the array"))
    finally:
        os.close(memory)
    return _core.Volume.open(output)
