"""Packed volumes: what volprep makes and volrender renders."""
from __future__ import annotations

import json
import os
import shutil
import tempfile
import weakref
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._errors import UsageError


@dataclass(frozen=True)
class Bricks:
    """A plane as it lies in the file (docs/formats/vpk.md): views of the mapped file, without a copy.

    table[z, y, x] has a brick's slot in values, or 0xffffffff and the bits of its constant; values[slot, i, channel] is
    voxel voxel_order[i] of the brick, as x, y, z; numbers of u8 and u16 count times value_scale.
    """

    table: NDArray[np.uint32]
    values: NDArray[Any]
    value_scale: float
    channels: int
    voxel_order: NDArray[np.uint8]


def _remove_folder(folder: str, process: int) -> None:
    if os.getpid() == process:  # a forked child has a reference, too
        shutil.rmtree(folder, ignore_errors=True)


class Volume:
    """A packed volume, checked in full when it is opened."""

    def __init__(self, opened: _core.Volume, folder: str | None = None) -> None:
        self._core = opened
        if folder is not None:  # of a temporary file: removed with the last reference, or when Python ends
            weakref.finalize(self, _remove_folder, folder, os.getpid())

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Volume:
        return cls(_core.Volume.open(os.fspath(path)))

    @property
    def path(self) -> str:
        """Of the file, absolute; a temporary one for a volume that was packed without `output`."""
        return os.fspath(self._core.path)

    @property
    def dims(self) -> tuple[int, int, int]:
        """Voxels along x, y, z; arrays are [z, y, x]."""
        x, y, z = self._core.dims
        return x, y, z

    @property
    def pitch_mm(self) -> tuple[float, float, float]:
        x, y, z = self._core.pitch_mm
        return x, y, z

    @property
    def bands(self) -> int:
        return self._core.bands

    @property
    def scale(self) -> float:
        """sigma_t per mm of a density of 1."""
        return self._core.scale

    @property
    def planes(self) -> tuple[str, ...]:
        """Of density, one_minus_albedo, label, emission, those that the volume has by voxel."""
        return tuple(self._core.planes)

    @property
    def info(self) -> dict[str, Any]:
        """What `volinfo --json` tells of the volume."""
        info: dict[str, Any] = json.loads(self._core.describe())
        return info

    def dense(self, plane: str = "density") -> NDArray[Any]:
        """A plane as one array [z, y, x], or [z, y, x, band], decoded: float32; of "label" uint8, each an index into
        info["materials"]."""
        values = self._core.read_plane(plane)
        if plane == "label":
            return values[..., 0].astype(np.uint8)
        return values[..., 0] if plane == "density" else values

    def bricks(self, plane: str = "density") -> Bricks:
        shown = self._core.show_bricks(plane)
        return Bricks(shown["table"], shown["values"], shown["value_scale"], shown["channels"], _core.list_voxel_order())

    def save(self, path: str | os.PathLike[str]) -> Volume:
        """Copies the file and opens the copy, which appears whole or not at all."""
        target = os.fspath(path)
        if not target.endswith(".vpk"):
            raise UsageError(f"{target} is no name of a packed volume; end it in .vpk")
        with tempfile.NamedTemporaryFile(dir=os.path.dirname(target) or ".", suffix=".partial", delete=False) as partial:
            try:
                with open(self.path, "rb") as source:
                    shutil.copyfileobj(source, partial)
                partial.close()
                shutil.copymode(self.path, partial.name)
                os.replace(partial.name, target)
            except BaseException:
                os.unlink(partial.name)
                raise
        return Volume.open(target)

    def __repr__(self) -> str:
        dims = "x".join(map(str, self.dims))
        pitch = "x".join(f"{pitch:g}" for pitch in self.pitch_mm)
        return f"<volpt.Volume {dims} voxels of {pitch} mm, {self.bands} band{'s' * (self.bands > 1)}>"
