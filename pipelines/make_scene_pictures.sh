#!/usr/bin/env bash
# Makes the pictures of docs/formats/scenes.md and the README's figurine, with the tools on PATH or in build/: make_scene_pictures.sh [SPP]
#
# The figurine of make_figurine.py in each scene of --list-scenes but lamp and lithophane, which are for hollow meshes and plates, of marble, SPP samples per pixel (default 128), denoised. Seven minutes on two cores.
# Exit status 2: usage.
set -euo pipefail
if [[ ${1:-} == --help || ${1:-} == -h ]]; then
    sed -n '2,/^set/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    exit 0
fi
spp=${1:-128}
if ! [[ $spp =~ ^[1-9][0-9]*$ ]]; then
    echo "make_scene_pictures.sh: SPP is a whole number, not '$spp'" >&2
    exit 2
fi
# shellcheck source=pipelines/find_tools.sh
source "$(dirname "${BASH_SOURCE[0]}")/find_tools.sh"
cd "$(dirname "${BASH_SOURCE[0]}")/.."
out=out/scene_pictures pictures=docs/pictures
mkdir -p "$out" "$pictures"
python3 -B pipelines/make_figurine.py "$out/figurine.stl"
volprep "$out/figurine.stl" --material marble -o "$out/figurine.vpk" -q
sheet=()
while read -r scene _; do
    [[ $scene != lamp && $scene != lithophane ]] || continue
    volrender "$out/figurine.vpk" --scene "$scene" --denoise on --resolution 240x240 --spp "$spp" -o "$out/$scene.png"
    sheet+=(--view "$scene=$out/$scene.png")
done < <(volrender --list-scenes)
volcompare "${sheet[@]}" --sheet "$pictures/scenes.png"
volrender "$out/figurine.vpk" --scene window --denoise on --resolution 480x480 --spp "$spp" -o "$pictures/figurine-marble.png"
