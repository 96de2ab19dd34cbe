#!/usr/bin/env bash
# Predicts how a picture or a printer's job looks printed: print_texture.sh [--quick] PICTURE|JOB.gcvf|SLICES_FOLDER OUT_FOLDER [NAME=VALUE]...
#
# A picture is separated into inks and dithered over INK_DEPTH (0.5mm) on a core of white. Slices (one colour per material, the last
# slice uppermost) get the core behind them. Then the reflectance of the upper face is predicted, and a contact sheet compares it with the
# picture (slices: with TARGET): settings, a scale in mm, what the inks cannot mix, what is noise and what to trust.
#   --quick  a preview: about 5000 texels, rendered until 15 seconds after the start; the sheet says how much of it is noise
# Other settings and their defaults:
#   WIDTH (30mm; the height follows from the picture) or SIZE (both sides) of a picture's print, THICKNESS (of the whole print) or CORE (9.5mm,
#   behind the inks), AIR (none; slices: the colour of what surrounds the object, for example black), MATERIALS (elek2017),
#   PITCH (that of a job's manifest, else 42.3um,84.7um,27um; --quick: coarser above 60 mm), HALFTONE (diffusion),
#   INTENT (absolute: keep the picture's colours, with which the sheet compares),
#   DPI (150: texels of the prediction per inch; `voxels`: one texel per voxel), STOP_AT_DE (1: noise of 95 % of the texels, in Delta E 2000),
#   SPP (4096: maximum number of samples), VIEW (more options of volrender), DEVICE (auto), THRESHOLD (none; for example 'de2000.p95<6').
# Writes print.vpk, print.txt (what volprep says), coverage.svg, top.png (the last slice), print.vpf, print.exr, print.png, sheet.html and
# sheet.png into the folder. Renders of more than ten seconds tell on stderr how long they will take, and where they are every ten seconds.
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
quick='' words=()
for word in "$@"; do
    case $word in
        --quick) quick=yes ;;
        --*)
            echo "print_texture.sh: there is no option '$word'" >&2
            usage ;;
        *) words+=("$word") ;;
    esac
done
if [[ ${#words[@]} -lt 2 ]]; then usage; fi
input=${words[0]} out=${words[1]}
MATERIALS=elek2017 WIDTH='' SIZE='' PITCH='' INK_DEPTH=0.5mm THICKNESS='' CORE='' HALFTONE=diffusion INTENT=absolute
DPI='' STOP_AT_DE=1 SPP=4096 VIEW='' DEVICE=auto THRESHOLD='' TARGET='' AIR=''
for setting in "${words[@]:2}"; do
    case $setting in
        AIR=* | MATERIALS=* | WIDTH=* | SIZE=* | PITCH=* | INK_DEPTH=* | THICKNESS=* | CORE=* | HALFTONE=* | INTENT=* | DPI=* | STOP_AT_DE=* | SPP=* | VIEW=* | \
            DEVICE=* | THRESHOLD=* | TARGET=*)
            declare "$setting" ;;
        *)
            echo "print_texture.sh: there is no setting '$setting'" >&2
            usage ;;
    esac
done
readonly quick_s=15 quick_texels=5000 quick_width_mm=60

# coarsen_pitch WIDTH: the usual pitch, times a whole number along x and y where the print is wider than $quick_width_mm.
coarsen_pitch() {
    awk -v width="$1" -v most=$quick_width_mm 'BEGIN {
        unit = width; sub(/^[0-9.eE+-]*/, "", unit)
        mm = width * (unit == "um" ? .001 : unit == "cm" ? 10 : unit == "m" ? 1000 : 1)
        times = mm > most ? int(mm / most + .999) : 1
        printf "%gum,%gum,27um", 42.3 * times, 84.7 * times }'
}

# shellcheck source=pipelines/find_tools.sh
. "$(dirname "${BASH_SOURCE[0]}")/find_tools.sh"
mkdir -p "$out"
SECONDS=0
if [[ -n $quick ]]; then echo "print_texture.sh: a preview, rendered until about $quick_s s after the start" >&2; fi
if [[ -d $input || $input == *.gcvf || $input == *.zip ]]; then
    if [[ -n $WIDTH$SIZE$THICKNESS ]]; then
        echo "print_texture.sh: slices have a size of their own: give PITCH and CORE instead of WIDTH, SIZE and THICKNESS" >&2
        exit 2
    fi
    if [[ -d $input && ! -f $input/ConfigFile.xml ]]; then PITCH=${PITCH:-42.3um,84.7um,27um}; fi # else the job says it
    made="slices, core ${CORE:=9.5mm}"
    volprep "$input" --materials "$MATERIALS" ${AIR:+--air "$AIR"} ${PITCH:+--pitch "$PITCH"} --core "$CORE" -o "$out/print.vpk" >"$out/print.txt"
