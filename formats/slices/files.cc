// Slices that are files of their own, found by folder or by pattern.
#include "formats/slices/files.h"

#include "formats/common/text.h"
#include "formats/slices/order.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/file_bytes.h"

#include <algorithm>
#include <fmt/format.h>
#include <glob.h>
#include <limits>

namespace volpt {
namespace {

class PlainFiles final : public SliceFiles {
public:
    /// `paths` are what order_slices orders.
    PlainFiles(std::string where, std::vector<std::string> const& paths)
    {
        where_ = std::move(where);
        auto order = order_slices(paths, where_);
        names_ = std::move(order.names);
        notices_ = std::move(order.notices);
    }

    std::string describe(std::size_t slice) const override { return names_[slice]; }

    std::vector<std::byte> read(std::size_t slice, std::size_t max_bytes) override
    {
        FileBytes const file(names_[slice]);
        std::vector<std::byte> bytes(static_cast<std::size_t>(std::min<std::uint64_t>(max_bytes, file.size_bytes())));
        file.read_at(0, bytes);
        return bytes;
    }
};

} // namespace

bool is_slice_name(std::filesystem::path const& path)
{
    std::string const extension = to_lower(path.extension().string());
    return extension == ".png" || extension == ".bmp" || extension == ".tif" || extension == ".tiff";
}

std::unique_ptr<SliceFiles> list_folder_slices(std::filesystem::path const& folder)
{
    std::vector<std::string> paths;
    std::error_code error;
    for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
        if (is_slice_name(at->path())) paths.push_back(at->path().string());
    if (error)
        fail_input("the folder cannot be read: " + error.message(), folder.string(), {}, "check name and rights");
    return std::make_unique<PlainFiles>(folder.string(), paths);
}

std::unique_ptr<SliceFiles> list_pattern_slices(std::string const& pattern)
{
    glob_t found{};
    int const status = glob(pattern.c_str(), GLOB_NOSORT, nullptr, &found);
    std::vector<std::string> paths(found.gl_pathv, found.gl_pathv + (status == 0 ? found.gl_pathc : 0));
    globfree(&found);
    if (status == GLOB_NOSPACE) throw std::bad_alloc();
    if (status != 0) fail_input("no file matches the pattern", pattern, {}, "check it; quote it from the shell");
    return std::make_unique<PlainFiles>(pattern, paths);
}

bool is_slice_pattern(std::string const& name)
{
    std::error_code ignored;
    return name.find_first_of("*?[") != std::string::npos && !std::filesystem::exists(name, ignored);
}

} // namespace volpt
