#include "tools/volprep/losses.h"

#include "libvolpt/sys/error.h"

#include <fmt/format.h>

namespace volpt {

bool refuses_losses(ToolRun const& run)
{
    return run.values["strict"].as<bool>();
}

void tell_losses(ToolRun const& run, std::span<std::string const> notices, std::string const& where)
{
    if (refuses_losses(run) && !notices.empty()) {
        std::string const more = notices.size() > 1 ? fmt::format(" (and {} more notes)", notices.size() - 1) : "";
        fail_input(notices.front() + more, where, "with --strict, a source is packed as it stands or not at all",
                   "change the source or the options, or leave out --strict, which lists all notes");
    }
    for (std::string const& notice : notices) run.notice(notice);
}

} // namespace volpt
