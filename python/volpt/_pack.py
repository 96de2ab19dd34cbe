"""volpt.pack: volprep, of files and of arrays."""
from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._errors import InputError, UsageError, warn_of
from ._options import flatten, list_options
from ._volume import Volume

# Types that volprep reads.
_TYPES = ("u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8", "f2", "f4", "f8")


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
    given = list_options(options)
    is_array = source is not None and not isinstance(source, str)
    volume, notices, raised = _core.pack("" if source is None or is_array else source, _check_array(source) if is_array else None,
                                         output, given)
    if raised is not None:
        raise raised
    assert volume is not None
    warn_of(notices)
    return volume
