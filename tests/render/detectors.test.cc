// Detectors through the whole renderer: what they may not depend on, and what may not depend on them.
#include "libvolpt/surface/make_mesh.h"
#include "tests/support/detected_render.h"
#include "tests/support/make_object_scene.h"

namespace volpt::test {
namespace {

/// On the three upper faces of make_inks and make_cloud, which are 2.6 x 2.52 x 2.7 mm.
std::vector<DetectorSpec> place_detectors()
{
    DetectorSpec timed = make_disc({2.6, 1.2, 1.3}, 1);
    timed.gates = 3;
    timed.gate_ns = 0.02;
    DetectorSpec narrow = make_disc({1.3, 2.52, 1.3}, 1.2);
    narrow.acceptance_deg = 50;
    return {make_rings(0.3, 5), timed, narrow};
}

void expect_same(std::vector<DetectorValues> const& left, std::vector<DetectorValues> const& right)
{
    ASSERT_EQ(left.size(), right.size());
    for (std::size_t i = 0; i < left.size(); ++i)
        for (std::size_t k = 0; k < left[i].cells.size(); ++k) {
            DetectedLight const &a = left[i].cells[k], &b = right[i].cells[k];
            EXPECT_EQ(a.weight.value, b.weight.value) << i << " " << k;
            EXPECT_EQ(a.weight.error, b.weight.error) << i << " " << k;
            if (!(a.weight.value > 0)) continue;
            EXPECT_EQ(a.optical_path_mm.value, b.optical_path_mm.value) << i << " " << k;
            for (std::size_t m = 0; m < a.partial_paths_mm.size(); ++m)
                EXPECT_EQ(a.partial_paths_mm[m].value, b.partial_paths_mm[m].value) << i << " " << k << " " << m;
        }
}

TEST(Detectors, ThreadsAndTilesGiveTheSameBits)
{
    PackedVolume const volume = make_inks();
    Scene const scene = make_pencil_scene(volume, {1.3, 1.2, 4}, 20);
    DetectedRender const one = render_detected(scene, volume, place_detectors(), 16);
    for (DetectorValues const& detector : one.values) EXPECT_GT(detector.total[1].weight.value, 0);
    EXPECT_EQ(one.values[0].total[0].partial_paths_mm.size(), 3u);
    RenderOptions const tiles{.threads = 2, .tile_size = 7};
    for (RenderOptions const& options : {RenderOptions{.threads = 3}, tiles})
        expect_same(render_detected(scene, volume, place_detectors(), 16, {}, options).values, one.values);
}

TEST(Detectors, FilmAndTallyAreTheSameWithThem)
{
    for (PackedVolume const& volume : {make_cloud(), make_print()}) {
        Scene const scene = make_pencil_scene(volume, {1.3, 1.2, 4});
        TallySpec const tally = parse_tally("--tally", "absorbed:grid=2x2x2");
        DetectedRender const with = render_detected(scene, volume, place_detectors(), 64, tally);
        DetectedRender const without = render_detected(scene, volume, {}, 64, tally);
        EXPECT_EQ(to_hex(hash_film(with.film)), to_hex(hash_film(without.film)));
        EXPECT_EQ(with.tally.values, without.tally.values);
        EXPECT_EQ(with.tally.standard_errors, without.tally.standard_errors);
    }
}

TEST(Detectors, GatesPartWhatOneGateHasInAll)
{
    PackedVolume const volume = make_bare_cube(2, 0.05f);
    Scene const scene = make_pencil_scene(volume, {0.5, 0.5, 2.3});
    DetectorSpec whole = make_disc({0.5, 0.5, 0}, 0.5), parted = whole;
    parted.gates = 40;
    parted.gate_ns = 0.002; // 0.6 mm; 1.3 mm to the volume, 1 mm through it
    DetectedRender const render = render_detected(scene, volume, {whole, parted}, 256);
    DetectedLight const &all = render.values[0].total[0], &sum = render.values[1].total[0];
    EXPECT_NEAR(sum.weight.value, all.weight.value, 1e-6);
    EXPECT_NEAR(sum.optical_path_mm.value, all.optical_path_mm.value, 1e-4);
    for (DetectedLight const& light : render.values[1].cells) {
        EXPECT_EQ(light.weight.value > 0 && light.gate < 3, false) << "nothing is faster than light";
        if (!(light.weight.value > 0)) continue;
        EXPECT_GE(light.optical_path_mm.value, 0.5995 * light.gate);
        EXPECT_LE(light.optical_path_mm.value, 0.5996 * (light.gate + 1) + 1e-3);
    }
    EXPECT_GT(render.values[1].cells[3].weight.value, 0) << "straight through";
}

/// A cube that triangles bound, within a larger box, has what the same cube has as a box.
TEST(Detectors, OfAMeshCountAsThoseOfABox)
{
    auto const render = [](PackedVolume const& volume, bool is_mesh) {
        double const low = is_mesh ? 0.5 : 0, middle = low + 0.5, high = low + 1;
        Scene scene = make_pencil_scene(volume, {middle, middle, high + 1.5}, 1);
        scene.boundary = {BoundaryKind::smooth, 1.3, 1.0, 0};
        ObjectScene const object(scene, volume, move_mesh(make_box({0, 0, 0}, {1, 1, 1}), {0.5f, 0.5f, 0.5f}));
        SceneView view = is_mesh ? object.view() : object.view_box();
        DetectorTables const detectors(std::vector{make_rings(0.1, 4), make_disc({middle, middle, low}, 0.4),
                                                   make_disc({middle, high, middle}, 0.3)},
                                       view, volume, {}, {1.3, 1});
        TallySums const sums({}, view, {1.3, 1}, detectors.view());
        view.tally = sums.view();
        render_object(view, 30000, list_cpu_kernels().front());
        GroupCounts particles;
        particles.fill(30000 / kTallyGroups);
        return measure_detectors(sums, particles);
    };
    std::vector<DetectorValues> const mesh = render(make_object_medium(4, 0.05f, 0.5f), true);
    std::vector<DetectorValues> const box = render(make_bare_cube(4, 0.05f, 0.5f), false);
    for (std::size_t i = 0; i < mesh.size(); ++i) {
        DetectedLight const &a = mesh[i].total[0], &b = box[i].total[0];
        EXPECT_GT(b.weight.value, 20 * b.weight.error) << i;
        EXPECT_NEAR(a.weight.value, b.weight.value, 4 * std::hypot(a.weight.error, b.weight.error)) << i;
        EXPECT_NEAR(a.optical_path_mm.value, b.optical_path_mm.value,
                    4 * std::hypot(a.optical_path_mm.error, b.optical_path_mm.error))
            << i;
        EXPECT_NEAR(a.partial_paths_mm[0].value, b.partial_paths_mm[0].value,
                    4 * std::hypot(a.partial_paths_mm[0].error, b.partial_paths_mm[0].error))
            << i;
    }
}

} // namespace
} // namespace volpt::test
