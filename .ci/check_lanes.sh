#!/usr/bin/env bash
# Checks the CPU's lane units: no code that the linker could share with other units, and every loop over lanes in vectors.
# check_lanes.sh BUILD (with compile_commands.json). For g++ and optimised builds.
set -euo pipefail

build=$(cd "$1" && pwd)
bad=0
checked=0
while IFS=$'\t' read -r file command; do
    name=$(basename "$file" .cc)
    isa=${name#lanes_}
    isa=${isa%%_*}
    object=$(mktemp)
    log=$(mktemp)
    # ccache knows nothing of -fopt-info; the object is not kept.
    (cd "$build" && eval "${command/ccache /} -fopt-info-vec-missed -o $object" 2>"$log") || { cat "$log" >&2; exit 1; }
    if nm -C "$object" | grep -E ' [WVu] ' | grep -v "Isa_$isa"; then
        echo "check_lanes: $name has symbols (above) that another instruction set's copy could stand in for" >&2
        bad=1
    fi
    if [[ $isa != scalar ]] && grep -E "lane_passes.h:.*couldn't vectorize loop" "$log"; then
        echo "check_lanes: $name has loops over lanes (above) that run one lane at a time" >&2
        bad=1
    fi
    rm -f "$object" "$log"
    checked=$((checked + 1))
done < <(python3 - "$build/compile_commands.json" <<'PYTHON'
import json, re, sys
for entry in json.load(open(sys.argv[1])):
    if re.search(r"/lanes_\w+_\d_\w+\.cc$", entry["file"]):
        print(entry["file"], re.sub(r" -o \S+", "", entry["command"]), sep="\t")
PYTHON
)
if [[ $checked -eq 0 ]]; then
    echo "check_lanes: no lane units in $build" >&2
    exit 1
fi
if [[ $bad -eq 0 ]]; then echo "check_lanes: $checked units, nothing shared, every loop in vectors"; fi
exit "$bad"
