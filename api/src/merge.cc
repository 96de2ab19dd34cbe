#include "volpt/merge.h"

#include "api/src/access.h"
#include "api/src/guarded_watch.h"
#include "api/src/option_words.h"
#include "libvolpt/sys/json.h"
#include "tools/volmerge/options.h"

#include <nlohmann/json.hpp>

namespace volpt::v0 {
namespace {

using Paths = std::span<std::filesystem::path const>;

std::vector<std::string> spell_merge_command(Paths films, Paths outputs, Options const& options)
{
    std::vector<std::string> words{"volmerge"};
    for (std::string& word : spell_words(Task::merge, "merge", options)) words.push_back(std::move(word));
    for (auto const& output : outputs) words.push_back("--output=" + output.string());
    words.emplace_back("--"); // a film's name may begin with a dash
    for (auto const& film : films) words.push_back(film.string());
    return words;
}

MergeResult take_result(MergeRequest const& request, volpt::MergeResult merged)
{
    MergeResult result;
    result.is_whole = merged.is_whole();
    if (merged.deviation) result.deviation = merged.deviation->text;
    result.written = std::move(merged.written);
    result.report = format_json(report_merge(request, merged));
    if (merged.film) result.film = Access::make(std::move(*merged.film));
    return result;
}

} // namespace

MergeResult merge(Paths films, Paths outputs, Options const& options, Watch const& watch)
{
    return run_guarded(watch, [&](GuardedWatch& guarded) {
        refuse_forked_process();
        if (films.empty()) fail_usage("there are no films to merge", "give one or more");
        VolmergeOptions merging;
        MergeResult result;
        run_tool_body(spell_merge_command(films, outputs, options), merging.list_groups(), guarded.notice_sink(),
                      [&](ToolRun const& run) {
                          MergeRequest const request = make_request(run, merging);
                          result = take_result(request, volpt::merge(request, {.notice = run.notice,
                                                                               .progress = guarded.progress_sink()}));
                          return ExitStatus::done;
                      });
        return result;
    });
}

} // namespace volpt::v0
