// Reader of MetaImage volumes: header, then voxels local, beside it, in slices, compressed or as text.
#include "formats/reader.h"
#include "formats/common/ascii_source.h"
#include "formats/common/binary_source.h"
#include "formats/metaimage/header.h"
#include "formats/metaimage/pieces.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace volpt {
namespace {

/// Headers written by programs take under 1 KiB; a LIST names one file a layer.
constexpr std::uint64_t kMaxHeaderBytes = std::uint64_t{16} << 20;

std::string read_header_text(FileBytes const& file)
{
    std::string text(static_cast<std::size_t>(std::min(kMaxHeaderBytes, file.size_bytes())), '\0');
    file.read_at(0, std::as_writable_bytes(std::span(text)));
    return text;
}

std::string to_metadata_json(MetaImageHeader const& header)
{
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    for (auto const& [key, value] : header.keys) json[key] = value;
    return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

SourceMeta make_meta(MetaImageHeader const& header, std::filesystem::path const& path)
{
    SourceMeta meta;
    meta.path = path.string();
    meta.dims = header.dims;
    meta.pitch_mm = header.spacing_mm;
    meta.rotation = header.rotation;
    // The format's default: a header without Offset puts the first voxel at the origin.
    meta.first_voxel_world_mm = header.first_voxel_world_mm.value_or(std::array<double, 3>{0, 0, 0});
    meta.element = header.stored.type;
    meta.channels = header.channels;
    if (header.channels > 1) meta.natural_window = find_colour_range(header.stored.type);
    meta.metadata_json = to_metadata_json(header);
    return meta;
}

std::uint64_t count_data_bytes(MetaImageHeader const& header)
{
    std::uint64_t bytes = element_size_bytes(header.stored.type) * static_cast<std::uint64_t>(header.channels);
    for (int const size : header.dims) bytes *= static_cast<std::uint64_t>(size);
    return bytes;
}

/// Where in the data file its voxels begin: after the header text if local, else after HeaderSize bytes.
std::uint64_t find_first_byte(MetaImageHeader const& header, FileBytes const& data, std::uint64_t after_text,
                              std::uint64_t data_bytes)
{
    std::uint64_t first = header.header_bytes > 0 ? static_cast<std::uint64_t>(header.header_bytes) : after_text;
    if (header.header_bytes == -1) {
        if (header.is_compressed || !header.is_binary)
            fail_input("HeaderSize = -1 with compressed or text data", data.path().string(),
                       "their size is not known from DimSize", "give the number of bytes to skip");
        first = data.size_bytes() - std::min(data.size_bytes(), data_bytes);
    }
    if (first > data.size_bytes())
        fail_input(fmt::format("HeaderSize = {} lies behind the file's {} bytes", first, data.size_bytes()),
                   data.path().string(), {}, "correct the header");
    return first;
}

std::unique_ptr<VolumeSource> open_compressed(SourceMeta meta, MetaImageHeader const& header, FileBytes data,
                                              std::uint64_t first_byte)
{
    std::uint64_t const available = data.size_bytes() - first_byte;
    std::uint64_t const compressed_bytes = header.compressed_bytes.value_or(available);
    if (compressed_bytes > available)
        fail_input(fmt::format("holds {} compressed bytes, CompressedDataSize says {}", available, compressed_bytes),
                   fmt::format("{} at offset {}", data.path().string(), first_byte), "the file is cut short",
                   "get a complete copy");
    return make_binary_source(std::move(meta), header.stored,
                              make_inflated(std::move(data), first_byte, compressed_bytes, count_data_bytes(header)));
}

std::unique_ptr<VolumeSource> open_plain(SourceMeta meta, MetaImageHeader const& header, FileBytes data,
                                         std::uint64_t first_byte)
{
    std::uint64_t const available = data.size_bytes() - first_byte;
    std::uint64_t const data_bytes = count_data_bytes(header);
    if (data_bytes > available)
        fail_input(fmt::format("holds {} bytes of voxels, DimSize and ElementType ask for {}", available, data_bytes),
                   fmt::format("{} at offset {}", data.path().string(), first_byte),
                   "the file is cut short or the header wrong", "get a complete copy or correct the header");
    if (data_bytes < available)
        meta.notices.push_back(
            fmt::format("{}: {} bytes after the last voxel are ignored", data.path().string(), available - data_bytes));
    return make_binary_source(std::move(meta), header.stored, make_file_span(std::move(data), first_byte));
}

FileBytes open_data_file(MetaImageHeader const& header, std::filesystem::path const& path)
{
    try {
        return FileBytes(path.parent_path() / header.data_file);
    } catch (Error const& error) {
        fail_input(fmt::format("ElementDataFile = {} {}", header.data_file.substr(0, 100), error.text().what),
                   path.string(), "the voxels lie in it", "put it beside the header");
    }
}

std::unique_ptr<VolumeSource> open_metaimage(std::filesystem::path const& path)
{
    FileBytes file(path);
    std::string const text = read_header_text(file);
    MetaImageHeader const header = parse_metaimage_header(text, path.string());
    SourceMeta meta = make_meta(header, path);
    if (auto pieces = find_metaimage_pieces(header, path, std::string_view(text).substr(header.end_of_header)))
        return make_binary_source(std::move(meta), header.stored, std::move(pieces));

    bool const is_local = header.is_local();
    FileBytes data = is_local ? std::move(file) : open_data_file(header, path);
    std::uint64_t const first_byte =
        find_first_byte(header, data, is_local ? header.end_of_header : 0, count_data_bytes(header));
    if (!header.is_binary) return make_ascii_source(std::move(meta), std::move(data), first_byte);
    if (header.is_compressed) return open_compressed(std::move(meta), header, std::move(data), first_byte);
    return open_plain(std::move(meta), header, std::move(data), first_byte);
}

} // namespace

extern Reader const metaimage_reader;
Reader const metaimage_reader{is_metaimage_header, open_metaimage};

} // namespace volpt
