#!/usr/bin/env bash
# Writes the skeleton of a new part and its line in the list: new_part.sh reader|codec NAME [".ext .ext"].
#
# Then fill in the bodies; registry, build, --help and contract tests find the part by its line.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() {
    echo "usage: new_part.sh reader|codec NAME [\".ext .ext\"]   (NAME: lower case, digits, _)" >&2
    exit 2
}
[[ $# -ge 2 && $# -le 3 && $2 =~ ^[a-z][a-z0-9_]*$ ]] || usage
kind=$1 name=$2 extensions=${3:-.$2}

case $kind in
    reader) file=formats/read_$name.cc list=formats/readers.def line="VOLPT_READER($name, \"$extensions\", none)" ;;
    codec) file=libvolpt/image/codec_$name.cc list=libvolpt/image/codecs/codecs.def line="VOLPT_CODEC($name)" ;;
    *) usage ;;
esac
if [[ -e $file ]] || grep -q "(${name}[,)]" "$list"; then
    echo "new_part: $file or the line of $name in $list is there already" >&2
    exit 2
fi

write_reader() {
    cat <<SKELETON
// Reads $name volumes: what the format is, in one sentence.
//
// Source: the specification, with its version and where it is.
#include "formats/reader.h"

#include "libvolpt/sys/error.h"

namespace volpt {
namespace {

bool probe(std::string_view head)
{
    return head.starts_with("the format's magic");
}

std::unique_ptr<VolumeSource> open(std::filesystem::path const& path)
{
    fail_input("$name is not read yet", path.string());
}

} // namespace

extern Reader const ${name}_reader;
Reader const ${name}_reader{probe, open};

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

bool matches(std::span<std::byte const> file)
{
    return !file.empty() && file[0] == std::byte{0};
}

Image decode(std::span<std::byte const> file, std::string const& where)
{
    check_decoded_size({1, 1, 1}, file.size(), {.floor_bytes = 0, .ratio = 1}, where);
    fail_input("$name is not read yet", where);
}

std::vector<std::byte> encode(Image const& image)
{
    require_linear(image, "$name");
    fail_usage("$name is not written yet", "write .exr");
}

} // namespace

extern constinit Codec const ${name}_codec{"$name", "${extensions%% *}", matches, decode, encode};

} // namespace volpt
SKELETON
}

"write_$kind" >"$file"
printf '%s\n' "$line" >>"$list"
echo "new_part: wrote $file and its line in $list"
