#include "formats/slices/dicom_files.h"

#include "formats/common/file_head.h"
#include "formats/slices/files.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace volpt {
namespace {

constexpr std::size_t kDicomHeadBytes = 512; ///< PS3.10 7.1: 128 of anything, "DICM"; or elements up to a UID

std::vector<std::string> list_files(std::string const& input)
{
    std::error_code ignored;
    if (!std::filesystem::is_directory(input, ignored))
        return is_slice_pattern(input) ? list_matches(input) : std::vector{input};
    std::vector<std::string> paths;
    std::error_code error;
    for (std::filesystem::directory_iterator at(input, error), end; !error && at != end; at.increment(error))
        if (at->is_regular_file(ignored)) paths.push_back(at->path().string());
    if (error) fail_input("the folder cannot be read: " + error.message(), input, {}, "check name and rights");
    return paths;
}

bool starts_as_dicom(std::string const& path)
{
    return is_dicom_head(read_file_head(path, kDicomHeadBytes));
}

/// Beside the slices of a stack there may be files that are nobody's business.
bool is_readable_dicom(std::string const& path)
{
    try {
        return starts_as_dicom(path);
    } catch (Error const&) {
        return false;
    }
}

} // namespace

bool is_dicom(std::string const& input)
{
    // Pictures are not looked into: there are thousands in a stack.
    std::error_code ignored;
    return std::ranges::any_of(list_files(input), [&](std::string const& path) {
        if (path == input) return std::filesystem::is_regular_file(path, ignored) && starts_as_dicom(path);
        return !is_slice_name(path) && std::filesystem::is_regular_file(path, ignored) && is_readable_dicom(path);
    });
}

DicomFiles list_dicom_files(std::string const& input)
{
    DicomFiles files;
    std::vector<std::string> others;
    std::error_code ignored;
    for (std::string const& path : list_files(input)) {
        bool const is_file = path == input || std::filesystem::is_regular_file(path, ignored);
        if (is_file && starts_as_dicom(path))
            files.paths.push_back(path);
        else
            others.push_back(std::filesystem::path(path).filename().string());
    }
    std::ranges::sort(files.paths);
    std::ranges::sort(others);
    if (files.paths.empty())
        fail_input("is no DICOM file", input,
                   "it has neither the word DICM at byte 128 nor elements of DICOM at its begin",
                   "get a complete copy");
    if (!others.empty()) {
        constexpr std::size_t kMostNames = 8;
        std::size_t const shown = std::min(others.size(), kMostNames);
        files.notices.push_back(fmt::format(
            "{}: {} file{} no DICOM: left out: {}{}", input, others.size(), others.size() == 1 ? " is" : "s are",
            fmt::join(others.begin(), others.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
            others.size() > shown ? ", .." : ""));
    }
    return files;
}

} // namespace volpt
