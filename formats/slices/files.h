// The files of a slice stack in order, wherever they lie: in a folder, matched by a pattern, in an archive.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace volpt {

class SliceFiles {
public:
    virtual ~SliceFiles() = default;

    /// Of the whole: the folder, the pattern, the archive.
    std::string const& where() const noexcept { return where_; }
    /// Of the slices, within `where`.
    std::vector<std::string> const& names() const noexcept { return names_; }
    std::vector<std::string> const& notices() const noexcept { return notices_; }
    /// "stack.zip: slice7.png", or the file's path; for messages.
    virtual std::string describe(std::size_t slice) const = 0;

    /// The first `max_bytes` of a slice's file, or all of it where it is shorter. Error (input) names the slice.
    virtual std::vector<std::byte> read(std::size_t slice, std::size_t max_bytes) = 0;

protected:
    std::string where_;
    std::vector<std::string> names_;
    std::vector<std::string> notices_;
};

/// By its extension: .png, .bmp, .tif or .tiff, whatever the case.
bool is_slice_name(std::filesystem::path const& path);

/// The pictures of a folder by is_slice_name, not of folders inside it.
std::unique_ptr<SliceFiles> list_folder_slices(std::filesystem::path const& folder);
/// The files that match a shell pattern (*, ?, [..]).
std::unique_ptr<SliceFiles> list_pattern_slices(std::string const& pattern);

/// True if the name has pattern characters and no file is called so.
bool is_slice_pattern(std::string const& name);

} // namespace volpt
