#include "tools/volprep/picture.h"

#include "libvolpt/sys/error.h"
#include "tools/options/units.h"

#include <fmt/format.h>

namespace volpt {
namespace po = boost::program_options;
namespace {

auto text_option(char const* value_name)
{
    return po::value<std::string>()->value_name(value_name);
}

} // namespace

void PictureGroup::declare(po::options_description& options)
{
    auto add = options.add_options();
    add("print", text_option("PICTURE"),
        "separate this picture into the inks of --materials and print it into the upper layers of a block of --size "
        "x,y on a "
        "core of --core (default --pitch 42.3um,84.7um,27um)");
    add("ink-depth", text_option("MM"), "depth of the printed layers (default 0.5mm)");
    add("halftone", text_option("NAME"),
        "diffusion: one ink a voxel; mixture: volume fractions, 256 at most (default diffusion)");
    add("intent", text_option("NAME"),
        "relative: the picture's white is the core's; absolute: its colours are the print's (default relative)");
}

void PictureGroup::read(po::variables_map const& values)
{
    path = given_text(values, "print");
    if (auto const text = given_text(values, "ink-depth")) {
        picture.ink_depth_mm = parse_length_mm("--ink-depth", *text);
        if (!(picture.ink_depth_mm > 0 && picture.ink_depth_mm <= 1e6))
            fail_usage(fmt::format("--ink-depth '{}': a depth above 0 is needed", *text), "give for example 0.5mm");
    }
    if (auto const text = given_text(values, "halftone"))
        picture.halftone = parse_choice("--halftone", *text, {"diffusion", "mixture"}) == "mixture"
                               ? Halftone::mixture
                               : Halftone::diffusion;
    if (auto const text = given_text(values, "intent"))
        picture.intent = parse_choice("--intent", *text, {"relative", "absolute"}) == "absolute" ? Intent::absolute
                                                                                                 : Intent::relative;
    for (auto const* option : {"ink-depth", "halftone", "intent"})
        if (!path && is_given(values, option))
            fail_usage(fmt::format("--{} belongs to --print", option), "give --print PICTURE.png");
}

} // namespace volpt
