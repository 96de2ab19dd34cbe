#!/usr/bin/env bash
# Predicts how a picture or a printer's slice stack looks printed: print_texture.sh PICTURE.png|SLICES_FOLDER OUT_FOLDER [NAME=VALUE]...
#
# A picture is separated into inks and dithered over INK_DEPTH (0.5mm) on CORE (9.5mm) of white. Slices (one colour per material, the last
# slice uppermost) get the core behind them. Then the reflectance of the upper face is predicted, and a contact sheet compares it with the
# picture (slices: with TARGET). Other settings and their defaults:
#   AIR (none; slices: the colour of what surrounds the object, for example black), MATERIALS (elek2017), SIZE (of a picture's print; 30mm wide), PITCH (42.3um,84.7um,27um), HALFTONE (diffusion),
#   INTENT (absolute: keep the picture's colours, with which the sheet compares),
#   DPI (150: texels of the prediction per inch; `voxels`: one texel per voxel), STOP_AT_DE (1: noise of 95 % of the texels, in Delta E 2000),
#   SPP (4096: maximum number of samples), VIEW (more options of volrender), DEVICE (auto), THRESHOLD (none; for example 'de2000.p95<6').
# Writes print.vpk, coverage.svg, top.png (the last slice), print.vpf, print.exr, print.png, sheet.html and sheet.png into the folder.
# Uses the tools on PATH, else those in build/.
# Exit status: 0 done, 1 THRESHOLD does not hold, 2 usage, otherwise that of the tool that failed.
set -euo pipefail
if [[ ${1:-} == --help || ${1:-} == -h ]]; then
    sed -n '2,/^set/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    exit 0
fi

usage() {
    sed -n '2,/^set/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
    exit 2
}
if [[ $# -lt 2 ]]; then usage; fi
input=$1 out=$2
MATERIALS=elek2017 SIZE='' PITCH=42.3um,84.7um,27um INK_DEPTH=0.5mm CORE=9.5mm HALFTONE=diffusion INTENT=absolute
DPI=150 STOP_AT_DE=1 SPP=4096 VIEW='' DEVICE=auto THRESHOLD='' TARGET='' AIR=''
for setting in "${@:3}"; do
    case $setting in
        AIR=* | MATERIALS=* | SIZE=* | PITCH=* | INK_DEPTH=* | CORE=* | HALFTONE=* | INTENT=* | DPI=* | STOP_AT_DE=* | SPP=* | VIEW=* | DEVICE=* | THRESHOLD=* | TARGET=*)
            declare "$setting" ;;
        *)
            echo "print_texture.sh: there is no setting '$setting'" >&2
            usage ;;
    esac
done

# A PNG has its size in the header; the print has the same proportions.
size_of() {
    local width height
    read -r width height < <(od -An -tu4 --endian=big -j16 -N8 "$1")
    if [[ $(od -An -tx1 -N4 "$1") != " 89 50 4e 47" || -z ${height:-} ]]; then
        echo "print_texture.sh: $1 is not a PNG file; give the print's size with SIZE=30mm,20mm" >&2
        exit 2
    fi
    echo "30mm,$((30000 * height / width))um"
}

# shellcheck source=pipelines/find_tools.sh
. "$(dirname "${BASH_SOURCE[0]}")/find_tools.sh"
mkdir -p "$out"
if [[ -d $input ]]; then
    volprep "$input" --materials "$MATERIALS" ${AIR:+--air "$AIR"} --pitch "$PITCH" --core "$CORE" -o "$out/print.vpk"
else
    SIZE=${SIZE:-$(size_of "$input")}
    TARGET=${TARGET:-$input}
    volprep --print "$input" --size "$SIZE" --ink-depth "$INK_DEPTH" --core "$CORE" --materials "$MATERIALS" --pitch "$PITCH" \
        --halftone "$HALFTONE" --intent "$INTENT" -o "$out/print.vpk"
fi
last=$(volinfo "$out/print.vpk" --coverage "$out/coverage.svg" | sed -n 's/^dims: \[.*,\([0-9]*\)\]/\1/p')
volinfo "$out/print.vpk" --slice $((last - 1)) "$out/top.png" >/dev/null

texels=()
if [[ $DPI != voxels ]]; then texels=(--dpi "$DPI"); fi
read -ra view <<<"$VIEW"
volrender "$out/print.vpk" --probe top "${texels[@]}" "${view[@]}" --spp "$SPP" --stop-at-de "$STOP_AT_DE" --device "$DEVICE" \
    -o "$out/print.vpf" -o "$out/print.exr" -o "$out/print.png" |
    grep -E '^(device|kernel|samples|paths|extensions_per_second|seconds_render|film_hash|de2000_noise_p95):'

if [[ -z $TARGET ]]; then exit 0; fi
# Without a threshold the verdict ("not equal") is ignored.
volcompare "$out/print.vpf" "$TARGET" --resample area --metric de2000 --threshold "${THRESHOLD:-de2000.mean>=0}" \
    --sheet "$out/sheet.html" --sheet "$out/sheet.png"
