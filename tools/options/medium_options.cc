// --g --scale --majorant --roulette --depth-limit.
#include "tools/options/scene_options.h"
#include "tools/options/units.h"

namespace volpt {
namespace po = boost::program_options;

void MediumOptions::declare(po::options_description& options)
{
    options.add_options()
        ("g", po::value<std::string>()->value_name("G"), "Henyey-Greenstein anisotropy, -0.999 to 0.999, instead of the volume's own")
        ("scale", po::value<std::string>()->value_name("S"), "extinction per unit of density, 1/mm, instead of the volume's own")
        ("majorant", po::value<std::string>()->value_name("local|global"), "bound of the free flights: each brick's or the whole volume's (default local)")
        ("roulette", po::value<std::string>()->value_name("off|W_MIN"), "paths whose throughput falls below W_MIN survive by chance (default 0.5)")
        ("depth-limit", po::value<std::string>()->value_name("N"), "ends paths after N extensions; what is lost is reported (default: none)");
}

void MediumOptions::read(po::variables_map const& values)
{
    if (auto const text = given_text(values, "g")) g_ = static_cast<float>(parse_number("--g", *text, -0.999, 0.999));
    if (auto const text = given_text(values, "scale")) scale_ = static_cast<float>(parse_number("--scale", *text, 0, 1e9));
    if (auto const text = given_text(values, "majorant"))
        majorant_ = parse_choice("--majorant", *text, {"local", "global"}) == "local" ? MajorantKind::local : MajorantKind::global;
    if (auto const text = given_text(values, "roulette"))
        roulette_w_min_ = *text == "off" ? 0.0f : static_cast<float>(parse_number("--roulette", *text, 0, 1));
    if (auto const text = given_text(values, "depth-limit"))
        depth_limit_ = static_cast<std::uint32_t>(parse_integer("--depth-limit", *text, 1, 0xfffffffe));
}

void MediumOptions::apply(Scene& scene) const
{
    if (g_) {
        scene.override_g = true;
        scene.g = *g_;
    }
    if (scale_) scene.scale = *scale_;
    if (majorant_) scene.majorant = *majorant_;
    if (roulette_w_min_) scene.roulette_w_min = *roulette_w_min_;
    if (depth_limit_) scene.depth_limit = *depth_limit_;
}

} // namespace volpt
