// The programs of the suite by name, with one sentence each.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace volpt {

/// A line of tools.def.
struct SuiteTool {
    std::string_view command; ///< "render", as in "volpt render"
    std::string_view program; ///< "volrender"
    std::string_view summary; ///< one sentence
    std::string_view needs;   ///< the library without which it is not built; else empty
};

std::span<SuiteTool const> list_suite_tools();

/// The sentence of one of these programs.
std::string summarise_tool(std::string_view program);

} // namespace volpt
