#include "formats/common/companion_file.h"

#include "libvolpt/sys/error.h"

#include <algorithm>
#include <fmt/format.h>

namespace volpt {

std::filesystem::path find_companion(std::filesystem::path const& header_path, std::string const& name,
                                     char const* field, OutsideFiles outside)
{
    std::filesystem::path const path(name);
    bool const is_outside = path.is_absolute() || std::ranges::find(path, "..") != path.end();
    if (is_outside && outside == OutsideFiles::refused)
        fail_input(fmt::format("{}: {} lies outside the header's folder", field, name.substr(0, 300)),
                   header_path.string(), "the header of a stranger could name any file here",
                   "give --allow-outside if you trust it, or put the file beside the header");
    return header_path.parent_path() / path;
}

} // namespace volpt
