#!/usr/bin/env bash
# Sourced by print_texture.sh, not run: how many pixels a preview has, so that each gets enough samples in time. Needs volrender on PATH.
readonly preview_spp=16

# value_of NAME: the value that volrender's `answer` gives.
value_of() { sed -n "s/^$1: //p" <<<"$answer"; }

# measure_pixel_s VOLUME.vpk OPTION...: seconds that one sample of one pixel takes, measured by two samples of a small picture, whose size is among the options.
measure_pixel_s() {
    local volume=$1 answer pilot
    shift
    pilot=$(mktemp -d)
    answer=$(volrender "$volume" "$@" --spp 2 -o "$pilot/pilot.vpf" 2>/dev/null) || answer=''
    rm -r "$pilot"
    awk -v s="$(value_of seconds_render)" -v w="$(value_of width)" -v h="$(value_of height)" 'BEGIN { print (w * h > 0 ? s / (2 * w * h) : 0) }'
}

# choose_count PIXELS BUDGET_S VOLUME.vpk OPTION...: as many pixels as get $preview_spp samples within the budget; at most PIXELS, at least 400.
choose_count() {
    local most=$1 budget_s=$2
    shift 2
    awk -v most="$most" -v each="$(measure_pixel_s "$@")" -v budget="$budget_s" -v spp=$preview_spp 'BEGIN {
        count = each > 0 ? budget / (each * spp) : most
        if (count > most) count = most
        print int(count < 400 ? (most < 400 ? most : 400) : count) }'
}

# remember FOLDER NAME COMMAND...: what the command prints, or what it printed when the render that is now gone on with was begun (FOLDER/print.sizes).
remember() {
    local file=$1/print.sizes name=$2 value
    shift 2
    value=$(sed -n "s/^$name //p" "$file" 2>/dev/null || true)
    if [[ -z $value ]]; then
        value=$("$@")
        printf '%s %s\n' "$name" "$value" >>"$file"
    fi
    printf '%s\n' "$value"
}
