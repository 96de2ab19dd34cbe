// volcompare: judges an image or film against a reference, or against the CPU reference that it renders itself.
#include "libvolpt/image/codecs/codecs.h"
#include "libvolpt/stats/report/contact_sheet.h"
#include "libvolpt/stats/report/convergence_report.h"
#include "libvolpt/stats/report/error_map.h"
#include "libvolpt/stats/report/html_report.h"
#include "libvolpt/stats/report/verdict_report.h"
#include "libvolpt/sys/atomic_file.h"
#include "tools/options/tool.h"
#include "tools/volcompare/options.h"
#include "tools/volcompare/reference.h"
#include "tools/volcompare/suite.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace volpt {
namespace {

constexpr std::size_t kSheetPatches = 8;

std::string name_map_metric(std::string const& map)
{
    if (map == "difference") return "bias";
    return map.starts_with("de2000") ? "de2000" : map;
}

/// What the metrics of the criteria do not already call for: those whose maps are wanted.
void add_map_metrics(Criteria& criteria, CompareOptions const& options, Subject const& test)
{
    if (criteria.metrics.empty()) criteria.metrics = list_default_metrics();
    for (MapOutput const& map : options.maps)
        if (map.name != "z") criteria.metrics.push_back(name_map_metric(map.name));
    if (options.html) add_page_metrics(criteria, test.image);
    if (!options.sheets.empty()) criteria.metrics.push_back("de2000");
    if (!options.maps.empty() || !options.sheets.empty()) criteria.settings.keep_map = KeepMap::yes;
}

void write_text(std::filesystem::path const& path, std::string const& text)
{
    write_file_atomically(path, std::as_bytes(std::span(text)));
}

void write_sheets(CompareOptions const& options, ReportedPair const& pair, ToolRun const& run)
{
    if (options.sheets.empty()) return;
    if (!pair.verdict.image.matched()) {
        run.notice("no sheet is written: nothing was compared");
        return;
    }
    std::vector<Patch> const patches =
        options.patches.empty() ? choose_patches(pair.reference.image, kSheetPatches) : options.patches;
    for (std::filesystem::path const& path : options.sheets) {
        if (path.extension() == ".png")
            write_image(path, draw_contact_sheet(pair, patches));
        else
            write_text(path, format_contact_sheet(pair, patches));
    }
}

void write_outputs(CompareOptions const& options, ReportedPair const& pair, ToolRun const& run)
{
    for (MapOutput const& output : options.maps) {
        if (auto const map = find_error_map(pair.verdict, output.name))
            write_error_map(output.path, *map, pair.test.image.width, pair.test.image.height);
        else
            run.notice(
                fmt::format("no map '{}' is written: the metric has none, or nothing was compared", output.name));
    }
    write_sheets(options, pair, run);
    if (options.junit) {
        NamedVerdict const named{pair.name, pair.verdict};
        write_text(*options.junit, format_junit("volcompare", {&named, 1}));
    }
    if (options.html) write_text(*options.html, format_html("volcompare: " + pair.name, {&pair, 1}));
}

Subject make_reference(Subject const& test, CompareOptions const& options, ToolRun const& run)
{
    Illuminant const illuminant = options.criteria.settings.illuminant;
    if (!options.volume) return read_subject(run.arguments[1], illuminant);
    if (!test.film)
        fail_input("is an image, not a film", test.name, "an image does not say what to render", "give the .vpf");
    return make_subject("CPU reference", render_cpu_reference(*test.film, *options.volume, options.environment, run),
                        illuminant);
}

ExitStatus converge(ToolRun const& run, CompareOptions const& options)
{
    if (run.arguments.size() < 3)
        fail_usage(fmt::format("{} films are given", run.arguments.size()),
                   "--convergence takes at least two and, for reference, one of more samples");
    std::vector<Subject> films;
    for (std::string const& name : run.arguments) films.push_back(read_subject(name));
    Convergence const convergence = measure_convergence(films);
    for (std::string const& notice : convergence.notices) run.notice(notice);
    if (options.plot) write_text(*options.plot, plot_convergence(convergence));
    if (run.common.wants_json())
        fmt::print("{}\n", report_convergence(convergence).dump(2));
    else
        fmt::print("{}", format_convergence(convergence));
    return convergence.as_expected ? ExitStatus::done : ExitStatus::negative;
}

ExitStatus compare(ToolRun const& run, CompareOptions const& options)
{
    if (options.convergence) return converge(run, options);
    if (options.suite && !run.arguments.empty())
        fail_usage("--suite goes without TEST and REFERENCE", "name them in the suite");
    if (options.suite) return run_suite(run, options);
    if (run.arguments.size() != (options.volume ? 1 : 2))
        fail_usage(fmt::format("{} files are given", run.arguments.size()),
                   options.volume ? "give the film alone with --against-cpu VOLUME.vpk" : "give TEST and REFERENCE");
    Subject test = read_subject(run.arguments[0], options.criteria.settings.illuminant);
    Subject reference = make_reference(test, options, run);
    prepare_subject(test, options.transfers.test, options.channels);
    prepare_subject(reference, options.transfers.reference, options.channels);
    if (options.resample == Resample::area) resample_subject(reference, test.image.width, test.image.height);
    Criteria criteria = options.criteria;
    add_map_metrics(criteria, options, test);
    criteria.settings.threads = run.common.threads;
    if (criteria.expectation) criteria.expectation->threads = run.common.threads;
    Verdict const verdict = judge(test, reference, criteria);
    for (std::string const& notice : verdict.notices) run.notice(notice);
    write_outputs(options, {test.name + " against " + reference.name, test, reference, verdict, criteria}, run);
    if (run.common.wants_json())
        fmt::print("{}\n", report_verdict(verdict, criteria).dump(2));
    else
        fmt::print("{}", format_verdict(verdict));
    return verdict.positive ? ExitStatus::done : ExitStatus::negative;
}

ToolDescription describe_tool()
{
    return {
        .name = "volcompare",
        .summary = "Compares an image or film with a reference and says by its exit status whether they agree.",
        .usage = {"TEST REFERENCE [--metric NAME]... [--threshold EXPR] [--statistical]",
                  "PREDICTION TARGET --sheet SHEET.html|SHEET.png [--patch NAME=X,Y,W,H]...",
                  "--against-cpu VOLUME.vpk FILM.vpf [--env IMAGE]", "--suite SUITE.json [--update]",
                  "--convergence FILM.vpf FILM.vpf... [--plot FILE.svg]"},
        .notes =
            {"Without --threshold and --statistical the verdict is exact equality: of scene, seed, samples and sums "
             "for two films, of "
             "every channel's bits otherwise. Provenance plays no part.",
             "Where one side is sRGB-coded (.png) and the other linear (.exr, .hdr, .pfm, .vpf), the linear one is "
             "sRGB-coded first, with exposure 1 and clamped, and a notice says so; equal then means equal in 8 bits. "
             "Colour differences are of linear colours, unclamped.",
             "Images of different channels, or of different size without --resample, get a negative verdict; nothing "
             "is cropped."},
        .examples = {{"volcompare render.exr reference.exr --threshold 'rmse<0.02'", "an image test in a shell script"},
                     {"volcompare new.vpf old.vpf --statistical", "same picture but for noise?"},
                     {"volcompare gpu.vpf cpu.vpf", "are the two films equal bit for bit?"},
                     {"volcompare print.vpf picture.png --resample area --threshold 'de2000.p95<6' --sheet sheet.html",
                      "does the predicted print look like the picture?"},
                     {"volcompare --against-cpu slab.vpk gpu.vpf", "the same, rendering the CPU's film now"}},
        .status_0 = "equal, or what was asked for holds",
        .status_1 = "different, or it does not hold",
        .arguments_min = 0,
        .arguments_max = SIZE_MAX,
    };
}

} // namespace
} // namespace volpt

int main(int argc, char** argv)
{
    volpt::CompareOptions options;
    std::vector<std::string> const words = volpt::join_map_options({argv, argv + argc});
    std::vector<char const*> pointers;
    for (std::string const& word : words) pointers.push_back(word.c_str());
    return volpt::run_tool(static_cast<int>(words.size()), pointers.data(), volpt::describe_tool(), {&options},
                           [&](volpt::ToolRun const& run) { return volpt::compare(run, options); });
}
