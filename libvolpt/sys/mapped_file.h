// A read-only mapping of a whole regular file, and what becomes of it when the file changes under it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

namespace volpt {

/// A mapping shows what the file holds now, not what it held when it was mapped. Reading a part that the file has lost
/// (it was cut short, or its disk failed) is SIGBUS, unless replace_lost_pages was called. Results are sound if
/// check_unchanged returns after the last byte for them was read.
class MappedFile {
public:
    /// Error (input) if the file is missing, unreadable or not a regular file.
    explicit MappedFile(std::filesystem::path path);
    ~MappedFile();
    MappedFile(MappedFile&&) noexcept;
    MappedFile& operator=(MappedFile&&) noexcept;

    std::filesystem::path const& path() const noexcept;
    /// Empty for an empty file; otherwise aligned to a page.
    std::span<std::byte const> bytes() const noexcept;

    /// Error (input) if a part was lost, or size or time of modification are not those of when the file was mapped. A
    /// file that another one replaced under its name is unchanged: the mapping keeps it. Costs one system call. From
    /// any thread.
    void check_unchanged() const;
    [[noreturn]] void refuse_changed() const;
    /// Time of the last change of content or status, in ns: also of renaming, linking, and of setting the time of
    /// modification back. 0 if the system cannot say it.
    std::int64_t status_time_ns() const noexcept;

private:
    struct Mapping;
    struct Release {
        void operator()(Mapping* mapping) const noexcept;
    };

    friend void replace_lost_pages();
    friend char const* find_changed_mapping() noexcept;

    std::unique_ptr<Mapping, Release> mapping_;
};

/// From now on, a part of a mapping that its file has lost reads as zeros, and check_unchanged refuses the file.
/// Handles SIGBUS, for all threads; faults outside mappings go to the handler of before. May be called again, after a
/// library that took the signal.
void replace_lost_pages();

/// The name of a mapped file that check_unchanged would refuse, or null. For signal handlers: async-signal-safe.
char const* find_changed_mapping() noexcept;

} // namespace volpt
