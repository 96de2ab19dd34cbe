// ZipArchive: reads the entries of a zip archive by libzip, with bounds against archives made to swell.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

struct zip;

namespace volpt {

class ZipArchive {
public:
    /// Entries that announce more than `max_entry_bytes` are refused when they are read. Error (input) if the file is
    /// no archive.
    ZipArchive(std::filesystem::path const& path, std::uint64_t max_entry_bytes);

    std::string const& path() const { return path_; }
    /// Index by name, of every entry that is a file.
    std::map<std::string, std::uint64_t> list() const;
    /// At most `max_bytes`; an entry that is read to its end has its CRC checked. Error (input) names `where`.
    std::vector<std::byte> read(std::uint64_t index, std::string const& where, std::size_t max_bytes) const;

private:
    struct Close {
        void operator()(zip* archive) const;
    };

    [[noreturn]] void fail(std::string const& where) const;

    std::string path_;
    std::uint64_t max_entry_bytes_;
    std::unique_ptr<zip, Close> archive_;
};

} // namespace volpt
