// --env --env-below --env-up --env-rotate.
#include "tools/options/scene_options.h"
#include "tools/options/units.h"

#include "libvolpt/scene/light_image.h"
#include "libvolpt/sys/error.h"

#include <algorithm>

namespace volpt {
namespace po = boost::program_options;
namespace {

/// "0.5" or "1,0.9,0.8" is a constant; anything else names a file.
bool looks_like_numbers(std::string const& text)
{
    return !text.empty() && text.find_first_not_of("0123456789.,+-eE ") == std::string::npos;
}

} // namespace

void LightOptions::declare(po::options_description& options)
{
    options.add_options()("env", po::value<std::string>()->value_name("VALUE|R,G,B|IMAGE"),
                          "radiance from all around: a number, one a band, or a lat-long .exr, .hdr, .pfm (default 1)")(
        "env-below", po::value<std::string>()->value_name("VALUE|R,G,B"),
        "radiance from the lower hemisphere; --env is the upper one")(
        "env-up", po::value<std::string>()->value_name("AXIS"), "world axis that points up in the light (default +y)")(
        "env-rotate", po::value<std::string>()->value_name("DEG"), "turns the light about its up axis");
}

void LightOptions::read(po::variables_map const& values)
{
    if (auto const text = given_text(values, "env")) {
        if (looks_like_numbers(*text))
            radiance_ = parse_floats("--env", *text);
        else
            image_path = *text;
    }
    if (auto const text = given_text(values, "env-below")) below_ = parse_floats("--env-below", *text);
    if (auto const text = given_text(values, "env-up")) up_axis_ = parse_axis("--env-up", *text);
    if (auto const text = given_text(values, "env-rotate"))
        rotate_deg_ = parse_number("--env-rotate", *text, -360, 360);
    if (image_path && below_)
        fail_usage("--env-below goes with a constant --env, not with an image", "leave one of the two out");
}

void LightOptions::apply(Scene& scene, LightImage const* image) const
{
    EnvironmentSpec& light = scene.environment;
    if (radiance_) {
        // The upper half of what a resumed film has below stays that half.
        if (light.kind == EnvironmentKind::image) light.kind = EnvironmentKind::constant;
        light.radiance = *radiance_;
    }
    if (below_) {
        light.kind = EnvironmentKind::hemispheres;
        light.below = *below_;
    }
    if (image != nullptr) {
        light.kind = EnvironmentKind::image;
        light.radiance = {1.0f};
        light.image_checksum = image->checksum;
    }
    if (up_axis_) light.up_axis = *up_axis_;
    if (rotate_deg_) light.rotate_deg = *rotate_deg_;
}

} // namespace volpt
