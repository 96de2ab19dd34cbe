#include "tools/render_setup/volume_input.h"

#include "libvolpt/job/pack/pack_job.h"
#include "libvolpt/job/program/child_program.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/json.h"
#include "libvolpt/sys/provenance.h"
#include "libvolpt/volume/vpk_layout.h"
#include "tools/options/own_file.h"
#include "tools/options/progress_line.h"
#include "tools/render_setup/private_folder.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>

namespace volpt {
namespace {

/// "head" of head.nii.gz, and of the folder head/.
std::string name_volume(std::filesystem::path input)
{
    if (!input.has_filename()) input = input.parent_path();
    std::string name = input.filename().string();
    if (std::size_t const pattern = name.find('%'); pattern != std::string::npos) name.resize(pattern);
    name = name.substr(0, name.find('.', 1));
    return name.empty() || name == "." || name == ".." ? "volume" : name;
}

/// Of `error`, that nobody would look for in this program's own --help.
[[noreturn]] void fail_to_pack(Error const& error, std::string const& input, PackChoice const& choice)
{
    std::error_code unknown;
    std::string what = error.text().what;
    if (std::filesystem::exists(input, unknown))
        what += fmt::format(". Options of volprep may help, as in: {}", format_volprep(input, choice));
    throw Error(error.status(), {what, {}, {}, {}});
}

} // namespace

std::string list_input_choices()
{
    constexpr std::string_view kExtensions[] = {
#define VOLPT_INPUT(kind, question, headerless, extensions) extensions,
#include "formats/inputs.def"
#undef VOLPT_INPUT
#define VOLPT_READER(name, extensions, dependency) extensions,
#include "formats/readers.def"
#undef VOLPT_READER
#define VOLPT_MESH_READER(name, extensions, dependency) extensions,
#include "formats/mesh/readers.def"
#undef VOLPT_MESH_READER
    };
    std::string list;
    for (std::string_view const extensions : kExtensions)
        if (!extensions.empty()) list.append(list.empty() ? "" : " ").append(extensions);
    return list;
}

std::string advise_on_option(std::string_view option)
{
    try {
        auto const list = parse_json(list_pack_options(find_program_beside("volprep")));
        for (auto const& known : list.at("options"))
            if (known.at("name").get<std::string>() == option)
                return fmt::format(
                    "it is an option of volprep: volprep FILE --auto --{} .. -o VOLUME.vpk makes a volume "
                    "with it",
                    option);
    } catch (std::exception const&) {
        return {}; // advice alone
    }
    return {};
}

void refuse_outputs_among(std::filesystem::path const& input, std::vector<std::filesystem::path> const& outputs)
{
    std::error_code unknown;
    bool const is_pattern = input.filename().string().find_first_of("%*?") != std::string::npos;
    if (!is_pattern && !std::filesystem::is_directory(input, unknown)) return;
    std::filesystem::path const folder = is_pattern ? std::filesystem::absolute(input).parent_path() : input;
    for (std::filesystem::path const& output : outputs) {
        bool const is_there = std::filesystem::exists(output, unknown);
        if (is_there && std::filesystem::equivalent(std::filesystem::absolute(output).parent_path(), folder, unknown) &&
            (!is_pattern || output.extension() == input.extension()))
            fail_usage(fmt::format("the output {} may be one of the files of {}", output.string(), input.string()),
                       "name another output");
    }
}

std::string format_volprep(std::string const& input, PackChoice const& choice)
{
    std::vector<std::string> words{"volprep"};
    if (!choice.command.empty()) words.push_back(choice.command);
    auto const name_file = [](std::string const& name) { return name.starts_with('-') ? "./" + name : name; };
    words.push_back(name_file(input));
    for (PackOption const& option : choice.options)
        words.push_back("--" + option.name + (option.value ? "=" + *option.value : ""));
    words.insert(words.end(), {"-o", name_file(name_volume(input) + ".vpk")});
    return format_command(words);
}

VolumeInput::VolumeInput(ToolRun const& run)
{
    if (run.arguments.empty()) fail_usage("no volume is given", "give VOLUME.vpk, or a file that volprep reads");
    path_ = run.arguments[0];
    if (!is_own_file(path_)) pack_argument(run);
}

void VolumeInput::pack_argument(ToolRun const& run)
{
    watch_interrupts();
    PrivateFolder const folder;
    std::filesystem::path const packed = folder.path() / "volume.vpk";
    PackRequest request;
    request.program = find_program_beside("volprep");
    request.inputs = {path_};
    request.output = packed;
    // Of light images: the folder of the .vpk, from which others are named, will be gone.
    request.options = {{"auto"}, {"provenance", "full"}};
    PackChoice choice;
    request.take_choice = [&](PackChoice const& made) { choice = made; };
    request.threads = run.common.threads;
    try {
        ProgressLine line("pack", run.common.verbosity);
        pack(request, {.notice = run.notice, .progress = line.sink()});
    } catch (Error const& error) {
        if (is_interrupted()) fail_system("interrupted while it was packed; nothing is written", path_.string());
        if (error.status() == ExitStatus::system) throw;
        fail_to_pack(error, path_.string(), choice);
    }
    if (is_interrupted()) fail_system("interrupted", path_.string());
    file_.emplace(::open(packed.c_str(), O_RDONLY | O_CLOEXEC));
    if (file_->number() < 0) fail_system(std::strerror(errno), packed.string());
    run.notice(fmt::format("{} was packed for this run alone{}{}; this makes a .vpk, which options change: {}",
                           path_.string(), choice.reason.empty() ? "" : ": ", choice.reason,
                           format_volprep(path_.string(), choice)));
    path_ = fmt::format("/proc/self/fd/{}", file_->number());
}

std::shared_ptr<PackedVolume const> VolumeInput::open(int threads) const
{
    if (!file_) return nullptr;
    return std::make_shared<PackedVolume const>(PackedVolume::open(path_, VerifyLevel::full, threads));
}

} // namespace volpt
