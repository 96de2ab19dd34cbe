#!/usr/bin/env bash
# Predicts a print for each value of a list and draws the curve: sweep.sh thickness|ink-depth|materials VALUES OUT_FOLDER [NAME=VALUE]...
#
#   thickness  slabs of MATERIAL (W) of table MATERIALS; values: thickness in mm; infinite in x and y
#   ink-depth  PICTURE printed with inks on CORE (9.5mm) of white; values: depth of the inks in mm
#   materials  PICTURE printed with each material table
#
# VALUES are separated by commas. Settings and their defaults: MATERIALS (elek2017) MATERIAL (W) PICTURE SIZE (of the print; 20mm,20mm) PITCH
# INTENT (absolute) INK_DEPTH (0.5mm) CORE (9.5mm) SPP RESOLUTION (WxH; 1x1 for slabs) TARGET (image or film for Delta E 2000; PICTURE, or the
# last slab) JOBS (all cores) DEVICE (auto) VIEW (options of volrender instead of the probe from above).
# Writes VALUE.vpk, .vpf, .png, .pfm (linear sRGB) and .json for each value, then sweep.csv, sweep.svg and sweep.png. A second run renders only
# what changed or is missing. Uses the tools on PATH, else those in build/. Exit status: 0 done, 2 usage, 4 a step failed (see its message above).
set -euo pipefail
if [[ ${1:-} == --help || ${1:-} == -h ]]; then
    sed -n '2,/^set/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    exit 0
fi

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
usage() {
    sed -n '2,/^set/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
    exit 2
}
if [[ $# -lt 3 ]]; then usage; fi
quantity=$1 out=$3
IFS=, read -ra values <<<"$2"
case $quantity in thickness | ink-depth | materials) ;; *) usage ;; esac

MATERIALS=elek2017 MATERIAL=W PICTURE='' SIZE=20mm,20mm PITCH='' INTENT=absolute INK_DEPTH=0.5mm CORE=9.5mm SPP='' RESOLUTION='' TARGET='' JOBS=$(nproc) DEVICE=auto VIEW=''
for setting in "${@:4}"; do
    case $setting in
        MATERIALS=* | MATERIAL=* | PICTURE=* | SIZE=* | PITCH=* | INTENT=* | INK_DEPTH=* | CORE=* | SPP=* | RESOLUTION=* | TARGET=* | JOBS=* | DEVICE=* | VIEW=*)
            declare "$setting" ;;
        *)
            echo "sweep.sh: there is no setting '$setting'" >&2
            usage ;;
    esac
done
if [[ $quantity != thickness && -z $PICTURE ]]; then
    echo "sweep.sh: $quantity prints a picture; give it with PICTURE=file.png" >&2
    exit 2
fi

if [[ "$out$PICTURE$MATERIALS$TARGET" =~ [[:space:]] ]]; then
    echo "sweep.sh: make cannot have spaces in file names" >&2
    exit 2
fi

# remember FILE TEXT: writes TEXT only if FILE differs, so that make knows what changed.
remember() { printf '%s\n' "$2" | cmp -s - "$1" || printf '%s\n' "$2" >"$1"; }
# Quotes words for xargs.
quote() { printf '"%s" ' "$@"; }
# The name of a value in file names; for a table, the name of its file.
name_of() { basename "${1%.json}" | tr -c 'A-Za-z0-9.\n-' _; }

# shellcheck source=pipelines/find_tools.sh
. "$here/find_tools.sh"
mkdir -p "$out"
names=() inputs=()
for value in "${values[@]}"; do
    name=$(name_of "$value")
    if [[ " ${names[*]} " == *" $name "* ]]; then
        echo "sweep.sh: two values have the same name, $name, and would share their files" >&2
        exit 2
    fi
    names+=("$name")
    depth=$INK_DEPTH table=$MATERIALS
    case $quantity in
        thickness) pack=(--make slab --dims "1,1,1" --size "50mm,50mm,${value%mm}mm" --materials "$table" --material "$MATERIAL") ;;
        ink-depth) depth=${value%mm}mm ;;&
        materials) table=$value ;;&
        *) pack=(--print "$PICTURE" --size "$SIZE" --ink-depth "$depth" --core "$CORE" --intent "$INTENT" --materials "$table" ${PITCH:+--pitch "$PITCH"}) ;;
    esac
    remember "$out/$name.pack" "$(quote "${pack[@]}")"
done
for input in "$PICTURE" "$MATERIALS" "$TARGET"; do
    if [[ -f $input ]]; then inputs+=("$(realpath "$input")"); fi
done

view=(--probe top --boundary smooth --int-ior 1.5)
if [[ $quantity == thickness ]]; then
    view+=(--sides periodic)
    TARGET=${TARGET:-$out/${names[-1]}.vpf} RESOLUTION=${RESOLUTION:-1x1} SPP=${SPP:-131072}
fi
if [[ -n $VIEW ]]; then read -ra view <<<"$VIEW"; fi
remember "$out/view.options" "$(quote "${view[@]}" --device "$DEVICE" --spp "${SPP:-64}" ${RESOLUTION:+--resolution "$RESOLUTION"})"

# One thread per render: the values are rendered in parallel.
make --no-print-directory -j "$JOBS" -f "$here/sweep.mk" OUT="$out" NAMES="${names[*]}" INPUTS="${inputs[*]}" \
    TARGET="${TARGET:-$PICTURE}" QUANTITY="$quantity" THREADS=$((JOBS > ${#names[@]} ? JOBS / ${#names[@]} : 1)) || exit 4
