// volinfo: prints what a packed volume, a film or a file that volprep reads contains, and checks the first two for
// damage.
#include "formats/input_format.h"
#include "formats/tiff/picture.h"
#include "libvolpt/film/film_io.h"
#include "libvolpt/image/codecs/codecs.h"
#include "libvolpt/scene/layer_image.h"
#include "libvolpt/sys/atomic_file.h"
#include "libvolpt/sys/json.h"
#include "tools/options/output_check.h"
#include "tools/options/own_file.h"
#include "tools/options/progress_line.h"
#include "tools/options/suite/suite_tools.h"
#include "tools/options/tool.h"
#include "tools/options/units.h"
#include "tools/volinfo/report.h"
#include "tools/volinfo/source_options.h"
#include "tools/volinfo/source_report.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>

namespace volpt {
namespace {
namespace po = boost::program_options;

/// Of a drawn layer: squares, or one pixel per voxel.
enum class PixelAspect { pitch, voxel };

} // namespace

template <>
inline constexpr auto kWords<PixelAspect> = list_words<PixelAspect>({{PixelAspect::pitch, "pitch"},
                                                                     {PixelAspect::voxel, "voxel"}});

namespace {

class InfoOptions final : public OptionGroup {
public:
    VerifyLevel verify = VerifyLevel::quick;
    std::optional<int> slice;
    PixelAspect aspect = PixelAspect::pitch;
    bool histogram = false;
    bool coverage = false;
    std::optional<std::filesystem::path> coverage_plot;

    std::string title() const override { return "Contents"; }

    void declare(po::options_description& options) override
    {
        auto add = options.add_options();
        add("verify", text_value(join_words<VerifyLevel>()),
            "quick: check header, sizes and tables (default); full: every byte against its checksum, every index and "
            "value");
        add("slice", po::value<int>()->value_name("N"),
            "draw layer N of a volume into the image named after FILE: densities oriented as in a stack of slices, "
            "prints as the slice N of a print job, seen from above");
        add("aspect", text_value(join_words<PixelAspect>()),
            "pitch: a slice has the proportions of the volume (default); voxel: one pixel per voxel");
        add("histogram", po::bool_switch(),
            "count the densities, the voxels of each material, or the numbers of a file that volprep reads");
        add("coverage", text_value("OUT.svg|OUT.png|OUT.jpg|none"),
            "plot the share of each material by depth below the +z face, or none, and tell how much of each it takes: "
            "millilitres, and grams where the material table has densities; --json has every layer");
    }

