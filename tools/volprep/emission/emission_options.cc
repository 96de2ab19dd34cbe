#include "tools/volprep/emission/emission_options.h"

#include "formats/reader.h"
#include "libvolpt/core/volume_view.hd.h"
#include "libvolpt/sys/error.h"
#include "tools/options/units.h"

#include <fmt/format.h>

namespace volpt {
namespace {
namespace po = boost::program_options;

constexpr double kMostEmission = 1e30;

} // namespace

void EmissionVolumeOptions::declare(po::options_description& options)
{
    auto add = options.add_options();
    add("emission", text_value("S|R,G,B"),
        "the medium emits with this source radiance everywhere, W/(mm2 sr): per unit length, a path gains S times the "
        "absorption coefficient");
    add("emission-file", file_value("FILE", {.files = list_reader_extensions()}),
        "the emission by voxel, from a second file with as many voxels as the input");
    add("emission-from", text_value(join_words<EmissionNumbers>()),
        "what the numbers are: radiance (S); radiance-per-mm, which a path gains per mm; or blackbody, temperatures in "
        "K (default radiance)");
    add("emission-scale", text_value("S"), "factor on the radiance (default 1)");
    add("temperature-scale", text_value("S"), "blackbody: K per unit of the numbers (default 1)");
    add("temperature-offset", text_value("T"), "blackbody: the number for 0 K (default 0)");
}

void EmissionVolumeOptions::read(po::variables_map const& values)
{
    if (auto const text = given_text(values, "emission"))
        emission.constant = parse_numbers("--emission", *text, 1, kMaxBands, 0, kMostEmission);
    file = given_text(values, "emission-file");
    bool const has_grid = is_given(values, "emission-grid");
    if ((emission.constant.empty() ? 0 : 1) + (has_grid ? 1 : 0) + (file ? 1 : 0) > 1)
        fail_usage("--emission, --emission-grid and --emission-file all give the emission", "give one of them");
    if (auto const text = given_text(values, "emission-from"))
        emission.numbers = parse_word<EmissionNumbers>("--emission-from", *text);
    if (auto const text = given_text(values, "emission-scale"))
        emission.scale = parse_number("--emission-scale", *text, 0, kMostEmission);
    if (auto const text = given_text(values, "temperature-scale"))
        emission.temperature_scale = parse_number("--temperature-scale", *text, 0, kMostEmission);
    if (auto const text = given_text(values, "temperature-offset"))
        emission.temperature_offset = parse_number("--temperature-offset", *text, -kMostEmission, kMostEmission);
    bool const has_numbers = !emission.constant.empty() || has_grid || file;
    for (char const* const option : {"emission-from", "emission-scale", "temperature-scale", "temperature-offset"})
        if (is_given(values, option) && !has_numbers)
            fail_usage(fmt::format("--{} has no meaning without an emission", option),
                       "give --emission, --emission-grid or --emission-file");
    for (char const* const option : {"temperature-scale", "temperature-offset"})
        if (is_given(values, option) && emission.numbers != EmissionNumbers::blackbody)
            fail_usage(fmt::format("--{} is for temperatures", option), "give --emission-from blackbody");
}

} // namespace volpt
