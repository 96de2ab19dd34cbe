#!/usr/bin/env bash
# From a fresh checkout to a rendered print: installs what is missing, builds the tools, prints the test chart, renders, compares: quickstart.sh
#
# Writes only to build/quickstart and out/quickstart of the checkout. Asks nothing; a second run is quick.
# Exit status: 0 the image equals the reference, 1 it differs, 4 packages are missing and cannot be installed.
set -euo pipefail
if [[ ${1:-} == --help || ${1:-} == -h ]]; then
    sed -n '2,/^set/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    exit 0
fi

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$root/build/quickstart
out=$root/out/quickstart
data=$root/pipelines/data
started=$SECONDS

say() { printf 'quickstart: %s\n' "$*"; }

# build TARGET..: with the number of steps and an estimate of the time left on a terminal.
build() {
    local is_terminal=0
    if [[ -t 1 ]]; then is_terminal=1; fi
    NINJA_STATUS='@%f@%t@%e@' cmake --build "$build" --target "$@" | awk -F@ -v is_terminal=$is_terminal '
        $1 != "" || $2 !~ /^[0-9]+$/ { print; next }
        is_terminal { printf "\rquickstart: %d of %d steps, about %d s left   ", $2, $3, $4 / $2 * ($3 - $2); fflush() }
        END { if (is_terminal) printf "\n" }'
}

bash "$root/pipelines/install_packages.sh" tools

gpu_code=OFF
if [[ -e /dev/nvidia0 ]] || nvidia-smi -L >/dev/null 2>&1; then gpu_code=AUTO; fi
generator=()
if [[ ! -e $build/CMakeCache.txt ]]; then generator=(-G Ninja); fi
say "building in $build (GPU code: $gpu_code)"
cmake -S "$root" -B "$build" "${generator[@]}" -DCMAKE_BUILD_TYPE=Release -DVOLPT_CUDA="$gpu_code" \
    -DVOLPT_CUDA_ARCHITECTURES=native -DVOLPT_CPU_LEVELS=native -DCMAKE_UNITY_BUILD=ON -DVOLPT_BUILD_TESTS=OFF -DVOLPT_BUILD_BENCH=OFF \
    -DVOLPT_WARNINGS_AS_ERRORS=OFF --log-level=WARNING
build volprep volrender
PATH=$build/bin:$PATH
say "printing the chart into the top tenth of a white slab, and rendering it from above"
bash "$root/pipelines/render_chart.sh" "$data/chart.png" "$out"
say "after $((SECONDS - started)) s, the print as rendered:  $out/print.png"
say "the texture:            $data/chart.png"

say "building the other programs, and comparing with the reference: $data/chart_rendered.png"
build volcompare volmerge volinfo volpt man
verdict=0
volcompare "$out/print.png" "$data/chart_rendered.png" || verdict=$?
if [[ $verdict -gt 1 ]]; then exit "$verdict"; fi
say "done in $((SECONDS - started)) s; the programs are in $build/bin"
say "three more pictures in a minute: $build/bin/volpt demo"
if [[ $verdict -ne 0 ]]; then say "the rendered picture differs from the reference: please report this machine and compiler" >&2; fi
exit "$verdict"
