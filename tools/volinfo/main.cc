// volinfo: prints what a packed volume or a film contains, and checks it for damage.
#include "libvolpt/image/codecs/codecs.h"
#include "libvolpt/scene/layer_image.h"
#include "libvolpt/sys/atomic_file.h"
#include "libvolpt/sys/json.h"
#include "tools/options/output_check.h"
#include "tools/options/tool.h"
#include "tools/options/units.h"
#include "tools/volinfo/report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>

namespace volpt {
namespace {
namespace po = boost::program_options;

/// Of a drawn layer: squares, or one pixel per voxel.
enum class PixelAspect { pitch, voxel };

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
        add("verify", text_value("LEVEL"),
            "quick: check header, sizes and tables (default); full: every byte against its checksum, every index and "
            "value");
        add("slice", po::value<int>()->value_name("N"),
            "draw layer N of a volume into the image named after FILE: densities oriented as in a stack of slices, "
            "prints as the slice N of a print job, seen from above");
        add("aspect", text_value("pitch|voxel"),
            "pitch: a slice has the proportions of the volume (default); voxel: one pixel per voxel");
        add("histogram", po::bool_switch(), "count the densities, or the voxels of each material");
        add("coverage", text_value("OUT.svg|OUT.png|OUT.jpg|none"),
            "plot the share of each material by depth below the +z face, or none, and tell how much of each it takes: "
            "millilitres, and grams where the material table has densities; --json has every layer");
    }

    void read(po::variables_map const& values) override
    {
        if (auto const text = given_text(values, "verify"))
            verify =
                parse_choice("--verify", *text, {"quick", "full"}) == "full" ? VerifyLevel::full : VerifyLevel::quick;
        if (is_given(values, "slice")) slice = values["slice"].as<int>();
        if (auto const text = given_text(values, "aspect")) {
            if (!slice)
                fail_usage("--aspect is for --slice", "write volinfo head.vpk --slice 40 head40.png --aspect voxel");
            aspect = parse_choice("--aspect", *text, {"pitch", "voxel"}) == "voxel" ? PixelAspect::voxel
                                                                                    : PixelAspect::pitch;
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

ExitStatus print_info(ToolRun const& run, InfoOptions const& options)
{
    if (options.slice.has_value() != (run.arguments.size() == 2))
        fail_usage("--slice and an output image belong together", "write volinfo head.vpk --slice 40 head40.png");
    std::vector<std::filesystem::path> outputs(run.arguments.begin() + 1, run.arguments.end());
    if (options.coverage_plot) outputs.push_back(*options.coverage_plot);
    refuse_overwriting(run, {run.arguments[0]}, outputs);
    nlohmann::ordered_json report = describe_file(run.arguments[0], options.verify);
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
    if (run.common.wants_json()) {
        // File names may contain bytes that are not UTF-8.
        fmt::print("{}\n", format_json(report, 2));
    } else {
        fmt::print("{}", format_lines(report));
    }
    return ExitStatus::done;
}

ToolDescription describe_tool()
{
    return {
        .name = "volinfo",
        .summary = "Prints what a packed volume (.vpk) or a film (.vpf) contains, and checks it for damage.",
        .usage = {"FILE [--verify quick|full] [--histogram] [--json]", "VOLUME.vpk --slice N OUT.png [--aspect voxel]",
                  "VOLUME.vpk --coverage OUT.svg|OUT.png|OUT.jpg|none"},
        .notes = {"For a damaged file, section and offset are printed, and the exit status is 3."},
        .examples = {{"volinfo head.vpk", "print size, encodings, quantisation error, majorants, provenance"},
                     {"volinfo head.vpk --slice 40 head40.png",
                      "draw one layer as an image, white at the largest density"},
                     {"volinfo print.vpk --slice 0 first.png --aspect voxel",
                      "draw the first slice, one pixel per voxel"},
                     {"volinfo print.vpk --coverage inks.svg",
                      "plot the share of each ink by depth, and tell its millilitres or grams"},
                     {"volinfo all.vpf --verify full --json",
                      "print counts, hashes and mean of a film after checking every byte"}},
        .status_0 = "done, and no damage was found",
        .arguments_min = 1,
        .arguments_max = 2,
    };
}

} // namespace
} // namespace volpt

int main(int argc, char** argv)
{
    using namespace volpt;
    InfoOptions options;
    return run_tool(argc, argv, describe_tool(), {&options},
                    [&](ToolRun const& run) { return print_info(run, options); });
}
