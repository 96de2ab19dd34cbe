#!/usr/bin/env bash
# Three pictures from files that it makes itself, and a page that shows them with their commands: demo.sh [FOLDER]
#
# The test chart printed with real inks, a figurine of marble by a window, smoke at sunset. Writes only to FOLDER (default: out/demo),
# a new one or that of an earlier demo, in a minute on two cores; the page is FOLDER/index.html, opened in a browser where there is a desktop. Needs python3.
# Exit status: 0 done, 2 usage, otherwise that of the program that failed.
set -euo pipefail
if [[ ${1:-} == --help || ${1:-} == -h ]]; then
    sed -n '2,/^set/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    exit 0
fi
if [[ $# -gt 1 || ${1:-} == -* ]]; then
    sed -n '2,/^set/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
    exit 2
fi
started=$SECONDS
scripts=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=pipelines/find_tools.sh
source "$scripts/find_tools.sh"
chart=$scripts/data/chart.png
if [[ ! -e $chart ]]; then chart=$scripts/chart.png; fi
folder=${1:-out/demo}
if [[ -e $folder && ! -e $folder/.volpt-demo && -n $(ls -A "$folder") ]]; then
    echo "demo.sh: $folder has files of others, which could be replaced; name a new folder" >&2
    exit 2
fi
mkdir -p "$folder"
cd "$folder"
: >.volpt-demo
page=index.html.part
cat >"$page" <<'HTML'
<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><title>volpt: three pictures</title>
<style>body { background: #16181c; color: #e4e6ea; font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem }
section { display: flex; flex-wrap: wrap; gap: 1.5rem; margin: 2rem 0 } img { max-width: 100% } div { flex: 1 1 24rem; min-width: 0 }
pre { background: #23262c; padding: .8rem; white-space: pre-wrap } h1, h2 { font-weight: 500; margin-top: 0 }</style>
<h1>Three pictures, and the commands that made them</h1>
HTML

# escape TEXT: for HTML.
escape() { sed 's/&/\&amp;/g; s/</\&lt;/g' <<<"$1"; }

# show TITLE PICTURE TEXT COMMAND..: runs the commands, one a line, and adds picture and commands to the page.
show() {
    local title=$1 picture=$2 text=$3 begun=$SECONDS command
    shift 3
    printf '\n# %s\n' "$title"
    for command in "$@"; do
        printf '%s\n' "$command"
        bash -euc "$command" >/dev/null
    done
    {
        printf '<section><img src="%s" alt="%s"><div><h2>%s</h2><p>%s</p><pre>' "$picture" "$(escape "$title")" "$(escape "$title")" "$(escape "$text")"
        printf '%s\n' "$@" | sed 's/&/\&amp;/g; s/</\&lt;/g'
        printf '</pre><p>%d s here.</p></div></section>\n' $((SECONDS - begun))
    } >>"$page"
}

cp "$chart" chart.png
show "A print" print.png "The test chart as five resins of a printer will show it, on a white core: its edges are soft, since light spreads in the resin." \
    "volprep print chart.png --width 20mm --thickness 2mm --materials elek2017 -o print.vpk -q" \
    "volrender print.vpk --from top --zoom 1.6 --env 1 --resolution 480x330 --spp 16 --denoise on -o print.png -q"
python3 -B "$scripts/make_figurine.py" figurine.stl
show "A figurine" figurine.png "A mesh, made of marble, by a window." \
    "volprep figurine.stl --material marble -o figurine.vpk -q" \
    "volrender figurine.vpk --scene window --resolution 360x360 --spp 48 --denoise on -o figurine.png -q"
python3 -B "$scripts/make_smoke.py" smoke.mha --height 144
python3 -B "$scripts/draw_sky.py" --sunset sky.pfm
show "Smoke" smoke.png "A volume of densities at sunset: a red sky on one side, and the sun." \
    "volrender smoke.mha --env sky.pfm --env-up +z --light 'sun direction=-1,.5,-.3 angle=4 irradiance=3,1.3,.45' --from 0,-14 --zoom 1.7 --resolution 320x400 --spp 32 --denoise on -o smoke.png -q"
printf '<p>The same in a window that you turn: <code>volview figurine.vpk --scene window --open</code></p></html>\n' >>"$page"
mv "$page" index.html
printf '\ndemo: %d s; the page is %s/index.html\n' $((SECONDS - started)) "$PWD"
if [[ -n ${DISPLAY:-}${WAYLAND_DISPLAY:-} ]] && command -v xdg-open >/dev/null; then xdg-open index.html >/dev/null 2>&1 || true; fi
