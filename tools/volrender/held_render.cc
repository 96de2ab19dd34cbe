#include "tools/volrender/held_render.h"

#include <utility>

namespace volpt {

HeldRender render_held(std::string const& path, std::vector<std::string> const& words, HeldInputs held,
                       NoticeSink const& notice, ProgressSink const& progress)
{
    std::vector<std::string> command_line{"volrender"};
    command_line.insert(command_line.end(), words.begin(), words.end());
    command_line.insert(command_line.end(), {"--", path}); // the path may begin with a dash
    VolrenderOptions options;
    HeldRender rendered;
    run_tool_body(command_line, options.list_groups(), notice, [&](ToolRun const& run) {
        RenderRequest request = make_request(run, options, {});
        request.volume = std::move(held.volume);
        request.film = std::move(held.film);
        request.tally.use = TallyUse::returned;
        rendered = render(std::move(request), {.notice = run.notice, .detail = run.detail, .progress = progress});
        return ExitStatus::done;
    });
    return rendered;
}

} // namespace volpt
