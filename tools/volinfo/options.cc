#include "tools/volinfo/options.h"

#include "libvolpt/sys/error.h"
#include "libvolpt/sys/text/enum_words.h"
#include "tools/options/own_file.h"
#include "tools/options/units.h"

#include <algorithm>
#include <fmt/format.h>
#include <initializer_list>

namespace volpt {
namespace po = boost::program_options;

template <>
inline constexpr auto kWords<PixelAspect> = list_words<PixelAspect>({{PixelAspect::pitch, "pitch"},
                                                                     {PixelAspect::voxel, "voxel"}});

void InfoOptions::declare(po::options_description& options)
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
    add("json-lines", po::bool_switch(),
        "for programs that start volinfo: print notes, progress, errors and the answer as JSON objects on stdout, one "
        "a line, instead of text");
}

void InfoOptions::read(po::variables_map const& values)
{
    if (auto const text = given_text(values, "verify")) verify = parse_word<VerifyLevel>("--verify", *text);
    if (is_given(values, "slice")) slice = values["slice"].as<int>();
    if (auto const text = given_text(values, "aspect")) {
        if (!slice)
            fail_usage("--aspect is for --slice", "write volinfo head.vpk --slice 40 head40.png --aspect voxel");
        aspect = parse_word<PixelAspect>("--aspect", *text);
    }
    if (values["histogram"].as<bool>()) histogram = Histogram::counted;
    if (auto const text = given_text(values, "coverage")) {
        coverage.emplace();
        if (*text != "none") coverage->plot = *text;
    }
}

bool is_of_source(ToolRun const& run, VolinfoOptions const& options)
{
    return options.source.file.dims || !is_own_file(run.arguments[0]);
}

namespace {

/// Error (usage) for the first of `options` that the user gave.
void refuse_options(ToolRun const& run, std::initializer_list<char const*> options, std::string const& what,
                    std::string const& advice)
{
    for (char const* const option : options)
        if (std::ranges::find(run.given_options, option) != run.given_options.end())
            fail_usage(fmt::format("--{} has no meaning for {}", option, what), advice);
}

} // namespace

InfoRequest make_request(ToolRun const& run, VolinfoOptions const& options)
{
    InfoOptions const& info = options.info;
    refuse_options(
        run, {"dims", "type", "density-grid", "series", "channel", "volume", "allow-outside", "header", "layer-memory"},
        "a .vpk or .vpf", "it is for files that volprep reads");
    if (info.slice.has_value() != (run.arguments.size() == 2))
        fail_usage("--slice and an output image belong together", "write volinfo head.vpk --slice 40 head40.png");
    InfoRequest request;
    request.file = run.arguments[0];
    request.verify = info.verify;
    request.histogram = info.histogram;
    request.coverage = info.coverage;
    if (info.slice) request.slice = SliceRequest{*info.slice, run.arguments[1], info.aspect};
    if (run.common.config) request.kept.emplace_back(*run.common.config);
    request.threads = run.common.threads;
    return request;
}

SourceInfoRequest make_source_request(ToolRun const& run, VolinfoOptions const& options)
{
    std::string const& input = run.arguments[0];
    refuse_options(run, {"slice", "aspect", "coverage", "verify"}, input + ", which is no .vpk or .vpf",
                   "pack it with volprep first");
    if (run.arguments.size() > 1) fail_usage("one file at a time", "leave out " + run.arguments[1]);
    return {input, options.source.file, options.source.depth, options.info.histogram, run.common.threads};
}

} // namespace volpt
