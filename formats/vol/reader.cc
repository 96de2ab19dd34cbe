// Reader of Mitsuba's grid volumes (.vol): one number a voxel is density, three are albedo.
#include "formats/reader.h"
#include "formats/common/binary_source.h"
#include "formats/vol/header.h"

#include <fmt/format.h>

namespace volpt {
namespace {

bool is_vol(std::string_view head)
{
    return head.starts_with("VOL\x03");
}

std::unique_ptr<VolumeSource> open_vol(std::filesystem::path const& path)
{
    FileBytes file(path);
    VolHeader const header = read_vol_header(file);
    SourceMeta meta;
    meta.path = path.string();
    meta.dims = header.dims;
    meta.channels = header.channels;
    // Mitsuba 3: voxels are cells, the box is their union (docs/formats/mitsuba.md).
    std::array<double, 3> pitch{};
    std::array<double, 3> first{};
    std::uint64_t data_bytes = element_size_bytes(header.element) * static_cast<std::uint64_t>(header.channels);
    for (std::size_t i = 0; i < 3; ++i) {
        pitch[i] = (header.box_high[i] - header.box_low[i]) / header.dims[i];
        first[i] = header.box_low[i] + pitch[i] / 2;
        data_bytes *= static_cast<std::uint64_t>(header.dims[i]);
    }
    meta.pitch_mm = pitch;
    meta.first_voxel_world_mm = first;
    if (header.element == ElementType::u8) meta.natural_window = {0, 255};
    std::uint64_t const extra = file.size_bytes() - kVolHeaderBytes - data_bytes;
    if (extra > 0)
        meta.notices.push_back(fmt::format("{}: {} bytes after the last voxel are ignored", meta.path, extra));
    return make_binary_source(std::move(meta), {header.element, ByteOrder::little},
                              make_file_span(std::move(file), kVolHeaderBytes));
}

} // namespace

extern Reader const vol_reader;
Reader const vol_reader{is_vol, open_vol};

} // namespace volpt
