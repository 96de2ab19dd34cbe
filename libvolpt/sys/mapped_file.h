// A read-only mapping of a whole regular file.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace volpt {

class MappedFile {
public:
    /// Error (input) if the file is missing, unreadable or not a regular file.
    explicit MappedFile(std::filesystem::path path);
    ~MappedFile();
    MappedFile(MappedFile&&) noexcept;
    MappedFile& operator=(MappedFile&&) noexcept;

    std::filesystem::path const& path() const noexcept { return path_; }
    /// Empty for an empty file; otherwise aligned to a page.
    std::span<std::byte const> bytes() const noexcept { return bytes_; }

private:
    std::filesystem::path path_;
    std::span<std::byte const> bytes_;
};

} // namespace volpt
