# Measurements that outlive the process: what was measured before is read from a file, so that a long bench runs in parts.
"""Measurements(path, time_limit_s).take("name", measure): the value stored under the name, or measure() stored and returned."""

import json
import pathlib
import time
from collections.abc import Callable


class OutOfTime(Exception):
    """The time limit came before the next measurement. What was measured is stored."""


class Measurements:
    def __init__(self, path: pathlib.Path, build: str, time_limit_s: float | None):
        """`build` names what is measured; a file of another build is refused (ValueError)."""
        self.path, self.deadline = path, None if time_limit_s is None else time.monotonic() + time_limit_s
        self.values: dict[str, dict] = {}
        if path.exists():
            stored = json.loads(path.read_text())
            if stored["build"] != build:
                raise ValueError(f"{path} holds measurements of {stored['build']}, this is {build}; give another folder, or remove the file")
            self.values = stored["values"]
        self.build = build

    def take(self, name: str, measure: Callable[[], dict]) -> dict:
        if name not in self.values:
            if self.deadline is not None and time.monotonic() > self.deadline:
                raise OutOfTime
            self.values[name] = measure()
            partial = self.path.with_suffix(".tmp")
            partial.write_text(json.dumps({"build": self.build, "values": self.values}, indent=1) + "\n")
            partial.replace(self.path)
        return self.values[name]
