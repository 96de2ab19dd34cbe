// Where detectors lie, which are refused, and the numbers that are made of their sums.
#include "libvolpt/core/light/tally.hd.h"
#include "libvolpt/scene/detectors/detector_tables.h"
#include "libvolpt/scene/detectors/detector_values.h"
#include "libvolpt/scene/light/emitter_records.h"
#include "libvolpt/scene/render_scene.h"
#include "tests/support/expect_error.h"
#include "tests/support/make_volume.h"

#include <cmath>
#include <gtest/gtest.h>

namespace volpt::test {
namespace {

/// 10 mm wide, its corner at (1, 2, 3), in the light of a beam from above.
class Detectors : public testing::Test {
protected:
    Detectors() : volume_(make_volume(make_meta())), scene_(make_scene(), volume_, nullptr, 1) {}

    static VolumeMeta make_meta()
    {
        VolumeMeta meta;
        meta.dims = {5, 5, 5};
        meta.pitch_mm = {2, 2, 2};
        meta.placement.origin_world_mm = {1, 2, 3};
        return meta;
    }

    Scene make_scene() const
    {
        Emitter const beam{.kind = EmitterKind::beam,
                           .profile = BeamProfile::pencil,
                           .origin_world = {5, 6, 30},
                           .direction_world = {0, 0, -1}};
        Scene scene;
        scene.volume_checksum = volume_.data_checksum();
        scene.width = scene.height = 1;
        scene.bands = 1;
        scene.environment.radiance = {0};
        scene.emitters = to_emitter_records({&beam, 1});
        scene.integrator = Integrator::light;
        return scene;
    }

    DetectorTables make_tables(std::vector<DetectorSpec> const& specs, TallySpec const& tally = {}) const
    {
        return DetectorTables(specs, scene_.view(), volume_, tally, {1.5, 1.25});
    }

    std::string refusal(DetectorSpec const& spec) const
    {
        return catch_error(ExitStatus::usage, [&] { make_tables({spec}); });
    }

