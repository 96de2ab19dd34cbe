// Renders of particles with detectors, and what these count.
#pragma once

#include "libvolpt/film/film_stats.h"
#include "libvolpt/scene/detectors/detector_tables.h"
#include "libvolpt/scene/detectors/detector_values.h"
#include "libvolpt/scene/light/emitter_records.h"
#include "libvolpt/scene/light/tally_volume.h"
#include "tests/support/make_scene.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <optional>

namespace volpt::test {

/// A pencil of 1 W straight down into the volume, seen by a film of a few pixels.
inline Scene make_pencil_scene(PackedVolume const& volume, std::array<double, 3> origin_world, std::uint32_t edge = 4)
{
    Emitter beam;
    beam.kind = EmitterKind::beam;
    beam.profile = BeamProfile::pencil;
    beam.origin_world = origin_world;
    beam.direction_world = {0, 0, -1};
    Scene scene = make_scene(volume, edge, edge);
    scene.environment.radiance = {0};
    scene.emitters = to_emitter_records({&beam, 1});
    scene.integrator = Integrator::light;
    return scene;
}

inline DetectorSpec make_disc(std::array<double, 3> center_world, double radius_mm)
{
    DetectorSpec disc;
    disc.center_world = center_world;
    disc.radius_mm = radius_mm;
    return disc;
}

inline DetectorSpec make_rings(double width_mm, std::uint32_t count,
                               std::optional<std::array<double, 3>> center_world = {})
{
    DetectorSpec rings;
    rings.kind = DetectorKind::rings;
    rings.center_world = center_world;
    rings.ring_width_mm = width_mm;
    rings.ring_count = count;
    return rings;
}

struct DetectedRender {
    Film film;
    std::vector<DetectorValues> values;
    TallyVolume tally; ///< empty without one
    EnergyShares energy;
    OutsideShares outside;
};

inline DetectedRender render_detected(Scene const& wanted, PackedVolume const& volume,
                                      std::vector<DetectorSpec> const& specs, std::uint64_t samples,
                                      TallySpec const& tally = {}, RenderOptions const& options = {})
{
    RenderScene scene(wanted, volume, nullptr, 7);
    TallyIndices const indices{wanted.boundary.int_ior, wanted.boundary.ext_ior};
    DetectorTables const detectors(specs, scene.view(), volume, tally, indices);
    TallySums const sums(tally, scene.view(), indices, detectors.view());
    scene.attach_tally(sums.view());
    Film film = make_film(scene, 7);
    EXPECT_EQ(render_film(scene, film, {0, samples}, options).end, RenderEnd::finished);
    GroupCounts particles;
    std::ranges::copy(count_group_samples(film, kTallyGroups), particles.begin());
    return {std::move(film), measure_detectors(sums, particles),
            tally.kind == TallyKind::none ? TallyVolume{} : make_tally_volume(sums, particles),
            sums.measure_total_energy(), sums.measure_outside_energy()};
}

} // namespace volpt::test
