"""volpt.info: volinfo, of any file that the suite reads."""
from __future__ import annotations

import json
import os
from typing import Any

from . import _core
from ._errors import warn_of
from ._options import flatten, list_options
from ._progress import Progress, ProgressLine


def info(path: str | os.PathLike[str], *, progress: Progress = True, **options: Any) -> dict[str, Any]:
    """What `volinfo --json` prints of a file with the same options (docs/tools/volinfo.md).

    path: a .vpk, a .vpf, or a file, folder or pattern of slices that volprep reads; "kind" is "volume", "film" or "source".
    verify="full" checks every byte; histogram=True counts the voxels by value; coverage=True tells the shares and amounts
    of the materials of a volume. Of sources: header=True reads no numbers; dims=, type=, series=, channel=, volume=, ..
    progress as of render, while the numbers of a source are counted; if it returns False, that is a SystemFailure. Notes
    are warnings (Notice), and in "notices" of a source.
    """
    given = flatten(options)
    if isinstance(given.get("coverage"), bool):
        given["coverage"] = "none" if given["coverage"] else None
    with ProgressLine(progress) as line:
        report, notices, raised = _core.info(os.fspath(path), list_options(given), line.callback)
    if raised is not None:
        raise raised
    warn_of(notices)
    told: dict[str, Any] = json.loads(report)
    return told
