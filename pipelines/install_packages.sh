#!/usr/bin/env bash
# Installs the distribution's packages that building volpt needs, if any is missing: install_packages.sh tools|tests|aarch64.
#
# aarch64: the cross compiler and qemu; the libraries for 64-bit Arm are not installed but unpacked into build/aarch64-sysroot (300 MB),
# because Debian's multi-arch packages may replace those of this machine. An unpacked folder is kept; remove it to have newer ones.
# For Debian 12; Ubuntu 24.04 has the same package names (not tested). Asks nothing; does not call apt if nothing is missing.
# Exit status 4, with a list of the missing packages, if the user may not install. Packages that only some tests need are installed if
# possible; otherwise those tests are skipped with a message.
set -euo pipefail
if [[ ${1:-} == --help || ${1:-} == -h ]]; then
    sed -n '2,/^set/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    exit 0
fi

tools=(g++ cmake ninja-build libfmt-dev nlohmann-json3-dev zlib1g-dev libtbb-dev libboost-program-options-dev
    libxxhash-dev libstb-dev libopenexr-dev libjpeg-dev liblcms2-dev libzip-dev libtiff-dev libopenvdb-dev libgdcm-dev libpugixml-dev
    libassimp-dev libcpp-httplib-dev pkg-config fonts-dejavu-core)
tests=(libgtest-dev libbenchmark-dev binutils python3 python3-jsonschema python3-matplotlib clang-format libopenvdb-tools python3-openvdb python3-venv)
# MPI, a cluster of one node and GNU parallel, for docs/cluster.md, and a browser for the page of volview; some distributions and mirrors lack them.
cluster=(libopenmpi-dev openmpi-bin slurmctld slurmd slurm-client munge parallel)
browser=(python3-selenium chromium chromium-driver)
# A shell whose completion is tested.
shells=(zsh)
# For repo.scripts; yamllint comes with Python's yaml.
linters=(shellcheck yamllint)
# For the preset aarch64: what runs here, and what its programs link.
cross=(g++-aarch64-linux-gnu qemu-user)
cross_libraries=(libfmt-dev nlohmann-json3-dev zlib1g-dev libtbb-dev libboost-program-options-dev libxxhash-dev libstb-dev libgtest-dev)
# Packages of which only a program is needed: any copy of it on PATH is enough.
declare -A programs=([g++]=g++ [cmake]=cmake [ninja-build]=ninja [binutils]=strings [python3]=python3
    [pkg-config]=pkg-config [chromium]=chromium [chromium-driver]=chromedriver [zsh]=zsh
    [shellcheck]=shellcheck [yamllint]=yamllint
    [g++-aarch64-linux-gnu]=aarch64-linux-gnu-g++ [qemu-user]=qemu-aarch64)

case ${1:-} in
    tools) wanted=("${tools[@]}") ;;
    tests) wanted=("${tools[@]}" "${tests[@]}") ;;
    aarch64) wanted=(cmake ninja-build "${cross[@]}") ;;
    *)
        echo "usage: install_packages.sh tools|tests|aarch64" >&2
        exit 2
        ;;
esac

if ! command -v dpkg-query >/dev/null; then
    echo "volpt: this is neither Debian nor Ubuntu; nothing was installed, cmake will name what is missing" >&2
    exit 0
fi

# find_missing PACKAGE...: sets `missing` to those that are not installed.
find_missing() {
    local package program
    missing=()
    for package in "$@"; do
        program=${programs[$package]:-}
        if [[ -n $program ]] && command -v "$program" >/dev/null; then continue; fi
        if [[ $(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) != installed ]]; then missing+=("$package"); fi
    done
}

# install_missing: prints why and returns 1 if it fails.
install_missing() {
    local as_root=() apt=(env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300)
    if [[ $(id -u) -ne 0 ]]; then
        if ! command -v sudo >/dev/null || ! sudo -n true 2>/dev/null; then
            echo "volpt: packages are missing and this user may not install them (not root, no sudo without a password): ${missing[*]}" >&2
            echo "volpt: ask an administrator to install them, then run this again: apt-get install --no-install-recommends ${missing[*]}" >&2
            return 1
        fi
        as_root=(sudo -n)
    fi
    echo "volpt: installing ${missing[*]}"
    if ! { "${as_root[@]}" "${apt[@]}" update && "${as_root[@]}" "${apt[@]}" install -y --no-install-recommends "${missing[@]}"; } </dev/null; then
        echo "volpt: apt-get could not install: ${missing[*]}; its own message is above" >&2
        return 1
    fi
}

# install_if_possible PACKAGE...: together or not at all.
install_if_possible() {
    find_missing "$@"
    if [[ ${#missing[@]} -gt 0 ]]; then install_missing || echo "volpt: tests that need these are skipped: ${missing[*]}" >&2; fi
}

# unpack_sysroot: the libraries for 64-bit Arm with all that they depend on, by an apt of its own that knows no installed package.
unpack_sysroot() {
    local root state archive settings
    root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/build/aarch64-sysroot
    if [[ -d $root ]]; then return 0; fi
    echo "volpt: unpacking libraries for 64-bit Arm into $root"
    state=$root.new/apt
    rm -rf "$root.new"
    mkdir -p "$state/lists/partial" "$state/archives/partial"
    touch "$state/status"
    settings=(-q -o APT::Architecture=arm64 -o APT::Architectures::=arm64 -o APT::Install-Recommends=0 -o Debug::NoLocking=1
        -o Dir::State="$state" -o Dir::State::lists="$state/lists" -o Dir::State::status="$state/status" -o Dir::Cache="$state")
    apt-get "${settings[@]}" update </dev/null &&
        apt-get "${settings[@]}" install -y --download-only "${cross_libraries[@]}" </dev/null || return 1
    for archive in "$state"/archives/*.deb; do dpkg-deb -x "$archive" "$root.new" || return 1; done
    rm -rf "$state"
    mv "$root.new" "$root"
}

find_missing "${wanted[@]}"
if [[ ${#missing[@]} -gt 0 ]]; then install_missing || exit 4; fi
if [[ $1 == tests ]]; then
    install_if_possible "${cluster[@]}"
    install_if_possible "${browser[@]}"
    install_if_possible "${shells[@]}"
    install_if_possible "${linters[@]}"
fi
if [[ $1 == aarch64 ]] && ! unpack_sysroot; then
    echo "volpt: the libraries for 64-bit Arm could not be unpacked; the message above says why" >&2
    exit 4
fi
