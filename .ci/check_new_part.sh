#!/usr/bin/env bash
# Checks new_part.sh in a copy of the lists: every kind is written once, and what runs on the host compiles together with
# its registry. Usage: check_new_part.sh COMPILER
set -Eeuo pipefail
trap 'echo "check_new_part: line $LINENO failed" >&2' ERR
cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD compiler=$1
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT

cp --parents .ci/new_part.sh formats/*.def libvolpt/image/codecs/codecs.def libvolpt/stats/metrics/metrics.def \
    kernels/kernels.def kernels/study/regen_warp.cu "$tree"
mkdir -p "$tree"/tests/{fuzz,tools}
new_part() { bash "$tree/.ci/new_part.sh" "$@" >/dev/null; }
new_part reader probe_format ".pf1 .pf2"
new_part writer probe_format .pf1
new_part codec probe_codec .pc
new_part metric probe_metric
new_part kernel probe_kernel
new_part test volinfo_probe.help
for again in "reader probe_format" "kernel probe_kernel" "test volinfo_probe.help" "shader probe"; do
    status=0
    # shellcheck disable=SC2086  # kind and name
    new_part $again 2>/dev/null || status=$?
    [[ $status -eq 2 ]] || { echo "new_part.sh $again: exit status $status, not 2" >&2; exit 1; }
done
grep -q '^VOLPT_KERNEL(probe_kernel, "[^"]*", VOLPT_[A-Z0-9_]*)$' "$tree/kernels/kernels.def"
grep -q 'run_probe_kernel(' "$tree/kernels/study/probe_kernel.cu"
if grep -i 'regen_\?warp' "$tree/kernels/study/probe_kernel.cu"; then exit 1; fi
grep -q '^help: volinfo ' "$tree/tests/tools/volinfo_probe.tests"

# compile NAME FILE...: the files as one translation unit; lists in the copy come before those of the project.
compile() {
    local name=$1 file
    shift
    for file in "$@"; do printf '#include "%s"\n' "$file"; done >"$tree/$name.cc"
    "$compiler" -std=c++20 -fsyntax-only -Wall -Wextra -Wno-unused-function -DVOLPT_WITH_libzip=0 -DVOLPT_WITH_libtiff=0 \
        -DVOLPT_WITH_openvdb=0 -DVOLPT_WITH_gdcm=0 -I "$tree" -I "$root" "$tree/$name.cc"
}
compile formats formats/probe_format/reader.cc formats/probe_format/writer.cc "$root/formats/registry.cc"
compile codecs libvolpt/image/codecs/codec_probe_codec.cc "$root/libvolpt/image/codecs/codecs.cc"
compile metrics libvolpt/stats/metrics/metric_probe_metric.cc "$root/libvolpt/stats/metrics/metrics.cc"
echo "new_part.sh writes all kinds"
