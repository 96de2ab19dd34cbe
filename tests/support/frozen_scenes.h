// The scenes whose renders must never change, and their hashes in tests/frozen/renders.txt.
#pragma once

#include "tests/support/data_paths.h"
#include "tests/support/make_scene.h"

#include <cstdlib>
#include <fstream>
#include <map>
#include <string>

namespace volpt::test {

/// The samples and the seed of the frozen renders.
inline constexpr SampleRange kFrozenSamples{0, 5};
inline constexpr std::uint64_t kFrozenSeed = 2018;

struct FrozenScene {
    PackedVolume volume;
    Scene scene;
};

inline FrozenScene make_frozen_scene(PackedVolume volume)
{
    Scene const scene = make_scene(volume);
    return {std::move(volume), scene};
}

/// The scenes by their names in tests/frozen/renders.txt.
inline std::map<std::string, FrozenScene> make_frozen_scenes()
{
    std::map<std::string, FrozenScene> scenes;
    scenes.emplace("bare_cube", make_frozen_scene(make_bare_cube(30, 0.002f, 0.6f)));
    scenes.emplace("rough_print", make_frozen_scene(make_print())).first->second.scene.boundary = {BoundaryKind::rough,
                                                                                                   1.5, 1.0, 0.15};
    Scene& facets = scenes.emplace("many_facets", make_frozen_scene(make_print())).first->second.scene;
    facets.boundary = {BoundaryKind::rough, 1.5, 1.0, 0.4};
    facets.boundary.microfacets = Microfacets::multiple;
    scenes.emplace("cloud_global", make_frozen_scene(make_cloud(Filter::trilinear, Encoding::u16, -0.4f)))
        .first->second.scene.majorant = MajorantKind::global;
    scenes.emplace("colour_cloud_local", make_frozen_scene(make_colour_cloud()));
    Scene& inks = scenes.emplace("smooth_inks", make_frozen_scene(make_inks())).first->second.scene;
    inks.camera.kind = CameraKind::orthographic;
    inks.camera.ortho_width_mm = 4;
    inks.boundary = {BoundaryKind::smooth, 1.5, 1.0, 0};
    inks.environment = {EnvironmentKind::hemispheres, {1.0f, 0.5f, 0.25f}, {0.1f}, {}, 4, 0};
    Scene& probed = scenes.emplace("probed_inks", make_frozen_scene(make_inks())).first->second.scene;
    probed = make_probes(scenes.at("probed_inks").volume)[4];
    Scene& periodic =
        scenes.emplace("periodic_cloud", make_frozen_scene(make_cloud(Filter::trilinear, Encoding::u16, 0)))
            .first->second.scene;
    periodic = make_probes(scenes.at("periodic_cloud").volume)[5];
    Scene& stepped = scenes.emplace("stepped_inks", make_frozen_scene(make_roomy(Source::material, Source::material)))
                         .first->second.scene;
    stepped = make_probe(scenes.at("stepped_inks").volume);
    stepped.boundary.sides = Sides::periodic;
    stepped.long_steps = LongSteps::on;
    scenes.emplace("stepped_cloud", make_frozen_scene(make_roomy(Source::plane, Source::plane)))
        .first->second.scene.long_steps = LongSteps::on;
    return scenes;
}

/// Film hashes by scene name, from the lines "name hash" of tests/frozen/renders.txt.
inline std::map<std::string, std::string> read_frozen_hashes()
{
    std::ifstream file(tests_folder() / "frozen/renders.txt");
    std::map<std::string, std::string> hashes;
    std::string name, hash;
    while (file >> name >> hash) hashes[name] = hash;
    return hashes;
}

} // namespace volpt::test
