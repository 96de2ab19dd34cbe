// The yardstick: a white unit cube of optical thickness 100, seen along +z over its whole face.
#include "tests/statistical/measure.h"

namespace volpt::test {
namespace {

/// Along +z from below, the picture is the face.
Scene look_up(PackedVolume const& volume)
{
    Scene scene = look_down(volume, 1.0);
    scene.camera.origin_world[2] = -1;
    scene.roulette_w_min = 0;
    return scene;
}

std::vector<PathCounts> count_cube(BoundarySpec const& boundary)
{
    PackedVolume const volume = make_bare_cube(100);
    Scene scene = look_up(volume);
    scene.boundary = boundary;
    return count_batches(scene, volume, 96, 16 / kHaste);
}

Measurement count_extensions(std::vector<PathCounts> const& batches)
{
    return measure_per_path(batches, [](PathCounts const& counts) { return counts.extensions; });
}

TEST(WhiteCube, PathsExtendAsOftenAsMeasuredElsewhere)
{
    expect_truth(count_extensions(count_cube({})), 83.9, 0.05, "no boundary");
}

TEST(WhiteCube, PathsExtendAsOftenBehindASmoothBoundary)
{
    std::vector<PathCounts> const batches = count_cube({BoundaryKind::smooth, 1.05, 1.01, 0});
    expect_truth(count_extensions(batches), 89.5, 0.2, "extensions");
    Measurement const at_boundary = measure_per_path(batches, [](PathCounts const& counts) {
        return counts.extensions - counts.tentative_collisions - counts.paths; // every path escapes once
    });
    expect_truth(at_boundary, 2.08, 0.005, "boundary events");
}

TEST(WhiteCube, PathsExtendAsOftenBehindARoughBoundary)
{
    // About 89.1 where no energy is lost. Facets of alpha 0.1 send one path in a hundred to the wrong side of the
    // surface, where single scattering ends it with the rest of its walk unmade: 88.5.
    expect_truth(count_extensions(count_cube({BoundaryKind::rough, 1.05, 1.01, 0.1})), 89.1, 1.0, "rough boundary");
}

} // namespace
} // namespace volpt::test
