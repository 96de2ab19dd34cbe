#!/usr/bin/env bash
# Makes the picture of docs/lithophane.md from docs/pictures/figurine-marble.png, with the tools on PATH or in build/: make_lithophane.sh [SPP]
#
# SPP samples per pixel (default 64), denoised. Four minutes on two cores.
# Exit status 2: usage.
set -euo pipefail
if [[ ${1:-} == --help || ${1:-} == -h ]]; then
    sed -n '2,/^set/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    exit 0
fi
spp=${1:-64}
if ! [[ $spp =~ ^[1-9][0-9]*$ ]]; then
    echo "make_lithophane.sh: SPP is a whole number, not '$spp'" >&2
    exit 2
fi
# shellcheck source=pipelines/find_tools.sh
source "$(dirname "${BASH_SOURCE[0]}")/find_tools.sh"
cd "$(dirname "${BASH_SOURCE[0]}")/.."
mkdir -p out
volprep make lithophane docs/pictures/figurine-marble.png --width 100mm -o out/lithophane.vpk -q
volrender out/lithophane.vpk --scene lithophane --resolution 480x480 --spp "$spp" --denoise on -o docs/pictures/lithophane.png
