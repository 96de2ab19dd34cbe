// volinfo: says what a packed volume or a film is, and whether its bytes are whole.
#include "libvolpt/image/codecs/codecs.h"
#include "libvolpt/scene/layer_image.h"
#include "libvolpt/sys/atomic_file.h"
#include "tools/options/tool.h"
#include "tools/volinfo/coverage.h"
#include "tools/volinfo/histogram.h"
#include "tools/volinfo/report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>

namespace volpt {
namespace {
namespace po = boost::program_options;

class InfoOptions final : public OptionGroup {
public:
    VerifyLevel verify = VerifyLevel::quick;
    std::optional<int> slice;
    bool histogram = false;
    std::optional<std::filesystem::path> coverage;

    std::string title() const override { return "Checking and looking"; }

    void declare(po::options_description& options) override
    {
        options.add_options()(
            "verify", po::value<std::string>()->value_name("LEVEL"),
            "quick: header, sizes, tables (default); full: every byte against its checksum, every index "
            "and value")("slice", po::value<int>()->value_name("N"),
                         "draw layer N of a volume into the picture named after FILE: densities as slices lie in a "
                         "stack, prints as their +z face is seen")(
            "histogram", po::bool_switch(), "count the densities, or the voxels of each material")(
            "coverage", po::value<std::string>()->value_name("OUT.svg|OUT.png"),
            "plot the share of each material by depth below the +z face; --json has the numbers");
    }

    void read(po::variables_map const& values) override
    {
        std::string const level = given_text(values, "verify").value_or("quick");
        if (level != "quick" && level != "full") {
            fail_usage(fmt::format("--verify {} is unknown", level), "write --verify quick or --verify full");
        }
        verify = level == "full" ? VerifyLevel::full : VerifyLevel::quick;
        if (is_given(values, "slice")) slice = values["slice"].as<int>();
        histogram = values["histogram"].as<bool>();
        coverage = given_text(values, "coverage");
        if (coverage && coverage->extension() != ".svg" && coverage->extension() != ".png")
            fail_usage(fmt::format("--coverage: '{}' is neither .svg nor .png", coverage->string()),
                       "write --coverage inks.svg");
    }
};

void write_drawing(std::filesystem::path const& path, Drawing const& drawing)
{
    if (path.extension() == ".png") return write_image(path, drawing.to_image());
    std::string const svg = drawing.to_svg();
    write_file_atomically(path, std::as_bytes(std::span(svg)));
}

ExitStatus print_info(ToolRun const& run, InfoOptions const& options)
{
    if (options.slice.has_value() != (run.arguments.size() == 2))
        fail_usage("--slice and a picture belong together", "write volinfo head.vpk --slice 40 head40.png");
    nlohmann::ordered_json report = describe_file(run.arguments[0], options.verify);
    if (options.slice || options.histogram || options.coverage) {
        if (report["kind"] != "volume")
            fail_usage("a film has no slices", "give a .vpk to --slice, --histogram and --coverage");
        PackedVolume const volume = PackedVolume::open(run.arguments[0], options.verify);
        if (options.histogram) report["histogram"] = count_values(volume);
        if (options.coverage) {
            report["coverage"] = report_coverage(volume);
            write_drawing(*options.coverage, draw_coverage(volume));
            // A line a layer would bury the rest.
            if (!run.common.wants_json()) report["coverage"] = report["coverage"]["total"];
        }
        if (options.slice) write_image(run.arguments[1], draw_layer(volume, *options.slice, LayerLook::shown));
    }
    if (run.common.wants_json()) {
        // File names may hold bytes that are no UTF-8.
        fmt::print("{}\n", report.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    } else {
        fmt::print("{}", format_lines(report));
    }
    return ExitStatus::done;
}

ToolDescription describe_tool()
{
    return {
        .name = "volinfo",
        .summary = "Says what a packed volume (.vpk) or a film (.vpf) is, and whether its bytes are whole.",
        .usage = {"FILE [--verify quick|full] [--histogram] [--json]", "VOLUME.vpk --slice N OUT.png",
                  "VOLUME.vpk --coverage OUT.svg|OUT.png"},
        .notes = {"A damaged file is named with section and offset, and gives status 3."},
        .examples = {{"volinfo head.vpk", "size, encodings, quantisation error, majorants, provenance"},
                     {"volinfo head.vpk --slice 40 head40.png", "one layer as a picture, white at the largest density"},
                     {"volinfo print.vpk --coverage inks.svg", "the share of each ink by depth"},
                     {"volinfo all.vpf --verify full --json",
                      "counts, hashes and mean of a film whose every byte was checked"}},
        .status_0 = "done, and the file is whole as far as it was checked",
        .arguments_min = 1,
        .arguments_max = 2,
    };
}

} // namespace
} // namespace volpt

int main(int argc, char** argv)
{
    volpt::InfoOptions options;
    return volpt::run_tool(argc, argv, volpt::describe_tool(), {&options},
                           [&](volpt::ToolRun const& run) { return volpt::print_info(run, options); });
}
