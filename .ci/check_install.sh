#!/usr/bin/env bash
# Installs a build into a folder, moves it, and checks that the programs neither need nor name the source tree: check_install.sh BUILD.
set -euo pipefail

build=$(cd "$1" && pwd)
source_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
bad=0
report() {
    echo "check_install: $*" >&2
    bad=1
}

cmake --install "$build" --prefix "$scratch/installed" >"$scratch/log" || {
    cat "$scratch/log"
    exit 1
}
mv "$scratch/installed" "$scratch/moved"
cd /
tools=(volprep volrender volcompare volmerge volinfo volpt)
if [[ -x $build/bin/volview ]]; then tools+=(volview); fi # left out where cpp-httplib is missing
for tool in "${tools[@]}"; do
    program=$scratch/moved/bin/$tool
    [[ -x $program ]] || { report "$tool is not installed" && continue; }
    env -i PATH=/usr/bin:/bin "$program" --version >"$scratch/version" 2>&1 || report "$tool --version fails: $(cat "$scratch/version")"
    grep -qE '[0-9]+[.][0-9]+[.][0-9]+' "$scratch/version" || report "$tool --version does not say a version: $(cat "$scratch/version")"
    ldd "$program" >"$scratch/libraries"
    if grep -q 'not found' "$scratch/libraries"; then report "$tool misses a library: $(grep 'not found' "$scratch/libraries")"; fi
    if [[ $tool != volprep && $tool != volinfo ]] && grep -qiE 'openvdb|assimp|gdcm' "$scratch/libraries"; then report "$tool links OpenVDB, GDCM or assimp"; fi
    if strings "$program" | grep -F -e "$source_dir/" -e "$build/"; then report "$tool holds a path of the source or build tree (above)"; fi
    [[ -s $scratch/moved/share/man/man1/$tool.1 ]] || report "$tool has no man page"
    in_bash=$scratch/moved/share/bash-completion/completions/$tool in_zsh=$scratch/moved/share/zsh/site-functions/_$tool
    bash -n "$in_bash" || report "$tool has no completion for bash, or a wrong one"
    [[ $(head -n 1 "$in_zsh") == "#compdef $tool" ]] || report "$tool has no completion for zsh"
    if grep -F -e "$source_dir/" -e "$build/" "$in_bash" "$in_zsh"; then report "completion of $tool holds a path of the source or build tree (above)"; fi
done
env -i PATH=/usr/bin:/bin "$scratch/moved/bin/volprep" --make slab --size 1mm --materials elek2017 --material W -o "$scratch/w.vpk" >"$scratch/log" 2>&1 ||
    report "volprep does not find its material tables: $(cat "$scratch/log")"
env -i PATH=/usr/bin:/bin "$scratch/moved/bin/volpt" info --version >"$scratch/log" 2>&1 || report "volpt does not start volinfo: $(cat "$scratch/log")"
# Completion of volpt finds that of the program beside it.
# shellcheck disable=SC2016
env -i PATH=/usr/bin:/bin bash -c 'source "$1" && COMP_WORDS=(volpt render --boundary sm) COMP_CWORD=3 && _volpt_volpt && [[ ${COMPREPLY[*]} == smooth ]]' \
    bash "$scratch/moved/share/bash-completion/completions/volpt" || report "volpt render is not completed by bash"
# The GPU code: one symbol; told by name if it is missing or of another build. A build of the Python package has a second one.
gpu_code=$(find "$scratch/moved" -name libvolpt_cuda.so -not -path "*/moved/volpt/*")
if [[ -n $gpu_code ]]; then
    [[ $(nm -D --defined-only "$gpu_code" | grep -cvE ' (V|u|w|W) ') == 1 ]] || report "libvolpt_cuda.so shows more than its one symbol"
    if strings "$gpu_code" | grep -F -e "$source_dir/" -e "$build/"; then report "libvolpt_cuda.so holds a path of the source or build tree (above)"; fi
    render() { env -i PATH=/usr/bin:/bin "$scratch/moved/bin/volrender" "$scratch/w.vpk" --resolution 8x8 --spp 1 --device cuda -o "$scratch/w.vpf" >"$scratch/log" 2>&1; }
    if ! render && grep -q libvolpt_cuda "$scratch/log"; then report "volrender does not load the GPU code: $(cat "$scratch/log")"; fi
    echo 'extern "C" void const* volpt_open_gpu_library(char const*) { return nullptr; }' | c++ -shared -fPIC -x c++ -o "$gpu_code" -
    if render || ! grep -q 'of another build' "$scratch/log"; then report "GPU code of another build is not refused: $(cat "$scratch/log")"; fi
    rm "$gpu_code"
    if render || ! grep -q 'is not beside' "$scratch/log"; then report "missing GPU code is not told: $(cat "$scratch/log")"; fi
fi
# The library: symbols of its headers alone, and a program of somebody else's that finds it.
library=$(find "$scratch/moved" -name libvolpt.so)
if [[ -n $library ]]; then
    nm -D --defined-only -C "$library" | grep -vE ' (V|u|w|W) ' | grep -v 'volpt::v0::' && report "libvolpt.so shows symbols (above) that its headers do not"
    if strings "$library" | grep -F -e "$source_dir/" -e "$build/"; then report "libvolpt.so holds a path of the source or build tree (above)"; fi
    { cmake -S "$source_dir/api/example" -B "$scratch/example" -DCMAKE_PREFIX_PATH="$scratch/moved" -DCMAKE_BUILD_TYPE=Release &&
        cmake --build "$scratch/example" && env -i PATH=/usr/bin:/bin "$scratch/example/noisy_cloud" "$scratch"; } >"$scratch/log" 2>&1 ||
        report "the example of the C++ library does not work: $(cat "$scratch/log")"
fi
[[ $bad -eq 0 ]] && echo "check_install: ${#tools[@]} programs, moved and found whole"
exit "$bad"
