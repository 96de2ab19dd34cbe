#!/usr/bin/env bash
# Predicts how a picture, a printer's job or a mesh looks printed: print_texture.sh [--quick] PICTURE|JOB.gcvf|SLICES_FOLDER|MESH OUT_FOLDER [NAME=VALUE]...
#
# A picture is separated into inks and dithered over INK_DEPTH (0.5mm) on a core of white. Slices (one colour per material, the last
# slice uppermost) get the core behind them. Then the reflectance of the upper face is predicted, and a contact sheet compares it with the
# picture (slices: with TARGET): settings, a scale in mm, what the inks cannot mix, what is noise and what to trust.
# A mesh (.ply .obj .glb .gltf .stl .3mf) gets ink INK_DEPTH under its surface. The sheet shows it from four sides (front: from -y), all in one scale,
# and compares its texture with the prediction in texture space. The texture is TEXTURE, or the picture that an .obj or glTF names.
# Without one, and for slices with SURFACE, the sheet has the views alone.
#   --quick  a preview: about 5000 texels, rendered until 15 seconds after the start; the sheet says how much of it is noise. Meshes have coarser voxels
# Other settings and their defaults:
#   WIDTH (30mm; the height follows from the picture) or SIZE (both sides) of a picture's print, THICKNESS (of the whole print) or CORE (9.5mm,
#   behind the inks), AIR (none; slices: the colour of what surrounds the object, for example black), MATERIALS (elek2017),
#   PITCH (that of a job's manifest, else 42.3um,84.7um,27um; --quick: coarser above 60 mm), HALFTONE (diffusion),
#   INTENT (absolute: keep the picture's colours, with which the sheet compares),
#   DPI (150: texels of the prediction per inch; `voxels`: one texel per voxel), STOP_AT_DE (1: noise of 95 % of the texels, in Delta E 2000),
#   SPP (4096: maximum number of samples), VIEW (more options of volrender), DEVICE (auto), THRESHOLD (none; for example 'de2000.p95<6').
# Settings of objects:
#   SIZE (60mm,, or ,60mm, or ,,60mm: along one axis; else the mesh's own), MESH_UP (+z), TEXTURE, COLOUR (#rrggbb, instead of a texture),
#   SURFACE (none; smooth or voxels: for slices, what is not air is an object; for meshes, voxels bound it), TEXELS (20000 in the texture space),
#   VIEW_SPP (64: samples of the views), VIEW_PIXELS (288x440: at most; --quick: 96x146), VIEW (options of both views and texels).
# Writes print.vpk, print.txt (what volprep says), coverage.svg, top.png (the last slice), print.vpf, print.exr, print.png, sheet.html and
# sheet.png into the folder; for objects view-front.png and its like. Renders of more than ten seconds tell on stderr how long they will take, and where
# they are every ten seconds. Uses the tools on PATH, else those in build/.
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
DPI='' STOP_AT_DE=1 SPP=4096 VIEW='' DEVICE=auto THRESHOLD='' TARGET='' AIR='' MESH_UP='' TEXTURE='' COLOUR='' SURFACE='' TEXELS='' VIEW_SPP=64 VIEW_PIXELS=''
for setting in "${words[@]:2}"; do
    case $setting in
        AIR=* | MATERIALS=* | WIDTH=* | SIZE=* | PITCH=* | INK_DEPTH=* | THICKNESS=* | CORE=* | HALFTONE=* | INTENT=* | DPI=* | STOP_AT_DE=* | SPP=* | VIEW=* | \
            DEVICE=* | THRESHOLD=* | TARGET=* | MESH_UP=* | TEXTURE=* | COLOUR=* | SURFACE=* | TEXELS=* | VIEW_SPP=* | VIEW_PIXELS=*)
            declare "$setting" ;;
        *)
            echo "print_texture.sh: there is no setting '$setting'" >&2
            usage ;;
    esac
done
readonly quick_s=15 quick_texels=5000 quick_width_mm=60 mesh_texels=20000

