// volrender: path-traces a packed volume into a film and pictures.
#include "libvolpt/drive/render_film.h"
#include "libvolpt/image/codecs.h"
#include "tools/options/tool.h"
#include "tools/volrender_device.h"
#include "tools/volrender_report.h"
#include "tools/volrender_run.h"
#include "tools/volrender_scene.h"

#include <fmt/format.h>

namespace volpt {
namespace {

constexpr std::uint64_t kDefaultSamples = 64; // per pixel

/// The image that --env names, else the one of the hints.
std::optional<LightImage> read_light(LightOptions const& options, SceneHints const& hints, PackedVolume const& volume)
{
    std::optional<std::filesystem::path> path = options.image_path;
    if (!path && hints.environment && hints.environment->kind == EnvironmentKind::image)
        path = hints.environment->image_file;
    if (!path) return std::nullopt;
    return make_light_image(read_image(*path), volume.meta(), path->string());
}

Provenance make_render_provenance(ToolRun const& run, RenderReport const& report)
{
    Provenance provenance = make_provenance("volrender", run.command_line);
    provenance.set("volume", run.arguments[0]);
    provenance.set("device", report.device);
    provenance.set("kernel", report.kernel);
    provenance.set("threads", std::to_string(run.common.threads));
    provenance.set("seconds_render", fmt::format("{:.6f}", report.seconds_render));
    return provenance;
}

/// Renders the same samples again and again, a warm-up first; the last trial's film stays in `film`.
ExitStatus run_trials(ToolRun const& run, RenderGroups const& groups, std::uint64_t default_samples, RenderScene const& scene,
                      Film const& empty, std::vector<std::filesystem::path> const& outputs)
{
    std::vector<RenderReport> trials;
    for (int i = -1; i < groups.device.trials; ++i) {
        Film film = empty;
        RenderReport const report = run_render(run, groups, default_samples, scene, film).report;
        if (report.end != RenderEnd::finished) fail_system("interrupted", "--trials", "let all trials run to their end");
        if (i >= 0) trials.push_back(report);
        if (i + 1 < groups.device.trials) continue;
        film.provenance = make_render_provenance(run, report);
        write_film_outputs(film, outputs, groups.output.how);
        print_trials(trials, film, run.common.answer);
    }
    return ExitStatus::done;
}

/// Outputs asked for; a film that is resumed without -o is written back to its own file.
std::vector<std::filesystem::path> choose_outputs(RenderGroups const& groups)
{
    if (!groups.output.outputs.empty()) return groups.output.outputs;
    if (groups.samples.resume) return {*groups.samples.resume};
    if (groups.device.trials > 0) return {};
    fail_usage("no output is given", "give -o FILM.vpf, -o PICTURE.png or both");
}

std::string tell_how_to_go_on(std::vector<std::filesystem::path> const& outputs)
{
    for (std::filesystem::path const& output : outputs)
        if (output.extension() == ".vpf") return fmt::format("--resume {} --spp N goes on with it", output.string());
    return "no .vpf was among the outputs, so nothing can be resumed";
}

ExitStatus render(ToolRun const& run, RenderGroups const& groups)
{
    if (groups.device.list_kernels) return list_kernels(run.common.answer);
    if (groups.device.list_devices) return list_devices(run.common.answer);
    if (run.arguments.empty()) fail_usage("no volume is given", "give VOLUME.vpk");
    if (groups.samples.resume && groups.device.trials > 0)
        fail_usage("--trials and --resume contradict each other", "measure with a film of its own");
    if (groups.samples.stop_at_de && groups.device.trials > 0)
        fail_usage("--trials and --stop-at-de contradict each other", "measure with a number of samples");
    if (groups.samples.resume && !groups.samples.samples && !groups.samples.stop_at_de)
        fail_usage("--resume does not say how far to go", "give --spp N, --samples FIRST:COUNT or --stop-at-de DE");
    auto const outputs = choose_outputs(groups);
    PackedVolume const volume = PackedVolume::open(run.arguments[0], VerifyLevel::full);
    check_film_outputs(outputs, volume.meta().bands(), volume.meta().wavelengths_nm);
    SceneHints const hints = choose_hints(run, groups.hints, groups.light, volume);
    std::optional<LightImage> const light = read_light(groups.light, hints, volume);
    LightImage const* const light_pointer = light ? &*light : nullptr;

    auto const& resume = groups.samples.resume;
    std::optional<Film> film;
    if (resume) film = read_film(*resume);
    Scene const scene = apply_options(film ? film->scene() : make_default_scene(volume, groups.camera, hints, light_pointer), groups,
                                      groups.light.image_path ? light_pointer : nullptr, volume);
    if (film) check_same_scene(scene, *film, groups.samples.seed, resume->string());
    std::uint64_t const seed = film ? film->seed() : groups.samples.seed.value_or(0);
    RenderScene const render_scene(scene, volume, light_pointer, seed);
    if (!film) film = make_film(render_scene, seed);

    std::uint64_t const default_samples = hints.samples.value_or(kDefaultSamples);
    if (groups.device.trials > 0) return run_trials(run, groups, default_samples, render_scene, *film, outputs);
    RenderOutcome const outcome = run_render(run, groups, default_samples, render_scene, *film);
    RenderReport const& report = outcome.report;
    if (run.common.verbosity == Verbosity::verbose)
        for (WorkerReport const& worker : report.workers)
            for (std::string const& line : describe_worker(worker)) run.notice(line);
    film->provenance = make_render_provenance(run, report);
    write_film_outputs(*film, outputs, groups.output.how);
    report_cut_paths(*film, run.notice);
    report_lost_light(film->scene(), run.notice);
    print_answer(*film, outcome, groups, run.common.answer);
    report_ceiling(outcome, groups, run.notice);
    if (report.end == RenderEnd::time_limit) run.notice("the time limit ended the render; " + tell_how_to_go_on(outputs));
    if (report.end == RenderEnd::device_failed)
        fail_system(report.failure + "; the samples copied back by then are written", "volrender", tell_how_to_go_on(outputs));
    if (report.end == RenderEnd::stopped)
        fail_system("interrupted; the samples done so far are written", "volrender", tell_how_to_go_on(outputs));
    return ExitStatus::done;
}

ToolDescription describe_tool()
{
    return {
        .name = "volrender",
        .summary = "Path-traces a packed volume into a film and pictures, the same to the last bit on any machine.",
        .usage = {"VOLUME.vpk -o F.vpf [-o F.exr] [-o F.png] [options]", "VOLUME.vpk --resume F.vpf --spp N", "--list-kernels", "--list-devices"},
        .notes = {"Without camera options the whole volume is framed. A render that is interrupted leaves a valid film."},
        .examples = {{"volrender head.vpk -o head.vpf -o head.png --spp 256", "renders the framed volume in white light"},
                     {"volrender print.vpk -o print.png --origin 0,0,300 --target 0,0,0 --fov 20 --boundary smooth --int-ior 1.5",
                      "looks down on a print through its smooth surface"},
                     {"volrender print.vpk --probe top --sides periodic -o print.vpf -o print.exr --spp 256",
                      "predicts the reflectance of a print, texel by texel"},
                     {"volrender head.vpk -o head.vpf --stop-at-de 0.5", "as many samples as it takes until noise is hardly seen"},
                     {"volrender head.vpk --device cuda --kernel stream_sk --spp 256 --trials 5", "measures one kernel on a GPU"},
                     {"volrender head.vpk -o head.vpf --devices cpu+all --spp 4096", "on all GPUs and the CPU together"},
                     {"volrender head.vpk --resume head.vpf --spp 4096", "goes on with a film"},
                     {"volrender head.vpk -o part2.vpf --samples 512:512", "the second half of 1024 samples, for volmerge"}},
        .arguments_min = 0,
        .arguments_max = 1,
    };
}

} // namespace
} // namespace volpt

int main(int argc, char** argv)
{
    volpt::RenderGroups groups;
    return volpt::run_tool(argc, argv, volpt::describe_tool(),
                           {&groups.output, &groups.samples, &groups.camera, &groups.probe, &groups.light, &groups.boundary, &groups.medium,
                            &groups.hints, &groups.device},
                           [&](volpt::ToolRun const& run) { return volpt::render(run, groups); });
}
