#include "libvolpt/job/render_job.h"

#include "formats/tally/tally_file.h"
#include "libvolpt/core/surface/nested_solids.hd.h"
#include "libvolpt/cpu/forecast_banks.h"
#include "libvolpt/job/presets/scene_preset.h"
#include "libvolpt/job/render_notices.h"
#include "libvolpt/render/dim_background.h"
#include "libvolpt/render/ranks/communicator.h"
#include "libvolpt/sys/atomic_file.h"
#include "libvolpt/sys/files/overwriting.h"
#include "libvolpt/volume/bands/match_bands.h"

#include <algorithm>
#include <fmt/format.h>
#include <thread>
#include <utility>

namespace volpt {
namespace {

constexpr std::uint64_t kDefaultSamples = 64; // per pixel

/// A film may be written over itself when it is resumed: it then holds all that it held.
void check_no_input_is_lost(RenderRequest const& request, std::optional<std::filesystem::path> const& light,
                            std::vector<std::filesystem::path> const& outputs)
{
    std::vector<std::filesystem::path> inputs{request.volume_path}, pictures;
    if (light) inputs.push_back(*light);
    std::vector<std::filesystem::path> const& kept = request.output.kept;
    inputs.insert(inputs.end(), kept.begin(), kept.end());
    refuse_overwriting(inputs, outputs);
    if (!request.samples.resume) return;
    std::ranges::copy_if(outputs, std::back_inserter(pictures),
                         [](auto const& output) { return output.extension() != ".vpf"; });
    refuse_overwriting({*request.samples.resume}, pictures);
}

[[noreturn]] void refuse_resumed_detectors()
{
    fail_usage("detectors and --resume contradict each other: a film does not hold what detectors count",
               "give --samples FIRST:COUNT for other samples");
}

/// Before any file is opened.
void check_scene(SceneRequest const& scene)
{
    scene.camera.check();
    scene.light.check();
    scene.boundary.check();
    scene.medium.check();
}

void check_samples(RenderRequest const& request)
{
    SampleRequest const& samples = request.samples;
    bool const has_end = samples.samples || samples.stop_at_de;
    if (request.film && samples.resume)
        fail_usage("a film is given, and another one with --resume", "give one of the two");
    if (request.film && !has_end)
        fail_usage("a film to be continued needs the number of samples to reach", "give spp, samples or stop_at_de");
    if (!request.film && !samples.resume) return;
    if (request.tally.is_given())
        fail_usage("--tally and --resume contradict each other: a film does not hold a tally",
                   "give --samples FIRST:COUNT for other samples");
    if (!request.detectors.specs.empty()) refuse_resumed_detectors();
    if (!has_end)
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

/// The request must not change what a film to be resumed is of.
void check_same_scene(Scene const& wanted, Film const& film, std::optional<std::uint64_t> seed, std::string const& path)
{
    if (seed && *seed != film.seed())
        fail_usage(fmt::format("--seed {} contradicts {}, whose seed is {}", *seed, path, film.seed()),
                   "leave --seed out");
    if (hash_scene(wanted) == film.scene_hash()) return;
    std::string fields;
    for (SceneDifference const& difference : compare_scenes(wanted, film.scene()))
        fields += fmt::format("; {} {} instead of {}", difference.field, difference.left, difference.right);
    fail_usage(fmt::format("the options contradict the scene of {}{}", path, fields),
               "leave them out, or start a new film");
}

HostShare find_share(Communicator const* ranks)
{
    if (ranks == nullptr) return {};
    return {ranks->rank_on_host(), ranks->size_on_host()};
}

} // namespace

RenderJob::RenderJob(RenderRequest request, JobSinks const& sinks, Communicator const* ranks)
    : film(std::move(request.film)), request_(std::move(request))
{
    check_scene(request_.scene);
    check_samples(request_);
    // Ranks of one machine divide its cores, unless the request says how many threads each has.
    bool const divides = ranks != nullptr && !request_.threads;
    int const threads = divides ? std::max(1, count_threads() / find_share(ranks).count) : count_threads();
    open_files(threads);
    request_.scene = apply_preset(std::move(request_.scene), volume_->meta());
    open_scene(sinks, ranks, threads);
}

int RenderJob::count_threads() const
{
    return request_.threads.value_or(std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
}

void RenderJob::open_files(int threads)
{
    std::vector<std::filesystem::path> const& files = request_.output.files;
    SplitOutputs split = split_outputs(files, request_.tally);
    outputs = std::move(split.films);
    tally_outputs = std::move(split.tallies);
    detector_outputs = std::move(split.detectors);
    if ((film || request_.samples.resume) && !detector_outputs.empty()) refuse_resumed_detectors();
    if (request_.samples.checkpoint_s > 0 && list_films(outputs).empty())
        fail_usage("--checkpoint has no film to write", "give -o FILM.vpf");
    check_no_input_is_lost(request_, choose_light(request_.scene.light, {}), files);
    volume_ = std::exchange(request_.volume, nullptr);
    if (!volume_)
        volume_ =
            std::make_shared<PackedVolume const>(PackedVolume::open(request_.volume_path, VerifyLevel::full, threads));
    if (request_.samples.resume) film = read_film(*request_.samples.resume);
}

Scene RenderJob::choose_base(SceneHints const& hints, LightImage const* light) const
{
    if (!film) return make_default_scene(*volume_, request_.scene, hints, light);
    Scene base = film->scene();
    if (request_.scene.camera.zoom && base.camera.kind != CameraKind::probe) {
        // It is relative, and the film's view has it already: it is that of the view without the film.
        SceneRequest like = request_.scene;
        like.camera.resolution = {static_cast<int>(film->width()), static_cast<int>(film->height())};
        SceneHints view = hints;
        view.environment.reset();
        base.camera = make_default_scene(*volume_, like, view, nullptr).camera;
    }
    return base;
}

void RenderJob::open_scene(JobSinks const& sinks, Communicator const* ranks, int threads)
{
    SceneRequest const& wanted = request_.scene;
    std::string const film_name = request_.samples.resume.value_or("the film").string();
    HintLight const hint_light = wanted.probe.is_given() || film ? HintLight::unused : HintLight::needed;
    SceneHints const hints =
        choose_hints(wanted.hints, wanted.light, hint_light, *volume_, request_.volume_path.string(), sinks.detail);
    std::vector<DetectorSpec> const detector_specs = choose_detectors(request_.detectors, hints, detector_outputs);
    open_light(hints, sinks.notice, threads);
    LightImage const* const light = light_ ? &*light_ : nullptr;
    if (ranks == nullptr || ranks->rank() == 0)
        check_film_outputs(outputs, volume_->meta().bands(), volume_->meta().wavelengths_nm);

    if (film) check_estimator(*film, film_name);
    Scene scene = apply_request(choose_base(hints, light), wanted, wanted.light.image_path ? light : nullptr, *volume_);
    if (!film)
        if (auto const assumed = describe_assumed_index(scene, hints, wanted)) sinks.notice(*assumed);
    bool const detects = !detector_specs.empty();
    bool const returns_tally = request_.tally.is_given() && request_.tally.use == TallyUse::returned;
    bool const has_tally_alone = outputs.empty() && (returns_tally || !tally_outputs.empty()) && !detects;
    if (has_tally_alone && scene.integrator == Integrator::light) scene.particle_film = ParticleFilm::none;
    // A film that is resumed keeps what was chosen when it was begun.
    bool const picks_long_steps = wanted.medium.picks_long_steps && !film;
    if (film) check_same_scene(scene, *film, request_.samples.seed, film_name);
    std::uint64_t const seed = film ? film->seed() : request_.samples.seed.value_or(0);
    scene_.emplace(scene, *volume_, light, seed);
    if (picks_long_steps) {
        scene.long_steps = choose_long_steps(*scene_, *volume_, request_.device);
        if (scene.long_steps != LongSteps::plain) scene_.emplace(scene, *volume_, light, seed);
    }
    make_tally(hints, detector_specs, ranks);
    if (film && film->sum_log2() != scene_->sum_log2())
        fail_input(fmt::format("the film's fixed-point scale is 2^{}, that of its scene 2^{}", film->sum_log2(),
                               scene_->sum_log2()),
                   film_name + ", section 'film'", "the film is damaged", "take a backup of it or render it again");
    if (!film) film = make_film(*scene_, seed);
    choose_backdrop(film->scene(), wanted.light.backdrop); // refuses it before the render
    if (ranks == nullptr || ranks->rank() == 0) check_pictures(request_.pictures, outputs, *this, *film, sinks.notice);
    if (scene_->charts() != nullptr && (ranks == nullptr || ranks->rank() == 0))
        report_charts(inspect_charts(*scene_->charts(), film->width(), film->height(), threads), sinks.notice);
    default_samples = hints.samples.value_or(kDefaultSamples);
    SampleRange const samples = request_.samples.samples.value_or(SampleRange{0, default_samples});
    check_sample_limit(film->scene(), samples.first + samples.count);

    render = choose_device(request_.device, film->scene(), find_share(ranks));
    render.threads = threads;
    bool const is_chosen = film->scene().long_steps != LongSteps::plain && !picks_long_steps;
    if (is_chosen && render.gpus.empty() && ranks == nullptr) report_bank_forecast(samples, sinks.notice);
}

void RenderJob::open_light(SceneHints const& hints, NoticeSink const& notice, int threads)
{
    SceneRequest const& wanted = request_.scene;
    auto const path = choose_light(wanted.light, hints);
    std::optional<Image> image;
    if (path) {
        check_no_input_is_lost(request_, path, list_outputs());
        image = read_light(wanted.light, *path, notice);
    }
    auto const film_bands = film ? std::optional(film->scene().bands) : std::nullopt;
    std::uint32_t const bands =
        choose_bands(volume_->meta(), wanted, hints, image ? find_colour(*image) : ImageColour::grey, film_bands);
    if (bands != volume_->meta().bands() && !film) report_widened(notice);
    volume_ = match_bands(std::move(volume_), bands, threads);
    if (image) light_ = make_light(*image, *path, volume_->meta(), notice);
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

void RenderJob::make_tally(SceneHints const& hints, std::vector<DetectorSpec> const& specs, Communicator const* ranks)
{
    bool const detects = !specs.empty(), is_given = request_.tally.is_given() || detects;
    char const* const name = request_.tally.is_given() ? "--tally" : "--detector";
    bool const has_particles = starts_at_emitters(scene_->view().transport);
    if (is_given && !has_particles)
        fail_usage(fmt::format("{} needs particles: paths from the camera leave nothing", name),
                   "give --integrator light");
    if (is_given && ranks != nullptr)
        fail_usage(fmt::format("{} adds up the particles of one process", name), "run volrender without mpirun");
    // Other ranks' energy would be missing.
    if (!has_particles || ranks != nullptr) return;
    if (request_.tally.spec.index && has_nested_solids(scene_->view()))
        fail_usage("--tally has an index of refraction, but solids of this volume lie in others, each with its own",
                   "leave out index=");
    BoundarySpec const& boundary = scene_->scene().boundary;
    TallySpec const spec = choose_gates(request_.tally.spec, hints, boundary, outputs);
    TallyIndices const indices{spec.index.value_or(boundary.int_ior), boundary.ext_ior};
    if (detects) detectors = std::make_unique<DetectorTables>(specs, scene_->view(), *volume_, spec, indices);
    tally = std::make_unique<TallySums>(spec, scene_->view(), indices, detectors ? detectors->view() : DetectorsView{});
    for (std::filesystem::path const& output : tally_outputs) check_tally_file(output, tally->view());
    for (std::filesystem::path const& output : detector_outputs) AtomicFile const probe(output); // found now, not later
    scene_->attach_tally(tally->view());
}

void RenderJob::release_tally()
{
    scene_->attach_tally({});
    tally.reset();
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
