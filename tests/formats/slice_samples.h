// Writes PNG slices and zip archives for tests, by means of its own (no code of the reader).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>
#include <zlib.h>

namespace volpt {

inline std::string be32(std::uint32_t value)
{
    std::string bytes;
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift);
    return bytes;
}

inline std::string le(std::uint32_t value, int size_bytes)
{
    std::string bytes;
    for (int i = 0; i < size_bytes; ++i) bytes += static_cast<char>(value >> (8 * i));
    return bytes;
}

inline std::uint32_t crc_of(std::string const& bytes)
{
    return static_cast<std::uint32_t>(
        crc32(0, reinterpret_cast<Bytef const*>(bytes.data()), static_cast<uInt>(bytes.size())));
}

/// Chunks between header and pixels: PLTE, tRNS.
using PngChunks = std::vector<std::pair<std::string, std::string>>;

/// A PNG (8 bits a sample) of width x height pixels; colour 0 grey, 2 RGB, 3 palette, 6 RGBA; `samples` row by row.
inline std::string make_png(std::uint32_t width, std::uint32_t height, int colour, std::string const& samples,
                            PngChunks const& more = {})
{
    auto const chunk = [](std::string const& type, std::string const& data) {
        return be32(static_cast<std::uint32_t>(data.size())) + type + data + be32(crc_of(type + data));
    };
    std::size_t const row = samples.size() / height;
    std::string lines;
    for (std::size_t y = 0; y < height; ++y) lines += '\0' + samples.substr(y * row, row);
    std::string packed(compressBound(static_cast<uLong>(lines.size())), '\0');
    auto size = static_cast<uLongf>(packed.size());
    compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<Bytef const*>(lines.data()),
             static_cast<uLong>(lines.size()));
    packed.resize(size);
    std::string const header =
        be32(width) + be32(height) + std::string{'\x08', static_cast<char>(colour), '\0', '\0', '\0'};
    std::string chunks = chunk("IHDR", header);
    for (auto const& [type, data] : more) chunks += chunk(type, data);
    return "\x89PNG\r\n\x1a\n" + chunks + chunk("IDAT", packed) + chunk("IEND", "");
}

/// A zip archive of stored files (APPNOTE 6.3).
inline std::string make_zip(std::vector<std::pair<std::string, std::string>> const& files)
{
    std::string archive;
    std::string directory;
    for (auto const& [name, content] : files) {
        auto const size = static_cast<std::uint32_t>(content.size());
        std::string const facts = le(20, 2) + le(0, 2) + le(0, 2) + le(0, 2) + le(33, 2) + le(crc_of(content), 4) +
                                  le(size, 4) + le(size, 4) + le(static_cast<std::uint32_t>(name.size()), 2) + le(0, 2);
        directory += "PK\1\2" + le(20, 2) + facts + le(0, 2) + le(0, 2) + le(0, 2) + le(0, 4) +
                     le(static_cast<std::uint32_t>(archive.size()), 4) + name;
        archive += "PK\3\4" + facts + name + content;
    }
    auto const count = static_cast<std::uint32_t>(files.size());
    return archive + directory + "PK\5\6" + le(0, 4) + le(count, 2) + le(count, 2) +
           le(static_cast<std::uint32_t>(directory.size()), 4) + le(static_cast<std::uint32_t>(archive.size()), 4) +
           le(0, 2);
}

} // namespace volpt
