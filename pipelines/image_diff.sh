#!/usr/bin/env bash
# An image test as a CI job runs it: image_diff.sh WORK_FOLDER [SUITE.json], with the tools on PATH.
#
# Without a suite it makes one: a cube is rendered and must have the same bits as the CPU reference, the same expectation as a
# render with another seed, and the same appearance as its reference image. Writes report.html, report.xml (JUnit) and the cache of
# references into the folder; if the cache is kept between jobs, only references of changed scenes are rendered. VOLPT_UPDATE=1
# renders all references again. Exit status: that of volcompare, 0 all pairs pass, 1 one fails.
set -euo pipefail
if [[ ${1:-} == --help || ${1:-} == -h ]]; then
    sed -n '2,/^set/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    exit 0
fi

if [[ $# -lt 1 || $# -gt 2 ]]; then
    echo "usage: image_diff.sh WORK_FOLDER [SUITE.json]" >&2
    exit 2
fi
work=$1 suite=${2:-$1/suite.json}
mkdir -p "$work"

if [[ $# -eq 1 ]]; then
    volprep --make cube --dims 16,16,16 --size 10mm,10mm,10mm --sigma-t 10 --albedo 0.99,0.9,0.6 -o "$work/cube.vpk" >/dev/null
    volrender "$work/cube.vpk" --resolution 128x96 --spp 64 --origin 20,15,30 --target 0,0,0 --up 0,1,0 --fov 25 \
        -o "$work/cube.vpf" -o "$work/cube.png" | grep -E '^(device|kernel|seconds_render|film_hash):'
    if [[ ! -e $work/cube_reference.png ]]; then cp "$work/cube.png" "$work/cube_reference.png"; fi
    cat >"$suite" <<'SUITE'
{
  "schema_version": 1,
  "pairs": [
    {"name": "same bits as the CPU", "test": "cube.vpf", "volume": "cube.vpk"},
    {"name": "same expectation", "test": "cube.vpf", "volume": "cube.vpk", "seed": 7, "spp": 256, "statistical": true},
    {"name": "same looks", "test": "cube.png", "reference": "cube_reference.png", "threshold": "flip.mean<0.02 and de2000.p95<1.5"}
  ]
}
SUITE
fi
update=()
if [[ ${VOLPT_UPDATE:-0} == 1 ]]; then update=(--update); fi
volcompare --suite "$suite" --cache "$work/references" --junit "$work/report.xml" --html "$work/report.html" "${update[@]}"
