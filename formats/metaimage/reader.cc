#include "formats/reader.h"
#include "formats/common/companion_file.h"
#include "formats/common/header_parts.h"
#include "formats/common/part_choice.h"
#include "formats/common/voxel_sources.h"
#include "formats/metaimage/header.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <fmt/format.h>
#include <sstream>

namespace volpt {
namespace {

constexpr char const* kDataFileField = "ElementDataFile";

/// A printf pattern with one %d, %3d or %03d; its words after the name are first, last and step.
struct Pattern {
    std::string before;
    std::string after;
    int width = 0;
    bool zeros = false;
};

std::optional<Pattern> parse_pattern(std::string const& word)
{
    Pattern pattern;
    auto const percent = word.find('%');
    if (percent == std::string::npos) return std::nullopt;
    std::size_t at = percent + 1;
    if (at < word.size() && word[at] == '0') pattern.zeros = true;
    while (at < word.size() && word[at] >= '0' && word[at] <= '9' && pattern.width < 100)
        pattern.width = pattern.width * 10 + (word[at++] - '0');
    if (at >= word.size() || (word[at] != 'd' && word[at] != 'i' && word[at] != 'u') || pattern.width > 20)
        return std::nullopt;
    pattern.before = word.substr(0, percent);
    pattern.after = word.substr(at + 1);
    if (pattern.after.find('%') != std::string::npos) return std::nullopt;
    return pattern;
}

std::vector<std::string> name_by_pattern(MetaImageHeader const& header, std::filesystem::path const& path)
{
    if (header.volumes > 1)
        fail_input(fmt::format("ElementDataFile = {} is a pattern for {} volumes", header.data_file, header.volumes),
                   path.string(), "which files are which volume is not told", "name the files with LIST");
    std::istringstream words(header.data_file);
    std::string name;
    words >> name;
    auto const pattern = parse_pattern(name);
    if (!pattern)
        fail_input(fmt::format("ElementDataFile = {} is no usable pattern", header.data_file), path.string(),
                   "one %d, %3d or %03d is known", "correct the header");
    long first = 1;
    long last = header.dims[2];
    long step = 1;
    if (words >> first && words >> last) words >> step;
    if (step < 1 || first < 0 || last > 1'000'000'000 || (last - first) / step + 1 < header.dims[2])
        fail_input(
            fmt::format("ElementDataFile = {} names too few files for {} layers", header.data_file, header.dims[2]),
            path.string(), {}, "correct first, last and step");
    std::vector<std::string> names;
    for (int z = 0; z < header.dims[2]; ++z) {
        long const number = first + z * step;
        std::string const digits = pattern->zeros ? fmt::format("{:0{}}", number, pattern->width)
                                                  : fmt::format("{:{}}", number, pattern->width);
        names.push_back(pattern->before + digits + pattern->after);
    }
    return names;
}

std::vector<std::string> name_by_list(MetaImageHeader const& header, std::filesystem::path const& path,
                                      std::string_view after_header, std::size_t count)
{
    std::vector<std::string> names;
    std::istringstream lines{std::string(after_header)};
    for (std::string line; names.size() < count && std::getline(lines, line);) {
        auto const last = line.find_last_not_of(" \t\r");
        if (last == std::string::npos) continue;
        names.push_back(line.substr(0, last + 1));
    }
    if (names.size() < count)
        fail_input(fmt::format("the list names {} files, {} are needed", names.size(), count), path.string(),
                   fmt::format("DimSize has {} layers", header.dims[2]), "complete the list");
    return names;
}

void check_piece(std::filesystem::path const& piece, std::uint64_t needed_bytes, std::filesystem::path const& path)
{
    std::error_code error;
    std::uint64_t const size_bytes = std::filesystem::file_size(piece, error);
    if (error)
        fail_input(fmt::format("piece {} cannot be opened: {}", piece.string().substr(0, 300), error.message()),
                   path.string(), "a layer lies in it", "put it where the header says");
    if (size_bytes < needed_bytes)
        fail_input(fmt::format("piece {} holds {} bytes, its share of the volume takes {}", piece.string(), size_bytes,
                               needed_bytes),
                   path.string(), "the file is cut short or DimSize is wrong", "get a complete copy");
}

std::unique_ptr<VoxelBytes> find_metaimage_pieces(MetaImageHeader const& header, std::filesystem::path const& path,
                                                  std::string_view after_header, OutsideFiles outside)
{
    bool const is_list = header.data_file == "LIST" || header.data_file.starts_with("LIST ");
    std::error_code ignored; // too long a name is an error, not a file
    bool const is_pattern = !is_list && header.data_file.find('%') != std::string::npos &&
                            !std::filesystem::exists(path.parent_path() / header.data_file, ignored);
    if (!is_list && !is_pattern) return nullptr;
    if (header.is_compressed || !header.is_binary)
        fail_input("compressed or text data in one file per layer", path.string(), "only plain binary pieces are read",
                   "write the volume into one file");

    // "LIST 3D" names one file with the whole volume.
    bool const is_whole = is_list && header.data_file.find('3') != std::string::npos;
    std::size_t const count =
        is_whole ? 1 : static_cast<std::size_t>(header.dims[2]) * static_cast<std::size_t>(header.volumes);
    std::uint64_t piece_bytes = element_size_bytes(header.stored.type) * static_cast<std::uint64_t>(header.channels) *
                                static_cast<std::uint64_t>(header.dims[0]) * static_cast<std::uint64_t>(header.dims[1]);
    if (is_whole) piece_bytes *= static_cast<std::uint64_t>(header.dims[2]) * header.volumes;
    std::vector<std::filesystem::path> paths;
    for (auto const& name : is_list ? name_by_list(header, path, after_header, count) : name_by_pattern(header, path))
        paths.push_back(find_companion(path, name, kDataFileField, outside));
    auto const skip = static_cast<std::uint64_t>(std::max<std::int64_t>(0, header.header_bytes));
    for (auto const& piece : paths) check_piece(piece, piece_bytes + skip, path);
    return make_pieces(std::move(paths), piece_bytes, skip,
                       header.header_bytes == -1 ? PieceStart::from_end : PieceStart::after_header);
}

/// Headers written by programs take under 1 KiB; a LIST names one file per layer.
constexpr std::uint64_t kMaxMetaImageHeader_bytes = std::uint64_t{16} << 20;

std::string read_header_text(FileBytes const& file)
{
    std::string text(static_cast<std::size_t>(std::min(kMaxMetaImageHeader_bytes, file.size_bytes())), '\0');
    file.read_at(0, std::as_writable_bytes(std::span(text)));
    return text;
}

SourceMeta make_meta(MetaImageHeader const& header, std::filesystem::path const& path)
{
    SourceMeta meta;
    meta.path = path.string();
    meta.dims = header.dims;
    meta.pitch_mm = header.spacing_mm;
    meta.pitch_origin = "ElementSpacing";
    meta.rotation = header.rotation;
    // The format's default: a header without Offset puts the first voxel at the origin.
    meta.first_voxel_world_mm = header.first_voxel_world_mm.value_or(std::array<double, 3>{0, 0, 0});
    meta.element = header.stored.type;
    meta.channels = header.channels;
    if (header.channels == 3) meta.natural_window = find_colour_range(header.stored.type);
    meta.notices = header.notices;
    meta.metadata_json = format_metadata(header.keys);
    return meta;
}

std::uint64_t count_volume_bytes(MetaImageHeader const& header)
{
    return count_data_bytes(header.stored.type, header.channels, header.dims);
}

/// Of all volumes.
std::uint64_t count_data_bytes(MetaImageHeader const& header)
{
    return header.volumes * count_volume_bytes(header);
}

/// The chosen volume's part of all.
std::unique_ptr<VoxelBytes> choose_met_bytes(std::unique_ptr<VoxelBytes> bytes, MetaImageHeader const& header,
                                             SourceMeta const& meta)
{
    return make_bytes_from(std::move(bytes), meta.volume * count_volume_bytes(header),
                           meta.volume + 1 == header.volumes ? VolumePlace::last : VolumePlace::before_others);
}

/// Error (input) if the volumes take more bytes than any file has.
void check_volumes(MetaImageHeader const& header, SourceMeta const& meta)
{
    if (header.volumes > (std::uint64_t{1} << 62) / count_volume_bytes(header))
        fail_input(fmt::format("DimSize: {} volumes of {} bytes", header.volumes, count_volume_bytes(header)),
                   meta.path, "no file is as large", "correct the header");
}

/// Where the voxels begin in the data file: after the header text if local, else after HeaderSize bytes.
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
    auto bytes = choose_met_bytes(
        make_inflated(std::move(data), first_byte, compressed_bytes, count_data_bytes(header)), header, meta);
    return make_binary_source(std::move(meta), header.stored, std::move(bytes));
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
    auto bytes = choose_met_bytes(make_file_span(std::move(data), first_byte), header, meta);
    return make_binary_source(std::move(meta), header.stored, std::move(bytes));
}

FileBytes open_data_file(MetaImageHeader const& header, std::filesystem::path const& path, OutsideFiles outside)
{
    auto const data_path = find_companion(path, header.data_file, kDataFileField, outside);
    try {
        return FileBytes(data_path);
    } catch (Error const& error) {
        std::error_code unknown;                                // a name that is too long is no file either
        if (std::filesystem::exists(data_path, unknown)) throw; // says what to do
        fail_input(fmt::format("ElementDataFile = {} {}", header.data_file.substr(0, 100), error.text().what),
                   path.string(), "the voxels lie in it", "put it beside the header");
    }
}

std::unique_ptr<VolumeSource> open_metaimage(std::filesystem::path const& path, ReadOptions const& options)
{
    FileBytes file(path);
    std::string const text = read_header_text(file);
    MetaImageHeader const header = parse_metaimage_header(text, path.string());
    SourceMeta meta = make_meta(header, path);
    check_volumes(header, meta);
    choose_volume(options.part, header.volumes, {}, meta);
    std::string_view const after_header = std::string_view(text).substr(header.end_of_header);
    if (auto pieces = find_metaimage_pieces(header, path, after_header, options.outside)) {
        auto bytes = choose_met_bytes(std::move(pieces), header, meta);
        return choose_channels(make_binary_source(std::move(meta), header.stored, std::move(bytes)), options.part);
    }

    bool const is_local = header.is_local();
    FileBytes data = is_local ? std::move(file) : open_data_file(header, path, options.outside);
    std::uint64_t const first_byte =
        find_first_byte(header, data, is_local ? header.end_of_header : 0, count_data_bytes(header));
    auto source = !header.is_binary      ? make_ascii_source(std::move(meta), std::move(data), first_byte)
                  : header.is_compressed ? open_compressed(std::move(meta), header, std::move(data), first_byte)
                                         : open_plain(std::move(meta), header, std::move(data), first_byte);
    return choose_channels(std::move(source), options.part);
}

} // namespace

extern Reader const metaimage_reader;
Reader const metaimage_reader{is_metaimage_header, open_metaimage};

} // namespace volpt
