"""Films: exact sums of samples, with means and standard errors as arrays."""
from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import DTypeLike, NDArray

from . import _core
from ._errors import RenderInterrupted, UsageError, make_error, warn_of
from ._options import flatten, list_options, spell_value
from ._progress import Progress, ProgressLine
from ._volume import Volume

# They say how much one call renders, not what.
_OF_ONE_CALL = ("spp", "samples", "stop_at_de", "time_limit")


def _lock(values: NDArray[Any]) -> NDArray[Any]:
    """Read-only: the film keeps the array, and does not change."""
    values.flags.writeable = False
    return values


@dataclass(frozen=True)
class Tally:
    """What particles left in the volume, by cell (docs/tools/volrender.md#tallies). Arrays are read-only."""

    kind: str
    """"absorbed" or "fluence"."""
    unit: str
    """Of the values: "1/mm^3 per launched watt", .."""
    values: NDArray[np.float32]
    """[gate, band, z, y, x]."""
    standard_error: NDArray[np.float32]
    """Of the values; NaN of too few particles."""
    cell_size_mm: tuple[float, float, float]
    """Along x, y, z."""
    gate_ns: float
    """Width of a gate of the time since launch; 0: there is one, without end."""

    def __repr__(self) -> str:
        return f"<volpt.Tally {self.kind} {self.values.shape} in {self.unit}>"


class Film:
    """A film does not change: resume and merge return new ones. Arrays are [y, x, ..], top row first; those of properties
    are read-only."""

    def __init__(self, film: _core.Film, volume: Volume | None = None, options: Mapping[str, Any] | None = None,
                 render: Mapping[str, Any] | None = None, tally: Tally | None = None) -> None:
        self._core = film
        self._volume = volume
        self._options = dict(options or {})
        self.render_info: dict[str, Any] = dict(render or {})
        """Device, kernel, seconds_render and counts of the render that made it, of particles also energy and detectors; empty for
        a film from a file."""
        self.tally = tally
        """Of a render with tally="absorbed" or "fluence"; the film then only counts samples, unless detectors do."""

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Film:
        return cls(_core.Film.read(os.fspath(path)))

    @property
    def width(self) -> int:
        return self._core.width

    @property
    def height(self) -> int:
        return self._core.height

    @property
    def band_names(self) -> tuple[str, ...]:
        """R, G, B; Y; or bands.450nm, .."""
        return tuple(self._core.band_names)

    @property
    def seed(self) -> int:
        return self._core.seed

    @cached_property
    def scene_hash(self) -> str:
        return self._core.scene_hash()

    @cached_property
    def film_hash(self) -> str:
        """Of scene, seed, samples and sums: equal on CPU and GPU, and to that of volrender."""
        return self._core.film_hash()

    @cached_property
    def mean(self) -> NDArray[np.float32]:
        """Linear, [y, x, band]; 0 without samples."""
        return _lock(self._core.mean())

    @cached_property
    def standard_error(self) -> NDArray[np.float32]:
        """Of the mean, [y, x, band]; infinite below two samples."""
        return _lock(self._core.standard_error())

    @cached_property
    def samples(self) -> NDArray[np.uint64]:
        """Per pixel, [y, x]."""
        return _lock(self._core.samples())

    @cached_property
    def lab(self) -> NDArray[np.float32]:
        """CIE L*a*b* of the mean under D65, [y, x, 3]. UsageError without colour."""
        return _lock(self._core.lab("D65"))

    def layers(self, illuminant: str = "D65") -> dict[str, NDArray[np.float32]]:
        """Every layer that an .exr of the film has, [y, x], by its name."""
        return self._core.layers(illuminant)

    @property
    def info(self) -> dict[str, Any]:
        """What `volinfo --json` tells of the film: counts, hashes, mean, scene, provenance."""
        info: dict[str, Any] = json.loads(self._core.describe())
        return info

    def save(self, *outputs: str | os.PathLike[str], exposure: float | Literal["auto"] = 1.0, backdrop: float | None = None,
             illuminant: str = "D65", reproducible: bool = False, denoise: bool = False, aov: str | Sequence[str] = (),
             tone: Literal["srgb", "filmic"] = "srgb") -> Film:
        """Writes .vpf, .exr, .png, .jpg, .hdr or .pfm, each whole or not at all, as volrender -o does with the same options.

        exposure: a factor on the values of .png and .jpg, or "auto": 99 % of the pixels of each are shown below 0.9 of white.
        denoise=True takes most of the noise out of .png and .exr, for the eye. aov=["depth", "normal", "albedo", "label"], some
        of these, or "all": planes without noise beside the colours of .exr. backdrop is the part of its radiance at which .png
        and .jpg show the light behind the volume. These three need a film that was rendered here, as one that was read does not
        have its volume. tone="filmic": a curve that shows light up to 10 times white."""
        if exposure is None or (isinstance(exposure, str) and exposure != "auto"):
            raise UsageError(f'exposure {exposure!r} is no factor; give a number, or "auto"')
        planes = aov.split(",") if isinstance(aov, str) and aov else list(aov)
        self._core.save([os.fspath(output) for output in outputs], None if isinstance(exposure, str) else exposure, backdrop,
                        illuminant, not reproducible, spell_value("denoise", denoise), planes, tone)
        return self

    def merge(self, *others: Film) -> Film:
        """One film of the samples of all. InputError unless scene and seed are the same and no sample is in two."""
        merged = _core.Film.merge([self._core, *(other._core for other in others)])
        return Film(merged, self._volume, self._options)

    def resume(self, volume: Volume | str | os.PathLike[str] | None = None, *, progress: Progress = True, **options: Any) -> Film:
        """The film with more samples, up to spp=N, samples=(first, count) or stop_at_de=DE. A film that was rendered here
        remembers its volume and its options but for time_limit; None drops one. A film that was read needs the volume, open
        or as a path, and files that its options named."""
        volume = self._volume if volume is None else volume
        if volume is None:
            raise UsageError("a film that was read does not have its volume; give it to resume")
        dropped = {key.rstrip("_") for key, value in options.items() if value is None}
        remembered = {key: value for key, value in self._options.items() if key not in dropped.union(_OF_ONE_CALL)}
        return _render(volume, {**remembered, **flatten(options)}, progress, self._core)

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        if copy is False and dtype is not None and np.dtype(dtype) != np.float32:
            raise ValueError("the means of a film are of type float32; another type takes a copy")
        values = self.mean if dtype is None else self.mean.astype(dtype, copy=False)
        return values.copy() if copy else values

    def _repr_png_(self) -> bytes:
        return self._core.encode_png()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Film) and self.film_hash == other.film_hash

    def __hash__(self) -> int:
        return hash(self.film_hash)

    def __repr__(self) -> str:
        least, most = int(self.samples.min()), int(self.samples.max())
        samples = str(least) if least == most else f"{least} to {most}"
        return f"<volpt.Film {self.width}x{self.height}, {len(self.band_names)} bands, {samples} samples per pixel>"


