// The container of .vpk and .vpf: a header page with a section table, aligned checksummed sections, an end marker.
//
// Byte layout in docs/formats/container.md. Little-endian, mappable, pointer-free. A writer writes to a temporary name
// in the same folder and renames on `commit`, so a file is complete or absent.
#pragma once

#include "libvolpt/sys/checksum.h"
#include "libvolpt/sys/text/enum_words.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace volpt {

/// How much of a file is checked: `quick` checks header, table, section bounds and end marker, `full` also the checksum
/// of every section.
enum class VerifyLevel { quick, full };
template <>
inline constexpr auto kWords<VerifyLevel> = list_words<VerifyLevel>({{VerifyLevel::quick, "quick"},
                                                                     {VerifyLevel::full, "full"}});

/// Version of a file: readers refuse other major versions and accept all minor ones, which only add sections or give a
/// meaning to bytes that were zero.
constexpr std::uint32_t file_version(std::uint32_t major, std::uint32_t minor)
{
    return (major << 16) | minor;
}

/// Identifies a kind of sectioned file.
struct FileKind {
    std::array<char, 8> magic;
    std::uint32_t version;                      ///< of file_version
    std::string_view name;                      ///< for messages: "packed volume (.vpk)"
    std::uint32_t oldest_major = version >> 16; ///< that readers accept
};

struct SectionInfo {
    std::string name; ///< at most 15 ASCII characters
    std::uint64_t offset_bytes = 0;
    std::uint64_t size_bytes = 0;
    Hash128 checksum;
};

class SectionedWriter {
public:
    /// Opens `path` + a temporary suffix for writing. Error (system) if the file cannot be created.
    SectionedWriter(std::filesystem::path path, FileKind kind);
    /// Removes the temporary file unless `commit` was called.
    ~SectionedWriter();
    SectionedWriter(SectionedWriter const&) = delete;
    SectionedWriter& operator=(SectionedWriter const&) = delete;

    /// Closes the open section and starts one. Names are unique in a file; at most 84 sections fit the header page.
    void begin_section(std::string_view name);
    /// Appends to the open section.
    void append(std::span<std::byte const> bytes);
    /// begin_section + append.
    void write_section(std::string_view name, std::span<std::byte const> bytes);
    /// Writes table and end marker, flushes to disk, renames to the final path.
    void commit();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// A read-only mapping of a sectioned file; sections are spans of it, aligned to 4096 bytes.
class SectionedFile {
public:
    /// Maps and checks. Error (input) names file, section and offset of the first defect; sizes stated in the file
    /// cause no allocation.
    static SectionedFile open(std::filesystem::path const& path, FileKind kind, VerifyLevel level);

    ~SectionedFile();
    SectionedFile(SectionedFile&&) noexcept;
    SectionedFile& operator=(SectionedFile&&) noexcept;

    std::filesystem::path const& path() const noexcept;
    std::uint64_t size_bytes() const noexcept;
    std::uint32_t version() const noexcept; ///< of file_version
    std::vector<SectionInfo> const& sections() const noexcept;
    bool has(std::string_view name) const noexcept;
    /// The bytes of a section; Error (input) if it is missing.
    std::span<std::byte const> section(std::string_view name) const;
    /// Error (input) unless the section's bytes match their checksum and are padded with zeros, as `full` checks for
    /// every section. Adds the bytes to `also` in the same pass, if given.
    void verify(std::string_view name, StreamHasher* also = nullptr) const;
    /// Error (input) if the file changed since it was opened (MappedFile::check_unchanged): what was read before a call
    /// that returns is sound. If only its status changed (it was renamed, linked or replaced, or its time of
    /// modification was set back), every section is read and compared with its checksum. From any thread.
    void check_unchanged() const;
    /// The checksum from the section table.
    Hash128 checksum(std::string_view name) const;

private:
    struct Impl;
    explicit SectionedFile(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

} // namespace volpt
