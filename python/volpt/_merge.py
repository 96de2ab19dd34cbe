"""volpt.merge: volmerge, of films in files."""
from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any, TypeAlias

from . import _core
from ._errors import UsageError, warn_of
from ._film import Film
from ._options import list_options
from ._progress import Progress, ProgressLine

Path: TypeAlias = str | os.PathLike[str]


class Merge:
    """True if the samples are those of `expect`, or if none are expected."""

    def __init__(self, film: Film | None, report: dict[str, Any], is_whole: bool, written: list[str]) -> None:
        self.film = film
        """The sum; None with heads_only, and of folders without films."""
        self.report = report
        """What `volmerge --json` prints."""
        self.written = written
        """The outputs; none unless the samples are whole, or with partial=True."""
        self._is_whole = is_whole

    def __bool__(self) -> bool:
        return self._is_whole

    @property
    def deviation(self) -> str | None:
        """How the samples differ from `expect`."""
        text: str | None = self.report["deviation"]
        return text

    @property
    def missing_tasks(self) -> str | None:
        """With `chunk`: tasks of a job array that lack samples, "3,7-9"."""
        tasks: str | None = self.report.get("missing_tasks")
        return tasks

    def __repr__(self) -> str:
        return f"<volpt.Merge of {self.report['inputs']} films: {self.deviation or 'whole'}>"


def _list_paths(name: str, value: Path | Sequence[Path] | None) -> list[str]:
    if value is None:
        return []
    if isinstance(value, str | os.PathLike):
        return [os.fspath(value)]
    if isinstance(value, Film) or not isinstance(value, Sequence):
        raise UsageError(f"{name} is of type {type(value).__name__}, not a path or a list of paths")
    for i, part in enumerate(value):
        if not isinstance(part, str | os.PathLike):
            cure = "; merge films in memory by Film.merge" if isinstance(part, Film) else ""
            raise UsageError(f"{name}[{i}] is of type {type(part).__name__}, not a path{cure}")
    return [os.fspath(part) for part in value]


def merge(films: Path | Sequence[Path], output: Path | Sequence[Path] | None = None, *, progress: Progress = True,
          **options: Any) -> Merge:
    """Adds films of disjoint samples of one scene, exactly, as volmerge does with the same options (docs/tools/volmerge.md).

    films: files, which are read one after the other, or folders, each of which stands for the .vpf files in it.
    output: one or more of .vpf, .exr, .png, ..; None: the sum is only returned.
    expect=(first, count): write nothing unless every pixel has exactly these samples; the result is then false and tells
    the difference. partial=True writes what is there, chunk=N names the missing tasks of a job array, heads_only=True
    reads no sums; exposure=, illuminant=, reproducible=, ..
    progress as of render; if it returns False, the merge ends with a SystemFailure. Nothing is written then, nor after
    Ctrl+C. A film that is there twice counts once, with a warning (Notice).
    """
    given = _list_paths("films", films), _list_paths("output", output), list_options(options)
    with ProgressLine(progress) as line:
        film, report, is_whole, written, notices, raised = _core.merge(*given, line.callback)
    if raised is not None:
        raise raised
    warn_of(notices)
    return Merge(None if film is None else Film(film), json.loads(report), is_whole, [os.fspath(path) for path in written])
