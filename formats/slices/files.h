// The files of a slice stack in order: in a folder, matched by a pattern, or in an archive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace volpt {

class SliceFiles {
public:
    virtual ~SliceFiles() = default;

    /// The folder, pattern or archive.
    std::string const& where() const noexcept { return where_; }
    /// Of the slices, within `where`.
    std::vector<std::string> const& names() const noexcept { return names_; }
    std::vector<std::string> const& notices() const noexcept { return notices_; }
    /// "stack.zip: slice7.png", or the file's path; for messages.
    virtual std::string describe(std::size_t slice) const = 0;

    /// The first `max_bytes` of a slice's file, or all of it if it is shorter. Error (input) names the slice. From any
    /// thread.
    virtual std::vector<std::byte> read(std::size_t slice, std::size_t max_bytes) = 0;

protected:
    std::string where_;
    std::vector<std::string> names_;
    std::vector<std::string> notices_;
};

/// By its extension: .png, .bmp, .tif or .tiff, whatever the case.
bool is_slice_name(std::filesystem::path const& path);

/// True if the name has pattern characters and is not the name of a file.
bool is_slice_pattern(std::string const& name);

/// True if the last part of the name is the prefix, a number and an extension of slices.
bool is_slice_of(std::filesystem::path const& name, std::string const& prefix);

/// The names that match a shell pattern, in any order. Error (input) if there is none.
std::vector<std::string> list_matches(std::string const& pattern);

/// The files of a folder that is_slice_name accepts, without folders inside it; with a prefix, only its slices.
std::unique_ptr<SliceFiles> list_folder_slices(std::filesystem::path const& folder, std::string const& prefix = {});
/// The files that match a shell pattern (*, ?, [..]).
std::unique_ptr<SliceFiles> list_pattern_slices(std::string const& pattern);

struct SliceOrder {
    std::vector<std::string> names;   ///< sorted by number, which grows by one from slice to slice
    std::vector<std::string> notices; ///< names that are left out
};

/// The number of a slice's name, 0 if it has none. Error (input) if it is too large.
std::uint64_t find_slice_number(std::string const& name, std::string const& where);

/// A name's number is its last run of digits before the extension; the text around it is the same in all slices. Single
/// names that do not fit (a thumbnail) are left out with a notice. Error (input) names the slices around a gap, two
/// slices of one number, or two series.
SliceOrder order_slices(std::vector<std::string> const& names, std::string const& where);

} // namespace volpt