    void read(po::variables_map const& values) override
    {
        if (auto const text = given_text(values, "verify")) verify = parse_word<VerifyLevel>("--verify", *text);
        if (is_given(values, "slice")) slice = values["slice"].as<int>();
        if (auto const text = given_text(values, "aspect")) {
            if (!slice)
                fail_usage("--aspect is for --slice", "write volinfo head.vpk --slice 40 head40.png --aspect voxel");
            aspect = parse_word<PixelAspect>("--aspect", *text);
        }
        histogram = values["histogram"].as<bool>();
        coverage = is_given(values, "coverage");
        coverage_plot = given_text(values, "coverage");
        if (coverage_plot == "none") coverage_plot.reset();
        if (coverage_plot && coverage_plot->extension() != ".svg" && !is_display_image(*coverage_plot))
            fail_usage(fmt::format("--coverage: '{}' is none of .svg, .png and .jpg", coverage_plot->string()),
                       "write --coverage inks.svg, or --coverage none for the figures alone");
    }
};

void write_drawing(std::filesystem::path const& path, Drawing const& drawing)
{
    if (is_display_image(path)) return write_image(path, drawing.to_image());
    std::string const svg = drawing.to_svg();
    write_file_atomically(path, std::as_bytes(std::span(svg)));
}

/// Error (input) for what volprep makes volumes of, but which holds no numbers to tell of.
void refuse_other_inputs(std::string const& input)
{
    InputFormat const format = find_input_format(input);
    if (format == InputFormat::mitsuba_scene || format == InputFormat::mcx_input)
        fail_input("this is a scene, not a volume of numbers", input, {},
                   fmt::format("pack it: volprep {} -o scene.vpk; volinfo scene.vpk", input));
    if (format == InputFormat::triangle_mesh)
        fail_input("this is a triangle mesh, not a volume of numbers", input, {},
                   fmt::format("volprep {} --check-mesh tells of it", input));
}

/// Error (usage) for the first of `options` that the user gave.
void refuse_options(ToolRun const& run, std::initializer_list<char const*> options, std::string const& what,
                    std::string const& advice)
{
    for (char const* const option : options)
        if (std::ranges::find(run.given_options, option) != run.given_options.end())
            fail_usage(fmt::format("--{} has no meaning for {}", option, what), advice);
}

/// As volprep does. Error (usage) for options of other formats.
void check_source_options(ToolRun const& run, std::string const& input, std::string_view format)
{
    bool const of_openvdb = format == "openvdb", of_slices = format == "slices", of_dicom = format == "dicom";
    std::string const kind = of_slices ? "slices" : of_dicom ? "a DICOM series" : "an OpenVDB file";
    if (of_slices || of_openvdb || of_dicom)
        refuse_options(run, {"dims", "type"}, kind, "it describes a headerless file: leave it out");
    if (!of_dicom) refuse_options(run, {"series"}, input + ", which is no DICOM series", "leave it out");
    if (!of_openvdb) refuse_options(run, {"density-grid"}, input + ", which is no OpenVDB file", "leave it out");
    if (of_openvdb) refuse_options(run, {"channel", "volume"}, kind, "give --density-grid NAME");
    bool const is_outside_allowed = std::ranges::find(run.given_options, "allow-outside") != run.given_options.end();
    if (is_outside_allowed && (of_slices || of_openvdb || of_dicom))
        run.notice("--allow-outside has no effect on " + kind);
}

void print_answer(ToolRun const& run, nlohmann::ordered_json const& report, std::string const& more_text = {})
{
    if (run.common.wants_json()) {
        // File names may contain bytes that are not UTF-8.
        fmt::print("{}\n", format_json(report, 2));
    } else {
        fmt::print("{}{}", format_lines(report), more_text);
    }
}

/// One object for one channel, else a list.
template <typename Report>
nlohmann::ordered_json report_channels(std::vector<ChannelStatistics> const& channels, Report report)
{
    if (channels.size() == 1) return report(channels.front());
    auto list = nlohmann::ordered_json::array();
    for (ChannelStatistics const& channel : channels) list.push_back(report(channel));
    return list;
}

std::vector<ChannelStatistics> count_numbers(ToolRun const& run, VolumeSource& source)
{
    watch_interrupts();
    source.use_threads(run.common.threads);
    ProgressLine line("count", run.common.verbosity);
    return measure_values(source, line.sink());
}

ExitStatus print_source(ToolRun const& run, InfoOptions const& options, SourceOptions const& source_options)
{
    std::string const& input = run.arguments[0];
    refuse_options(run, {"slice", "aspect", "coverage", "verify"}, input + ", which is no .vpk or .vpf",
                   "pack it with volprep first");
    if (options.histogram && source_options.depth == SourceDepth::header)
        fail_usage("--header reads no numbers that --histogram could count", "leave one of the two out");
    if (run.arguments.size() > 1) fail_usage("one file at a time", "leave out " + run.arguments[1]);
    if (!source_options.file.dims) refuse_other_inputs(input);
    std::string_view const format = find_source_format(input, source_options.file);
    check_source_options(run, input, format);
    auto const source = open_source_file(input, source_options.file);
    nlohmann::ordered_json report = describe_source(source->meta(), format);
    std::vector<std::string> notices = source->meta().notices;
    std::string bars;
    if (source_options.depth == SourceDepth::values) {
        auto const channels = count_numbers(run, *source);
        notices = list_source_notices(*source, channels);
        report["values"] = report_channels(channels, report_values);
        if (auto const window = suggest_window(source->meta(), channels)) {
            report["suggested_window"] = *window;
            report["suggested_option"] = spell_options(*window, channels);
        }
        if (options.histogram && run.common.wants_json()) {
            report["histogram"] = report_channels(
                channels, [](ChannelStatistics const& channel) { return report_histogram(channel.histogram); });
        } else if (options.histogram) {
            for (std::size_t i = 0; i < channels.size(); ++i)
                bars += fmt::format("histogram{}:\n{}", channels.size() > 1 ? fmt::format(".{}", i) : "",
                                    format_histogram(channels[i], "  "));
        }
    }
    if (run.common.wants_json()) report["notices"] = notices;
    for (std::string const& notice : notices) run.notice(notice);
    print_answer(run, report, bars);
    return ExitStatus::done;
}

ExitStatus print_info(ToolRun const& run, InfoOptions const& options)
{
    refuse_options(
        run, {"dims", "type", "density-grid", "series", "channel", "volume", "allow-outside", "header", "layer-memory"},
        "a .vpk or .vpf", "it is for files that volprep reads");
    if (options.slice.has_value() != (run.arguments.size() == 2))
        fail_usage("--slice and an output image belong together", "write volinfo head.vpk --slice 40 head40.png");
    std::vector<std::filesystem::path> outputs(run.arguments.begin() + 1, run.arguments.end());
    if (options.coverage_plot) outputs.push_back(*options.coverage_plot);
    refuse_overwriting(run, {run.arguments[0]}, outputs);
    nlohmann::ordered_json report = describe_file(run.arguments[0], options.verify, run.common.threads);
    if (options.slice || options.histogram || options.coverage) {
        if (report["kind"] != "volume")
            fail_usage("a film has no slices", "--slice, --histogram and --coverage need a .vpk");
        PackedVolume const volume = PackedVolume::open(run.arguments[0], options.verify);
        // At `full`, opening has checked them.
        if (options.verify == VerifyLevel::quick) volume.verify_contents();
        if (options.histogram) report["histogram"] = count_values(volume);
        if (options.coverage) {
            report["coverage"] = report_coverage(volume);
            volume.check_unchanged();
            if (options.coverage_plot) write_drawing(*options.coverage_plot, draw_coverage(volume));
            // One line per layer would hide the rest.
            if (!run.common.wants_json()) {
                report["amounts"] = report["coverage"]["amounts"];
                report["coverage"] = report["coverage"]["total"];
            }
        }
        if (options.slice) {
            Image layer = draw_layer(volume, *options.slice, LayerLook::shown);
            auto const& pitch_mm = volume.meta().pitch_mm;
            if (options.aspect == PixelAspect::pitch) layer = repeat_to_squares(layer, {pitch_mm[0], pitch_mm[1]});
            volume.check_unchanged();
            write_image(run.arguments[1], layer);
        }
        volume.check_unchanged();
    }
    print_answer(run, report);
    return ExitStatus::done;
}

ToolDescription describe_tool()
{
    return {
        .name = "volinfo",
        .summary = summarise_tool("volinfo"),
        .usage = {"FILE [--verify quick|full] [--histogram] [--json]",
                  "SOURCE [--histogram] [--header] [--dims X,Y,Z --type TYPE] [--json]",
                  "VOLUME.vpk --slice N OUT.png [--aspect voxel]",
                  "VOLUME.vpk --coverage OUT.svg|OUT.png|OUT.jpg|none"},
        .notes = {"For a damaged file, section and offset are printed, and the exit status is 3.",
                  fmt::format(
                      "volprep reads {}, folders and patterns of slices, and headerless files (--dims, --type).",
                      list_reader_extensions())},
        .examples = {{"volinfo head.vpk", "print size, encodings, quantisation error, majorants, provenance"},
                     {"volinfo head.mha --histogram", "print what a scan holds, and a window that fits it"},
                     {"volinfo head.vpk --slice 40 head40.png",
                      "draw one layer as an image, white at the largest density"},
                     {"volinfo print.vpk --slice 0 first.png --aspect voxel",
                      "draw the first slice, one pixel per voxel"},
                     {"volinfo print.vpk --coverage inks.svg",
                      "plot the share of each ink by depth, and tell its millilitres or grams"},
                     {"volinfo all.vpf --verify full --json",
                      "print counts, hashes and mean of a film after checking every byte"}},
        .status_0 = "done, and no damage was found",
        .arguments = {{"VOLUME.vpk|FILM.vpf", {.files = list_reader_extensions() + " .raw"}},
                      {"PICTURE", {.files = list_image_extensions(ImageAccess::write)}}},
        .arguments_min = 1,
        .arguments_max = 2,
    };
}

} // namespace
} // namespace volpt

int main(int argc, char** argv)
{
    using namespace volpt;
    add_tiff_pictures();
    InfoOptions options;
    SourceOptions source_options;
    return run_tool(argc, argv, describe_tool(), {&options, &source_options}, [&](ToolRun const& run) {
        bool const is_source = source_options.file.dims || !is_own_file(run.arguments[0]);
        return is_source ? print_source(run, options, source_options) : print_info(run, options);
    });
}
