"""Exceptions with the words and the exit status of the programs (docs/exit-status.md)."""
from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterable
from typing import Any


class Error(Exception):
    """What a program would print after "error:"; `status` is its exit status."""

    status = 4


class NegativeError(Error):
    """Status 1: mlt found no path between light and film."""

    status = 1


class UsageError(Error, ValueError):
    """Status 2: options that are unknown, malformed or contradict each other."""

    status = 2


class InputError(Error):
    """Status 3: a file or an array is damaged, unreadable or holds values that cannot be used."""

    status = 3


class SystemFailure(Error):
    """Status 4: the device, the disk, memory or the system failed."""

    status = 4


class RenderInterrupted(KeyboardInterrupt):
    """Ctrl+C during a render; `film` holds the samples done before, None before the first one."""

    def __init__(self, film: Any) -> None:
        super().__init__("the render was interrupted; the exception's film holds the samples done before")
        self.film = film


class Notice(UserWarning):
    """What a program would print after "note:"."""


_CLASSES: dict[int, type[Error]] = {1: NegativeError, 2: UsageError, 3: InputError, 4: SystemFailure}


def make_error(status: int, text: str) -> Error:
    return _CLASSES.get(status, SystemFailure)(text)


def warn_of(notices: Iterable[str]) -> None:
    """Warnings that name the line which called the package."""
    level, frame, package = 1, sys._getframe(), os.path.dirname(__file__)
    while frame.f_back is not None and os.path.dirname(frame.f_code.co_filename) == package:
        level, frame = level + 1, frame.f_back
    for notice in notices:
        warnings.warn(notice, Notice, stacklevel=level)
