// volview: shows a packed volume in a browser while its film converges.
#include "libvolpt/sys/json.h"
#include "tools/options/output_check.h"
#include "tools/options/progress_line.h"
#include "tools/options/suite/suite_tools.h"
#include "tools/options/tool.h"
#include "tools/render_setup/private_folder.h"
#include "tools/render_setup/run_options.h"
#include "tools/render_setup/scene_options.h"
#include "tools/render_setup/volume_input.h"
#include "tools/volview/access/access.h"
#include "tools/volview/access/token_file.h"
#include "tools/volview/http/server.h"
#include "tools/volview/session.h"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <fmt/format.h>
#include <malloc.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>

namespace volpt {
namespace {

constexpr int kTokenBits = 128;

void check_options(ToolRun const& run, DeviceOptions const& device, ServeOptions const& options)
{
    if (device.trials > 0 || device.list_kernels || device.list_devices)
        fail_usage("--trials, --list-kernels and --list-devices are options of volrender", "give them to volrender");
    if (run.arguments.empty()) fail_usage("no volume is given", "give VOLUME.vpk, or a file that volprep reads");
    if (options.token_file) refuse_overwriting(run, {run.arguments[0]}, {*options.token_file});
    if (!options.is_loopback())
        run.notice(fmt::format("{} can be reached from other machines, and plain HTTP shows the token and all pictures "
                               "to whoever listens between; without --bind, ssh -L 8080:127.0.0.1:PORT forwards a port "
                               "safely",
                               options.bind));
}

void print_address(std::string const& address, int port, ServeOptions const& options, AnswerForm form)
{
    if (form == AnswerForm::json) {
        nlohmann::ordered_json const answer = {{"address", address},
                                               {"token_file", options.token_file
                                                                  ? nlohmann::ordered_json(options.token_file->string())
                                                                  : nlohmann::ordered_json()},
                                               {"port", port}};
        fmt::print("{}\n", format_json(answer));
    } else {
        fmt::print("{}\n", address);
    }
    // Somebody waits for this line while the program goes on.
    std::fflush(stdout);
}

/// Starts xdg-open on a page that leads to the address: the list of processes shows the page's name alone. 0 if it
/// cannot be started.
pid_t open_browser(ToolRun const& run, std::filesystem::path const& folder, std::string const& address)
{
    std::filesystem::path const page = folder / "volview.html";
    write_private_file(page, fmt::format("<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\">"
                                         "<meta name=\"referrer\" content=\"no-referrer\"><title>volview</title>"
                                         "<meta http-equiv=\"refresh\" content=\"0;url={}\"></head></html>\n",
                                         address));
    std::string program = "xdg-open", name = page.string();
    char* const words[] = {program.data(), name.data(), nullptr};
    pid_t process = 0;
    // Its messages are not the answer.
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, 2, 1);
    // The Ctrl-C that ends this program is not for the browser; the server ignores SIGPIPE, which is not for it either.
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t defaults;
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF);
    bool const is_started = posix_spawnp(&process, program.c_str(), &actions, &attributes, words, environ) == 0;
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (is_started) return process;
    run.notice("--open: xdg-open cannot be started; open the printed address by hand");
    return 0;
}

void wait_for_end(double exit_after_s, pid_t browser)
{
    auto const start = std::chrono::steady_clock::now();
    auto const limit = std::chrono::duration<double>(exit_after_s);
    while (!is_interrupted() && (exit_after_s == 0 || std::chrono::steady_clock::now() - start < limit)) {
        if (browser != 0 && waitpid(browser, nullptr, WNOHANG) != 0) browser = 0;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
}

ExitStatus serve(ToolRun const& run, SceneOptions const& scene, DeviceOptions const& device,
                 ServeOptions const& options)
{
    if (scene.preset.lists) return list_scenes(run.common.answer);
    check_options(run, device, options);
    watch_interrupts();
    std::string const token = make_random_hex(kTokenBits);
    std::optional<TokenFile> token_file;
    if (options.token_file) token_file.emplace(*options.token_file, token);
    VolumeInput const input(run);
    Session session(run, scene.make_request(), device.request, options, input.path());
    ViewServer const server(session, options, token);
    std::string const whole_address = fmt::format("{}?token={}", server.address(), token);
    std::optional<PrivateFolder> folder;
    pid_t browser = 0;
    if (options.opens_browser) browser = open_browser(run, folder.emplace().path(), whole_address);
    print_address(token_file ? server.address() : whole_address, server.port(), options, run.common.answer);
    wait_for_end(options.exit_after_s, browser);
    return ExitStatus::done;
}

ToolDescription describe_tool()
{
    return {
        .name = "volview",
        .summary = summarise_tool("volview"),
        .usage = {"VOLUME.vpk|FILE [scene and device options] [--port N] [--open] [--out FOLDER]"},
        .notes =
            {"It prints the address of its page, with a token that the page exchanges for a cookie, and runs until "
             "Ctrl-C. It shows the film of volrender with the same options, denoised for the eye unless --denoise off "
             "is "
             "given. A film that is saved there has its samples as they are, and volrender --resume continues it.",
             "Any other FILE that volprep reads (a scan, OpenVDB, a mesh, a scene, a print job) is packed for the run, "
             "and a note says the volprep line that makes the .vpk.",
             "For a machine without a screen: start volview there with --port 8080, on the machine beside you run "
             "ssh -L 8080:127.0.0.1:8080 MACHINE, and open the printed address.",
             "Scripts send the token as 'Authorization: Bearer TOKEN' (docs/tools/volview.md)."},
        .examples = {{"volview head.vpk --open", "look at a volume in the browser of this desktop"},
                     {"volview head.nii.gz --open", "look at a file of another program"},
                     {"volview head.vpk --device cuda --port 8080 --out films",
                      "render on a GPU, on a fixed port, and save films in a folder"},
                     {"volview print.vpk --probe top --sides periodic --target-picture chart.png",
                      "compare a predicted print with the picture that it was made for"},
                     {"volview head.vpk --tev localhost:14158", "see its linear values in tev on this desktop, too"},
                     {"volview head.vpk --token-file token --exit-after 3600",
                      "serve scripts for an hour, with the token in a file"}},
        .status_0 = "ended by Ctrl-C, SIGTERM or --exit-after",
        .arguments = {{"VOLUME.vpk|FILE", {.files = list_input_choices()}}},
        .arguments_min = 0,
        .arguments_max = 1,
        .advise_unknown = advise_on_option,
    };
}

} // namespace
} // namespace volpt

int main(int argc, char** argv)
{
    using namespace volpt;
#if defined(__GLIBC__)
    // Films and pictures come and go in changing sizes for hours. glibc would raise its threshold to their size and
    // keep them in heaps, whose holes grew by 1 MB/s under load.
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
    mallopt(M_ARENA_MAX, 2);
#endif
    SceneOptions scene;
    DeviceOptions device(list_kernel_names());
    ServeOptions options;
    std::vector<OptionGroup*> groups{&options};
    for (OptionGroup* const group : scene.list_groups()) groups.push_back(group);
    groups.push_back(&device);
    return run_tool(argc, argv, describe_tool(), groups,
                    [&](ToolRun const& run) { return serve(run, scene, device, options); });
}
