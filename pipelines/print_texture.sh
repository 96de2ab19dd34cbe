#!/usr/bin/env bash
# Predicts how a picture, a printer's job or a mesh looks printed: print_texture.sh [--quick] PICTURE|JOB.gcvf|JOB.txt|SLICES_FOLDER|MESH OUT_FOLDER [NAME=VALUE]...
#
# A picture is separated into inks and dithered over INK_DEPTH (0.5mm) on a core of white. Slices (one colour per material, the last
# slice uppermost) get the core behind them. Then the reflectance of the upper face is predicted, and a contact sheet compares it with the
# picture (slices: with TARGET): settings, a scale in mm, what the inks cannot mix, what is noise and what to trust.
# A mesh (.ply .obj .glb .gltf .stl .3mf) gets ink INK_DEPTH under its surface. The sheet shows it from four sides (front: from -y), all in one scale,
# and compares its texture with the prediction in texture space. The texture is TEXTURE, or the picture beside an .obj or glTF if its colours
# are those of that one picture alone: with several pictures, a picture inside the file, or factors (Kd, baseColorFactor, colours of vertices) the sheet
# has the views alone, and says why. So it has without a texture, and for meshes and slices with SURFACE: voxels have no texture space.
#   --quick  a preview: about 5000 texels, rendered until 15 seconds after the start, but with at least 16 samples each: if those take longer than half a
#            minute, texels are larger. The sheet says how large they are and how much of it is noise. Meshes have coarser voxels.
#            print.png and print.exr are denoised, the film and every Delta E not
# Settings and their defaults. All inputs:
#   MATERIALS (elek2017), PITCH (that of a job's manifest, else 42.3um,84.7um,27um; --quick: coarser above 60 mm, and for meshes), DEVICE (auto),
#   SPP (4096: maximum number of samples), STOP_AT_DE (1: noise of 95 % of the texels, in Delta E 2000), VIEW (more options of volrender),
#   TARGET (the picture, or the mesh's texture: what the prediction is compared with), THRESHOLD (none; for example 'de2000.p95<6')
# Pictures:
#   WIDTH (30mm; the height follows from the picture) or SIZE (both sides), THICKNESS (of the whole print) or CORE (9.5mm, behind the inks), INK_DEPTH (0.5mm),
#   HALFTONE (diffusion), INTENT (absolute: keep the picture's colours, with which the sheet compares), DPI (150: texels of the prediction per inch;
#   `voxels`: one texel per voxel)
# Slices and jobs:
#   LABEL ('#rrggbb=NAME' or 'JOBNAME=NAME', more of them after commas: which material a colour, or a material of the job's manifest, is), AIR (none; the colour of what surrounds the object, for example black),
#   CORE (9.5mm), DPI; or SURFACE (smooth or voxels: what is not air is an object), then VIEW_SPP, VIEW_PIXELS and no SPP, DPI, TARGET or THRESHOLD
# Meshes:
#   SIZE (60mm,, or ,60mm, or ,,60mm: along one axis; else the mesh's own), MESH_UP (+z), INK_DEPTH, INTENT, TEXTURE, COLOUR (#rrggbb, instead of a texture),
#   SURFACE (none; smooth or voxels: voxels bound it), TEXELS (20000 in the texture space), VIEW_SPP (64: samples of the views), VIEW_PIXELS (288x440: at most; --quick: 96x146)
# A setting of another kind is refused, and so are outputs that would replace an input.
# Writes print.vpk, print.txt (what volprep says), coverage.svg, top.png (the last slice), print.vpf, print.exr, print.png, sheet.html and
# sheet.png into the folder; for objects view-front.png and its like, denoised (VIEW="--denoise off": as rendered). After Ctrl-C the same line goes on where it was (settings in print.settings). Renders of more than ten seconds tell on stderr how long they will take, and where
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
DPI='' STOP_AT_DE=1 SPP=4096 VIEW='' DEVICE=auto THRESHOLD='' TARGET='' AIR='' LABEL='' MESH_UP='' TEXTURE='' COLOUR='' SURFACE='' TEXELS='' VIEW_SPP=64 VIEW_PIXELS=''
kind=picture kind_in_words='a picture'
if [[ -d $input || $input =~ \.(gcvf|zip|txt)$ ]]; then kind=slices kind_in_words=slices; fi
if [[ ${input,,} =~ \.(ply|obj|glb|gltf|stl|3mf)$ ]]; then kind=mesh kind_in_words='a mesh'; fi
if [[ $kind == slices && " ${words[*]:2}" =~ \ SURFACE=. ]]; then kind=object kind_in_words='slices with SURFACE'; fi
readonly settings_of_all=' MATERIALS PITCH STOP_AT_DE VIEW DEVICE ' settings_of_objects=' SURFACE VIEW_SPP VIEW_PIXELS '
declare -rA settings_of=(
    [picture]="$settings_of_all SPP TARGET THRESHOLD WIDTH SIZE THICKNESS CORE INK_DEPTH HALFTONE INTENT DPI "
    [slices]="$settings_of_all SPP TARGET THRESHOLD LABEL AIR CORE DPI SURFACE "
    [object]="$settings_of_all $settings_of_objects LABEL AIR CORE "
    [mesh]="$settings_of_all $settings_of_objects SPP TARGET THRESHOLD SIZE MESH_UP INK_DEPTH INTENT TEXTURE COLOUR TEXELS "
)
refuse() {
    echo "print_texture.sh: $1" >&2
    exit 2
}
for setting in "${words[@]:2}"; do
    name=${setting%%=*}
    if [[ $setting != *=* || -z $name || " ${settings_of[*]} " != *" $name "* ]]; then
        echo "print_texture.sh: there is no setting '$setting'" >&2
        usage
    fi
    if [[ ${settings_of[$kind]} != *" $name "* ]]; then
        why=''
        case $kind,$name in
            mesh,WIDTH | mesh,THICKNESS | mesh,AIR) why='; a mesh keeps its shape: SIZE=60mm,, or ,,60mm scales it' ;;
            slices,WIDTH | slices,SIZE | slices,THICKNESS | object,SIZE) why='; slices have a size of their own: give PITCH and CORE' ;;
            object,TARGET | object,THRESHOLD) why='; there is nothing to compare TARGET with: voxels have no texture space' ;;
        esac
        refuse "$name is no setting of $kind_in_words$why (settings of $kind_in_words: $(xargs <<<"${settings_of[$kind]}"))"
    fi
    declare "$setting"
