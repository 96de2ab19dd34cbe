#!/usr/bin/env bash
# Sourced by the other scripts: if the tools are not on PATH, adds a build of this checkout to it. Exit status 4: there is none.

if ! command -v volprep >/dev/null; then
    for tools in "$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"/build/{release,quickstart}/bin; do
        if [[ -x $tools/volprep ]]; then PATH=$tools:$PATH; fi
    done
fi
if ! command -v volprep >/dev/null; then
    echo "volprep is neither on PATH nor in build/*/bin; build it (bash pipelines/quickstart.sh) or add it to PATH" >&2
    exit 4
fi
