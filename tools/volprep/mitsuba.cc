// Declares -D and --approximate-shape, and opens Mitsuba scenes with them.
#include "tools/volprep/mitsuba.h"

#include "libvolpt/sys/error.h"
#include "tools/volprep/options.h"

#include <fmt/format.h>

namespace volpt {
namespace po = boost::program_options;
namespace {

void refuse_if(bool given, char const* option, char const* what_to_do)
{
    if (given) fail_usage(fmt::format("{} has no meaning for a Mitsuba scene", option), what_to_do);
}

} // namespace

void MitsubaGroup::declare(po::options_description& options)
{
    auto add = options.add_options();
    add("define,D", po::value<std::vector<std::string>>()->composing()->value_name("NAME=VALUE"),
        "value of a parameter $NAME, instead of the scene's default; may be repeated");
    add("approximate-shape", po::bool_switch(), "let the bounding box stand for a shape that is no box");
}

void MitsubaGroup::read(po::variables_map const& values)
{
    approximate_shape = values["approximate-shape"].as<bool>();
    if (!is_given(values, "define")) return;
    for (auto const& text : values["define"].as<std::vector<std::string>>()) {
        auto const equals = text.find('=');
        if (equals == std::string::npos || equals == 0)
            fail_usage(fmt::format("-D '{}' is not NAME=VALUE", text), "give for example -D spp=64");
        definitions[text.substr(0, equals)] = text.substr(equals + 1);
    }
}

std::unique_ptr<VoxelStream> open_mitsuba_from_options(std::string const& input, VolprepOptions const& options)
{
    VolumeGroup const& volume = options.volume;
    refuse_if(volume.dims || volume.type || volume.size_mm || volume.pitch_mm, "--dims, --type, --size or --pitch",
              "the scene says where its voxels lie; change its transforms");
    refuse_if(volume.window || volume.transfer || volume.albedo, "--window, --transfer or --albedo",
              "the scene has both extinction and albedo; to choose others, give its .vol file");
    refuse_if(options.make.sigma_t.has_value(), "--sigma-t", "give --scale");
    auto const& encoding = options.output.encoding;
    refuse_if(encoding && *encoding != Encoding::f16 && *encoding != Encoding::f32, "--encode u8 or u16",
              "give f16 or f32, or pack the .vpk again");
    MitsubaOptions mitsuba;
    mitsuba.definitions = options.mitsuba.definitions;
    mitsuba.approximate_shape = options.mitsuba.approximate_shape;
    mitsuba.encoding = encoding;
    mitsuba.scale = volume.scale;
    mitsuba.g = volume.g;
    mitsuba.filter = volume.filter;
    return open_mitsuba_scene(input, mitsuba);
}

} // namespace volpt
