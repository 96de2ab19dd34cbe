#!/usr/bin/env bash
# Makes the textured slab of the thesis (Forti 2018) and renders it: render_chart.sh TEXTURE.png OUT_FOLDER [REFERENCE.png], with the tools on PATH.
#
# The texture's values are albedos in the top tenth of a white slab of 30 x 20 x 3 mm, seen from above in uniform light; no inks.
# (pipelines/print_texture.sh prints with inks.) The render is compared with the reference if one is given.
# Writes print.vpk, print.vpf, print.exr and print.png into the folder.
# Exit status: 0 done (and equal), 1 the image differs from the reference, 2 usage, otherwise that of the tool that failed.
set -euo pipefail
if [[ ${1:-} == --help || ${1:-} == -h ]]; then
    sed -n '2,/^set/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    exit 0
fi

if [[ $# -lt 2 || $# -gt 3 ]]; then
    echo "usage: render_chart.sh TEXTURE.png OUT_FOLDER [REFERENCE.png]" >&2
    exit 2
fi
texture=$1 out=$2 reference=${3:-}
mkdir -p "$out"
volprep --slab "$texture" --dims 600,400,30 --size 30mm,20mm,3mm --ink-share 0.1 --side +z \
    --sigma-t 10 --base-albedo 0.9997 -o "$out/print.vpk"
volrender "$out/print.vpk" --resolution 600x400 --spp 128 --ortho 30mm --origin 0,0,100 --target 0,0,0 --up 0,1,0 \
    --boundary smooth --int-ior 1.5 --ext-ior 1 -o "$out/print.vpf" -o "$out/print.exr" -o "$out/print.png" |
    grep -E '^(device|kernel|paths|extensions_per_second|seconds_render|film_hash):'
if [[ -n $reference ]]; then volcompare "$out/print.png" "$reference"; fi
