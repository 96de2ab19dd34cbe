#!/usr/bin/env bash
# Puts the tools on PATH where they are not, but in a build of this checkout; the recipes source it. Exit status 4: they are nowhere.

if ! command -v volprep >/dev/null; then
    for tools in "$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"/build/{release,quickstart}/bin; do
        if [[ -x $tools/volprep ]]; then PATH=$tools:$PATH; fi
    done
fi
if ! command -v volprep >/dev/null; then
    echo "volprep is not on PATH nor in build/*/bin; build it (bash pipelines/quickstart.sh) or put it on PATH" >&2
    exit 4
fi
