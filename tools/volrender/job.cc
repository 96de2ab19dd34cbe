#include "tools/volrender/job.h"

#include "formats/tally/tally_file.h"
#include "libvolpt/core/surface/nested_solids.hd.h"
#include "libvolpt/cpu/forecast_banks.h"
#include "libvolpt/render/dim_background.h"
#include "libvolpt/sys/atomic_file.h"
#include "tools/options/output_check.h"
#include "tools/render_setup/device_choice.h"
#include "tools/volrender/report.h"

#include <algorithm>
#include <fmt/format.h>

namespace volpt {
namespace {

constexpr std::uint64_t kDefaultSamples = 64; // per pixel

/// A film may be written over itself when it is resumed: it then holds all that it held.
void check_no_input_is_lost(ToolRun const& run, VolrenderOptions const& options,
                            std::optional<std::filesystem::path> const& light,
                            std::vector<std::filesystem::path> const& outputs)
{
    std::vector<std::filesystem::path> inputs{run.arguments[0]}, pictures;
    if (light) inputs.push_back(*light);
    refuse_overwriting(run, inputs, outputs);
    if (!options.samples.resume) return;
    std::ranges::copy_if(outputs, std::back_inserter(pictures),
                         [](auto const& output) { return output.extension() != ".vpf"; });
    refuse_overwriting(run, {*options.samples.resume}, pictures);
}

/// The outputs of -o; a film that is resumed without -o is written back to its own file.
std::vector<std::filesystem::path> choose_outputs(VolrenderOptions const& options)
{
    if (!options.output.outputs.empty()) return options.output.outputs;
    if (options.samples.resume) return {*options.samples.resume};
    if (options.device.trials > 0 || !options.detectors.specs.empty()) return {};
    fail_usage("no output is given", "give -o FILM.vpf, -o IMAGE.png or both");
}

[[noreturn]] void refuse_resumed_detectors()
{
    fail_usage("detectors and --resume contradict each other: a film does not hold what detectors count",
               "give --samples FIRST:COUNT for other samples");
}

void check_samples(VolrenderOptions const& options)
{
    SampleOptions const& samples = options.samples;
    TallyOptions const& tally = options.tally;
    DeviceOptions const& device = options.device;
    if (samples.resume && tally.is_given())
        fail_usage("--tally and --resume contradict each other: a film does not hold a tally",
                   "give --samples FIRST:COUNT for other samples");
    if (samples.resume && !options.detectors.specs.empty()) refuse_resumed_detectors();
    if (samples.resume && device.trials > 0)
        fail_usage("--trials and --resume contradict each other", "measure with a new film");
    if (samples.stop_at_de && device.trials > 0)
        fail_usage("--trials and --stop-at-de contradict each other", "measure with --spp N");
    if (samples.resume && !samples.samples && !samples.stop_at_de)
        fail_usage("--resume needs the number of samples to reach",
                   "give --spp N, --samples FIRST:COUNT or --stop-at-de DE");
}

/// `end` is that of the samples to be rendered.
void check_sample_limit(Scene const& scene, std::uint64_t end)
{
    std::uint64_t const limit = find_sample_limit(scene);
    if (end <= limit) return;
    fail_usage(fmt::format("samples up to {} pass the limit of --integrator {}, {}: a pixel's sums could overflow", end,
                           to_word(scene.integrator), limit),
               "give fewer samples, and --mutations or --chains for more work in each");
}

/// Asked before anything of its scene: what an older program rendered may have no meaning for this one.
void check_estimator(Film const& film, std::string const& path)
{
    if (film.scene().estimator == kEstimator) return;
    fail_input(fmt::format("the film was rendered by an earlier version's estimator ({}, this is {})",
                           film.scene().estimator, kEstimator),
               path, "new samples would not add up with its own",
               "it can be read, compared, and merged with its like; to go on, render a new film");
}

HostShare find_share(Communicator const* ranks)
{
    if (ranks == nullptr) return {};
    return {ranks->rank_on_host(), ranks->size_on_host()};
}

/// Ranks of one host divide its cores, unless -j says how many threads each has.
int count_threads(ToolRun const& run, Communicator const* ranks)
{
    if (ranks == nullptr || run.common.threads_given != 0) return run.common.threads;
    return std::max(1, run.common.threads / find_share(ranks).count);
}

} // namespace

RenderJob::RenderJob(ToolRun const& run, VolrenderOptions const& options, Communicator const* ranks)
{
    if (run.arguments.empty()) fail_usage("no volume is given", "give VOLUME.vpk");
    check_samples(options);
    std::vector<std::filesystem::path> const all_outputs = choose_outputs(options);
    SplitOutputs split = split_outputs(all_outputs, options.tally);
    outputs = std::move(split.films);
    tally_outputs = std::move(split.tallies);
    detector_outputs = std::move(split.detectors);
    if (options.samples.resume && !detector_outputs.empty()) refuse_resumed_detectors();
    if (options.samples.checkpoint_s > 0 && list_films(outputs).empty())
        fail_usage("--checkpoint has no film to write", "give -o FILM.vpf");
    check_no_input_is_lost(run, options, choose_light(options.light, {}), all_outputs);
    int const threads = count_threads(run, ranks);
    volume_ = std::make_shared<PackedVolume const>(PackedVolume::open(run.arguments[0], VerifyLevel::full, threads));
    if (ranks == nullptr || ranks->rank() == 0)
        check_film_outputs(outputs, volume_->meta().bands(), volume_->meta().wavelengths_nm);
    if (options.samples.resume) film = read_film(*options.samples.resume);
    open_scene(run, options, ranks, options.samples.resume.value_or("").string());
}

RenderJob::RenderJob(ToolRun const& run, VolrenderOptions const& options, HeldInputs held)
    : film(std::move(held.film)), volume_(std::move(held.volume))
{
    if (film && !options.samples.samples && !options.samples.stop_at_de)
        fail_usage("a film to be continued needs the number of samples to reach", "give spp, samples or stop_at_de");
    open_scene(run, options, nullptr, "the film");
}

void RenderJob::open_scene(ToolRun const& run, VolrenderOptions const& options, Communicator const* ranks,
                           std::string const& film_name)
{
    int const threads = count_threads(run, ranks);
    bool const is_probe = options.probe.face || options.probe.is_of_texture;
    HintLight const hint_light = is_probe || film ? HintLight::unused : HintLight::needed;
    SceneHints const hints = choose_hints(run, options.hints, options.light, hint_light, *volume_);
    std::vector<DetectorSpec> const detector_specs = choose_detectors(options.detectors, hints, detector_outputs);
    if (auto const path = choose_light(options.light, hints)) {
        check_no_input_is_lost(run, options, path, list_outputs());
        light_ = read_light(run, options.light, *path, volume_->meta());
    }
    LightImage const* const light = light_ ? &*light_ : nullptr;

    if (film) check_estimator(*film, film_name);
    Scene scene = apply_options(film ? film->scene() : make_default_scene(*volume_, options, hints, light), options,
                                options.light.image_path ? light : nullptr, *volume_);
    if (!film)
        if (auto const assumed = describe_assumed_index(scene, hints, options)) run.notice(*assumed);
    bool const detects = !detector_specs.empty();
    if (outputs.empty() && !tally_outputs.empty() && !detects && scene.integrator == Integrator::light)
        scene.particle_film = ParticleFilm::none;
    // A film that is resumed keeps what was chosen when it was begun.
    bool const picks_long_steps = options.medium.picks_long_steps && !film;
    if (film) check_same_scene(scene, *film, options.samples.seed, film_name);
    std::uint64_t const seed = film ? film->seed() : options.samples.seed.value_or(0);
    scene_.emplace(scene, *volume_, light, seed);
    if (picks_long_steps) {
        scene.long_steps = choose_long_steps(*scene_, *volume_, options.device);
        if (scene.long_steps != LongSteps::plain) scene_.emplace(scene, *volume_, light, seed);
    }
    make_tally(options, hints, detector_specs, ranks);
    if (film && film->sum_log2() != scene_->sum_log2())
        fail_input(fmt::format("the film's fixed-point scale is 2^{}, that of its scene 2^{}", film->sum_log2(),
                               scene_->sum_log2()),
                   film_name + ", section 'film'", "the film is damaged", "take a backup of it or render it again");
    if (!film) film = make_film(*scene_, seed);
    choose_backdrop(film->scene(), options.light.backdrop); // refuses it before the render
    if (scene_->charts() != nullptr && (ranks == nullptr || ranks->rank() == 0))
        report_charts(inspect_charts(*scene_->charts(), film->width(), film->height(), threads), run.notice);
    default_samples = hints.samples.value_or(kDefaultSamples);
    SampleRange const samples = options.samples.samples.value_or(SampleRange{0, default_samples});
    check_sample_limit(film->scene(), samples.first + samples.count);

    render = choose_device(options.device, film->scene(), find_share(ranks));
    render.threads = threads;
    bool const is_chosen = film->scene().long_steps != LongSteps::plain && !picks_long_steps;
    if (is_chosen && render.gpus.empty() && ranks == nullptr) report_bank_forecast(samples, run.notice);
}

void RenderJob::report_bank_forecast(SampleRange samples, NoticeSink const& notice) const
{
    BankForecast const forecast =
        forecast_banks(*scene_, *volume_, light_ ? &*light_ : nullptr, samples, render.threads);
    if (!forecast.is_a_loss()) return;
    notice(
        fmt::format("long steps need {} banks of outcomes for these samples, about {:.2g} s unless they are kept from "
                    "an earlier render; without long steps the whole render takes about {:.2g} s: leave out "
                    "--long-steps, or render more pixels, which share the banks",
                    forecast.banks, forecast.banks_s, forecast.plain_s));
}

DisplayFilm RenderJob::choose_display_film(std::optional<double> backdrop) const
{
    double const factor = choose_backdrop(scene_->scene(), backdrop);
    if (factor == 1) return {};
    RenderOptions devices;
    devices.threads = render.threads;
    devices.cpu_backend = render.cpu_backend;
    devices.gpu_backend = render.gpu_backend;
    devices.gpus = render.gpus;
    devices.cpu = render.cpu;
    auto const make = [this, factor, devices](Film const& made) {
        return dim_background(made, *volume_, light_ ? &*light_ : nullptr, factor, devices);
    };
    return {make, factor};
}

std::vector<std::filesystem::path> RenderJob::list_outputs() const
{
    std::vector<std::filesystem::path> all = outputs;
    all.insert(all.end(), tally_outputs.begin(), tally_outputs.end());
    all.insert(all.end(), detector_outputs.begin(), detector_outputs.end());
    return all;
}

void RenderJob::make_tally(VolrenderOptions const& options, SceneHints const& hints,
                           std::vector<DetectorSpec> const& specs, Communicator const* ranks)
{
    bool const detects = !specs.empty(), is_given = options.tally.is_given() || detects;
    char const* const name = options.tally.is_given() ? "--tally" : "--detector";
    bool const has_particles = starts_at_emitters(scene_->view().transport);
    if (is_given && !has_particles)
        fail_usage(fmt::format("{} needs particles: paths from the camera leave nothing", name),
                   "give --integrator light");
    if (is_given && ranks != nullptr)
        fail_usage(fmt::format("{} adds up the particles of one process", name), "run volrender without mpirun");
    // Other ranks' energy would be missing.
    if (!has_particles || ranks != nullptr) return;
    if (options.tally.spec.index && has_nested_solids(scene_->view()))
        fail_usage("--tally has an index of refraction, but solids of this volume lie in others, each with its own",
                   "leave out index=");
    BoundarySpec const& boundary = scene_->scene().boundary;
    TallySpec const spec = choose_gates(options.tally.spec, hints, boundary, outputs);
    TallyIndices const indices{spec.index.value_or(boundary.int_ior), boundary.ext_ior};
    if (detects) detectors = std::make_unique<DetectorTables>(specs, scene_->view(), *volume_, spec, indices);
    tally = std::make_unique<TallySums>(spec, scene_->view(), indices, detectors ? detectors->view() : DetectorsView{});
    for (std::filesystem::path const& output : tally_outputs) check_tally_file(output, tally->view());
    for (std::filesystem::path const& output : detector_outputs) AtomicFile const probe(output); // found now, not later
    scene_->attach_tally(tally->view());
}

std::optional<Error> RenderJob::find_change() const
{
    try {
        scene_->check_inputs();
    } catch (Error const& error) {
        return error;
    }
    return std::nullopt;
}

std::vector<std::filesystem::path> list_films(std::vector<std::filesystem::path> const& outputs)
{
    std::vector<std::filesystem::path> films;
    std::copy_if(outputs.begin(), outputs.end(), std::back_inserter(films),
                 [](auto const& output) { return output.extension() == ".vpf"; });
    return films;
}

} // namespace volpt
