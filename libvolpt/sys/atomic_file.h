// AtomicFile: an output that appears under its name whole or not at all. It is written beside it under a temporary name
// and renamed by `commit`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

namespace volpt {

class AtomicFile {
public:
    /// Creates a file with a unique name in the folder of `path`; `path` itself does not change. A symbolic link is
    /// followed: the file it points to will be replaced. Error (system) if the file cannot be created or `path` exists
    /// and is not a regular file.
    explicit AtomicFile(std::filesystem::path path);
    /// Removes the temporary file unless `commit` succeeded.
    ~AtomicFile();
    AtomicFile(AtomicFile const&) = delete;
    AtomicFile& operator=(AtomicFile const&) = delete;

    /// Appends; Error (system) when the disk is full.
    void write(std::span<std::byte const> bytes);
    /// Overwrites or extends at an offset; the position of `write` does not change.
    void write_at(std::uint64_t offset_bytes, std::span<std::byte const> bytes);
    /// After a library has put a file of its own in the temporary file's place, so that `commit` flushes that one.
    /// Error (system) if it cannot be opened.
    void reopen();
    /// Flushes to disk and renames to the final path, replacing an existing file.
    void commit();

    std::filesystem::path const& path() const noexcept { return path_; }
    std::filesystem::path const& temporary_path() const noexcept { return temporary_path_; }

private:
    std::filesystem::path path_;
    std::filesystem::path temporary_path_;
    int descriptor_ = -1;
};

/// The whole content in one call.
void write_file_atomically(std::filesystem::path const& path, std::span<std::byte const> bytes);

} // namespace volpt
