"""Path tracing of solid scattering media: pack volumes, render films, compare them.

    volume = volpt.pack(density, pitch_mm=0.1, scale=10, albedo=0.99)
    film = volpt.render(volume, resolution=(512, 512), spp=256)
    film.save("picture.png", "picture.vpf")

The functions take the options of the programs volprep, volrender, volcompare, volmerge and volinfo, with "_" for "-", and
do the same: equal options give equal bits.
"""
from __future__ import annotations

import os

from . import _core
from ._compare import Convergence, Verdict, compare, convergence
from ._errors import Error, InputError, NegativeError, Notice, RenderInterrupted, SystemFailure, UsageError
from ._film import Film, Tally, render
from ._info import info
from ._merge import Merge, merge
from ._pack import pack
from ._volume import Bricks, Volume

__version__: str = _core.version()
__all__ = ["Bricks", "Convergence", "Error", "Film", "InputError", "Merge", "NegativeError", "Notice", "RenderInterrupted",
           "SystemFailure", "Tally", "UsageError", "Verdict", "Volume", "compare", "convergence", "info", "list_gpus",
           "merge", "pack", "read", "render"]


def read(path: str | os.PathLike[str]) -> Volume | Film:
    """Opens a .vpk or .vpf, whichever the first bytes say, and checks all of it."""
    with open(path, "rb") as file:
        head = file.read(8)
    return Film.read(path) if head == b"VOLPTVPF" else Volume.open(path)


def list_gpus() -> list[str]:
    """Names of the GPUs that this build can render on; empty without one."""
    return _core.list_gpus()
