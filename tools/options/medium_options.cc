// --g --scale --majorant --long-steps --roulette --depth-limit.
#include "tools/options/scene_options.h"
#include "tools/options/units.h"

#include "libvolpt/sys/error.h"

namespace volpt {
namespace po = boost::program_options;

void MediumOptions::declare(po::options_description& options)
{
    options.add_options()("g", po::value<std::string>()->value_name("G"),
                          "Henyey-Greenstein anisotropy, -0.999 to 0.999, instead of the volume's own")(
        "scale", po::value<std::string>()->value_name("S"),
        "extinction per unit of density, 1/mm, instead of the volume's own")(
        "majorant", po::value<std::string>()->value_name("local|global"),
        "bound of the free flights: each brick's or the whole volume's (default local)")(
        "long-steps", po::value<std::string>()->value_name("auto|on|off"),
        "take the walk inside a sphere of one material at once instead of collision by collision: the same expectation "
        "with other noise, "
        "faster where much of the volume is dense and even; auto: where volume and scene promise that (default off)")(
        "roulette", po::value<std::string>()->value_name("off|W_MIN"),
        "paths whose throughput falls below W_MIN survive by chance (default 0.5)")(
        "depth-limit", po::value<std::string>()->value_name("N"),
        "ends paths after N extensions; what is lost is reported (default: none)");
}

void MediumOptions::read(po::variables_map const& values)
{
    if (auto const text = given_text(values, "g")) g_ = static_cast<float>(parse_number("--g", *text, -0.999, 0.999));
    if (auto const text = given_text(values, "scale"))
        scale_ = static_cast<float>(parse_number("--scale", *text, 0, 1e9));
    if (auto const text = given_text(values, "majorant"))
        majorant_ = parse_choice("--majorant", *text, {"local", "global"}) == "local" ? MajorantKind::local
                                                                                      : MajorantKind::global;
    if (auto const text = given_text(values, "long-steps")) {
        std::string const choice = parse_choice("--long-steps", *text, {"auto", "on", "off"});
        if (choice == "on" && majorant_ == MajorantKind::global)
            fail_usage("--long-steps on and --majorant global contradict each other: long steps go with the majorants "
                       "of bricks",
                       "leave one of the two out");
        picks_long_steps = choice == "auto";
        if (!picks_long_steps) long_steps_ = choice == "on" ? LongSteps::on : LongSteps::off;
    }
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
    if (long_steps_) scene.long_steps = *long_steps_;
    if (roulette_w_min_) scene.roulette_w_min = *roulette_w_min_;
    if (depth_limit_) scene.depth_limit = *depth_limit_;
}

} // namespace volpt
