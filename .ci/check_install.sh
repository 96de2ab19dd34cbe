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
tools=(volprep volrender volcompare volmerge volinfo)
if [[ -x $build/bin/volview ]]; then tools+=(volview); fi # left out where cpp-httplib is missing
for tool in "${tools[@]}"; do
    program=$scratch/moved/bin/$tool
    [[ -x $program ]] || { report "$tool is not installed" && continue; }
    env -i PATH=/usr/bin:/bin "$program" --version >"$scratch/version" 2>&1 || report "$tool --version fails: $(cat "$scratch/version")"
    grep -qE '[0-9]+[.][0-9]+[.][0-9]+' "$scratch/version" || report "$tool --version does not say a version: $(cat "$scratch/version")"
    ldd "$program" >"$scratch/libraries"
    if grep -q 'not found' "$scratch/libraries"; then report "$tool misses a library: $(grep 'not found' "$scratch/libraries")"; fi
    if [[ $tool != volprep ]] && grep -qiE 'openvdb|assimp' "$scratch/libraries"; then report "$tool links OpenVDB or assimp"; fi
    if strings "$program" | grep -F -e "$source_dir/" -e "$build/"; then report "$tool holds a path of the source or build tree (above)"; fi
    [[ -s $scratch/moved/share/man/man1/$tool.1 ]] || report "$tool has no man page"
done
env -i PATH=/usr/bin:/bin "$scratch/moved/bin/volprep" --make slab --size 1mm --materials elek2017 --material W -o "$scratch/w.vpk" >"$scratch/log" 2>&1 ||
    report "volprep does not find its material tables: $(cat "$scratch/log")"
[[ $bad -eq 0 ]] && echo "check_install: ${#tools[@]} programs, moved and found whole"
exit "$bad"
