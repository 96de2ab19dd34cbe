"""volpt.compare and volpt.convergence: verdicts on films, pictures and arrays."""
from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._errors import InputError
from ._film import Film
from ._options import list_options

_CHANNELS = {1: ["Y"], 3: ["R", "G", "B"], 4: ["R", "G", "B", "A"]}
_LONGEST_SIDE = 65535

Comparable: TypeAlias = Film | str | os.PathLike[str] | ArrayLike


class Verdict:
    """True if the two agree by the criteria that were asked for."""

    def __init__(self, report: dict[str, Any], text: str, maps: dict[str, NDArray[np.float32]]) -> None:
        self.report = report
        """What `volcompare --json` prints (docs/formats/volcompare-json.md)."""
        self.maps = maps
        """By metric, [y, x]: the error of every pixel; "difference", of test - reference, with metric="bias"; "z" and "blocks",
        with statistical=True."""
        self._text = text

    def __bool__(self) -> bool:
        return bool(self.report["verdict"] == "pass")

    @property
    def undecided(self) -> bool:
        """No test has failed, but less than half of the light could be judged: `reasons` has the samples that are needed."""
        return bool(self.report["verdict"] == "undecided")

    @property
    def equal_bits(self) -> bool:
        return bool(self.report["equal_bits"])

    @property
    def metrics(self) -> dict[str, float | None]:
        """None without finite pairs; infinite for the psnr of equal pictures."""
        return {name: None if value is None else float(value) for name, value in self.report["metrics"].items()}

    @property
    def notices(self) -> list[str]:
        """Assumptions and conversions: sRGB coding, layers that only one side has."""
        return list(self.report["notices"])

    @property
    def reasons(self) -> list[str]:
        """Of a negative verdict."""
        return list(self.report["reasons"])

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<volpt.Verdict {self.report['verdict']}: {'; '.join(self.reasons) or 'no reason against it'}>"


def _make_subject(name: str, value: Comparable) -> _core.Subject:
    if isinstance(value, Film):
        return _core.Subject.of_film(value._core)
    if isinstance(value, str | os.PathLike):
        return _core.Subject.of_file(os.fspath(value))
    array = np.asarray(value)
    if array.ndim == 2:
        array = array[..., np.newaxis]
    if array.ndim != 3 or array.size == 0 or array.dtype.kind not in "fiu":
        raise InputError(f"{name} is no picture: its shape is {array.shape} of {array.dtype}; give numbers [y, x] or [y, x, channel]")
    if max(array.shape[:2]) > _LONGEST_SIDE:
        raise InputError(f"{name} is no picture: its shape is {array.shape}; give sides of at most {_LONGEST_SIDE} pixels")
    channels = _CHANNELS.get(array.shape[2]) or [f"band{band}" for band in range(array.shape[2])]
    is_coded = array.dtype == np.uint8
    values = np.ascontiguousarray(array, dtype=np.float32)
    return _core.Subject.of_array(values / np.float32(255) if is_coded else values, channels, is_coded)


def compare(test: Comparable, reference: Comparable, **options: Any) -> Verdict:
    """Compares films, pictures (files, but for .tif) or arrays, as volcompare does with the same options
    (docs/tools/volcompare.md).

    Arrays are [y, x] or [y, x, channel]: uint8 are sRGB-coded 0 to 255, as in a .png; others are linear. They are compared
    as float32. A fourth channel is alpha: colours of uint8 are straight, those of others multiplied by it, as in a .exr;
    background="#808080" names what pictures with alpha are displayed over (default: black and white, the worse counts).
    metric=["rmse", "flip"], threshold="rmse<0.02", statistical=True, channels=, resample="area", illuminant=, ..;
    without threshold and statistical the verdict is equality of every bit of films and float32. Other threads of Python
    run meanwhile; Ctrl+C is raised at the end.
    """
    sides = _make_subject("test", test), _make_subject("reference", reference)
    report, text, maps = _core.compare(*sides, list_options(options))
    return Verdict(json.loads(report), text, maps)


class Convergence:
    """True if the error falls with the power -1/2 of the samples, within 0.05. A notebook shows the plot."""

    def __init__(self, report: dict[str, Any], text: str, svg: str) -> None:
        self.report = report
        """What `volcompare --convergence --json` prints (docs/formats/volcompare-json.md)."""
        self.svg = svg
        """The plot, as a text."""
        self._text = text

    def __bool__(self) -> bool:
        return bool(self.report["as_expected"])

    @property
    def slope(self) -> float:
        """Of log error over log samples."""
        return float(self.report["slope_samples"])

    @property
    def samples(self) -> NDArray[np.float64]:
        """Per pixel, of each rendering but the reference, in rising order."""
        return np.array([point["samples"] for point in self.report["points"]], np.float64)

    @property
    def errors(self) -> NDArray[np.float64]:
        """Root mean squares, in the order of `samples`."""
        return np.array([point["error"] for point in self.report["points"]], np.float64)

    @property
    def notices(self) -> list[str]:
        """Assumptions, and what keeps the error from falling."""
        return list(self.report["notices"])

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<volpt.Convergence: slope {self.slope:.3f}>"

    def _repr_svg_(self) -> str:
        return self.svg


def convergence(renderings: Sequence[Comparable], reference: Comparable | None = None, **options: Any) -> Convergence:
    """Error over samples of renderings of one view, as `volcompare --convergence` measures it with the same options.

    Renderings are films, files or arrays, as of `compare`. The reference is the one of most samples, if none is given.
    spp=[16, 64, 256] tells samples per pixel where films, metadata and names of files do not; seconds=[..], channels=,
    layer=, noise_layer=, ..
    """
    sides = [_make_subject(f"renderings[{i}]", value) for i, value in enumerate(renderings)]
    truth = None if reference is None else _make_subject("reference", reference)
    report, text, svg = _core.convergence(sides, truth, list_options(options))
    return Convergence(json.loads(report), text, svg)
