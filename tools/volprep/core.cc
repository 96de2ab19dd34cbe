// Declares --core and --core-material.
#include "tools/volprep/core.h"

#include "libvolpt/sys/error.h"
#include "tools/options/units.h"

#include <fmt/format.h>

namespace volpt {
namespace po = boost::program_options;

void CoreGroup::declare(po::options_description& options)
{
    auto add = options.add_options();
    add("core", po::value<std::string>()->value_name("MM"),
        "thickness of one material behind the layers, below slice 0 (-z), rounded to whole layers");
    add("core-material", po::value<std::string>()->value_name("NAME"),
        "the material of the core (default W; with --print, where there is no W, the lightest)");
}

void CoreGroup::read(po::variables_map const& values)
{
    material = given_text(values, "core-material");
    if (auto const text = given_text(values, "core")) {
        core_mm = parse_length_mm("--core", *text);
        if (!(*core_mm > 0 && *core_mm <= 1e6))
            fail_usage(fmt::format("--core '{}': a thickness above 0 is needed", *text), "give for example 10mm");
    }
}

} // namespace volpt