done
readonly quick_s=15 quick_most_s=28 quick_texels=5000 quick_width_mm=60 mesh_texels=20000

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
# shellcheck source=pipelines/preview_size.sh
. "$(dirname "${BASH_SOURCE[0]}")/preview_size.sh"
# shellcheck source=pipelines/turntable.sh
. "$(dirname "${BASH_SOURCE[0]}")/turntable.sh"
readonly of_voxels='no texture space: the surface is that of the voxels'
is_object='' texture='' why_no_texels=''
if [[ $kind == mesh || $kind == object ]]; then is_object=yes; fi
if [[ $kind == object ]]; then why_no_texels=$of_voxels; fi
if [[ $kind == mesh ]]; then
    texture=$TEXTURE
    if [[ -n $SURFACE ]]; then
        texture='' why_no_texels=$of_voxels
    elif [[ -z $TEXTURE && -z $COLOUR && ${input,,} =~ \.(obj|glb|gltf)$ ]]; then
        found=$(python3 -B "$(dirname "${BASH_SOURCE[0]}")/find_texture.py" "$input") || found='why python3 is missing, which reads the names of pictures: give TEXTURE=picture.png'
        if [[ $found == picture\ * ]]; then texture=${found#picture }; else why_no_texels=${found#why }; fi
    fi
    if [[ -z $texture && -n $TARGET$THRESHOLD ]]; then
        refuse "there is nothing to compare TARGET with, and THRESHOLD has no figures: ${why_no_texels:-the mesh has no texture}"
    fi
    target_given=$TARGET
    if [[ -n $texture ]]; then TARGET=${TARGET:-$texture}; fi
elif [[ $kind == picture ]]; then
    TARGET=${TARGET:-$input}
elif [[ -n $THRESHOLD && -z $TARGET ]]; then
    refuse "THRESHOLD needs TARGET=picture.png: there is nothing to compare the slices with"
fi
readonly outputs=(print.settings print.sizes print.vpk print.txt coverage.svg top.png print.vpf print.exr print.png sheet.html sheet.png light.pfm view-{front,right,back,left}.{vpf,png})
if [[ -d $input && $input -ef $out ]]; then refuse "$out is the folder of the slices, and top.png would be one of them: give another folder"; fi
for name in "${outputs[@]}"; do
    for file in "$input" "$TEXTURE" "$texture" "$TARGET" "$MATERIALS"; do
        if [[ -f $file && $file -ef $out/$name ]]; then refuse "$out/$name is an output, and the same file as the input $file: give another folder"; fi
    done
done
mkdir -p "$out"
SECONDS=0

# describe_run: all that the outputs depend on.
describe_run() {
    local file
    printf '%s\n' "$(volprep --version)" "input $input" "quick $quick" "${words[@]:2}"
    for file in "$input" "$TEXTURE" "$texture" "$TARGET" "$MATERIALS"; do
        if [[ -f $file ]]; then cksum "$file"; fi
        if [[ -d $file ]]; then (cd "$file" && find . -type f -exec cksum {} + | LC_ALL=C sort -k 3); fi
    done
}
# Another run's outputs go; those of the same one are gone on with. The volume's text is complete if its name is.
settings=$(describe_run)
if [[ ! -f $out/print.settings || $(<"$out/print.settings") != "$settings" ]]; then
    rm -f "$out"/print.{vpk,vpf,txt,sizes} "$out"/view-{front,right,back,left}.vpf
    printf '%s\n' "$settings" >"$out/print.settings"
fi
is_packed=''
if [[ -f $out/print.vpk && -f $out/print.txt ]]; then
    is_packed=yes
    echo "print_texture.sh: the same settings as before: going on in $out" >&2
fi
# pack OPTION...: the volume, unless it is there.
pack() {
    if [[ -n $is_packed ]]; then return; fi
    volprep "$@" --materials "$MATERIALS" -o "$out/print.vpk" >"$out/print.txt.part"
    mv "$out/print.txt.part" "$out/print.txt"
}
if [[ -n $quick ]]; then echo "print_texture.sh: a preview, rendered until about $quick_s s after the start" >&2; fi
if [[ $kind == mesh ]]; then
    if [[ -n $quick && -z $PITCH ]]; then PITCH=$(coarsen_mesh_pitch); fi
    PITCH=${PITCH:-42.3um,84.7um,27um}
    made="ink depth $INK_DEPTH, $INTENT intent"
    pack "$input" --print-mesh ${SIZE:+--size "$SIZE"} ${MESH_UP:+--mesh-up "$MESH_UP"} ${TEXTURE:+--texture "$TEXTURE"} ${COLOUR:+--colour "$COLOUR"} \
        ${SURFACE:+--surface "$SURFACE"} --ink-depth "$INK_DEPTH" --pitch "$PITCH" --intent "$INTENT"
    if [[ -n $texture && $(volinfo "$out/print.vpk") == *'surface.texture_coordinates: false'* ]]; then
        if [[ -n $THRESHOLD$target_given ]]; then refuse "there is nothing to compare TARGET with, and THRESHOLD has no figures: $of_voxels, the mesh bounds no solid"; fi
        texture='' TARGET='' why_no_texels="$of_voxels, the mesh bounds no solid"
    fi
elif [[ $kind == slices || $kind == object ]]; then
    if [[ -d $input && ! -f $input/ConfigFile.xml ]] && ! grep -qsiF '[Materials]' "$input"/*.txt; then PITCH=${PITCH:-42.3um,84.7um,27um}; fi # else the job says it
    if [[ -z $is_object ]]; then CORE=${CORE:-9.5mm}; fi
    made="slices${CORE:+, core $CORE}${SURFACE:+, $SURFACE surface}"
    labels=()
    IFS=, read -ra named <<<"$LABEL"
    for label in "${named[@]}"; do labels+=(--label "$label"); done
    pack "$input" "${labels[@]}" ${AIR:+--air "$AIR"} ${PITCH:+--pitch "$PITCH"} ${CORE:+--core "$CORE"} ${SURFACE:+--surface "$SURFACE"}
else
    if [[ -z $SIZE && -z $WIDTH ]]; then WIDTH=30mm; fi
    if [[ -z $CORE && -z $THICKNESS ]]; then CORE=9.5mm; fi
    if [[ -z $PITCH ]]; then
        PITCH=42.3um,84.7um,27um
        if [[ -n $quick ]]; then PITCH=$(coarsen_pitch "${WIDTH:-${SIZE%%,*}}"); fi
    fi
    made="ink depth $INK_DEPTH, $HALFTONE, $INTENT intent"
    pack --print "$input" ${WIDTH:+--width "$WIDTH"} ${SIZE:+--size "$SIZE"} ${THICKNESS:+--thickness "$THICKNESS"} ${CORE:+--core "$CORE"} \
        --ink-depth "$INK_DEPTH" --pitch "$PITCH" --halftone "$HALFTONE" --intent "$INTENT"
fi
cat "$out/print.txt"
about=$(volinfo "$out/print.vpk" --coverage "$out/coverage.svg")
last=$(sed -n 's/^dims: \[.*,\([0-9]*\)\]/\1/p' <<<"$about")
if [[ -z $PITCH ]]; then PITCH=$(sed -n 's/^pitch_mm: \[\(.*\)\]/\1 mm/p' <<<"$about"); fi
IFS=, read -r width_mm height_mm depth_mm < <(sed -n 's/^size_mm: \[\(.*\)\]/\1/p' <<<"$about")
volinfo "$out/print.vpk" --slice $((last - 1)) "$out/top.png" >/dev/null

# left_of_preview: seconds that the first samples of --quick may still take.
left_of_preview() { echo $((SECONDS < quick_most_s - 2 ? quick_most_s - SECONDS : 2)); }
# share_time SHARE: seconds that --quick lets the next render take, this share of the time that is left, at least half a second.
share_time() {
    if [[ -n $quick ]]; then awk -v left=$((quick_s - SECONDS)) -v share="$1" 'BEGIN { s = left * share; print (s > .5 ? s : .5) }'; fi
}
print_answer() { grep -E '^(device|kernel|samples|paths|extensions_per_second|seconds_render|film_hash|de2000_noise_mean|de2000_noise_p95):' <<<"$answer"; }
read -ra view <<<"$VIEW"
# Views and pictures of previews are for the eye; films and every Delta E are as rendered.
denoise=() denoise_views=() views_are=''
if [[ " $VIEW " != *" --denoise"[\ =]* ]]; then
    denoise_views=(--denoise on) views_are=', denoised'
    if [[ -n $quick ]]; then denoise=(--denoise on); fi
fi
answer='' sheet=() about_views=''
if [[ -n $is_object ]]; then
    if [[ -z $VIEW_PIXELS ]]; then VIEW_PIXELS=$([[ -n $quick ]] && echo 96x146 || echo 288x440); fi
    # A seventh of the time for each view besides their first samples, and the rest for the texture.
    # The first samples of all four take half of it at most.
    budget_s=$(awk -v left=$((quick_most_s - SECONDS)) 'BEGIN { print (left > 4 ? left / 8 : .5) }')
    render_turntable "$(share_time 0.14)" "$budget_s" "$out/print.vpk" "$out" "$width_mm $height_mm $depth_mm" "$VIEW_PIXELS" "$VIEW_SPP" "$STOP_AT_DE" \
        --device "$DEVICE" "${denoise_views[@]}" "${view[@]}"
    for side in front right back left; do sheet+=(--view "$side=$out/view-$side.png"); done
    sheet+=(--view-width "${turntable_width_mm}mm")
    about_views="Views$views_are: $turntable_text"
    answer=''
    if [[ -n $texture ]]; then
        texture_texels=$(choose_texels "$texture" "${TEXELS:-$([[ -n $quick ]] && echo $quick_texels || echo $mesh_texels)}")
        if [[ -n $quick && -z $TEXELS ]]; then
            count=$(remember "$out" texels choose_count $quick_texels "$(left_of_preview)" "$out/print.vpk" --probe uv \
                --resolution "$(choose_texels "$texture" 300)" --device "$DEVICE" "${view[@]}")
            texture_texels=$(choose_texels "$texture" "$count")
        fi
        echo "print_texture.sh: the texture space, $texture_texels texels" >&2
        render_until "$(share_time 1)" "$out/print.vpf" "$SPP" "$STOP_AT_DE" "$out/print.vpk" --probe uv --resolution "$texture_texels" --device "$DEVICE" \
            "${denoise[@]}" "${view[@]}" -o "$out/print.exr"
        print_answer
    fi
else
    texels=() limit_s=''
    # choose_dpi TEXELS: dots per inch of so many texels on the face, at most 150.
    choose_dpi() { awk -v w="$width_mm" -v h="$height_mm" -v n="$1" 'BEGIN { dpi = 25.4 * sqrt(n / (w * h)); printf "%.4g", dpi < 150 ? dpi : 150 }'; }
    if [[ -n $quick ]]; then
        limit_s=$((SECONDS < quick_s - 4 ? quick_s - SECONDS : 4))
        if [[ -z $DPI ]]; then
            count=$(remember "$out" texels choose_count $quick_texels "$(left_of_preview)" "$out/print.vpk" --probe top --dpi "$(choose_dpi 300)" \
                --device "$DEVICE" "${view[@]}")
            DPI=$(choose_dpi "$count")
        fi
    fi
    if [[ ${DPI:=150} != voxels ]]; then texels=(--dpi "$DPI"); fi
    render_until "$limit_s" "$out/print.vpf" "$SPP" "$STOP_AT_DE" "$out/print.vpk" --probe top "${texels[@]}" --device "$DEVICE" "${denoise[@]}" "${view[@]}" -o "$out/print.exr"
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
    if [[ -n $why_no_texels ]]; then echo "Views alone: $why_no_texels"; fi
    if [[ -n $answer ]]; then
        echo "Prediction${quick:+, a preview}: $(value_of width) x $(value_of height) texels${texels:+ ($DPI dpi, $(awk -v w="$width_mm" -v n="$(value_of width)" 'BEGIN { printf "%.2g", w / n }') mm each)}${is_object:+ of the texture}, $(value_of samples) samples, ${VIEW:+$VIEW, }$(value_of device)"
    fi
)
if [[ -n $is_object && -z $answer ]]; then
    volcompare "${sheet[@]}" "${notes[@]}" --sheet "$out/sheet.html" --sheet "$out/sheet.png"
    exit 0
fi
if [[ -z $is_object ]]; then sheet+=(--picture-width "${width_mm}mm"); fi
# Without a threshold the sheet judges nothing; status 1 then says only that the bits differ.
threshold=()
if [[ -n $THRESHOLD ]]; then threshold=(--threshold "$THRESHOLD"); fi
status=0
volcompare "$out/print.vpf" "$TARGET" --resample area --metric de2000 "${threshold[@]}" "${sheet[@]}" "${notes[@]}" \
    --sheet "$out/sheet.html" --sheet "$out/sheet.png" || status=$?
if [[ $status -eq 1 && -z $THRESHOLD ]]; then status=0; fi
exit "$status"
