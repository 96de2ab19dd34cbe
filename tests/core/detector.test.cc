// Detectors: which particles count where, and the lengths of their paths by material.
#include "libvolpt/core/light/detector.hd.h"

#include "tests/core/particle_scene.h"
#include "tests/support/make_volume.h"

#include <random>

namespace volpt::test {
namespace {

constexpr float kFarMm = 1e30f;

DetectorView make_top_disc(float radius_mm)
{
    DetectorView disc;
    disc.centre_mm = {1, 2, 3};
    disc.ring_width_mm = radius_mm;
    disc.reach_mm = 2 * radius_mm;
    return disc;
}

TEST(Detector, ADiscCountsWhatLeavesWithinItsRadiusAndItsAngle)
{
    DetectorView disc = make_top_disc(0.5f);
    Vec3 const up{0, 0, 1};
    EXPECT_EQ(find_detector_cell(disc, {1, 2, 3}, up, 0), 0u);
    EXPECT_EQ(find_detector_cell(disc, {1.4f, 2, 3}, up, kFarMm), 0u);
    EXPECT_EQ(find_detector_cell(disc, {1, 2.49f, 3}, up, 0), 0u);
    EXPECT_EQ(find_detector_cell(disc, {1.4f, 2.4f, 3}, up, 0), kNoCell) << "in the corner";
    EXPECT_EQ(find_detector_cell(disc, {1, 2, 2.6f}, up, 0), 0u) << "a curved surface below the centre";
    EXPECT_EQ(find_detector_cell(disc, {1, 2, 2.4f}, up, 0), kNoCell);
    EXPECT_EQ(find_detector_cell(disc, {1, 2, 3}, -up, 0), kNoCell) << "leaves on the other side";
    disc.least_cosine = 0.8f;
    EXPECT_EQ(find_detector_cell(disc, {1, 2, 3}, {0.5f, 0, 0.86f}, 0), 0u);
    EXPECT_EQ(find_detector_cell(disc, {1, 2, 3}, {0.7f, 0, 0.7f}, 0), kNoCell);
}

TEST(Detector, RingsCountByDistanceOnTheirPlaneAndByTime)
{
    DetectorView rings = make_top_disc(0.5f);
    rings.reach_mm = 0.01f;
    rings.rings = 3;
    rings.has_beyond = 1;
    rings.gates = 2;
    rings.gate_optical_mm = 10;
    rings.first_cell = 100;
    Vec3 const up{0, 0, 1};
    EXPECT_EQ(count_detector_cells(rings), 8u);
    EXPECT_EQ(find_detector_cell(rings, {1.1f, 2, 3}, up, 0), 100u);
    EXPECT_EQ(find_detector_cell(rings, {1, 2.6f, 3}, up, 9.9f), 101u);
    EXPECT_EQ(find_detector_cell(rings, {2.4f, 2, 3}, up, 10.1f), 106u);
    EXPECT_EQ(find_detector_cell(rings, {9, 2, 3}, up, 10.1f), 107u) << "beyond the last";
    EXPECT_EQ(find_detector_cell(rings, {1, 2, 3}, up, 20.1f), kNoCell) << "after the last gate";
    EXPECT_EQ(find_detector_cell(rings, {1, 2, 2.9f}, up, 0), kNoCell) << "off the plane";
}

/// 26 x 21 x 18 voxels of three materials.
PackedVolume make_labelled_box()
{
    VolumeMeta meta = density_meta({26, 21, 18}, Filter::nearest);
    meta.extinction = meta.albedo = Source::material;
    std::vector<Material> const materials{{"a", {1}, {0}, 0}, {"b", {2}, {0}, 0}, {"c", {3}, {0}, 0}};
    return make_volume(meta, {.label = [](int x, int y, int z) { return (x / 3 + 2 * y + z / 2) % 3; }}, materials);
}

SceneView view_labels(PackedVolume const& volume, std::uint32_t materials)
{
    SceneView scene;
    VolumeView const view = volume.view();
    set_size(scene.medium, {26, 21, 18});
    std::copy(std::begin(view.brick_counts), std::end(view.brick_counts), scene.medium.brick_counts);
    scene.medium.label = make_plane_reader(view.label);
    scene.tally.detectors.materials = materials;
    return scene;
}

TEST(Detector, PartialPathsArePartedAtTheFacesOfVoxels)
{
    PackedVolume const volume = make_labelled_box();
    std::mt19937 random(3);
    auto const draw = [&](float size) {
        float const x = std::uniform_real_distribution<float>(-0.1f, 1.1f)(random);
        return std::clamp(x, 0.0f, 1.0f) * size; // on faces too
    };
    for (std::uint32_t const materials : {3u, 2u}) {
        SceneView const scene = view_labels(volume, materials);
        for (int i = 0; i < 200; ++i) {
            Vec3 const from{draw(26), draw(21), draw(18)};
            Vec3 to{draw(26), draw(21), draw(18)};
            if (i % 4 == 0) to.x = from.x; // along a face or an edge
            float partial[kMostDetectedMaterials] = {};
            add_partial_paths(scene, from, to, 5, partial);
            double expected[3] = {};
            int const steps = 4000;
            for (int k = 0; k < steps; ++k) {
                Vec3 const p = move_along(from, (static_cast<float>(k) + 0.5f) / steps, to - from);
                auto const at = [](float x, int size) { return std::min(static_cast<int>(x), size - 1); };
                int const label = (at(p.x, 26) / 3 + 2 * at(p.y, 21) + at(p.z, 18) / 2) % 3;
                expected[std::min(label, static_cast<int>(materials) - 1)] += 5.0 / steps;
            }
            for (int m = 0; m < 3; ++m) EXPECT_NEAR(partial[m], expected[m], 0.03) << i << " " << m;
            EXPECT_NEAR(partial[0] + partial[1] + partial[2], 5, 1e-5) << i;
        }
    }
}

TEST(Detector, OneMediumIsOneMaterial)
{
    float partial[kMostDetectedMaterials] = {1};
    add_partial_paths(SceneView{}, {0, 0, 0}, {3, 4, 0}, 2.5f, partial);
    EXPECT_EQ(partial[0], 3.5f);
    EXPECT_EQ(partial[1], 0);
}

/// Sum `kind` of a detector's cell, by launched particle; lengths in mm.
double read_sum(ParticleScene const& made, std::uint32_t cell, DetectedSum kind)
{
    DetectorsView const& all = made.scene.tally.detectors;
    double sum = 0;
    for (std::uint32_t group = 0; group < kTallyGroups; ++group)
        sum += static_cast<double>(
            made.scene.tally.sums[find_detector_sum(made.scene.tally, made.scene.bands, group, cell) +
                                  static_cast<std::uint32_t>(kind) * made.scene.bands]);
    float const scale = kind == DetectedSum::weight ? all.weight_scale : all.length_scale;
    return sum / static_cast<double>(scale) / made.particles;
}

class DetectedPencil : public testing::Test {
protected:
    explicit DetectedPencil(BoxSpec const& spec = {0.5f, {1}}) : made_(spec, make_pencil_beam())
    {
        // Of the box of 4 x 8 x 4 mm: where the beam leaves, and rings where it enters.
        detectors_[0].centre_mm = {2, 4, 4};
        detectors_[0].reach_mm = detectors_[0].ring_width_mm = 0.5f;
        detectors_[1].centre_mm = {2, 4, 0};
        detectors_[1].outward = {0, 0, -1};
        detectors_[1].ring_width_mm = 0.5f;
        detectors_[1].reach_mm = 1e-4f;
        detectors_[1].rings = 4;
        detectors_[1].has_beyond = 1;
        detectors_[1].first_cell = 1;
        DetectorsView& all = made_.scene.tally.detectors;
        all.detectors = detectors_;
        all.count = 2;
        all.cells = 6;
        all.weight_scale = 0x1p26f;
        all.length_scale = 0x1p20f;
        sums_.resize(count_tally_sums(made_.scene.tally, 1));
        made_.scene.tally.sums = sums_.data();
    }

