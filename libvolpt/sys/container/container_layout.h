// The bytes of the container's header page and end marker, shared by writer and reader (docs/formats/container.md).
#pragma once

#include "libvolpt/sys/checksum.h"

#include <array>
#include <bit>
#include <cstdint>

namespace volpt::container {

static_assert(std::endian::native == std::endian::little, "files are little-endian and mapped without conversion");

inline constexpr std::uint64_t kAlignment = 4096;
inline constexpr std::uint32_t kByteOrderMark = 0x01020304u;
inline constexpr std::size_t kMaxSections = 84;

struct SectionEntry {
    std::array<char, 16> name; ///< ASCII, zero-padded, at least one zero
    std::uint64_t offset_bytes;
    std::uint64_t size_bytes;
    Hash128 checksum;
};
static_assert(sizeof(SectionEntry) == 48);

struct HeaderPage {
    std::array<char, 8> magic;
    std::uint32_t version;
    std::uint32_t byte_order_mark;
    std::uint32_t section_count;
    std::uint32_t header_bytes;
    std::uint64_t file_bytes;
    Hash128 checksum; ///< of this page with this field zero
    std::array<std::uint64_t, 2> reserved;
    std::array<SectionEntry, kMaxSections> sections;
};
static_assert(sizeof(HeaderPage) == kAlignment);

struct EndMarker {
    std::array<char, 8> magic;
    std::uint64_t file_bytes;
    Hash128 header_checksum;
};
static_assert(sizeof(EndMarker) == 32);

constexpr std::uint64_t align_up(std::uint64_t offset_bytes)
{
    return (offset_bytes + kAlignment - 1) / kAlignment * kAlignment;
}

/// The checksum that belongs into the page.
inline Hash128 hash_header(HeaderPage page)
{
    page.checksum = {};
    return hash_bytes(std::as_bytes(std::span(&page, 1)));
}

} // namespace volpt::container