# coarsen_pitch WIDTH: the usual pitch, times a whole number along x and y where the print is wider than $quick_width_mm.
coarsen_pitch() {
    awk -v width="$1" -v most=$quick_width_mm 'BEGIN {
        unit = width; sub(/^[0-9.eE+-]*/, "", unit)
        mm = width * (unit == "um" ? .001 : unit == "cm" ? 10 : unit == "m" ? 1000 : 1)
        times = mm > most ? int(mm / most + .999) : 1
        printf "%gum,%gum,27um", 42.3 * times, 84.7 * times }'
}

# coarsen_mesh_pitch: voxels for a preview of the mesh: half the depth of the ink, or what makes 200 of them along the longest side.
coarsen_mesh_pitch() {
    volprep "$input" ${MESH_UP:+--mesh-up "$MESH_UP"} --check-mesh 2>/dev/null | awk -v wanted="$SIZE" -v ink="$INK_DEPTH" '
        function to_mm(text,    unit) { unit = text; sub(/^[0-9.eE+-]*/, "", unit); return text * (unit == "um" ? .001 : unit == "cm" ? 10 : unit == "m" ? 1000 : 1) }
        $1 == "size" {
            split(wanted, given, ","); scale = 1; longest = 0
            for (i = 1; i <= 3; ++i) {
                side = $(2 * i)
                if (given[i] != "" && side > 0) scale = to_mm(given[i]) / side
                if (side > longest) longest = side
            }
            pitch = longest * scale / 200
            if (pitch < to_mm(ink) / 2) pitch = to_mm(ink) / 2
            printf "%.4gmm", pitch
        }' || true
}

# find_named_picture: the picture that an .obj (by its material) or a glTF names; empty if there is none.
find_named_picture() {
    local folder name=''
    folder=$(dirname "$input")
    case $input in
        *.[oO][bB][jJ])
            name=$(sed -n 's/^mtllib[[:space:]]*//p' "$input" | head -n 1 | tr -d '\r')
            if [[ -z $name || ! -f $folder/$name ]]; then return; fi
            name=$(sed -n 's/^[[:space:]]*map_Kd[[:space:]]*//p' "$folder/$name" | head -n 1 | tr -d '\r') ;;
        *) name=$(grep -aoE '"uri" *: *"[^"]+\.(png|jpe?g|tiff?|bmp)"' "$input" | head -n 1 | sed 's/.*: *"//; s/"$//') || true ;;
    esac
    if [[ -n $name && -f $folder/$name ]]; then echo "$folder/$name"; fi
}

# choose_texels PICTURE COUNT: WxH of about COUNT texels in the picture's shape (a PNG's; else square), no more than it has pixels.
choose_texels() {
    local shape
    shape=$(od -A n -t u1 -j 12 -N 12 "$1" | awk '$1 == 73 && $2 == 72 && $3 == 68 && $4 == 82 {
        print (($5 * 256 + $6) * 256 + $7) * 256 + $8, (($9 * 256 + $10) * 256 + $11) * 256 + $12 }')
    awk -v shape="${shape:-4096 4096}" -v count="$2" 'BEGIN {
        split(shape, side, " "); part = sqrt(count / (side[1] * side[2])); if (part > 1) part = 1
        printf "%dx%d", side[1] * part + .5 < 1 ? 1 : int(side[1] * part + .5), side[2] * part + .5 < 1 ? 1 : int(side[2] * part + .5) }'
}

