#include "formats/raw/reader.h"

#include "formats/common/file_head.h"
#include "formats/common/header_parts.h"
#include "formats/common/inflate.h"
#include "formats/common/voxel_sources.h"
#include "libvolpt/sys/error.h"

#include <fmt/format.h>

namespace volpt {

std::unique_ptr<VolumeSource> open_raw(std::filesystem::path const& path, std::array<int, 3> dims, StoredType stored)
{
    FileBytes file(path);
    std::uint64_t const expected_bytes = count_data_bytes(stored.type, 1, dims);
    SourceMeta meta;
    meta.path = path.string();
    meta.dims = dims;
    std::array<std::byte, 2> start{};
    if (file.size_bytes() >= start.size()) file.read_at(0, start);
    if (has_extension(path, ".gz") && is_gzip_head(start)) {
        std::uint64_t const size_bytes = file.size_bytes();
        return make_binary_source(std::move(meta), stored,
                                  make_inflated(std::move(file), 0, size_bytes, expected_bytes));
    }
    if (file.size_bytes() != expected_bytes)
        fail_input(fmt::format("holds {} bytes, {}x{}x{} of {} take {}", file.size_bytes(), dims[0], dims[1], dims[2],
                               element_name(stored.type), expected_bytes),
                   path.string(), "a headerless file has no room for anything else", "correct --dims or --type");
    return make_binary_source(std::move(meta), stored, make_file_span(std::move(file), 0));
}

} // namespace volpt
