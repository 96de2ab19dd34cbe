// volrender: path-traces a packed volume into a film and pictures.
#include "libvolpt/cpu/render_block.h"
#include "libvolpt/drive/render_film.h"
#include "libvolpt/film/film_report.h"
#include "libvolpt/image/codecs.h"
#include "tools/options/interrupt.h"
#include "tools/options/progress_line.h"
#include "tools/options/run_options.h"
#include "tools/options/scene_options.h"
#include "tools/options/tool.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace volpt {
namespace {

struct RenderGroups {
    FilmOutputGroup output;
    SampleOptions samples;
    CameraOptions camera;
    LightOptions light;
    BoundaryOptions boundary;
    MediumOptions medium;
    DeviceOptions device;
};

/// The scene that the options describe, on top of `base`.
Scene apply_options(Scene base, RenderGroups const& groups, LightImage const* light)
{
    groups.camera.apply(base);
    groups.light.apply(base, light);
    groups.boundary.apply(base);
    groups.medium.apply(base);
    return normalize_scene(base);
}

Scene make_default_scene(PackedVolume const& volume, CameraOptions const& camera)
{
    Scene scene;
    scene.volume_checksum = volume.data_checksum();
    scene.bands = volume.meta().bands();
    scene.scale = volume.meta().scale;
    scene.width = camera.resolution ? static_cast<std::uint32_t>((*camera.resolution)[0]) : 512;
    scene.height = camera.resolution ? static_cast<std::uint32_t>((*camera.resolution)[1]) : 512;
    scene.camera = frame_volume(volume.meta(), static_cast<double>(scene.height) / scene.width);
    return scene;
}

/// Refuses options that say something else than the film to be resumed.
void check_same_scene(Scene const& wanted, Film const& film, std::optional<std::uint64_t> seed, std::string const& path)
{
    if (seed && *seed != film.seed())
        fail_usage(fmt::format("--seed {} contradicts {}, whose seed is {}", *seed, path, film.seed()), "leave --seed out");
    if (hash_scene(wanted) == film.scene_hash()) return;
    std::string fields;
    for (SceneDifference const& difference : compare_scenes(wanted, film.scene()))
        fields += fmt::format("; {} {} instead of {}", difference.field, difference.left, difference.right);
    fail_usage(fmt::format("the options contradict the scene of {}{}", path, fields), "leave them out, or start a new film");
}

ExitStatus list_kernels(AnswerForm form)
{
    nlohmann::ordered_json answer = nlohmann::ordered_json::array();
    for (CpuBackend const& backend : list_cpu_backends())
        answer.push_back({{"device", "cpu"}, {"kernel", backend.name}, {"description", backend.description}});
    if (form == AnswerForm::json) {
        fmt::print("{}\n", answer.dump(2));
    } else {
        for (auto const& line : answer)
            fmt::print("{:4} {:10} {}\n", line["device"].get<std::string>(), line["kernel"].get<std::string>(),
                       line["description"].get<std::string>());
    }
    return ExitStatus::done;
}

void print_answer(Film const& film, RenderReport const& report, AnswerForm form)
{
    double const seconds = std::max(report.seconds_render, 1e-9);
    auto const rate = [&](std::uint64_t count) { return static_cast<double>(count) / seconds; };
    nlohmann::ordered_json answer = report_film(film);
    answer["paths"] = report.counts.paths;
    answer["extensions"] = report.counts.extensions;
    answer["tentative_collisions"] = report.counts.tentative_collisions;
    answer["seconds_render"] = report.seconds_render;
    answer["paths_per_second"] = rate(report.counts.paths);
    answer["extensions_per_second"] = rate(report.counts.extensions);
    answer["tentative_collisions_per_second"] = rate(report.counts.tentative_collisions);
    answer["device"] = report.device;
    answer["kernel"] = report.kernel;
    if (form == AnswerForm::json) {
        fmt::print("{}\n", answer.dump(2));
        return;
    }
    for (auto const& [key, value] : answer.items())
        fmt::print("{}: {}\n", key, value.is_string() ? value.get<std::string>() : value.dump());
}

/// What the depth limit threw away, and how much brighter the picture could be without it.
void report_cut_paths(Film const& film, NoticeSink const& notice)
{
    FilmStatistics const& statistics = film.statistics;
    if (statistics.cut_paths == 0) return;
    double const share = static_cast<double>(statistics.cut_throughput) * 0x1p-24 / static_cast<double>(statistics.paths);
    notice(fmt::format("the depth limit cut {} of {} paths; they still carried {:.3g} of all throughput, so the picture's mean "
                       "is too low by at most {:.3g} times the brightest light",
                       statistics.cut_paths, statistics.paths, share, share));
}

ExitStatus render(ToolRun const& run, RenderGroups& groups)
{
    if (groups.device.list_kernels) return list_kernels(run.common.answer);
    if (run.arguments.empty()) fail_usage("no volume is given", "give VOLUME.vpk");
    if (groups.device.device == DeviceChoice::cuda)
        fail_system("the GPU backend is not part of this version", "--device cuda", "use --device cpu");
    auto const& resume = groups.samples.resume;
    if (resume && groups.output.outputs.empty()) groups.output.outputs.push_back(*resume);
    if (groups.output.outputs.empty()) fail_usage("no output is given", "give -o FILM.vpf, -o PICTURE.png or both");

    PackedVolume const volume = PackedVolume::open(run.arguments[0]);
    check_film_outputs(groups.output.outputs, volume.meta().bands());
    std::optional<LightImage> light;
    if (groups.light.image_path)
        light = make_light_image(read_image(*groups.light.image_path), volume.meta().band_numbers, groups.light.image_path->string());
    LightImage const* const light_pointer = light ? &*light : nullptr;

    std::optional<Film> film;
    if (resume) film = read_film(*resume);
    Scene const scene = apply_options(film ? film->scene() : make_default_scene(volume, groups.camera), groups, light_pointer);
    if (film) check_same_scene(scene, *film, groups.samples.seed, resume->string());
    std::uint64_t const seed = film ? film->seed() : groups.samples.seed.value_or(0);
    RenderScene const render_scene(scene, volume, light_pointer, seed);
    if (!film) film = make_film(render_scene, seed);

    watch_interrupts();
    ProgressLine progress("render", run.common.verbosity);
    RenderOptions options;
    options.threads = run.common.threads;
    options.tile_size = groups.device.tile_size;
    options.time_limit_s = groups.samples.time_limit_s;
    options.cpu_backend = groups.device.kernel;
    options.progress = progress.sink();
    RenderReport const report = render_film(render_scene, *film, groups.samples.samples.value_or(SampleRange{0, 64}), options);

    film->provenance = make_provenance("volrender", run.command_line);
    film->provenance.set("volume", run.arguments[0]);
    film->provenance.set("device", report.device);
    film->provenance.set("kernel", report.kernel);
    film->provenance.set("threads", std::to_string(options.threads));
    film->provenance.set("seconds_render", fmt::format("{:.6f}", report.seconds_render));
    write_film_outputs(*film, groups.output.outputs, groups.output.how);
    report_cut_paths(*film, run.notice);
    print_answer(*film, report, run.common.answer);
    if (report.end == RenderEnd::time_limit) run.notice("the time limit ended the render; --resume goes on with the film");
    if (report.end == RenderEnd::stopped)
        fail_system("interrupted; the samples done so far are written", groups.output.outputs[0].string(),
                    "go on with --resume FILM.vpf");
    return ExitStatus::done;
}

ToolDescription describe_tool()
{
    return {
        .name = "volrender",
        .summary = "Path-traces a packed volume into a film and pictures, the same to the last bit on any machine.",
        .usage = {"VOLUME.vpk -o F.vpf [-o F.exr] [-o F.png] [options]", "VOLUME.vpk --resume F.vpf --spp N", "--list-kernels"},
        .notes = {"Without camera options the whole volume is framed. A render that is interrupted leaves a valid film."},
        .examples = {{"volrender head.vpk -o head.vpf -o head.png --spp 256", "renders the framed volume in white light"},
                     {"volrender print.vpk -o print.png --origin 0,0,300 --target 0,0,0 --fov 20 --boundary smooth --int-ior 1.5",
                      "looks down on a print through its smooth surface"},
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
                           {&groups.output, &groups.samples, &groups.camera, &groups.light, &groups.boundary, &groups.medium,
                            &groups.device},
                           [&](volpt::ToolRun const& run) { return volpt::render(run, groups); });
}
