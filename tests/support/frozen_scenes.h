// The scenes whose renders must never change, and their hashes in tests/frozen/renders.txt.
#pragma once

#include "tests/support/data_paths.h"
#include "tests/support/make_probed_object.h"
#include "tests/support/make_solids.h"
#include "tests/support/make_surroundings.h"

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

/// Scenes whose solid a mesh bounds, or which have a ground.
inline void add_frozen_objects(std::map<std::string, FrozenScene>& scenes)
{
    VolumeMeta meta = make_constant_meta(0.05f, 0.3f);
    set_three_bands(meta);
    auto const make_ball = [&] {
        return make_frozen_scene(make_object(add_smooth_normals(make_icosphere(0.8f, 6)), meta));
    };
    Scene& rough = scenes.emplace("rough_object", make_ball()).first->second.scene;
    rough.scale = 12;
    rough.boundary = {BoundaryKind::rough, 1.4, 1.0, 0.3};
    Scene& grounded = scenes.emplace("grounded_object", make_ball()).first->second.scene;
    grounded.scale = 12;
    grounded.boundary = {BoundaryKind::smooth, 1.5, 1.0, 0};
    grounded.ground = {GroundKind::checker, {0.8f}, {0.3f}, 0.7, 4};
    Scene& stepped = scenes.emplace("stepped_object", make_ball()).first->second.scene;
    stepped.scale = 90;
    stepped.long_steps = LongSteps::spheres;
    scenes.emplace("grounded_cloud", make_frozen_scene(make_colour_cloud())).first->second.scene.ground =
        grounded.ground;
    PackedVolume notched = make_object(chart_rectangles(make_notched_block(2), 4, 2), meta);
    Scene probe = make_texture_probe(notched, 70, 37, 3);
    probe.camera.view = ProbeView::diffuse;
    scenes.emplace("probed_texture", FrozenScene{std::move(notched), probe});
    scenes.emplace(
        "two_solids",
        make_frozen_scene(pack_solids(
            {{make_icosphere(1, 6), {"a", {10.0f}, {0.02f}, 0.0f}, make_dielectric(1.5)},
             {move_mesh(make_icosphere(1, 6), {2.2f, 0, 0}), {"b", {4.0f}, {0.1f}, 0.5f}, make_dielectric(1.2, 0.3)}},
            32)));
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
    stepped.long_steps = LongSteps::spheres;
    scenes.emplace("stepped_cloud", make_frozen_scene(make_roomy(Source::plane, Source::plane)))
        .first->second.scene.long_steps = LongSteps::spheres;
    add_frozen_objects(scenes);
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