    DetectorView detectors_[2];
    ParticleScene made_;
    std::vector<std::uint64_t> sums_;
};

TEST_F(DetectedPencil, WhatPassesWithoutACollisionHasTheLengthOfTheBox)
{
    made_.scene.tally.index_inside = 1.5f;
    made_.run<1>(20000);
    double const weight = read_sum(made_, 0, DetectedSum::weight);
    EXPECT_NEAR(weight, std::exp(-2.0), 0.01);
    EXPECT_NEAR(weight, made_.energy(EnergyKind::transmitted), 1e-6);
    EXPECT_NEAR(read_sum(made_, 0, DetectedSum::optical_path) / weight, 3 + 1.5 * 4, 1e-4);
    EXPECT_NEAR(read_sum(made_, 0, DetectedSum::first_partial_path) / weight, 4, 1e-4);
    for (std::uint32_t ring = 1; ring < 6; ++ring) EXPECT_EQ(read_sum(made_, ring, DetectedSum::weight), 0);
}

class ScatteredPencil : public DetectedPencil {
protected:
    ScatteredPencil() : DetectedPencil({3, {0.1f}}) {}
};

TEST_F(ScatteredPencil, RingsHaveAllThatLeavesTheirFaceButNotItsReflection)
{
    made_.scene.boundary = {BoundaryKindView::smooth, 1.5f, 1 / 1.5f, 0, MicrofacetsView::single, 1};
    double expected = 0, partial = 0, specular = 0;
    made_.run<1>(20000, [&](ParticlePath<1> const& path) {
        if (path.event.end != EnergyKind::reflected) return;
        // The event that ends a particle absorbs nothing here.
        if ((path.group & kHasEntered) == 0u) specular += static_cast<double>(path.event.before[0]);
        bool const is_below = path.position.z == 0.0f;
        if ((path.group & kHasEntered) == 0u || !is_below) return;
        expected += static_cast<double>(path.event.before[0]);
        partial += static_cast<double>(path.event.before[0] * path.partial_mm[0]);
        // From 3 mm away; all of its way is in the box after that.
        EXPECT_NEAR(path.optical_mm, 3 + path.partial_mm[0], 1e-4f * path.optical_mm);
    });
    double weight = 0, length = 0;
    for (std::uint32_t ring = 1; ring < 6; ++ring) {
        weight += read_sum(made_, ring, DetectedSum::weight);
        length += read_sum(made_, ring, DetectedSum::first_partial_path);
    }
    EXPECT_GT(weight, 0.1);
    EXPECT_NEAR(weight, expected / made_.particles, 1e-6);
    EXPECT_NEAR(length, partial / made_.particles, 1e-5);
    EXPECT_NEAR(specular / made_.particles, 0.04, 0.006);
    EXPECT_NEAR(made_.energy(EnergyKind::outside_reflected), specular / made_.particles, 1e-6);
    EXPECT_EQ(made_.energy(EnergyKind::outside_transmitted), 0);
}

TEST_F(ScatteredPencil, DetectorsChangeNoPath)
{
    std::vector<float> lengths;
    auto const note = [&](ParticlePath<1> const& path) { lengths.push_back(path.event.before[0] + path.direction.x); };
    made_.run<1>(2000, note);
    std::vector<float> const with = std::exchange(lengths, {});
    made_.scene.tally.detectors.count = 0;
    made_.run<1>(2000, note);
    EXPECT_EQ(lengths, with);
}

TEST(Detector, WhatMissesTheBoxPassesOutsideOfIt)
{
    ParticleScene made({1, {0.5f}}, make_pencil_beam({9, 4, -3}));
    made.run<1>(100);
    EXPECT_NEAR(made.energy(EnergyKind::outside_transmitted), 1, 1e-6);
    EXPECT_NEAR(made.energy(EnergyKind::transmitted), 1, 1e-6);
}

} // namespace
} // namespace volpt::test
