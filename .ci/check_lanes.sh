#!/usr/bin/env bash
# Checks the CPU's lane units: no code that the linker could share with other units, and every loop over lanes in vectors.
# check_lanes.sh BUILD (with compile_commands.json). For g++ and optimised builds. Units are compiled again unless the build has
# their reports (VOLPT_LANE_REPORTS, preset ci).
set -euo pipefail

build=$(cd "$1" && pwd)
nm=$(sed -n 's/^CMAKE_NM:FILEPATH=//p' "$build/CMakeCache.txt") # of the target, which the host's may not read
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
bad=0
checked=0
while IFS=$'\t' read -r file output command; do
    name=$(basename "$file" .cc)
    isa=${name#lanes_}
    isa=${isa%%_*}
    if [[ $command == *-fopt-info-vec-missed=* ]]; then
        object=$build/$output
        log=${file%.cc}.missed
    else
        object=$scratch/$name.o
        log=$scratch/$name.missed
        # ccache knows nothing of -fopt-info; the object is not kept.
        (cd "$build" && eval "${command/ccache /} -fopt-info-vec-missed -o $object" 2>"$log") || { cat "$log" >&2; exit 1; }
    fi
    [[ $isa == scalar ]] || grep -q 'missed: ' "$log" || { echo "check_lanes: $name has no report of g++ in $log: build volpt_cpu" >&2; exit 1; }
    if "$nm" -C "$object" | grep -E ' [WVu] ' | grep -vE "Isa_$isa|\\[abi:$isa\\]|DW\\.ref\\."; then # the last is a pointer
        echo "check_lanes: $name has symbols (above) that another instruction set's copy could stand in for" >&2
        bad=1
    fi
    if [[ $isa != scalar ]] && grep -E "_passes.h:.*couldn't vectorize loop" "$log"; then
        echo "check_lanes: $name has loops over lanes (above) that run one lane at a time" >&2
        bad=1
    fi
    checked=$((checked + 1))
done < <(python3 - "$build/compile_commands.json" <<'PYTHON'
import json, re, sys
for entry in json.load(open(sys.argv[1])):
    if re.search(r"/lanes_[^/]+\.cc$", entry["file"]):
        output = re.search(r" -o (\S+)", entry["command"])[1]
        print(entry["file"], output, re.sub(r" -o \S+", "", entry["command"]), sep="\t")
PYTHON
)
if [[ $checked -eq 0 ]]; then
    echo "check_lanes: no lane units in $build" >&2
    exit 1
fi
if [[ $bad -eq 0 ]]; then echo "check_lanes: $checked units, nothing shared, every loop in vectors"; fi
exit "$bad"