    PackedVolume const volume_;
    RenderScene const scene_;
    DetectorSpec const disc_{.center_world = {{6, 7, 13}}, .radius_mm = 0.5};
    DetectorSpec const rings_{.kind = DetectorKind::rings, .ring_width_mm = 0.25, .ring_count = 8};
};

TEST_F(Detectors, LieOnTheSurfaceAndLookOutOfIt)
{
    DetectorSpec tilted = disc_;
    tilted.direction_world = {{0, 3, 4}};
    tilted.numerical_aperture = 0.75;
    DetectorTables const tables = make_tables({disc_, tilted, rings_});
    DetectorsView const view = tables.view();
    ASSERT_EQ(view.count, 3u);
    DetectorView const &disc = view.detectors[0], &other = view.detectors[1], &rings = view.detectors[2];
    EXPECT_FLOAT_EQ(disc.centre_mm.x, 5);
    EXPECT_FLOAT_EQ(disc.centre_mm.z, 10);
    EXPECT_EQ(disc.outward.z, 1);
    EXPECT_EQ(disc.least_cosine, 0);
    EXPECT_FLOAT_EQ(other.outward.y, 0.6f);
    EXPECT_FLOAT_EQ(other.least_cosine, 0.8f) << "0.75 / 1.25 is the sine";
    // Where the beam enters.
    EXPECT_FLOAT_EQ(rings.centre_mm.x, 4);
    EXPECT_FLOAT_EQ(rings.centre_mm.y, 4);
    EXPECT_FLOAT_EQ(rings.centre_mm.z, 10);
    EXPECT_EQ(rings.first_cell, 2u);
    EXPECT_EQ(view.cells, 2u + 9u);
    EXPECT_EQ(tables.specs()[2].center_world, (std::array<double, 3>{5, 6, 13}));
    EXPECT_EQ(tables.materials(), std::vector<std::string>{"medium"});
}

TEST_F(Detectors, TakeTheGatesOfTheTallyUnlessTheyHaveTheirOwn)
{
    DetectorSpec own = disc_;
    own.gates = 7;
    own.gate_ns = 1;
    DetectorTables const tables = make_tables({disc_, own}, parse_tally("--tally", "absorbed:gates=3,ns=0.5"));
    EXPECT_EQ(tables.view().detectors[0].gates, 3u);
    EXPECT_FLOAT_EQ(tables.view().detectors[0].gate_optical_mm, 149.896229f);
    EXPECT_EQ(tables.view().detectors[1].gates, 7u);
    EXPECT_EQ(tables.view().cells, 10u);
}

TEST_F(Detectors, WithoutExtentOrOffTheSurfaceAreRefused)
{
    EXPECT_EQ(refusal(disc_), "");
    EXPECT_EQ(refusal(rings_), "");
    auto const change = [](DetectorSpec spec, auto&& how) {
        how(spec);
        return spec;
    };
    expect_contains(refusal(change(disc_, [](auto& it) { it.radius_mm = 0; })), {"detector 1", "radius"});
    expect_contains(refusal(change(disc_, [](auto& it) { it.radius_mm = -1; })), {"radius"});
    expect_contains(refusal(change(disc_, [](auto& it) { it.radius_mm = NAN; })), {"radius"});
    expect_contains(refusal(change(disc_,
                                   [](auto& it) {
                                       it.center_world = {{6, 7, 14}};
                                   })),
                    {"1 mm away from the surface"});
    expect_contains(refusal(change(disc_, [](auto& it) { it.center_world = {{6, 7, 8}}; })), {"5 mm away"});
    expect_contains(refusal(change(disc_, [](auto& it) { it.center_world = {}; })), {"no centre"});
    expect_contains(refusal(change(disc_, [](auto& it) { it.direction_world = {{0, 0, 0}}; })), {"direction"});
    expect_contains(refusal(change(disc_, [](auto& it) { it.acceptance_deg = 0; })), {"0 degrees"});
    expect_contains(refusal(change(disc_, [](auto& it) { it.acceptance_deg = 91; })), {"91 degrees"});
    expect_contains(refusal(change(disc_, [](auto& it) { it.numerical_aperture = 1.3; })), {"aperture of 1.3"});
    expect_contains(refusal(change(rings_, [](auto& it) { it.ring_width_mm = 0; })), {"width"});
    expect_contains(refusal(change(rings_, [](auto& it) { it.ring_count = 0; })), {"0 rings"});
    expect_contains(
        catch_error(ExitStatus::usage, [&] { make_tables(std::vector<DetectorSpec>(kMostDetectors + 1, disc_)); }),
        {"1025 detectors"});
}

TEST_F(Detectors, PastTheMemoryAreRefusedWithStatus4)
{
    DetectorSpec many = rings_;
    many.ring_count = kMostRings;
    many.gates = 65535;
    many.gate_ns = 1;
    expect_error(ExitStatus::system, {"cells"}, [&] { make_tables({many}); });
    many.gates = 16000; // nearly 2^30 cells, of three sums in 16 groups
    DetectorTables const tables = make_tables({many});
    expect_error(ExitStatus::system, {"GiB"}, [&] { TallySums({}, scene_.view(), {}, tables.view()); });
}

TEST_F(Detectors, MeansAreWeighedAndHaveTheSpreadOfTheGroups)
{
    DetectorTables const tables = make_tables({disc_, rings_});
    TallySums const sums({}, scene_.view(), {}, tables.view());
    TallyView const& view = sums.view();
    view.energy_sums[0] = static_cast<std::uint64_t>(32 * static_cast<double>(view.energy_scale));
    auto const add = [&](std::uint32_t group, std::uint32_t cell, double weight, double optical, double partial) {
        std::uint64_t* const first = view.sums + find_detector_sum(view, 1, group, cell);
        first[0] += static_cast<std::uint64_t>(weight * static_cast<double>(view.detectors.weight_scale));
        first[1] += static_cast<std::uint64_t>(weight * optical * static_cast<double>(view.detectors.length_scale));
        first[2] += static_cast<std::uint64_t>(weight * partial * static_cast<double>(view.detectors.length_scale));
    };
    // Of 16 groups of two particles, all leave the same at the disc but for the lengths of one.
    for (std::uint32_t group = 0; group < kTallyGroups; ++group) add(group, 0, 0.5, group == 3 ? 36 : 20, 8);
    add(5, 1 + 2, 4, 7, 7); // the third ring, from one group alone
    GroupCounts particles;
    particles.fill(2);
    std::vector<DetectorValues> const values = measure_detectors(sums, particles);
    ASSERT_EQ(values.size(), 2u);
    DetectedLight const& disc = values[0].cells.at(0);
    EXPECT_DOUBLE_EQ(disc.weight.value, 0.25);
    EXPECT_NEAR(disc.weight.error, 0, 1e-12);
    EXPECT_DOUBLE_EQ(disc.optical_path_mm.value, 21);
    EXPECT_NEAR(disc.optical_path_mm.error, 1, 1e-9) << "one of 16 equal groups is off by 16";
    EXPECT_DOUBLE_EQ(disc.partial_paths_mm.at(0).value, 8);
    DetectedLight const& ring = values[1].cells.at(2);
    EXPECT_EQ(ring.ring, 2u);
    EXPECT_DOUBLE_EQ(ring.weight.value, 0.125);
    EXPECT_NEAR(ring.weight.error, 0.125, 1e-9);
    EXPECT_DOUBLE_EQ(ring.optical_path_mm.value, 7);
    EXPECT_TRUE(std::isnan(values[1].cells.at(0).optical_path_mm.value)) << "nothing arrived";
    EXPECT_DOUBLE_EQ(values[1].total.at(0).weight.value, 0.125);
}

} // namespace
} // namespace volpt::test
