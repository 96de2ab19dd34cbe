#!/usr/bin/env bash
# Installs the distribution's packages that building volpt needs, if any is missing: install_packages.sh tools|tests.
#
# Debian 12; Ubuntu 24.04 has the same names (untried there). Asks nothing; leaves apt alone when nothing is missing.
# Exit status 4 with the list of what is missing where there is no right to install.
set -euo pipefail

tools=(g++ cmake ninja-build libfmt-dev nlohmann-json3-dev zlib1g-dev libtbb-dev libboost-program-options-dev
    libxxhash-dev libstb-dev libopenexr-dev libzip-dev libtiff-dev libopenvdb-dev libpugixml-dev)
tests=(libgtest-dev libbenchmark-dev binutils python3 python3-jsonschema libopenvdb-tools python3-openvdb python3-venv)
# Packages that stand for a program: any copy of it on PATH will do.
declare -A programs=([g++]=g++ [cmake]=cmake [ninja-build]=ninja [binutils]=strings [python3]=python3)

case ${1:-} in
    tools) wanted=("${tools[@]}") ;;
    tests) wanted=("${tools[@]}" "${tests[@]}") ;;
    *)
        echo "usage: install_packages.sh tools|tests" >&2
        exit 2
        ;;
esac

if ! command -v dpkg-query >/dev/null; then
    echo "volpt: this is no Debian or Ubuntu; nothing installed, cmake will name what is missing" >&2
    exit 0
fi

missing=()
for package in "${wanted[@]}"; do
    program=${programs[$package]:-}
    if [[ -n $program ]] && command -v "$program" >/dev/null; then continue; fi
    if [[ $(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) != installed ]]; then missing+=("$package"); fi
done
if [[ ${#missing[@]} -eq 0 ]]; then exit 0; fi

if [[ $(id -u) -eq 0 ]]; then
    as_root=()
elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
    as_root=(sudo -n)
else
    echo "volpt: packages are missing and this user may not install them (not root, no sudo without a password): ${missing[*]}" >&2
    echo "volpt: have them installed, then run this again: apt-get install --no-install-recommends ${missing[*]}" >&2
    exit 4
fi

echo "volpt: installing ${missing[*]}"
apt=(env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300)
if ! { "${as_root[@]}" "${apt[@]}" update && "${as_root[@]}" "${apt[@]}" install -y --no-install-recommends "${missing[@]}"; } </dev/null; then
    echo "volpt: apt-get could not install: ${missing[*]}; its own message is above" >&2
    exit 4
fi
