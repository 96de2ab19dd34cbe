#include "tools/options/suite/suite_tools.h"

#include <algorithm>
#include <cassert>

namespace volpt {
namespace {

#define VOLPT_TOOL(command, summary, needs) SuiteTool{#command, "vol" #command, summary, needs},
constexpr SuiteTool kSuiteTools[] = {
#include "tools/options/suite/tools.def"
};
#undef VOLPT_TOOL

} // namespace

std::span<SuiteTool const> list_suite_tools()
{
    return kSuiteTools;
}

std::string summarise_tool(std::string_view program)
{
    auto const* const found = std::ranges::find(kSuiteTools, program, &SuiteTool::program);
    assert(found != std::end(kSuiteTools));
    return std::string(found->summary);
}

} // namespace volpt
