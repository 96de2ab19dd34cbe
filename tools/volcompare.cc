// volcompare: judges an image or film against a reference, or against the CPU reference that it renders itself.
#include "libvolpt/drive/reference.h"
#include "libvolpt/image/codecs.h"
#include "libvolpt/stats/verdict.h"
#include "tools/options/interrupt.h"
#include "tools/options/progress_line.h"
#include "tools/options/tool.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace volpt
{
namespace
{
namespace po = boost::program_options;

class CompareOptions final : public OptionGroup
{
public:
    Criteria criteria;
    std::optional<std::filesystem::path> volume;
    std::optional<std::filesystem::path> environment;

    std::string title() const override { return "Comparison"; }

    void declare(po::options_description& options) override
    {
        std::string names;
        for (Metric const& metric : list_metrics()) names += fmt::format("\n{}: {}", metric.name, metric.definition);
        std::string const metric_help = "value to compute, may be repeated (default max, mse, rmse)" + names;
        options.add_options()
            ("metric", po::value<std::vector<std::string>>()->value_name("NAME"), metric_help.c_str())
            ("threshold", po::value<std::string>()->value_name("EXPR"),
             "pass if this holds, e.g. 'rmse<0.02 and max.R<=0.1'; without it, pass if equal")
            ("against-cpu", po::value<std::string>()->value_name("VOLUME.vpk"),
             "render the film's scene, seed and samples on the CPU and take that for the reference")
            ("env", po::value<std::string>()->value_name("IMAGE"),
             "with --against-cpu: the picture that lit the film, if one did");
    }

    void read(po::variables_map const& values) override
    {
        if (is_given(values, "metric")) criteria.metrics = values.at("metric").as<std::vector<std::string>>();
        if (auto const text = given_text(values, "threshold")) criteria.threshold = parse_threshold(*text);
        volume = given_text(values, "against-cpu");
        environment = given_text(values, "env");
        if (environment && !volume) fail_usage("--env is of use with --against-cpu alone", "leave it out");
        select_metrics(criteria); // unknown names are a matter of usage, not of what the files hold
    }
};

Subject render_reference_of(Subject const& test, CompareOptions const& options, ToolRun const& run)
{
    if (!test.film) fail_input("is an image, not a film", test.name, "an image does not say what to render", "give the .vpf");
    PackedVolume const volume = PackedVolume::open(*options.volume, VerifyLevel::full);
    std::optional<LightImage> light;
    if (options.environment)
        light = make_light_image(read_image(*options.environment), volume.meta(), options.environment->string());
    watch_interrupts();
    ProgressLine progress("reference", run.common.verbosity);
    RenderOptions render;
    render.threads = run.common.threads;
    render.progress = progress.sink();
    return make_subject("CPU reference", render_reference(volume, *test.film, light ? &*light : nullptr, render));
}

ExitStatus compare(ToolRun const& run, CompareOptions const& options)
{
    if (run.arguments.size() != (options.volume ? 1 : 2))
        fail_usage(fmt::format("{} files are given", run.arguments.size()),
                   options.volume ? "give the film alone with --against-cpu VOLUME.vpk" : "give TEST and REFERENCE");
    Subject const test = read_subject(run.arguments[0]);
    Subject const reference = options.volume ? render_reference_of(test, options, run) : read_subject(run.arguments[1]);
    Criteria criteria = options.criteria;
    criteria.settings.threads = run.common.threads;
    Verdict const verdict = judge(test, reference, criteria);
    for (std::string const& notice : verdict.notices) run.notice(notice);
    if (run.common.wants_json()) fmt::print("{}\n", report_verdict(verdict, criteria).dump(2));
    else fmt::print("{}", format_verdict(verdict));
    return verdict.positive ? ExitStatus::done : ExitStatus::negative;
}

ToolDescription describe_tool()
{
    return {
        .name = "volcompare",
        .summary = "Compares an image or film with a reference and says by its exit status whether they agree.",
        .usage = {"TEST REFERENCE [--metric NAME]... [--threshold EXPR]", "--against-cpu VOLUME.vpk FILM.vpf [--env IMAGE]"},
        .notes = {"Without --threshold the verdict is exact equality: of scene, seed, samples and sums for two films, of "
                  "every channel's bits otherwise. Provenance plays no part.",
                  "Where one side is sRGB-coded (.png) and the other linear (.exr, .hdr, .pfm, .vpf), the linear one is "
                  "sRGB-coded first, with exposure 1 and clamped, and a notice says so; equal then means equal in 8 bits.",
                  "Images of different size or channels get a negative verdict; nothing is cropped or scaled."},
        .examples = {{"volcompare render.exr reference.exr --threshold 'rmse<0.02'", "an image test in a shell script"},
                     {"volcompare gpu.vpf cpu.vpf", "are the two films equal bit for bit?"},
                     {"volcompare --against-cpu slab.vpk gpu.vpf", "the same, rendering the CPU's film now"}},
        .status_0 = "equal, or the threshold holds",
        .status_1 = "different, or the threshold does not hold",
        .arguments_min = 1,
        .arguments_max = 2,
    };
}

} // namespace
} // namespace volpt

int main(int argc, char** argv)
{
    volpt::CompareOptions options;
    return volpt::run_tool(argc, argv, volpt::describe_tool(), {&options},
                           [&](volpt::ToolRun const& run) { return volpt::compare(run, options); });
}
