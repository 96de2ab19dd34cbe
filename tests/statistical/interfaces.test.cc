// Interfaces between materials of different index, at faces of voxels: closed forms, invariance, published results.
#include "libvolpt/core/light/transports.hd.h"
#include "libvolpt/scene/light/emitter_records.h"
#include "libvolpt/scene/light/tally_sums.h"
#include "tests/statistical/furnace.h"
#include "tests/statistical/isotropic_entry.h"
#include "tests/statistical/pile_of_plates.h"

#include <numbers>

namespace volpt::test {
namespace {

VolumeMeta label_meta(std::array<int, 3> dims, std::array<float, 3> pitch_mm, std::uint32_t bands = 1)
{
    VolumeMeta meta;
    meta.dims = dims;
    meta.pitch_mm = pitch_mm;
    meta.filter = Filter::nearest;
    meta.extinction = meta.albedo = meta.anisotropy = Source::material;
    if (bands == 3) set_three_bands(meta);
    return meta;
}

/// Blocks that are smaller and larger than bricks. Nothing absorbs.
PackedVolume make_white_blocks(std::uint32_t bands, bool is_grey = true)
{
    std::vector<Material> materials{{"gap", {0}, {0}, 0.0f}, {"tissue", {8}, {0}, 0.8f}, {"glass", {0.5f}, {0}, -0.2f}};
    for (Material& material : materials) {
        material.one_minus_albedo.resize(bands);
        material.sigma_t.resize(bands, material.sigma_t[0]);
        if (!is_grey) material.sigma_t.back() *= 2;
    }
    auto const label = [](int x, int y, int z) { return z < 3 ? 1 : x > 8 && y > 8 ? 2 : (x / 5 + y / 4 + z / 3) % 3; };
    return make_volume(label_meta({20, 18, 17}, {0.1f, 0.12f, 0.15f}, bands), {.label = label}, materials);
}

void give_indices(Scene& scene, std::vector<float> material_ior)
{
    scene.material_ior = std::move(material_ior);
    scene.boundary.kind = BoundaryKind::smooth;
}

TEST(Interfaces, WhiteFurnaceIsOne)
{
    for (std::uint32_t const bands : {1u, 3u}) {
        PackedVolume const volume = make_white_blocks(bands);
        Scene scene = make_scene(volume);
        give_indices(scene, {1.0f, 1.37f, 1.6f});
        expect_furnace_is_one(RenderScene(scene, volume, nullptr, 7));
        scene.boundary.kind = BoundaryKind::none;
        expect_furnace_is_one(RenderScene(scene, volume, nullptr, 7));
        scene.boundary = {BoundaryKind::rough, 1.0, 1.2, 0.3};
        scene.boundary.microfacets = Microfacets::multiple;
        expect_furnace_is_one(RenderScene(scene, volume, nullptr, 7));
    }
    PackedVolume const chromatic = make_white_blocks(3, false);
    Scene scene = make_scene(chromatic);
    give_indices(scene, {1.0f, 1.37f, 1.6f});
    expect_furnace_is_one(RenderScene(scene, chromatic, nullptr, 7));
}

/// Rounding takes no path across an interface, whichever way it goes and however long the box is.
TEST(Interfaces, PathsChangeTheirIndexAtInterfacesAlone)
{
    using M = EmitterMedium<1, Surfaces::box, Transport::emitters>;
    std::vector<Material> const materials{{"a", {0.01f}, {0}, 0}, {"b", {900}, {0}, 0}, {"c", {0.2f}, {0}, 0.9f}};
    auto const label = [](int x, int y, int z) { return (x / 3 + y / 2 + (x > 2900 ? 1 : 0) + z) % 3; };
    PackedVolume const volume =
        make_volume(label_meta({3000, 9, 10}, {0.02f, 0.3f, 0.1f}), {.label = label}, materials);
    Scene scene = make_scene(volume);
    give_indices(scene, {1.0f, 1.37f, 1.6f});
    RenderScene const built(scene, volume, nullptr, 3);
    IsotropicEntry entry(built.view(), EntryFaces::all);
    Vec3 const size = built.view().medium.size_voxels;
    auto const is_whole = [](float x) { return x == std::floor(x); };
    std::uint32_t interfaces = 0;
    for (std::uint32_t i = 0; i < 3000 / kHaste; ++i) {
        PathOf<M> path{};
        static_cast<PathState<1>&>(path) = entry.start(i);
        PathCounts counts;
        for (int events = 0; path.stage != Stage::ended && events < 3000; ++events) {
            bool const was_inside = path.stage == Stage::inside;
            float const before = find_ior(built.view(), path.position, path.direction);
            std::uint32_t const bounces = path.bounces;
            extend_path<M>(built.view(), path, counts);
            if (!was_inside || path.stage != Stage::inside) continue;
            Vec3 const p = path.position;
            bool const is_on_box = p.x == 0 || p.y == 0 || p.z == 0 || p.x == size.x || p.y == size.y || p.z == size.z;
            if (find_ior(built.view(), p, path.direction) == before || is_on_box) continue;
            ASSERT_TRUE(is_whole(p.x) || is_whole(p.y) || is_whole(p.z)) << p.x << " " << p.y << " " << p.z;
            ASSERT_EQ(path.bounces, bounces + 1);
            ++interfaces;
        }
    }
    EXPECT_GT(interfaces, 10000u / kHaste);
}

TEST(Interfaces, AtSeamsTheyKeepTheFurnaceOne)
{
    PackedVolume const volume = make_white_blocks(1);
    Scene scene = make_probe(volume);
    give_indices(scene, {1.0f, 1.37f, 1.6f});
    scene.boundary.sides = Sides::periodic;
    scene.boundary.backing = Backing::white;
    // Light is 1 above alone, and the backing returns all of it.
    expect_furnace_is_one(RenderScene(scene, volume, nullptr, 7));
}

TEST(Interfaces, OneIndexEverywhereIsABoundaryAlone)
{
    PackedVolume const inks = make_inks(Filter::nearest);
    for (ProbeView const view : {ProbeView::normal, ProbeView::diffuse}) {
        Scene scene = make_probe(inks, 16, 12);
        scene.camera.view = view;
        scene.boundary = {BoundaryKind::smooth, 1.4, 1.0, 0};
        std::vector<Measurement> const alone = measure_radiance(scene, inks, 256 / kHaste);
        scene.material_ior = {1.4f, 1.4f, 1.4f};
        std::vector<Measurement> const with = measure_radiance(scene, inks, 256 / kHaste);
        for (std::size_t b = 0; b < 3; ++b) expect_equal_means(with[b], alone[b], "band " + std::to_string(b));
    }
}

TEST(Interfaces, PilesOfPlatesReflectAndTransmitAsStokesSays)
{
    std::vector<Layer> const layers{{1.5f, 0}, {1.0f, 0}, {2.2f, 0.8f}, {1.33f, 0}, {1.7f, 0.3f}};
    std::vector<Material> materials;
    std::vector<float> indices;
    for (Layer const& layer : layers) {
        materials.push_back({"layer " + std::to_string(materials.size()), {layer.mu_a}, {1}, 0});
        indices.push_back(layer.ior);
    }
    // Two voxels a layer; the first layer is on top.
    PackedVolume const volume =
        make_volume(label_meta({8, 8, 10}, {5, 5, static_cast<float>(layers[0].thickness_mm / 2)}),
                    {.label = [](int, int, int z) { return 4 - z / 2; }}, materials);
    for (double const degrees : {0.0, 40.0}) {
        double const angle = degrees * std::numbers::pi / 180;
        Scene scene = look_down(volume, 1, 32);
        give_indices(scene, indices);
        Vec3d const target = scene.camera.target_world;
        scene.camera.origin_world = {target[0] + 20 * std::sin(angle), target[1], target[2] + 20 * std::cos(angle)};
        scene.camera.up_world = {0, 1, 0};
        ReflectedShares const truth = sum_pile(layers, std::sin(angle));
        light_from_above(scene);
        expect_truth(measure_radiance(scene, volume, 256 / kHaste)[0], truth.reflected, 1e-6, "reflected");
        light_from_below(scene);
        expect_truth(measure_radiance(scene, volume, 256 / kHaste)[0], truth.transmitted, 1e-6, "transmitted");
    }
}

/// Radiance L outside is n^2 L inside: each medium has paths of n^2 times the length that it would have alone.
TEST(Interfaces, MeanLengthOfPathsInEachMaterialIsNSquaredTimesItsShare)
{
    float const indices[] = {1.0f, 1.5f, 1.3f};
    std::vector<Material> const materials{{"a", {2}, {0}, 0}, {"b", {6}, {0}, 0.6f}, {"c", {3}, {0}, 0}};
    VolumeMeta const meta = label_meta({10, 9, 12}, {0.1f, 0.1f, 0.12f});
    auto const label = [](int x, int y, int z) { return z < 3 ? 0 : x > 3 && x < 8 && y > 2 && z < 10 ? 1 : 2; };
    PackedVolume const volume = make_volume(meta, {.label = label}, materials);
    Scene scene = make_scene(volume);
    give_indices(scene, {indices[0], indices[1], indices[2]});
    RenderScene const built(scene, volume, nullptr, 3);
    auto const got = follow_paths<EmitterMedium<1, Surfaces::box, Transport::emitters>>(built.view(), EntryFaces::all,
                                                                                        60000 / kHaste);
    double voxels[3] = {};
    for (int z = 0; z < 12; ++z)
        for (int y = 0; y < 9; ++y)
            for (int x = 0; x < 10; ++x) voxels[label(x, y, z)] += 1;
    double const lx = 1, ly = 0.9, lz = 1.44;
    double collisions = 0;
    for (std::size_t i = 0; i < 3; ++i)
        collisions += static_cast<double>(materials[i].sigma_t[0] * indices[i] * indices[i]) * voxels[i] * 0.0012;
    expect_truth(got.collisions, 4 * collisions / (2 * (lx * ly + ly * lz + lz * lx)), 0, "collisions");
}

TEST(Interfaces, TwoLayersReflectAsPublished)
{
    // mu_a 2, mu_s 20 per cm, g 0.7, n 1.3 on an endless layer of 1, 20, 0.9, 1.4: VTS has .1050 for an upper layer of
    // 1 mm. Of one of 0.1 mm, a walk in double precision that shares no code gave .07720 +- .00009.
    std::vector<Material> const tissue{{"upper", {2.2f}, {0.2f / 2.2f}, 0.7f}, {"lower", {2.1f}, {0.1f / 2.1f}, 0.9f}};
    struct Case {
        int upper_voxels;
        double diffuse, tolerance;
    };
    for (Case const& it : {Case{10, 0.1050, 5e-4}, Case{1, 0.0772, 2e-4}}) {
        auto const label = [&](int, int, int z) { return z >= 200 - it.upper_voxels ? 0 : 1; };
        PackedVolume const volume = make_volume(label_meta({8, 8, 200}, {1, 1, 0.1f}), {.label = label}, tissue);
        Scene scene = make_probe(volume, 16, 16);
        give_indices(scene, {1.3f, 1.4f});
        scene.boundary.sides = Sides::periodic;
        scene.boundary.specular = Specular::excluded;
        expect_truth(measure_radiance(scene, volume, 512 / kHaste)[0], it.diffuse, it.tolerance, "diffuse");
        // Reflected at first: .0170.
        scene.depth_limit = 1;
        scene.boundary.specular = Specular::included;
        expect_truth(measure_radiance(scene, volume, 512 / kHaste)[0], 0.0170, 2e-5, "specular");
    }
}

/// A pencil down into a box, at a place of its top; the film is one pixel.
Scene light_with_pencil(PackedVolume const& volume, double x_mm, double y_mm)
{
    Emitter beam;
    beam.kind = EmitterKind::beam;
    beam.profile = BeamProfile::pencil;
    beam.origin_world = {x_mm, y_mm, 100};
    beam.direction_world = {0, 0, -1};
    beam.amount = {1};
    Scene scene = make_scene(volume, 1, 1);
    scene.environment.radiance = {0};
    scene.emitters = to_emitter_records({&beam, 1});
    scene.integrator = Integrator::light;
    scene.roulette_w_min = 0;
    return scene;
}

struct ParticleTally {
    EnergyShares energy;
    std::vector<double> gates; ///< what was added in each
};

ParticleTally run_particles(Scene const& wanted, PackedVolume const& volume, TallySpec const& spec,
                            std::uint32_t samples)
{
    RenderScene scene(wanted, volume, nullptr, 7);
    TallySums const sums(spec, scene.view(), {wanted.boundary.int_ior, wanted.boundary.ext_ior});
    scene.attach_tally(sums.view());
    TileSums film(1);
    PathCounts counts;
    list_cpu_kernels().front().render(scene.view(), {0, 0, 1, 1, 0, samples}, film.view(), counts, {});
    ParticleTally tally{sums.measure_total_energy(), std::vector<double>(spec.gates)};
    TallyView const& view = sums.view();
    std::size_t const cells = count_tally_cells(view);
    for (std::size_t i = 0; i < count_tally_sums(view, 1); ++i)
        tally.gates[i / cells % spec.gates] += static_cast<double>(view.sums[i]) / static_cast<double>(view.scale);
    return tally;
}

double add_shares(EnergyShares const& energy)
{
    return energy.reflected + energy.transmitted + energy.absorbed + energy.cut + energy.roulette;
}

TEST(Interfaces, McxCubeWithASphereAbsorbsAsMcxSays)
{
    // cubesph60b of Q. Fang's mcx: 27.02 % after 5 ns, of light that begins inside: nothing is reflected where it
    // enters.
    double const truth = 0.2702 * (1 - reflect_fresnel(1, 1.37, 0));
    std::vector<Material> const media{{"cube", {1.005f}, {0.005f / 1.005f}, 0.01f},
                                      {"sphere", {5.002f}, {0.002f / 5.002f}, 0.9f}};
    auto const label = [](int x, int y, int z) {
        double const dx = x + 0.5 - 30, dy = y + 0.5 - 30, dz = z + 0.5 - 30;
        return dx * dx + dy * dy + dz * dz <= 225 ? 1 : 0;
    };
    PackedVolume const volume = make_volume(label_meta({60, 60, 60}, {1, 1, 1}), {.label = label}, media);
    Scene scene = light_with_pencil(volume, 29, 29);
    give_indices(scene, {1.37f, 1.0f});
    TallySpec const spec{.kind = TallyKind::absorbed, .gates = 1, .gate_ns = 5, .grid = {{1, 1, 1}}};
    EnergyShares const energy = run_particles(scene, volume, spec, 20000 / kHaste).energy;
    EXPECT_NEAR(add_shares(energy), 1, 1e-6);
    EXPECT_NEAR(energy.absorbed, truth, kHaste == 1 ? 0.006 : 0.03);
}

/// A way of light through one material, which absorbs.
struct Segment {
    double weight; ///< at its beginning
    double begins_optical_mm, ior, length_mm, mu_a;

