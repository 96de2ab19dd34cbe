#!/usr/bin/env bash
# Sourced by print_texture.sh after preview_size.sh, not run: four views of a printed object. Needs volrender on PATH.
readonly turntable_elevation_deg=15

# write_studio_light FILE: a lat-long picture of a room for --env-up +z: dim below, light above, and one large bright window.
write_studio_light() {
    # Little-endian floats; PFM has the lowest row first.
    local dim='\xcd\xcc\x4c\x3e' light='\x33\x33\x33\x3f' bright='\x00\x00\x00\x40' row column text=''
    for ((row = 0; row < 8; ++row)); do
        for ((column = 0; column < 16; ++column)); do
            if ((row < 4)); then
                text+=$dim$dim$dim
            elif ((row > 3 && row < 7 && column >= 4 && column < 8)); then
                text+=$bright$bright$bright
            else
                text+=$light$light$light
            fi
        done
    done
    printf 'PF\n16 8\n-1.0\n%b' "$text" >"$1"
}

# frame_object X_MM Y_MM Z_MM WxH: width in mm that an orthographic view shows from any side, and its columns and rows, at most W and H.
frame_object() {
    awk -v x="$1" -v y="$2" -v z="$3" -v degrees=$turntable_elevation_deg -v most="$4" 'BEGIN {
        split(most, pixels, "x"); turn = degrees * 3.14159265358979 / 180
        side = x > y ? x : y; wide = 1.2 * side; high = 1.1 * (z * cos(turn) + side * sin(turn))
        scale = pixels[1] / wide < pixels[2] / high ? pixels[1] / wide : pixels[2] / high
        printf "%.6g %d %d\n", wide, int(wide * scale + .5), int(high * scale + .5) }'
}

# render_until LIMIT_S FILM.vpf MAX_SPP DE VOLUME.vpk OPTION...: until the noise is below DE; `answer` is volrender's. With LIMIT_S not empty, the first
# $preview_spp samples of every pixel come first, whatever they take, and what is left of LIMIT_S after that is for more. A film that is there is continued: begin_run has removed those of other settings.
render_until() {
    local limit_s=$1 film=$2 spp=$3 de=$4 volume=$5 begun_s=$SECONDS limit=()
    shift 5
    local resume=(--resume "$film")
    if [[ ! -f $film ]]; then resume=(); fi
    # shellcheck disable=SC2154 # of preview_size.sh
    if [[ -n $limit_s && $spp -gt $preview_spp ]]; then
        volrender "$volume" "$@" "${resume[@]}" --spp "$preview_spp" -o "$film" >/dev/null
        limit_s=$(awk -v s="$limit_s" -v taken=$((SECONDS - begun_s)) 'BEGIN { print (s - taken > .5 ? s - taken : .5) }')
        resume=(--resume "$film") limit=(--time-limit "$limit_s")
    fi
    answer=$(volrender "$volume" "$@" "${resume[@]}" --spp "$spp" --stop-at-de "$de" "${limit[@]}" -o "$film" -o "${film%.vpf}.png")
}

# render_turntable LIMIT_S BUDGET_S VOLUME.vpk FOLDER "X_MM Y_MM Z_MM" WxH MAX_SPP DE [OPTION_OF_VOLRENDER]...: FOLDER/view-{front,right,back,left}.vpf and .png,
# their width in `turntable_width_mm`, and what they show in `turntable_text`: the side of a pixel, and the largest noise of the four films (mean Delta E 2000
# of a pixel) if it is known. The light turns with the camera. With LIMIT_S not empty, a view has fewer pixels than WxH if $preview_spp samples of them would
# take longer than BUDGET_S.
render_turntable() {
    local limit_s=$1 budget_s=$2 volume=$3 folder=$4 pixels=$6 spp=$7 de=$8 width columns rows side azimuth_deg=0 count noise=''
    local -a size_mm
    read -ra size_mm <<<"$5"
    shift 8
    read -r width columns rows < <(frame_object "${size_mm[@]}" "$pixels")
    write_studio_light "$folder/light.pfm"
    if [[ -n $limit_s && $spp -gt 1 ]]; then
        count=$(remember "$folder" view_pixels choose_count $((columns * rows)) "$budget_s" "$volume" --from 0,$turntable_elevation_deg --ortho "${width}mm" \
            --resolution $((columns / 4 + 1))x$((rows / 4 + 1)) --ground diffuse:.75 --env "$folder/light.pfm" --env-up +z "$@")
        read -r columns rows < <(awk -v w="$columns" -v h="$rows" -v n="$count" 'BEGIN { part = sqrt(n / (w * h)); print int(w * part + .5), int(h * part + .5) }')
    fi
    for side in front right back left; do
        echo "print_texture.sh: view from the $side, $columns x $rows pixels" >&2
        render_until "$limit_s" "$folder/view-$side.vpf" "$spp" "$de" "$volume" --from $azimuth_deg,$turntable_elevation_deg --ortho "${width}mm" \
            --resolution "${columns}x$rows" --ground diffuse:.75 --env "$folder/light.pfm" --env-up +z --env-rotate $azimuth_deg "$@"
        noise=$(awk -v a="$noise" '/^de2000_noise_mean: [0-9]/ { if (a == "" || $2 > a + 0) a = $2 } END { if (a != "") printf "%.2g", a }' <<<"$answer")
        azimuth_deg=$((azimuth_deg + 90))
    done
    # shellcheck disable=SC2034 # read by print_texture.sh
    turntable_width_mm=$width
    # shellcheck disable=SC2034
    turntable_text="from $turntable_elevation_deg degrees above, in parallel projection, in a room with a window, pixels of $(
        awk -v w="$width" -v n="$columns" 'BEGIN { printf "%.2g", w / n }') mm${noise:+; noise of a pixel: Delta E 2000 of $noise on average in the films}"
}
