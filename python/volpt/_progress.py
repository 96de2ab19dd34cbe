"""A progress line where somebody looks: on a terminal or in a notebook; nothing in a pipe."""
from __future__ import annotations

import sys
from collections.abc import Callable
from types import TracebackType
from typing import TypeAlias

ProgressCallback: TypeAlias = Callable[[int, int, str, str], bool | None]
Progress: TypeAlias = bool | None | ProgressCallback


def _is_notebook() -> bool:
    shell = sys.modules.get("IPython")
    return shell is not None and type(shell.get_ipython()).__name__ == "ZMQInteractiveShell"


class ProgressLine:
    """As a context, `callback` is what the extension module calls: the line's text, or the user's own function with
    done, total, unit and that text; if it returns False, the work stops."""

    def __init__(self, progress: Progress) -> None:
        self._written = False
        shows = progress is True and (_is_notebook() or (sys.stderr is not None and sys.stderr.isatty()))
        self.callback: ProgressCallback | None = progress if callable(progress) else self._show if shows else None

    def _show(self, done: int, total: int, unit: str, text: str) -> None:
        self._written = True
        sys.stderr.write(f"\r{text:<78}")
        sys.stderr.flush()

    def __enter__(self) -> ProgressLine:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        if self._written:
            sys.stderr.write("\r" + " " * 78 + "\r")
            sys.stderr.flush()
