"""Writes the shell lines of a composite action's steps as scripts that shellcheck reads, and checks what its steps refer to.

write_action_steps.py ACTION.yml FOLDER: FOLDER/stepN.sh. An expression that is put into a line as text is refused: inputs come by `env`.
"""

import pathlib
import re
import sys

import yaml


def main(action_file, folder):
    action = yaml.safe_load(pathlib.Path(action_file).read_text())
    steps = action["runs"]["steps"]
    ids = [step["id"] for step in steps if "id" in step]
    faults = [f"inputs.{name} is not an input" for name in re.findall(r"inputs\.([\w-]+)", str(action)) if name not in action["inputs"]]
    faults += [f"steps.{name} is not a step" for name in re.findall(r"steps\.([\w-]+)", str(action)) if name not in ids]
    faults += [f"input {name} is never used" for name in action["inputs"] if f"inputs.{name}" not in str(action)]
    for number, step in enumerate(steps):
        if ("run" in step) == ("uses" in step):
            faults.append(f"step {number} has not one of run and uses")
        if "run" not in step:
            continue
        if step.get("shell") != "bash":
            faults.append(f"step {number} has no shell: bash, which a composite action needs")
        if "${{" in step["run"]:
            faults.append(f"step {number} puts an expression into shell text")
        given = "".join(f"export {name}=x\n" for name in step.get("env", {}))
        pathlib.Path(folder, f"step{number}.sh").write_text(f"#!/bin/bash\nset -euo pipefail\n{given}{step['run']}\n")
    if faults:
        raise SystemExit("\n".join(f"{action_file}: {fault}" for fault in faults))


if __name__ == "__main__":
    main(*sys.argv[1:])
