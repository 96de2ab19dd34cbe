#include "volpt/info.h"

#include "api/src/access.h"
#include "api/src/guarded_watch.h"
#include "api/src/option_words.h"
#include "libvolpt/job/program/json_program.h"
#include "libvolpt/sys/json.h"
#include "tools/volinfo/options.h"
#include "volpt/program.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace volpt::v0 {
namespace {

/// Error (usage) for a plot, which is a file to write.
void refuse_plot(Options const& options)
{
    for (Option const& option : options)
        if (option.name == "coverage" && option.value != "none")
            fail_usage(fmt::format("{} is '{}', and {} writes no plot", spell_option("coverage"), option.value,
                                   spell_function("info")),
                       "give none, or run the program volinfo");
}

} // namespace

std::string info(std::filesystem::path const& file, Options const& options, Watch const& watch)
{
    return run_guarded(watch, [&](GuardedWatch& guarded) {
        refuse_forked_process();
        std::vector<std::string> words = spell_words(Task::info, "info", options);
        refuse_plot(options);
        words.insert(words.end(), {"--", file.string()}); // the name may begin with a dash
        std::vector<std::string> command_line{"volinfo"};
        command_line.insert(command_line.end(), words.begin(), words.end());
        VolinfoOptions telling;
        std::string report;
        run_tool_body(command_line, telling.list_groups(), guarded.notice_sink(), [&](ToolRun const& run) {
            // Readers of foreign files are in that program alone.
            report = is_of_source(run, telling)
                         ? run_json_program({find_program("volinfo"), words}, {run.notice, guarded.progress_sink()})
                         : format_json(volpt::info(make_request(run, telling)));
            return ExitStatus::done;
        });
        return report;
    });
}

} // namespace volpt::v0