    double absorb_between(double from_optical_mm, double to_optical_mm) const
    {
        auto const left = [&](double optical_mm) {
            return std::exp(-mu_a * std::clamp((optical_mm - begins_optical_mm) / ior, 0.0, length_mm));
        };
        return weight * (left(from_optical_mm) - left(to_optical_mm));
    }
};

TEST(Interfaces, LightTakesTheTimeOfEachMaterialsIndex)
{
    std::vector<Material> const media{{"upper", {0.1f}, {1}, 0}, {"lower", {0.4f}, {1}, 0}};
    PackedVolume const volume = make_volume(label_meta({16, 16, 20}, {1, 1, 0.5f}),
                                            {.label = [](int, int, int z) { return z >= 8 ? 0 : 1; }}, media);
    Scene scene = light_with_pencil(volume, 5.2, 5.2);
    give_indices(scene, {1.2f, 2.0f});
    scene.depth_limit = 3; // ends what is reflected more than once
    Emitter beam = read_emitter_records(scene.emitters)->front();
    beam.origin_world[2] = 10.5;
    scene.emitters = to_emitter_records({&beam, 1});
    double const enters = 1 - reflect_fresnel(1, 1.2, 0), reflected = reflect_fresnel(1.2, 2, 0);
    double const arrives = enters * std::exp(-0.1 * 6);
    Segment const segments[] = {{enters, 0.5, 1.2, 6, 0.1},
                                {arrives * (1 - reflected), 7.7, 2, 4, 0.4},
                                {arrives * reflected, 7.7, 1.2, 6, 0.1}};
    TallySpec const spec{
        .kind = TallyKind::absorbed, .gates = 16, .gate_ns = 1 / kLightSpeed_mm_per_ns, .grid = {{1, 1, 1}}};
    std::uint32_t const particles = 200000 / kHaste;
    ParticleTally const tally = run_particles(scene, volume, spec, particles);
    for (std::size_t gate = 0; gate < spec.gates; ++gate) {
        double truth = 0;
        for (Segment const& segment : segments)
            truth += segment.absorb_between(static_cast<double>(gate), static_cast<double>(gate) + 1);
        EXPECT_NEAR(tally.gates[gate] / particles, truth, 4 * std::sqrt(truth / particles)) << "gate " << gate;
    }
}

/// Light rays pass where the index does not change: connections to an environment change no mean.
TEST(Interfaces, ConnectionsBetweenThemChangeNoMean)
{
    std::vector<Material> const media{
        {"fog", {1}, {0.1f}, 0.3f}, {"haze", {0.2f}, {0.5f}, 0}, {"glass", {0.3f}, {0.2f}, 0}};
    auto const label = [](int x, int y, int z) { return x > 5 && x < 12 && y > 4 && z > 2 && z < 9 ? 2 : x / 3 % 2; };
    PackedVolume const volume = make_volume(label_meta({18, 17, 16}, {0.2f, 0.2f, 0.2f}), {.label = label}, media);
    Scene scene = make_scene(volume, 16, 16);
    scene.environment = {EnvironmentKind::hemispheres, {2.0f}, {0.1f}, {}, 4, 0};
    scene.material_ior = {1.0f, 1.0f, 1.5f};
    Measurement const by_chance = measure_radiance(scene, volume, 512 / kHaste)[0];
    scene.nee = EnvironmentNee::on;
    expect_equal_means(measure_radiance(scene, volume, 512 / kHaste)[0], by_chance, "radiance");
}

} // namespace
} // namespace volpt::test
