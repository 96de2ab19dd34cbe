#!/usr/bin/env bash
# Makes the pictures of light that is hard to find, with the tools on PATH: make_light_pictures.sh [SECONDS]
#
# The door by path tracing, by bidirectional paths and by Metropolis light transport, SECONDS each (default 30), side by side; the lens, the caustic and the egg by bidirectional paths, eight
# times as long each. Scenes are those of bench/van_antwerpen_scenes.py. Takes 14 minutes by default. Exit status 2: usage.
set -euo pipefail
if [[ ${1:-} == --help || ${1:-} == -h ]]; then
    sed -n '2,/^set/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    exit 0
fi
seconds=${1:-30}
if ! [[ $seconds =~ ^[1-9][0-9]*$ ]]; then
    echo "make_light_pictures.sh: SECONDS is a whole number, not '$seconds'" >&2
    exit 2
fi
# shellcheck source=pipelines/find_tools.sh
source "$(dirname "${BASH_SOURCE[0]}")/find_tools.sh"
cd "$(dirname "${BASH_SOURCE[0]}")/.."
out=out/light_pictures pictures=docs/pictures
mkdir -p "$out" "$pictures"
python3 -B bench/van_antwerpen_scenes.py --bin "$(dirname "$(command -v volprep)")" "$out"

# NAME INTEGRATOR SECONDS EXPOSURE FILM: the picture's view of a scene.
render() {
    local -a view
    mapfile -t view < <(python3 -c 'import json, sys
print(*next(scene["picture"] for scene in json.load(open(sys.argv[1])) if scene["name"] == sys.argv[2]), sep="\n")' "$out/scenes.json" "$1")
    volrender "$out/$1.vpk" "${view[@]}" --integrator "$2" --time-limit "$3" --exposure "$4" --spp 1000000 -o "$5.vpf" -o "$5.png"
}

strip=()
for integrator in path bdpt mlt; do
    render door "$integrator" "$seconds" 2.5 "$out/door_$integrator"
    strip+=(--view "$integrator, $seconds s=$out/door_$integrator.png")
done
volcompare "${strip[@]}" --sheet "$pictures/door.png"
render lens bdpt "$((8 * seconds))" 0.5 "$out/lens"
render caustic bdpt "$((8 * seconds))" 0.9 "$out/caustic"
render egg bdpt "$((8 * seconds))" 1 "$out/egg"
cp "$out"/{lens,caustic,egg}.png "$pictures/"
