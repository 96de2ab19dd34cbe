#!/usr/bin/env bash
# Makes the pictures of the README and the quickstart's reference with the tools on PATH or in build/: make_pictures.sh [DATA]
#
# DATA is the folder of the public datasets; without it, only the pictures that need none are made.
set -euo pipefail
if [[ ${1:-} == --help || ${1:-} == -h ]]; then
    sed -n '2,/^set/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    exit 0
fi

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
data=${1:-${VOLPT_TEST_DATA:-}}
out=$root/out/pictures
examples=(cgg-logo object spheres)
if [[ -n $data ]]; then examples+=(bucky smoke ct-lung ct-skull); fi

make -f "$root/Makefile.examples" "${examples[@]}" OUT="$out" SPP=256 ${data:+DATA="$data"}
mkdir -p "$root/docs/pictures"
for example in "${examples[@]}"; do cp "$out/$example.png" "$root/docs/pictures/"; done

# The old reference is replaced, whatever the verdict on it.
rm -f "$root/out/quickstart/print.png"
bash "$root/pipelines/quickstart.sh" || echo "make_pictures: replacing the reference"
cp "$root/out/quickstart/print.png" "$root/pipelines/data/chart_rendered.png"
