#!/usr/bin/env bash
# Writes the skeleton of a new part and its line in the list that makes it known.
#
#   new_part.sh reader NAME [".ext .ext"]   formats/NAME/reader.cc, a fuzz target, formats/readers.def
#   new_part.sh writer NAME [.ext]          formats/NAME/writer.cc, formats/writers.def
#   new_part.sh codec NAME [.ext]           libvolpt/image/codecs/codec_NAME.cc, codecs.def
#   new_part.sh metric NAME                 libvolpt/stats/metrics/metric_NAME.cc, metrics.def
#   new_part.sh kernel NAME                 kernels/study/NAME.cu, a copy of regen_warp under the new name, kernels.def
#   new_part.sh test TOOL[_TOPIC].NAME      a line in tests/tools/TOOL_TOPIC.tests
#
# Registry, build, --help and contract tests find the part by its line; then fill in the bodies.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() {
    sed -n '4,9s/^# *//p' .ci/new_part.sh >&2
    exit 2
}
[[ $# -ge 2 && $# -le 3 ]] || usage
kind=$1 name=$2
case $kind in
    test) [[ $name =~ ^vol[a-z]+(_[a-z0-9_]+)?[.][a-z][a-z0-9_]*$ ]] || usage ;;
    *) [[ $name =~ ^[a-z][a-z0-9_]*$ ]] || usage ;;
esac
extensions=${3:-.$name}
fuzz_target=tests/fuzz/${name}_fuzz.cc

case $kind in
    reader) file=formats/$name/reader.cc list=formats/readers.def line="VOLPT_READER($name, \"$extensions\", none)" ;;
    writer) file=formats/$name/writer.cc list=formats/writers.def line="VOLPT_WRITER($name, \"${extensions%% *}\", none)" ;;
    codec) file=libvolpt/image/codecs/codec_$name.cc list=libvolpt/image/codecs/codecs.def line="VOLPT_CODEC($name)" ;;
    metric) file=libvolpt/stats/metrics/metric_$name.cc list=libvolpt/stats/metrics/metrics.def line="VOLPT_METRIC($name)" ;;
    kernel)
        file=kernels/study/$name.cu list=kernels/kernels.def
        knobs=$(sed -n '/^VOLPT_KERNEL(regen_warp,/,/)$/p' "$list" | tr -d '\n' | sed -E 's/.*",[[:space:]]*(.*)\)$/\1/')
        line="VOLPT_KERNEL($name, \"what it does, in one line\", $knobs)"
        ;;
    test) list=tests/tools/${name%.*}.tests file=$list line="${name#*.}: ${name%%[_.]*} --help  # grep: Exit status" ;;
    *) usage ;;
esac
if [[ $kind == test ]]; then
    ! grep -q "^${name#*.}:" "$list" 2>/dev/null || { echo "new_part: $list has a test ${name#*.} already" >&2; exit 2; }
elif [[ -e $file ]] || grep -q "(${name}[,)]" "$list"; then
    echo "new_part: $file or the line of $name in $list is there already" >&2
    exit 2
fi

write_reader() {
    cat <<SKELETON
// $name volumes: what the format is, in one sentence.
//
// Source: the specification, with its version and where it is.
#include "formats/reader.h"
#include "libvolpt/sys/error.h"

namespace volpt {
namespace {

bool is_$name(std::string_view head)
{
    return head.starts_with("the format's magic");
}

std::unique_ptr<VolumeSource> open_$name(std::filesystem::path const& path, ReadOptions const&)
{
    fail_input("$name is not read yet", path.string());
}

} // namespace

extern Reader const ${name}_reader;
Reader const ${name}_reader{is_$name, open_$name};

} // namespace volpt
SKELETON
}

write_fuzz_target() {
    cat <<SKELETON
// Fuzz target of the reader of $name volumes.
#include "tests/fuzz/fuzz_reader.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size_bytes)
{
    return volpt::test::fuzz_reader("$name", data, size_bytes);
}
SKELETON
}

write_writer() {
    cat <<SKELETON
// Source: the specification, with its version and where it is.
#include "formats/common/exported_plane.h"

namespace volpt {
namespace {

std::string format_header(VolumeMeta const&, ExportedVolume const&)
{
    return "the format's header";
}

ExportedVolume write_$name(PackedVolume const& volume, ExportPlane plane, std::filesystem::path const& path,
                          ProgressSink const& progress)
{
    return write_plane_file(volume, plane, path, progress, format_header);
}

} // namespace

extern Writer const ${name}_writer;
Writer const ${name}_writer{write_$name};

} // namespace volpt
SKELETON
}

write_codec() {
    cat <<SKELETON
// $name images: what the format is, in one sentence.
//
// Source: the specification, with its version and where it is.
#include "libvolpt/image/codecs/codec.h"
#include "libvolpt/sys/error.h"

namespace volpt {
namespace {

bool is_$name(std::span<std::byte const> file)
{
    return !file.empty() && file[0] == std::byte{0};
}

StoredImage decode_$name(std::span<std::byte const> file, std::string const& where, PictureMemory const& memory,
                     SampleForm)
{
    check_decoded_size({1, 1, 1}, file.size(), {.floor_bytes = 0, .ratio = 1}, memory, where);
    fail_input("$name is not read yet", where);
}

std::vector<std::byte> encode_$name(Image const& image, int)
{
    require_linear(image, "$name");
    fail_usage("$name is not written yet", "write .exr");
}

} // namespace

extern constinit Codec const ${name}_codec{"$name", "${extensions%% *}", is_$name, decode_$name, encode_$name};

} // namespace volpt
SKELETON
}

write_metric() {
    cat <<SKELETON
// What the metric measures, and the paper that defines it.
#include "libvolpt/stats/metrics/figures.h"

namespace volpt {
namespace {

MetricResult measure_$name(Image const& test, Image const& reference, MetricSettings const& settings)
{
    return average_pairs("$name", test, reference, settings, squared_difference, keep_mean);
}

} // namespace

extern constinit Metric const ${name}_metric{"$name", "mean of (t - r)^2", Better::lower, Reach::value, measure_$name};

} // namespace volpt
SKELETON
}

# A policy with the fewest parts, so that the copy compiles whatever the kernels share.
write_kernel() {
    local type
    type=$(sed -E 's/(^|_)([a-z0-9])/\U\2/g' <<<"$name")
    sed "s/regen_warp/$name/g; s/RegenWarp/$type/g; 1s|.*|// $name: how it schedules paths, and the paper that it follows.|" kernels/study/regen_warp.cu
}

mkdir -p "$(dirname "$file")"
if [[ $kind == test ]]; then
    [[ -e $file ]] || printf '# What these tests are about; run_line.sh says how a line runs.\n\n' >"$file"
else
    "write_$kind" >"$file"
fi
# After the last part of its kind: kernels.def goes on after its kernels.
after=$(grep -nE '^(VOLPT_CANDIDATE|#undef)' "$list" | head -1 | cut -d: -f1 || true)
if [[ -n $after ]]; then
    { head -n "$((after - 1))" "$list"; printf '%s\n' "$line"; tail -n "+$after" "$list"; } >"$list.new"
    mv "$list.new" "$list"
else
    printf '%s\n' "$line" >>"$list"
fi
echo "new_part: wrote $file and its line in $list"
case $kind in
    reader)
        write_fuzz_target >"$fuzz_target"
        echo "new_part: wrote $fuzz_target; now add seeds in tests/fuzz/seeds/$name and a sample in tests/formats/reader_contract.test.cc"
        ;;
    kernel) echo "new_part: then run .ci/check_kernels.sh BUILD --update for the table of registers" ;;
esac
