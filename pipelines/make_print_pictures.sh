#!/usr/bin/env bash
# Makes the pictures of docs/printing.md, and of faces under support, with the tools on PATH: make_print_pictures.sh [DATA=FOLDER] [SETTING=VALUE]...
#
# The chart, printed 40 mm wide on 9.5 mm of white: its contact sheet and the inks by depth; figurines; white slabs of 0.25 to 10 mm; the chart, 20 mm
# wide, over 0.1 to 1 mm of ink; a ball that was printed on support. Takes eight minutes on two cores. With DATA (or $VOLPT_TEST_DATA), the folder of the
# public datasets, also the colour wheel of a J750's job: four minutes more. Settings are those of print_texture.sh for a picture, for example SPP=64, and go
# to the contact sheet of the chart alone; its size is given by SIZE, not WIDTH. Exit status 2: usage, or DATA lacks the colour wheel.
set -euo pipefail
if [[ ${1:-} == --help || ${1:-} == -h ]]; then
    sed -n '2,/^set/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    exit 0
fi
DATA=${VOLPT_TEST_DATA:-} settings=()
for setting in "$@"; do
    case $setting in
        DATA=*) DATA=${setting#DATA=} ;;
        *) settings+=("$setting") ;;
    esac
done
wheel_slices=''
if [[ -n $DATA ]]; then
    wheel_slices=$(realpath -m "$DATA/j750-colorwheel-slices")
    if [[ ! -f $wheel_slices/layer_05.png ]]; then
        echo "make_print_pictures.sh: there is no $wheel_slices/layer_05.png, of which the colour wheel is made: give DATA=FOLDER of the public datasets, or DATA= to leave it out" >&2
        exit 2
    fi
fi

# File names appear on the sheet: they are given relative to the root.
cd "$(dirname "${BASH_SOURCE[0]}")/.."
out=out/print_pictures chart=pipelines/data/chart.png pictures=docs/pictures
mkdir -p "$out" "$pictures"

# The job has 100 slices, of which the datasets have the first six: they are repeated to the thickness of the disc.
draw_colour_wheel() {
    local z
    rm -rf "$out/wheel"
    mkdir -p "$out/wheel"
    for z in {00..99}; do ln -s "$wheel_slices/layer_0$((10#$z % 6)).png" "$out/wheel/layer_$z.png"; done
    volprep "$out/wheel" --materials elek2017 --label '#000000=air' --printer j750 --surface smooth -o "$out/wheel.vpk"
    volrender "$out/wheel.vpk" --resolution 900x500 --spp 160 --env "$out/sky.pfm" --env-up +z --ground diffuse:.36 --boundary smooth --int-ior 1.5 \
        --origin 12,-75,44 --target 0,-.7,-1.4 --up 0,0,1 --fov 33 -o "$out/wheel.vpf" -o "$out/colour-wheel.png"
    cp "$out/colour-wheel.png" "$pictures/"
}

# A figurine of one colour, lit as the wheel is.
draw_figurine() {
    python3 -B pipelines/make_figurine.py "$out/figurine.stl"
    volprep "$out/figurine.stl" --print-mesh --size ,,20mm --colour '#c8743c' --ink-depth 1mm --materials elek2017 -o "$out/figurine.vpk"
    volrender "$out/figurine.vpk" --resolution 300x420 --spp 96 --env "$out/sky.pfm" --env-up +z --ground diffuse:.36 \
        --origin 47,-63,40 --target 0,0,9.6 --up 0,0,1 --fov 15.5 -o "$out/figurine.vpf" -o "$pictures/figurine-print.png"
}

# The same of cloudy wax, under a lamp.
draw_lamp() {
    volprep "$out/figurine.stl" --sigma-t 3 --albedo .98,.93,.8 -o "$out/lamp.vpk"
    volrender "$out/lamp.vpk" --resolution 300x390 --spp 4096 --light 'area origin=-40,-40,60 direction=40,40,-50 radius=12mm power=40000' \
        --boundary none --ground diffuse:.5 --origin 60,-90,60 --target 0,0,11 --up 0,0,1 --fov 22 -o "$pictures/figurine-lamp.png"
}

# First, so that a wrong setting is told at the start.
bash pipelines/print_texture.sh "$chart" "$out/print" SIZE=40mm,26.667mm DPI=75 STOP_AT_DE=4 "${settings[@]}"
volinfo "$out/print/print.vpk" --coverage "$pictures/print-coverage.png" >/dev/null
cp "$out/print/sheet.png" "$pictures/print-sheet.png"
python3 -B pipelines/draw_sky.py "$out/sky.pfm"
draw_figurine
draw_lamp
python3 -B pipelines/make_figurine.py "$out/figurine.obj"
bash pipelines/print_texture.sh "$out/figurine.obj" "$out/object" SIZE=,,30mm INK_DEPTH=0.8mm PITCH=0.1mm VIEW_SPP=48 TEXELS=8000 SPP=256
cp "$out/object/sheet.png" "$pictures/print-object-sheet.png"
bash pipelines/sweep.sh thickness 0.25,0.5,1,2,5,10 "$out/thickness"
cp "$out/thickness/sweep.png" "$pictures/sweep-thickness.png"
bash pipelines/sweep.sh ink-depth 0.1,0.2,0.3,0.5,0.7,1 "$out/ink-depth" PICTURE="$chart" SIZE=20mm,13.333mm SPP=256 RESOLUTION=60x40
cp "$out/ink-depth/sweep.png" "$pictures/sweep-ink-depth.png"
python3 -B pipelines/make_supported_ball.py "$out/ball.gcvf" "$out/light.pfm"
volprep "$out/ball.gcvf" --materials elek2017 --label '#ff8000=support' --surface smooth -o "$out/ball.vpk"
volrender "$out/ball.vpk" --env "$out/light.pfm" --env-up +z --origin 0,-14,1 --target 0,0,0.1 --up 0,0,1 --fov 30 --transparent --long-steps auto \
    --resolution 400x400 --spp 256 --exposure 0.7 -o "$pictures/supported-ball.png"
if [[ -n $wheel_slices ]]; then draw_colour_wheel; else echo "make_print_pictures.sh: without DATA=FOLDER colour-wheel.png is left as it is" >&2; fi