else
    if [[ -z $SIZE && -z $WIDTH ]]; then WIDTH=30mm; fi
    if [[ -z $CORE && -z $THICKNESS ]]; then CORE=9.5mm; fi
    TARGET=${TARGET:-$input}
    if [[ -z $PITCH ]]; then
        PITCH=42.3um,84.7um,27um
        if [[ -n $quick ]]; then PITCH=$(coarsen_pitch "${WIDTH:-${SIZE%%,*}}"); fi
    fi
    made="ink depth $INK_DEPTH, $HALFTONE, $INTENT intent"
    volprep --print "$input" ${WIDTH:+--width "$WIDTH"} ${SIZE:+--size "$SIZE"} ${THICKNESS:+--thickness "$THICKNESS"} ${CORE:+--core "$CORE"} \
        --ink-depth "$INK_DEPTH" --materials "$MATERIALS" --pitch "$PITCH" --halftone "$HALFTONE" --intent "$INTENT" -o "$out/print.vpk" >"$out/print.txt"
fi
cat "$out/print.txt"
about=$(volinfo "$out/print.vpk" --coverage "$out/coverage.svg")
last=$(sed -n 's/^dims: \[.*,\([0-9]*\)\]/\1/p' <<<"$about")
if [[ -z $PITCH ]]; then PITCH=$(sed -n 's/^pitch_mm: \[\(.*\)\]/\1 mm/p' <<<"$about"); fi
IFS=, read -r width_mm height_mm depth_mm < <(sed -n 's/^size_mm: \[\(.*\)\]/\1/p' <<<"$about")
volinfo "$out/print.vpk" --slice $((last - 1)) "$out/top.png" >/dev/null

texels=() limit=()
if [[ -n $quick ]]; then
    limit=(--time-limit $((SECONDS < quick_s - 4 ? quick_s - SECONDS : 4)))
    DPI=${DPI:-$(awk -v w="$width_mm" -v h="$height_mm" -v n=$quick_texels 'BEGIN { dpi = 25.4 * sqrt(n / (w * h)); printf "%.4g", dpi < 150 ? dpi : 150 }')}
fi
if [[ ${DPI:=150} != voxels ]]; then texels=(--dpi "$DPI"); fi
read -ra view <<<"$VIEW"
answer=$(volrender "$out/print.vpk" --probe top "${texels[@]}" "${limit[@]}" "${view[@]}" --spp "$SPP" --stop-at-de "$STOP_AT_DE" --device "$DEVICE" \
    -o "$out/print.vpf" -o "$out/print.exr" -o "$out/print.png")
grep -E '^(device|kernel|samples|paths|extensions_per_second|seconds_render|film_hash|de2000_noise_mean|de2000_noise_p95):' <<<"$answer"
value_of() { sed -n "s/^$1: //p" <<<"$answer"; }

if [[ -z $TARGET ]]; then
    noise=$(value_of de2000_noise_mean)
    if [[ $noise == [0-9]* ]]; then printf 'Noise alone makes a Delta E 2000 of %.2g on average. ' "$noise"; fi
    echo "With TARGET=picture.png a contact sheet compares."
    exit 0
fi
# Onto the sheet: volprep's verdict, then the settings.
notes=()
while IFS= read -r line; do notes+=(--note "$line"); done < <(
    sed -n '/^  verdict /,$s/^  \(verdict\)\{0,1\} *//p' "$out/print.txt"
    awk -v w="$width_mm" -v h="$height_mm" -v d="$depth_mm" -v p="$PITCH" -v m="$MATERIALS" -v made="$made" 'BEGIN {
        gsub(",", " x ", p); printf "Print: %.4g x %.4g x %.3g mm, voxels of %s, %s, %s\n", w, h, d, p, m, made }'
    sed -n 's/^amounts\.\(volume_ml\|mass_g\)\.\([^:]*\): \(.*\)/\1 \2 \3/p' <<<"$about" | awk '{
        unit = $1 == "mass_g" ? "g" : "ml"; text = text sprintf("%s %s %.3g %s", text == "" ? "" : ",", $2, $3, unit) }
        END { if (NR > 0 && length(text) < 300) print "Material:" text }'
    echo "Prediction${quick:+, a preview}: $(value_of width) x $(value_of height) texels ($DPI${texels:+ dpi}), $(value_of samples) samples, ${VIEW:+$VIEW, }$(value_of device)"
)
# Without a threshold the verdict ("not equal") is ignored.
volcompare "$out/print.vpf" "$TARGET" --resample area --metric de2000 --threshold "${THRESHOLD:-de2000.mean>=0}" \
    --picture-width "${width_mm}mm" "${notes[@]}" --sheet "$out/sheet.html" --sheet "$out/sheet.png"
