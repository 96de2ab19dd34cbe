#include "formats/vol/reader.h"

#include "formats/common/file_head.h"
#include "formats/common/header_parts.h"
#include "formats/common/voxel_sources.h"
#include "formats/reader.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <string>

namespace volpt {
namespace {

using HeaderBytes = std::array<std::byte, kVolHeaderBytes>;

template <typename Value>
Value read_value(HeaderBytes const& bytes, std::size_t offset)
{
    Value value;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

std::string place(FileBytes const& file, std::size_t offset)
{
    return fmt::format("{} at offset {}", file.path().string(), offset);
}

HeaderBytes read_bytes(FileBytes const& file)
{
    HeaderBytes bytes{};
    std::string head(static_cast<std::size_t>(std::min(kVolHeaderBytes, file.size_bytes())), '\0');
    file.read_at(0, std::as_writable_bytes(std::span(head)));
    refuse_known_mistakes(head, file.path().string());
    if (!head.starts_with("VOL"))
        fail_input("does not begin with VOL", place(file, 0), "it is no Mitsuba volume", "check the file");
    if (head.size() < kVolHeaderBytes)
        fail_input(fmt::format("ends after {} bytes, the header has {}", head.size(), kVolHeaderBytes),
                   place(file, head.size()), "the file is cut short", "get a complete copy");
    std::memcpy(bytes.data(), head.data(), kVolHeaderBytes);
    return bytes;
}

ElementType to_element(FileBytes const& file, std::int32_t encoding)
{
    switch (encoding) {
    case 1:
        return ElementType::f32;
    case 2:
        return ElementType::f16;
    case 3:
        return ElementType::u8;
    case 4:
        fail_input("encoding 4: directions, no densities", place(file, 4), "directions do not make a volume",
                   "give the density volume");
    default:
        fail_input(fmt::format("encoding {} is unknown", encoding), place(file, 4), "1 is float32, 2 float16, 3 uint8",
                   "the header is damaged or from another program");
    }
}

void check_size(FileBytes const& file, VolHeader const& header)
{
    std::uint64_t const data_bytes = count_data_bytes(header.element, header.channels, header.dims);
    std::uint64_t const available = file.size_bytes() - kVolHeaderBytes;
    if (available < data_bytes)
        fail_input(fmt::format("holds {} bytes of voxels, {}x{}x{} times {} of {} take {}", available, header.dims[0],
                               header.dims[1], header.dims[2], header.channels, element_name(header.element),
                               data_bytes),
                   place(file, kVolHeaderBytes), "the file is cut short or the header wrong", "get a complete copy");
}

bool is_vol(std::string_view head)
{
    return head.starts_with("VOL\x03");
}

std::unique_ptr<VolumeSource> open_vol(std::filesystem::path const& path, ReadOptions const&)
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
    for (std::size_t i = 0; i < 3; ++i) {
        pitch[i] = (header.box_high[i] - header.box_low[i]) / header.dims[i];
        first[i] = header.box_low[i] + pitch[i] / 2;
    }
    meta.pitch_mm = pitch;
    meta.first_voxel_world_mm = first;
    if (header.element == ElementType::u8) meta.natural_window = {0, 255};
    std::uint64_t const data_bytes = count_data_bytes(header.element, header.channels, header.dims);
    std::uint64_t const extra = file.size_bytes() - kVolHeaderBytes - data_bytes;
    if (extra > 0)
        meta.notices.push_back(fmt::format("{}: {} bytes after the last voxel are ignored", meta.path, extra));
    return make_binary_source(std::move(meta), {header.element, ByteOrder::little},
                              make_file_span(std::move(file), kVolHeaderBytes));
}

} // namespace

VolHeader read_vol_header(FileBytes const& file)
{
    HeaderBytes const bytes = read_bytes(file);
    int const version = std::to_integer<int>(bytes[3]);
    if (version != 3)
        fail_input(fmt::format("version {} of the format", version), place(file, 3), "version 3 is known",
                   "write the volume anew");
    VolHeader header;
    header.element = to_element(file, read_value<std::int32_t>(bytes, 4));
    for (std::size_t i = 0; i < 3; ++i) {
        header.dims[i] = read_value<std::int32_t>(bytes, 8 + 4 * i);
        if (header.dims[i] < 1 || header.dims[i] > 65535)
            fail_input(fmt::format("{} voxels along {}", header.dims[i], "xyz"[i]), place(file, 8 + 4 * i),
                       "a volume has 1 to 65535", "the header is damaged");
    }
    header.channels = read_value<std::int32_t>(bytes, 20);
    if (header.channels != 1 && header.channels != 3)
        fail_input(fmt::format("{} channels", header.channels), place(file, 20),
                   "1 is density, 3 are the albedo in red, green and blue", "give such a volume");
    for (std::size_t i = 0; i < 3; ++i) {
        header.box_low[i] = static_cast<double>(read_value<float>(bytes, 24 + 4 * i));
        header.box_high[i] = static_cast<double>(read_value<float>(bytes, 36 + 4 * i));
        double const size = header.box_high[i] - header.box_low[i];
        // NaN fails too; the bound keeps the pitch inside float's range.
        if (!(std::abs(header.box_low[i]) <= 1e9 && size >= 1e-9 && size <= 1e9))
            fail_input(fmt::format("the bounding box spans {} to {} along {}", header.box_low[i], header.box_high[i],
                                   "xyz"[i]),
                       place(file, 24 + 4 * i), "a box has a size, 1e-9 to 1e9", "the header is damaged");
    }
    check_size(file, header);
    return header;
}

extern Reader const vol_reader;
Reader const vol_reader{is_vol, open_vol};

} // namespace volpt
