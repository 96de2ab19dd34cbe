#include "tools/volrender/turntable.h"

#include "libvolpt/sys/json.h"
#include "tools/options/output_check.h"
#include "tools/options/units.h"
#include "tools/render_setup/volume_input.h"
#include "tools/volrender/report.h"
#include "tools/volrender/run.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>

namespace volpt {
namespace {

constexpr int kMostViews = 10000;

std::filesystem::path number_output(std::filesystem::path const& output, int view)
{
    std::string const name = output.filename().string();
    std::size_t const begin = name.find('%');
    std::size_t digits = begin + 1;
    while (begin != std::string::npos && digits < name.size() && name[digits] >= '0' && name[digits] <= '9') ++digits;
    bool const is_pattern = begin != std::string::npos && digits < name.size() && name[digits] == 'd' &&
                            digits - begin <= 3 && name.find('%', digits) == std::string::npos;
    if (!is_pattern)
        fail_usage(fmt::format("--turntable writes several files, but -o {} names one", output.string()),
                   "put one number into the name: -o frame%03d.png");
    int const width = digits > begin + 1 ? std::stoi(name.substr(begin + 1, digits - begin - 1)) : 0;
    std::string const number =
        name[begin + 1] == '0' ? fmt::format("{:0{}}", view, width) : fmt::format("{:{}}", view, width);
    return output.parent_path() / (name.substr(0, begin) + number + name.substr(digits + 1));
}

void check_turntable(VolrenderOptions const& options)
{
    auto const refuse = [](bool is_given, char const* what, char const* why) {
        if (is_given)
            fail_usage(fmt::format("{} and --turntable contradict each other: {}", what, why), "leave one out");
    };
    refuse(options.samples.request.resume.has_value(), "--resume",
           "a film holds one view; continue the views one by one");
    refuse(options.device.trials > 0, "--trials", "it measures one view");
    refuse(options.scene.probe.request.is_given(), "--probe", "a probe has no view");
    refuse(options.tally.request.is_given(), "--tally", "what a volume absorbs does not depend on the view");
    refuse(!options.detectors.request.specs.empty(), "--detector", "what detectors count does not depend on the view");
    refuse(options.scene.camera.request.is_at_pole(), "--from at an elevation of 90 or -90",
           "the views would be alike");
    if (options.output.outputs.empty()) fail_usage("no output is given", "give -o frame%03d.png");
}

/// Before the first view, for all of them. Error (usage) if one would replace the volume, the image of --env, or
/// another one: t%d2.png and t1%d.png both name t12.png. The light of hints is checked view by view.
void check_all_outputs(ToolRun const& run, VolrenderOptions const& options)
{
    std::vector<std::filesystem::path> inputs = {run.arguments.begin(), run.arguments.end()};
    if (auto const light = choose_light(options.scene.light.request, {})) inputs.push_back(*light);
    std::set<std::filesystem::path> seen;
    for (int view = 0; view < *options.turntable.views; ++view) {
        auto const outputs = number_outputs(options.output.outputs, view);
        refuse_overwriting(run, inputs, outputs);
        if (!run.arguments.empty()) refuse_outputs_among(run.arguments[0], outputs);
        for (std::filesystem::path const& output : outputs) {
            std::filesystem::path const whole = find_whole_path(output);
            if (!seen.insert(whole.empty() ? output : whole).second)
                fail_usage(fmt::format("two outputs are the same file, {}", output.string()),
                           "separate number and digits: t%02d_a.png");
        }
    }
}

/// Prints texts at once; JSON at the end, or before an error goes on.
class ViewAnswers {
public:
    explicit ViewAnswers(CommonOptions const& common) : common_(common) {}

    void add(nlohmann::ordered_json answer, std::vector<std::filesystem::path> const& outputs)
    {
        if (common_.wants_json())
            views_.push_back(std::move(answer));
        else
            print_answer(answer, outputs, common_);
    }
    void finish() const
    {
        if (!common_.wants_json()) return;
        nlohmann::ordered_json answer;
        answer["views"] = views_;
        print_answer(answer, {}, common_);
    }

private:
    CommonOptions const& common_;
    nlohmann::ordered_json views_ = nlohmann::ordered_json::array();
};

} // namespace

void TurntableOptions::declare(boost::program_options::options_description& options)
{
    options.add_options()(
        "turntable", text_value("N"),
        "render N views around the object: view K, from 0 on, is that of --from with an azimuth larger by K * 360 / N "
        "degrees; other cameras turn about the axis through their target along --up. Each -o needs a place for the "
        "number: frame%03d.png");
}

void TurntableOptions::read(boost::program_options::variables_map const& values)
{
    if (auto const text = given_text(values, "turntable"))
        views = static_cast<int>(parse_integer("--turntable", *text, 1, kMostViews));
}

std::vector<std::filesystem::path> number_outputs(std::vector<std::filesystem::path> const& outputs, int view)
{
    std::vector<std::filesystem::path> numbered;
    for (std::filesystem::path const& output : outputs) numbered.push_back(number_output(output, view));
    return numbered;
}

ExitStatus render_turntable(ToolRun const& run, VolrenderOptions const& options)
{
    check_turntable(options);
    int const views = *options.turntable.views;
    std::vector<std::filesystem::path> const& patterns = options.output.outputs;
    check_all_outputs(run, options);
    VolumeInput const input(run);
    auto const packed = input.open(run.common.threads);
    ViewAnswers answers(run.common);
    try {
        for (int view = 0; view < views; ++view) {
            double const turn_deg = view * 360.0 / views;
            run.detail(fmt::format("view {} of 0 to {}, turned by {:g} degrees", view, views - 1, turn_deg));
            RenderRequest request = make_request(run, options, number_outputs(patterns, view));
            request.scene.camera.turn_deg = turn_deg;
            request.volume = packed;
            RenderJob job(std::move(request), {.notice = run.notice, .detail = run.detail});
            run_and_report(run, job, [&](nlohmann::ordered_json const& answer) {
                nlohmann::ordered_json whole{{"view", view}, {"turn_deg", turn_deg}};
                whole.update(answer);
                answers.add(std::move(whole), job.outputs);
            });
        }
    } catch (Error const&) {
        answers.finish();
        throw;
    }
    answers.finish();
    return ExitStatus::done;
}

} // namespace volpt
