"""The programs of the suite, which come with the package, as scripts."""
from __future__ import annotations

import os
import sys

from . import _core
from ._errors import Error


def find_program(name: str) -> str:
    """In the package's folder bin. SystemFailure, which says where it was looked for, if it is not there."""
    return os.fspath(_core.find_program(name))


def _become(name: str) -> None:
    try:
        program = find_program(name)
    except Error as error:
        print(f"{name}: error: {error}; this build may lack what {name} needs", file=sys.stderr)
        sys.exit(error.status)
    os.execv(program, [name, *sys.argv[1:]])


def volpt() -> None:
    _become("volpt")


def volprep() -> None:
    _become("volprep")


def volrender() -> None:
    _become("volrender")


def volcompare() -> None:
    _become("volcompare")


def volmerge() -> None:
    _become("volmerge")


def volinfo() -> None:
    _become("volinfo")


def volview() -> None:
    _become("volview")
