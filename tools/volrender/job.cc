#include "tools/volrender/job.h"

#include "libvolpt/image/codecs/codecs.h"
#include "tools/volrender/device.h"

#include <algorithm>

namespace volpt {
namespace {

constexpr std::uint64_t kDefaultSamples = 64; // per pixel

/// The image of --env, else that of the hints, if any.
std::optional<LightImage> read_light(LightOptions const& options, SceneHints const& hints, PackedVolume const& volume,
                                     NoticeSink const& notice)
{
    std::optional<std::filesystem::path> path = options.image_path;
    if (!path && hints.environment && hints.environment->kind == EnvironmentKind::image)
        path = hints.environment->image_file;
    if (!path) return std::nullopt;
    Image const image = read_image(*path);
    for (auto const& sentence : image.notices) notice(sentence);
    return make_light_image(image, volume.meta(), path->string());
}

/// The outputs of -o; a film that is resumed without -o is written back to its own file.
std::vector<std::filesystem::path> choose_outputs(VolrenderOptions const& options)
{
    if (!options.output.outputs.empty()) return options.output.outputs;
    if (options.samples.resume) return {*options.samples.resume};
    if (options.device.trials > 0) return {};
    fail_usage("no output is given", "give -o FILM.vpf, -o IMAGE.png or both");
}

void check_samples(SampleOptions const& samples, DeviceOptions const& device)
{
    if (samples.resume && device.trials > 0)
        fail_usage("--trials and --resume contradict each other", "measure with a new film");
    if (samples.stop_at_de && device.trials > 0)
        fail_usage("--trials and --stop-at-de contradict each other", "measure with --spp N");
    if (samples.resume && !samples.samples && !samples.stop_at_de)
        fail_usage("--resume needs the number of samples to reach",
                   "give --spp N, --samples FIRST:COUNT or --stop-at-de DE");
}

} // namespace

RenderJob::RenderJob(ToolRun const& run, VolrenderOptions const& options, Communicator const* ranks)
{
    if (run.arguments.empty()) fail_usage("no volume is given", "give VOLUME.vpk");
    check_samples(options.samples, options.device);
    outputs = choose_outputs(options);
    if (options.samples.checkpoint_s > 0 && list_films(outputs).empty())
        fail_usage("--checkpoint has no film to write", "give -o FILM.vpf");
    volume_ = PackedVolume::open(run.arguments[0], VerifyLevel::full);
    if (ranks == nullptr || ranks->rank() == 0)
        check_film_outputs(outputs, volume_->meta().bands(), volume_->meta().wavelengths_nm);
    SceneHints const hints = choose_hints(run, options.hints, options.light, *volume_);
    light_ = read_light(options.light, hints, *volume_, run.notice);
    LightImage const* const light = light_ ? &*light_ : nullptr;

    auto const& resume = options.samples.resume;
    if (resume) film = read_film(*resume);
    Scene const scene = apply_options(film ? film->scene() : make_default_scene(*volume_, options.camera, hints, light),
                                      options, options.light.image_path ? light : nullptr, *volume_);
    if (film) check_same_scene(scene, *film, options.samples.seed, resume->string());
    std::uint64_t const seed = film ? film->seed() : options.samples.seed.value_or(0);
    scene_.emplace(scene, *volume_, light, seed);
    if (!film) film = make_film(*scene_, seed);
    default_samples = hints.samples.value_or(kDefaultSamples);

    HostShare share;
    if (ranks != nullptr) share = {ranks->rank_on_host(), ranks->size_on_host()};
    render = choose_device(options.device, film->width(), film->height(), share);
    // Ranks of one host divide its cores, unless -j says how many threads each has.
    bool const divides = ranks != nullptr && run.common.threads_given == 0;
    render.threads = divides ? std::max(1, run.common.threads / share.count) : run.common.threads;
}

std::vector<std::filesystem::path> list_films(std::vector<std::filesystem::path> const& outputs)
{
    std::vector<std::filesystem::path> films;
    std::copy_if(outputs.begin(), outputs.end(), std::back_inserter(films),
                 [](auto const& output) { return output.extension() == ".vpf"; });
    return films;
}

} // namespace volpt
