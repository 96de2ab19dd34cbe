#!/usr/bin/env bash
# Times how long rank 0 takes to add up the films of MPI's ranks on this machine: gather_ranks.sh BUILD/bin [RANKS.. (2 4 8 16)]
#
# Films of 1000 x 1000 and 2000 x 2000 pixels, three bands (48 and 192 MB of sums); seconds_gather of volrender --json, three times each.
set -euo pipefail
if [[ ${1:-} == --help || ${1:-} == -h ]]; then
    sed -n '2,/^set/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    exit 0
fi

PATH=$(cd "$1" && pwd):$PATH
ranks=("${@:2}")
if [[ $# -lt 2 ]]; then ranks=(2 4 8 16); fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
volprep --make cube --dims 1,1,1 --size 1mm --albedo .9,.8,.7 -o cube.vpk -q >/dev/null
for size in 1000x1000 2000x2000; do
    for n in "${ranks[@]}"; do
        for _ in 1 2 3; do
            mpirun --oversubscribe --bind-to none -n "$n" volrender cube.vpk -o film.vpf --resolution "$size" --spp 2 -j 1 --devices cpu --json -q |
                sed -n "s/.*\"seconds_gather\": \([0-9.e-]*\).*/$size $n ranks \1 s/p"
        done
    done
done
