"""The programs of the suite, which come with the package."""
from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence

from . import _core
from ._errors import SystemFailure, make_error, warn_of


def _find_own(name: str) -> str | None:
    """Beside the extension module, which is in the package's folder or, of an editable install, in that of the build."""
    path = os.path.join(os.path.dirname(_core.__file__), "bin", name)
    return path if os.access(path, os.X_OK) else None


def _is_script_of_package(path: str) -> bool:
    """Whether it would start this module: for a program that the package lacks, it would find itself for ever."""
    try:
        with open(path, "rb") as file:
            return b"volpt._programs" in file.read(4096)
    except OSError:
        return False


def find_program(name: str) -> str:
    """In the package, else on PATH. SystemFailure if it is in neither."""
    own = _find_own(name)
    if own is not None:
        return own
    for folder in os.get_exec_path():
        found = shutil.which(name, path=folder)
        if found is not None and not _is_script_of_package(found):
            return found
    raise SystemFailure(f"{name} is neither in the package nor on PATH; install the package again")


def run_program(words: Sequence[str], *, files: Sequence[int] = (), renamed: tuple[str, str] | None = None) -> str:
    """Runs a program and returns what it printed on stdout; its notes become warnings, its error an exception of its exit
    status. `files` are descriptors that it inherits, `renamed` what to call a file in its messages."""
    process = subprocess.Popen([find_program(words[0]), *words[1:]], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, pass_fds=files, text=True, errors="replace")
    try:
        answer, messages = process.communicate()
    except BaseException:
        process.terminate()  # it removes what it has begun
        process.wait()
        raise
    if renamed is not None:
        messages = messages.replace(*renamed)
    start = f"{words[0]}: "
    notices = [line.removeprefix(start + "note: ") for line in messages.splitlines() if line.startswith(start + "note: ")]
    errors = [line.removeprefix(start + "error: ") for line in messages.splitlines() if line.startswith(start + "error: ")]
    if process.returncode != 0:
        raise make_error(process.returncode, "\n".join(errors) or messages or f"{words[0]} ended with status {process.returncode}")
    warn_of(notices)
    return answer


def _become(name: str) -> None:
    program = _find_own(name)
    if program is None:
        print(f"{name}: error: this build has no {name}; install the package again where its build finds what {name} needs",
              file=sys.stderr)
        sys.exit(SystemFailure.status)
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
