// Reader of NRRD volumes: header, then voxels after it or in other files, plain, gzipped or as text.
#include "formats/reader.h"
#include "formats/common/companion_file.h"
#include "formats/common/header_parts.h"
#include "formats/common/part_choice.h"
#include "formats/common/voxel_sources.h"
#include "formats/nrrd/header.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <fmt/format.h>

namespace volpt {
namespace {

constexpr std::uint64_t kMaxNrrdHeader_bytes = std::uint64_t{4} << 20;

std::string read_text(FileBytes const& file)
{
    std::string text(static_cast<std::size_t>(std::min(kMaxNrrdHeader_bytes, file.size_bytes())), '\0');
    file.read_at(0, std::as_writable_bytes(std::span(text)));
    return text;
}

SourceMeta make_meta(NrrdHeader const& header, std::filesystem::path const& path)
{
    SourceMeta meta;
    meta.path = path.string();
    meta.dims = header.dims;
    meta.pitch_mm = header.pitch_mm;
    meta.pitch_origin = header.pitch_origin;
    meta.rotation = header.rotation;
    meta.first_voxel_world_mm = header.first_voxel_world_mm;
    meta.element = header.stored.type;
    meta.channels = header.channels;
    if (header.channels == 3 && !header.are_channels_volumes)
        meta.natural_window = find_colour_range(header.stored.type);
    meta.notices = header.notices;
    meta.metadata_json = format_metadata(header.fields);
    return meta;
}

/// Of all volumes that follow each other.
std::uint64_t count_data_bytes(NrrdHeader const& header)
{
    return header.volumes * count_data_bytes(header.stored.type, header.channels, header.dims);
}

/// The chosen volume's part of all.
std::unique_ptr<VoxelBytes> choose_nrrd_bytes(std::unique_ptr<VoxelBytes> bytes, NrrdHeader const& header,
                                              SourceMeta const& meta)
{
    if (header.volumes == 1) return bytes;
    return make_bytes_from(std::move(bytes),
                           meta.volume * count_data_bytes(header.stored.type, header.channels, header.dims),
                           meta.volume + 1 == header.volumes ? VolumePlace::last : VolumePlace::before_others);
}

std::unique_ptr<VolumeSource> make_source(SourceMeta meta, NrrdHeader const& header, std::unique_ptr<VoxelBytes> bytes)
{
    auto chosen = choose_nrrd_bytes(std::move(bytes), header, meta);
    return make_binary_source(std::move(meta), header.stored, std::move(chosen));
}

/// The offset after `lines` line ends.
std::uint64_t skip_lines(FileBytes const& file, std::uint64_t at, std::uint64_t lines)
{
    std::vector<char> piece(65536);
    while (lines > 0) {
        auto const count = static_cast<std::size_t>(std::min<std::uint64_t>(piece.size(), file.size_bytes() - at));
        if (count == 0)
            fail_input(fmt::format("line skip: the file has {} lines too few", lines), file.path().string(), {},
                       "correct the header");
        file.read_at(at, std::as_writable_bytes(std::span(piece).first(count)));
        std::size_t i = 0;
        while (i < count && lines > 0) lines -= piece[i++] == '\n' ? 1u : 0u;
        at += i;
    }
    return at;
}

[[noreturn]] void refuse_short(FileBytes const& file, std::uint64_t first, std::uint64_t data_bytes)
{
    fail_input(fmt::format("holds {} bytes of voxels, sizes and type ask for {}",
                           file.size_bytes() - std::min(first, file.size_bytes()), data_bytes),
               fmt::format("{} at offset {}", file.path().string(), first), "the file is cut short or the header wrong",
               "get a complete copy or correct the header");
}

std::unique_ptr<VolumeSource> open_single(SourceMeta meta, NrrdHeader const& header, FileBytes data,
                                          std::uint64_t first)
{
    std::uint64_t const data_bytes = count_data_bytes(header);
    first = skip_lines(data, first, header.line_skip);
    if (header.encoding == NrrdEncoding::text) return make_ascii_source(std::move(meta), std::move(data), first);
    if (header.encoding == NrrdEncoding::gzip) {
        std::uint64_t const available = data.size_bytes() - first;
        return make_source(std::move(meta), header, make_inflated(std::move(data), first, available, data_bytes));
    }
    if (header.byte_skip == -1) {
        if (data.size_bytes() - first < data_bytes) refuse_short(data, first, data_bytes);
        first = data.size_bytes() - data_bytes;
    } else {
        first += static_cast<std::uint64_t>(header.byte_skip);
    }
    if (first > data.size_bytes() || data.size_bytes() - first < data_bytes) refuse_short(data, first, data_bytes);
    if (data.size_bytes() - first > data_bytes)
        meta.notices.push_back(fmt::format("{}: {} bytes after the last voxel are ignored", data.path().string(),
                                           data.size_bytes() - first - data_bytes));
    return make_source(std::move(meta), header, make_file_span(std::move(data), first));
}

/// Equal pieces of the volume, one per file.
std::unique_ptr<VolumeSource> open_list(SourceMeta meta, NrrdHeader const& header, std::filesystem::path const& path,
                                        OutsideFiles outside)
{
    std::uint64_t const data_bytes = count_data_bytes(header);
    std::uint64_t const count = header.data_files.size();
    if (header.encoding != NrrdEncoding::raw || header.line_skip != 0)
        fail_input("compressed or text data in many files", path.string(), "only raw pieces are read",
                   "write the volume into one file");
    if (data_bytes % count != 0)
        fail_input(fmt::format("{} data files cannot share {} bytes of voxels", count, data_bytes), path.string(), {},
                   "complete the list");
    std::vector<std::filesystem::path> pieces;
    for (auto const& name : header.data_files) pieces.push_back(find_companion(path, name, "data file", outside));
    std::uint64_t const skip = header.byte_skip > 0 ? static_cast<std::uint64_t>(header.byte_skip) : 0;
    for (auto const& piece : pieces) {
        FileBytes const file(piece);
        if (file.size_bytes() < skip || file.size_bytes() - skip < data_bytes / count)
            refuse_short(file, skip, data_bytes / count);
    }
    return make_source(std::move(meta), header,
                       make_pieces(std::move(pieces), data_bytes / count, skip,
                                   header.byte_skip == -1 ? PieceStart::from_end : PieceStart::after_header));
}

FileBytes open_data_file(std::string const& name, std::filesystem::path const& path, OutsideFiles outside)
{
    if (name.find('%') != std::string::npos)
        fail_input(fmt::format("data file: {} is a pattern", name.substr(0, 100)), path.string(),
                   "one name or LIST is read", "name the files with LIST");
    auto const data_path = find_companion(path, name, "data file", outside);
    try {
        return FileBytes(data_path);
    } catch (Error const& error) {
        std::error_code unknown;                                // a name that is too long is no file either
        if (std::filesystem::exists(data_path, unknown)) throw; // says what to do
        fail_input(fmt::format("data file: {} {}", name.substr(0, 100), error.text().what), path.string(),
                   "the voxels lie in it", "put it where the header says");
    }
}

std::unique_ptr<VolumeSource> open_voxels(SourceMeta meta, NrrdHeader const& header, FileBytes file,
                                          std::filesystem::path const& path, ReadOptions const& options)
{
    if (header.data_files.size() > 1) return open_list(std::move(meta), header, path, options.outside);
    if (header.data_files.size() == 1)
        return open_single(std::move(meta), header, open_data_file(header.data_files[0], path, options.outside), 0);
    return open_single(std::move(meta), header, std::move(file), header.end_of_header);
}

std::unique_ptr<VolumeSource> open_nrrd(std::filesystem::path const& path, ReadOptions const& options)
{
    FileBytes file(path);
    NrrdHeader const header = parse_nrrd_header(read_text(file), path.string());
    SourceMeta meta = make_meta(header, path);
    if (header.are_channels_volumes && header.volumes > 1)
        fail_input("sizes: the first axis and the last are both of several volumes", path.string(),
                   "which of them is time is not known", "extract one volume first");
    if (!header.are_channels_volumes) choose_volume(options.part, header.volumes, {}, meta);
    auto source = open_voxels(std::move(meta), header, std::move(file), path, options);
    return header.are_channels_volumes ? choose_interleaved_volume(std::move(source), options.part)
                                       : choose_channels(std::move(source), options.part);
}

} // namespace

extern Reader const nrrd_reader;
Reader const nrrd_reader{is_nrrd, open_nrrd};

} // namespace volpt