# shellcheck source=pipelines/find_tools.sh
. "$(dirname "${BASH_SOURCE[0]}")/find_tools.sh"
# shellcheck source=pipelines/turntable.sh
. "$(dirname "${BASH_SOURCE[0]}")/turntable.sh"
mkdir -p "$out"
SECONDS=0
if [[ -n $quick ]]; then echo "print_texture.sh: a preview, rendered until about $quick_s s after the start" >&2; fi
kind=picture
if [[ -d $input || $input =~ \.(gcvf|zip)$ ]]; then kind=slices; fi
if [[ ${input,,} =~ \.(ply|obj|glb|gltf|stl|3mf)$ ]]; then kind=mesh; fi
is_object=''
if [[ $kind == mesh || ($kind == slices && -n $SURFACE) ]]; then is_object=yes; fi
if [[ $kind == mesh ]]; then
    if [[ -n $WIDTH$THICKNESS$AIR ]]; then
        echo "print_texture.sh: a mesh keeps its shape: give SIZE (60mm,, or ,,60mm) instead of WIDTH, THICKNESS and AIR" >&2
        exit 2
    fi
    if [[ -n $quick && -z $PITCH ]]; then PITCH=$(coarsen_mesh_pitch); fi
    PITCH=${PITCH:-42.3um,84.7um,27um}
    made="ink depth $INK_DEPTH, $INTENT intent"
    volprep "$input" --print-mesh ${SIZE:+--size "$SIZE"} ${MESH_UP:+--mesh-up "$MESH_UP"} ${TEXTURE:+--texture "$TEXTURE"} ${COLOUR:+--colour "$COLOUR"} \
        ${SURFACE:+--surface "$SURFACE"} --ink-depth "$INK_DEPTH" --materials "$MATERIALS" --pitch "$PITCH" --intent "$INTENT" \
        -o "$out/print.vpk" >"$out/print.txt"
    if [[ -z $TEXTURE && -z $COLOUR ]]; then TEXTURE=$(find_named_picture); fi
elif [[ $kind == slices ]]; then
    if [[ -n $WIDTH$SIZE$THICKNESS ]]; then
        echo "print_texture.sh: slices have a size of their own: give PITCH and CORE instead of WIDTH, SIZE and THICKNESS" >&2
        exit 2
    fi
    if [[ -d $input && ! -f $input/ConfigFile.xml ]]; then PITCH=${PITCH:-42.3um,84.7um,27um}; fi # else the job says it
    if [[ -z $is_object ]]; then CORE=${CORE:-9.5mm}; fi
    made="slices${CORE:+, core $CORE}${SURFACE:+, $SURFACE surface}"
    volprep "$input" --materials "$MATERIALS" ${AIR:+--air "$AIR"} ${PITCH:+--pitch "$PITCH"} ${CORE:+--core "$CORE"} ${SURFACE:+--surface "$SURFACE"} \
        -o "$out/print.vpk" >"$out/print.txt"
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

value_of() { sed -n "s/^$1: //p" <<<"$answer"; }
# share_time SHARE: seconds that --quick lets the next render take, this share of the time that is left, at least half a second.
share_time() {
    if [[ -n $quick ]]; then awk -v left=$((quick_s - SECONDS)) -v share="$1" 'BEGIN { s = left * share; print (s > .5 ? s : .5) }'; fi
}
print_answer() { grep -E '^(device|kernel|samples|paths|extensions_per_second|seconds_render|film_hash|de2000_noise_mean|de2000_noise_p95):' <<<"$answer"; }
read -ra view <<<"$VIEW"
answer='' sheet=() about_views=''
if [[ -n $is_object ]]; then
    if [[ -z $VIEW_PIXELS ]]; then VIEW_PIXELS=$([[ -n $quick ]] && echo 96x146 || echo 288x440); fi
    # A seventh of the time for each view besides their first samples, and the rest for the texture.
    render_turntable "$(share_time 0.14)" "$out/print.vpk" "$out" "$width_mm $height_mm $depth_mm" "$VIEW_PIXELS" "$VIEW_SPP" "$STOP_AT_DE" \
        --device "$DEVICE" "${view[@]}"
    for side in front right back left; do sheet+=(--view "$side=$out/view-$side.vpf"); done
    about_views="Views: from $turntable_elevation_deg degrees above, in parallel projection, in a room with a window${turntable_noise:+; noise of a pixel: Delta E 2000 of $turntable_noise on average}"
    answer=''
    if [[ -n $TEXTURE ]]; then
        TARGET=${TARGET:-$TEXTURE}
        texture_texels=$(choose_texels "$TEXTURE" "${TEXELS:-$([[ -n $quick ]] && echo $quick_texels || echo $mesh_texels)}")
        echo "print_texture.sh: the texture space, $texture_texels texels" >&2
        render_until "$(share_time 1)" "$out/print.vpf" "$SPP" "$STOP_AT_DE" "$out/print.vpk" --probe uv --resolution "$texture_texels" --device "$DEVICE" \
            "${view[@]}" -o "$out/print.exr"
        print_answer
    fi
