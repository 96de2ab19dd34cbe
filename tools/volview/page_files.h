// The page, embedded in the program.
#pragma once

#include <span>
#include <string_view>

namespace volpt {

struct PageFile {
    std::string_view name; ///< "index.html"
    std::string_view type; ///< "text/html; charset=utf-8"
    std::string_view content;
};

/// The files of tools/volview/page, by name.
std::span<PageFile const> list_page_files();

} // namespace volpt
