// FileBytes: reads parts of a regular file at given offsets; for files larger than memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

namespace volpt {

class FileBytes {
public:
    /// Error (input) if the file is missing, unreadable or not a regular file.
    explicit FileBytes(std::filesystem::path path);
    ~FileBytes();
    FileBytes(FileBytes&& other) noexcept;
    FileBytes& operator=(FileBytes&&) = delete;

    std::filesystem::path const& path() const noexcept { return path_; }
    std::uint64_t size_bytes() const noexcept { return size_bytes_; }

    /// Fills `bytes` from `offset_bytes` on. Error (input) names the offset if the file is too short.
    void read_at(std::uint64_t offset_bytes, std::span<std::byte> bytes) const;

private:
    std::filesystem::path path_;
    std::uint64_t size_bytes_ = 0;
    int descriptor_ = -1;
};

} // namespace volpt