def _render(volume: Volume | str | os.PathLike[str], options: Mapping[str, Any], progress: Progress,
            resumed: _core.Film | None) -> Film:
    given = list_options(options)
    if not isinstance(volume, Volume):
        volume = Volume.open(volume)
    with ProgressLine(progress) as line:
        film, report, notices, raised, failure, parts = _core.render(volume._core, given, resumed, line.callback)
    tally = None if parts is None else Tally(**parts)
    if tally is not None:
        _lock(tally.values)
        _lock(tally.standard_error)
    made = None if film is None else Film(film, volume, options, json.loads(report), tally)
    if isinstance(raised, KeyboardInterrupt):
        raise RenderInterrupted(made) from raised
    if raised is None and failure is not None:
        raised = make_error(*failure)
    if raised is not None:
        raised.film = made
        raise raised
    assert made is not None
    warn_of(notices)  # last: they may be exceptions
    return made


def render(volume: Volume | str | os.PathLike[str], *, progress: Progress = True, **options: Any) -> Film:
    """Renders a volume, as volrender does with the same options (docs/tools/volrender.md), to the same bits.

    resolution=(w, h), origin=, target=, fov=, from_= or together as camera={..}; probe="top"; light=, env=;
    device="auto", spp=64, samples=(first, count), stop_at_de=0.5, seed=0, and all others, with "_" for "-".
    integrator="light" with tally="absorbed" or "fluence": the film's `tally` has arrays; detector=: its render_info has counts.
    progress: True shows a line on a terminal and in a notebook; a function gets done, total, unit and the line's text;
    if it returns False, the render stops, and the film has the samples done so far.
    Ctrl+C raises RenderInterrupted, whose film is valid and can be resumed. So is the film of an exception of progress, and
    of a SystemFailure or InputError because a device failed or the volume's file changed meanwhile. Losses and
    assumptions are warnings (Notice). Other threads of Python run meanwhile.
    """
    return _render(volume, flatten(options), progress, None)
