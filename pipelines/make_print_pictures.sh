#!/usr/bin/env bash
# Makes the pictures of docs/printing.md, and of faces under support, with the tools on PATH: make_print_pictures.sh [SETTING=VALUE]... (those of print_texture.sh)
#
# The chart, printed 40 mm wide on 9.5 mm of white: its contact sheet and the inks by depth; a painted figurine of 30 mm from four sides; white slabs of 0.25 to 10 mm; the chart, 20 mm
# wide, over 0.1 to 1 mm of ink; a ball that was printed on support. Takes six minutes on two cores.
set -euo pipefail
if [[ ${1:-} == --help || ${1:-} == -h ]]; then
    sed -n '2,/^set/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    exit 0
fi

# File names appear on the sheet: they are given relative to the root.
cd "$(dirname "${BASH_SOURCE[0]}")/.."
out=out/print_pictures chart=pipelines/data/chart.png pictures=docs/pictures
mkdir -p "$out" "$pictures"
bash pipelines/print_texture.sh "$chart" "$out/print" SIZE=40mm,26.667mm DPI=75 STOP_AT_DE=4 "$@"
volinfo "$out/print/print.vpk" --coverage "$pictures/print-coverage.png" >/dev/null
cp "$out/print/sheet.png" "$pictures/print-sheet.png"
python3 -B pipelines/make_figurine.py "$out/figurine.obj"
bash pipelines/print_texture.sh "$out/figurine.obj" "$out/object" SIZE=,,30mm INK_DEPTH=0.8mm PITCH=0.1mm VIEW_SPP=48 TEXELS=8000 SPP=256 "$@"
cp "$out/object/sheet.png" "$pictures/print-object-sheet.png"
bash pipelines/sweep.sh thickness 0.25,0.5,1,2,5,10 "$out/thickness"
cp "$out/thickness/sweep.png" "$pictures/sweep-thickness.png"
bash pipelines/sweep.sh ink-depth 0.1,0.2,0.3,0.5,0.7,1 "$out/ink-depth" PICTURE="$chart" SIZE=20mm,13.333mm SPP=256 RESOLUTION=60x40
cp "$out/ink-depth/sweep.png" "$pictures/sweep-ink-depth.png"
python3 pipelines/make_supported_ball.py "$out/ball.gcvf" "$out/light.pfm"
volprep "$out/ball.gcvf" --materials elek2017 --label '#ff8000=support' --surface smooth -o "$out/ball.vpk"
volrender "$out/ball.vpk" --env "$out/light.pfm" --env-up +z --origin 0,-14,1 --target 0,0,0.1 --up 0,0,1 --fov 30 --transparent --long-steps auto \
    --resolution 240x240 --spp 96 -o "$pictures/supported-ball.png"
