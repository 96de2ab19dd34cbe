#include "tools/render_setup/emitter_options.h"

#include "libvolpt/scene/scene_fields.h"
#include "libvolpt/volume/emitters/emitter_text.h"
#include "tools/options/units.h"

namespace volpt {
namespace po = boost::program_options;

void EmitterOptions::declare(po::options_description& options)
{
    auto add = options.add_options();
    add("light", repeatable_value("'KIND key=value ..'", {.words = list_emitter_kinds()}),
        "an emitter, in addition to those of the volume's scene; may be repeated: point, spot, sun, area, sphere, beam "
        "or slit, in mm, W and W/(mm^2 sr), or lumen, candela, lux, nit and temperature (K), for example 'sphere "
        "center=1,2,30 radius=0.3mm power=10' or 'sphere center=0,-200,150 radius=3cm lumen=800 temperature=2700'; "
        "without --env the environment is then dark");
    add("integrator", text_value(join_words<Integrator>()),
        "where paths begin. path: at the film; they are connected to emitters. light: at the emitters, as particles, "
        "for tallies, detectors, and light that paths from the film cannot find. bdpt: at both; bidirectional paths, "
        "for light that comes by way of other surfaces. mlt: such paths as states of Markov chains (Metropolis light "
        "transport), for light that few of them find (default path)");
    add("heuristic", text_value(join_words<MisHeuristic>()),
        "how bdpt and mlt weigh the ways in which they find the same light: in proportion to their densities, or to "
        "the squares of these (default balance)");
    add("mutations", text_value("N"), "mlt: steps of a chain (default 256)");
    add("bootstrap", text_value("N"), "mlt: candidates for the first state of a chain (default 64)");
    add("chains", text_value("N"),
        "mlt: chains in a sample of the film, at most one per pixel; more are taken as that (default: one for 16 "
        "pixels)");
    add("longest", text_value("N"),
        "mlt: most vertices of a path in a chain, 1 to 12; light with more vertices comes from one bidirectional path "
        "per pixel (default 8)");
    add("nee", text_value(join_words<EnvironmentNee>()),
        "paths are also connected to the environment, in proportion to its radiance; less noise where small parts of "
        "it are bright (default off)");
}

void EmitterOptions::read(po::variables_map const& values)
{
    for (std::string const& text : given_texts(values, "light")) {
        request.emitters.push_back(parse_emitter(text, "--light"));
        request.are_photometric = request.are_photometric || is_photometric(text);
    }
    if (auto const text = given_text(values, "integrator"))
        request.integrator = parse_word<Integrator>("--integrator", *text);
    if (auto const text = given_text(values, "heuristic"))
        request.heuristic = parse_word<MisHeuristic>("--heuristic", *text);
    read_chains(values);
    if (auto const text = given_text(values, "nee")) request.nee = parse_word<EnvironmentNee>("--nee", *text);
}

void EmitterOptions::read_chains(po::variables_map const& values)
{
    auto const read = [&](std::string const& name, NumberRange range, std::optional<std::uint32_t>& field) {
        if (auto const text = given_text(values, name))
            field = static_cast<std::uint32_t>(parse_integer("--" + name, *text, 1, highest_integer(range)));
    };
    read("mutations", scene_range("mlt.mutations"), request.mutations);
    read("bootstrap", scene_range("mlt.bootstrap"), request.bootstrap);
    read("chains", scene_range("mlt.chains"), request.chains); // 0 is the default
    read("longest", scene_range("mlt.longest"), request.longest);
}

} // namespace volpt
