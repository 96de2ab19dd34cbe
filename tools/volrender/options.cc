#include "tools/volrender/options.h"

#include "libvolpt/sys/error.h"
#include "tools/options/units.h"

namespace volpt {
namespace {

void check_trials(VolrenderOptions const& options)
{
    if (options.device.trials == 0) return;
    if (options.samples.request.resume)
        fail_usage("--trials and --resume contradict each other", "measure with a new film");
    if (options.samples.request.stop_at_de)
        fail_usage("--trials and --stop-at-de contradict each other", "measure with --spp N");
}

std::vector<std::filesystem::path> choose_outputs(VolrenderOptions const& options)
{
    if (!options.output.outputs.empty()) return options.output.outputs;
    if (options.samples.request.resume) return {*options.samples.request.resume};
    if (options.device.trials > 0 || !options.detectors.request.specs.empty()) return {};
    fail_usage("no output is given", "give -o FILM.vpf, -o IMAGE.png or both");
}

std::vector<std::string> list_aov_words()
{
    std::vector<std::string> words = spell_words<Aov>();
    words.insert(words.begin(), "all");
    return words;
}

/// Holds copies of what it needs of the run.
std::function<Provenance()> choose_provenance(ToolRun const& run, ProvenanceDetail detail, std::string volume)
{
    return [describe = make_run_description(run, "volrender", detail), detail, volume = std::move(volume)] {
        Provenance provenance = describe();
        if (detail == ProvenanceDetail::full) provenance.set("volume", volume);
        return provenance;
    };
}

} // namespace

void PictureOptions::declare(boost::program_options::options_description& options)
{
    auto add = options.add_options();
    add("denoise", text_value(join_words<Denoise>()),
        "take most of the noise out of .png, .exr and other images, by regression on what a plain ray cast shows; "
        "for the eye, not for measuring. Films keep their samples (default off)");
    add("aov", text_value("all|PLANE,..", {.words = list_aov_words()}),
        "planes without noise beside the colours of .exr, for compositing and other denoisers: depth (depth.Z, mm "
        "along "
        "the view), normal (N.X, N.Y, N.Z, in the world), albedo (albedo.R, ..), label (label.Y, number of the "
        "material); all: those that there are");
}

void PictureOptions::read(boost::program_options::variables_map const& values)
{
    if (auto const text = given_text(values, "denoise")) request.denoise = parse_word<Denoise>("--denoise", *text);
    if (auto const text = given_text(values, "aov")) read_aovs("--aov", *text, request);
}

std::vector<OptionGroup*> VolrenderOptions::list_groups()
{
    std::vector<OptionGroup*> groups{&output, &pictures, &samples};
    for (OptionGroup* const group : scene.list_groups()) {
        groups.push_back(group);
        if (group == &scene.camera) groups.push_back(&turntable);
        if (group == &scene.light) groups.push_back(&emitters);
    }
    groups.push_back(&tally);
    groups.push_back(&detectors);
    groups.push_back(&device);
    return groups;
}

RenderRequest make_request(ToolRun const& run, VolrenderOptions const& options,
                           std::vector<std::filesystem::path> outputs)
{
    if (run.arguments.empty()) fail_usage("no volume is given", "give VOLUME.vpk, or a file that volprep reads");
    RenderRequest request;
    request.volume_path = run.arguments[0];
    request.scene = options.scene.make_request();
    request.scene.emitters = options.emitters.request;
    request.samples = options.samples.request;
    request.tally = options.tally.request;
    request.detectors = options.detectors.request;
    request.device = options.device.request;
    request.output.files = std::move(outputs);
    request.output.how = options.output.how;
    if (options.emitters.request.are_photometric && !options.output.names_exposure) {
        request.output.how.exposure_choice = Exposure::of_light;
        run.detail("light in lumens and the like: pictures show a white surface in the middle as half of white "
                   "(--exposure gives another factor)");
    }
    request.pictures = options.pictures.request;
    if (run.common.config) request.output.kept.emplace_back(*run.common.config);
    request.output.make_provenance = choose_provenance(run, options.output.provenance, run.arguments[0]);
    if (run.common.threads_given != 0) request.threads = run.common.threads_given;
    return request;
}

RenderRequest make_request(ToolRun const& run, VolrenderOptions const& options)
{
    if (run.arguments.empty()) fail_usage("no volume is given", "give VOLUME.vpk, or a file that volprep reads");
    check_trials(options);
    return make_request(run, options, choose_outputs(options));
}

} // namespace volpt