else
    texels=() limit=()
    if [[ -n $quick ]]; then
        limit=(--time-limit $((SECONDS < quick_s - 4 ? quick_s - SECONDS : 4)))
        DPI=${DPI:-$(awk -v w="$width_mm" -v h="$height_mm" -v n=$quick_texels 'BEGIN { dpi = 25.4 * sqrt(n / (w * h)); printf "%.4g", dpi < 150 ? dpi : 150 }')}
    fi
    if [[ ${DPI:=150} != voxels ]]; then texels=(--dpi "$DPI"); fi
    answer=$(volrender "$out/print.vpk" --probe top "${texels[@]}" "${limit[@]}" "${view[@]}" --spp "$SPP" --stop-at-de "$STOP_AT_DE" --device "$DEVICE" \
        -o "$out/print.vpf" -o "$out/print.exr" -o "$out/print.png")
    print_answer
fi

if [[ -z $TARGET && -z $is_object ]]; then
    noise=$(value_of de2000_noise_mean)
    if [[ $noise == [0-9]* ]]; then printf 'Noise alone makes a Delta E 2000 of %.2g on average. ' "$noise"; fi
    echo "With TARGET=picture.png a contact sheet compares."
    exit 0
fi
# Onto the sheet: volprep's verdict, then the settings.
notes=()
while IFS= read -r line; do notes+=(--note "$line"); done < <(
    sed -n '/^  verdict /,$s/^  \(verdict\)\{0,1\} *//p' "$out/print.txt"
    awk -v w="$width_mm" -v h="$height_mm" -v d="$depth_mm" -v p="$PITCH" -v m="$MATERIALS" -v made="$made" -v box="${is_object:+in a box of }" 'BEGIN {
        gsub(",", " x ", p); printf "Print: " box "%.4g x %.4g x %.3g mm, voxels of %s, %s, %s\n", w, h, d, p, m, made }'
    sed -n 's/^amounts\.\(volume_ml\|mass_g\)\.\([^:]*\): \(.*\)/\1 \2 \3/p' <<<"$about" | awk '{
        unit = $1 == "mass_g" ? "g" : "ml"; text = text sprintf("%s %s %.3g %s", text == "" ? "" : ",", $2, $3, unit) }
        END { if (NR > 0 && length(text) < 300) print "Material:" text }'
    if [[ -n $about_views ]]; then echo "$about_views"; fi
    if [[ -n $answer ]]; then
        echo "Prediction${quick:+, a preview}: $(value_of width) x $(value_of height) texels${texels:+ ($DPI dpi)}${is_object:+ of the texture}, $(value_of samples) samples, ${VIEW:+$VIEW, }$(value_of device)"
    fi
)
if [[ -n $is_object && -z $answer ]]; then
    volcompare "${sheet[@]}" "${notes[@]}" --sheet "$out/sheet.html" --sheet "$out/sheet.png"
    exit 0
fi
if [[ -z $is_object ]]; then sheet+=(--picture-width "${width_mm}mm"); fi
# Without a threshold the verdict ("not equal") is ignored.
volcompare "$out/print.vpf" "$TARGET" --resample area --metric de2000 --threshold "${THRESHOLD:-de2000.mean>=0}" "${sheet[@]}" "${notes[@]}" \
    --sheet "$out/sheet.html" --sheet "$out/sheet.png"
