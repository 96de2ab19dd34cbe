"""Keyword arguments as options of the C++ library: the spelling of their values is that of the programs."""
from __future__ import annotations

import numbers
import os
from collections.abc import Mapping, Sequence
from typing import Any

from ._errors import UsageError

# What stands between the parts of a tuple, where it is no comma.
_SEPARATORS = {"resolution": "x", "tiles": "x", "samples": ":", "expect": ":"}


def _spell_part(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        return repr(float(value))
    if isinstance(value, str | os.PathLike):
        return os.fsdecode(value)
    raise UsageError(f"a value of type {type(value).__name__} is no text, number or path")


def _is_list_of_texts(value: Any) -> bool:
    return isinstance(value, list) and len(value) > 0 and all(isinstance(part, str | os.PathLike) for part in value)


def _is_sequence(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def spell_value(name: str, value: Any) -> str:
    """(512, 512) of resolution is 512x512; other sequences have commas, and colons in the points of a curve: [(0, 0.9),
    (1, 0.5)] is 0:0.9,1:0.5."""
    if hasattr(value, "tolist"):  # of numpy
        value = value.tolist()
    if not _is_sequence(value):
        return _spell_part(value)
    parts = (":".join(map(_spell_part, part)) if _is_sequence(part) else _spell_part(part) for part in value)
    return _SEPARATORS.get(name, ",").join(parts)


def flatten(options: Mapping[str, Any]) -> dict[str, Any]:
    """camera={"origin": .., "fov": ..} stands for origin=.., fov=..; from_ for from, a word of Python. None is left out."""
    flat: dict[str, Any] = {}
    for name, value in options.items():
        inner = value.items() if isinstance(value, Mapping) else [(name, value)]
        for given, part in inner:
            key = given.rstrip("_")
            if key in flat:
                raise UsageError(f"the option {key} is given twice")
            if part is not None:
                flat[key] = part
    return flat


def list_options(options: Mapping[str, Any]) -> list[tuple[bytes, bytes]]:
    """Names and values, which the library checks: True is "on", of a switch, too. A list of texts repeats the option."""
    given: list[tuple[bytes, bytes]] = []
    for key, value in flatten(options).items():
        name = key.replace("_", "-")
        for part in value if _is_list_of_texts(value) else [value]:
            given.append((os.fsencode(name), os.fsencode(spell_value(name, part))))
    return given
