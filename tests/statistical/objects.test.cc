// Solids bounded by triangles: no light is lost in them, and a cube of triangles is the box.
#include "tests/statistical/measure.h"

#include "libvolpt/core/extend_path.hd.h"
#include "libvolpt/cpu/outcomes/outcome_banks.h"
#include "libvolpt/volume/mesh/voxel_faces.h"
#include "tests/support/make_object_scene.h"

#include <map>
#include <random>

namespace volpt::test {
namespace {

/// Within the cube of make_object_medium.
std::map<std::string, TriangleMesh> list_meshes()
{
    Vec3 const centre{1, 1, 1};
    return {{"icosphere", move_mesh(make_icosphere(0.9f, 24), centre)},
            {"torus", move_mesh(make_torus(0.6f, 0.3f, 60, 30), centre)},
            {"bumpy sphere", move_mesh(make_bumpy_sphere(0.8f, 24, 0.4f), centre)}};
}

std::map<std::string, BoundarySpec> list_boundaries()
{
    BoundarySpec rough{BoundaryKind::rough, 1.4, 1.0, 0.3};
    rough.microfacets = Microfacets::multiple;
    return {{"matched", {}}, {"smooth", {BoundaryKind::smooth, 1.5, 1.0, 0}}, {"rough", rough}};
}

TEST(Object, WhiteFurnaceGivesOneInEverySampleAndLosesNoPath)
{
    PackedVolume const volume = make_object_medium(8, 0);
    std::uint32_t const samples = 90 / kHaste + 1;
    for (auto const& [boundary_name, boundary] : list_boundaries())
        for (auto const& [name, flat] : list_meshes())
            for (bool const smooth : {false, true}) {
                if (smooth && boundary_name == "matched") continue;
                Scene scene = make_scene(volume);
                scene.boundary = boundary;
                ObjectScene const object(scene, volume, smooth ? add_smooth_normals(flat) : flat);
                ObjectSums const got = render_object(object.view(), samples, list_cpu_kernels().front());
                std::string const what = boundary_name + " " + name + (smooth ? " interpolated" : " flat");
                auto const one = static_cast<std::uint64_t>(static_cast<double>(object.view().sum_scale));
                for (std::uint64_t const sum : got.planes.sums) ASSERT_EQ(sum, samples * one) << what;
                EXPECT_EQ(got.counts.lost_paths, 0u) << what;
                EXPECT_EQ(got.counts.cut_paths, 0u) << what;
                EXPECT_GT(2 * got.counts.extensions, 3 * got.counts.paths) << what;
            }
}

/// `view` with bank `number`, which outlives it in `outcomes`: a small one, whose error of 1e-3 is part of the spread.
SceneView with_bank(SceneView view, std::uint32_t number, std::vector<Outcome>& outcomes)
{
    view.long_steps.bank.log2_size = 11;
    outcomes = make_bank(view, number, 1);
    view.long_steps.bank.outcomes = outcomes.data();
    return view;
}

TEST(Object, WhiteFurnaceWithLongStepsGivesOneInEverySampleAndLosesNoPath)
{
    PackedVolume const volume = make_object_medium(100, 0, 0.3f);
    std::uint32_t const samples = 24 / kHaste + 1;
    for (auto const& [boundary_name, boundary] : list_boundaries())
        for (auto const& [name, flat] : list_meshes()) {
            Scene scene = make_scene(volume);
            scene.boundary = boundary;
            scene.long_steps = LongSteps::spheres;
            ObjectScene const object(scene, volume, boundary_name == "smooth" ? add_smooth_normals(flat) : flat);
            std::vector<Outcome> outcomes;
            SceneView const view = with_bank(object.view(), 0, outcomes);
            ObjectSums const got = render_object(view, samples, list_cpu_kernels().front());
            std::string const what = boundary_name + " " + name;
            auto const one = static_cast<std::uint64_t>(static_cast<double>(view.sum_scale));
            for (std::uint64_t const sum : got.planes.sums) ASSERT_EQ(sum, samples * one) << what;
            EXPECT_EQ(got.counts.lost_paths, 0u) << what;
            EXPECT_EQ(got.counts.cut_paths, 0u) << what;
            EXPECT_GT(4 * got.counts.long_steps, got.counts.paths) << what;
        }
}

/// Mean radiance of the picture, by groups of samples; with long steps each of a bank of its own.
Measurement measure_groups(SceneView view, std::uint32_t groups, std::uint32_t samples)
{
    std::size_t const plane = std::size_t{view.width} * view.height;
    std::vector<double> means;
    for (std::uint32_t group = 0; group < groups; ++group) {
        std::vector<Outcome> outcomes;
        SceneView const own = view.long_steps.kind == Steps::plain ? view : with_bank(view, group, outcomes);
        TileSums sums(plane);
        PathCounts counts;
        list_cpu_kernels().front().render(own, {0, 0, view.width, view.height, group * kBankSamples, samples},
                                          sums.view(), counts, {});
        EXPECT_EQ(counts.lost_paths, 0u);
        double sum = 0;
        for (std::uint64_t const value : sums.sums) sum += static_cast<double>(value);
        means.push_back(sum / static_cast<double>(plane) / samples / static_cast<double>(view.sum_scale));
    }
    return measure_mean(means);
}

TEST(Object, LongStepsKeepTheExpectation)
{
    std::uint32_t const samples = 8 / kHaste + 1;
    std::map<std::string, TriangleMesh> meshes = list_meshes();
    meshes.erase("bumpy sphere");
    meshes["cube"] = make_box({0, 0, 0}, {2, 2, 2});
    for (float const g : {0.0f, 0.8f}) {
        PackedVolume const volume = make_object_medium(40, 0.01f, g);
        for (auto const& [boundary_name, boundary] : list_boundaries())
            for (auto const& [name, mesh] : meshes) {
                Scene scene = make_scene(volume);
                scene.boundary = boundary;
                light_from_above(scene);
                ObjectScene const plain(scene, volume, mesh);
                scene.long_steps = LongSteps::spheres;
                ObjectScene const stepped(scene, volume, mesh);
                SceneView other = plain.view();
                other.seed = 12;
                std::string const what = boundary_name + " " + name + " g " + std::to_string(g);
                Measurement const got = measure_groups(stepped.view(), 8, samples);
                expect_equal_means(got, measure_groups(other, 8, samples), what);
                if (name == "cube")
                    expect_equal_means(got, measure_groups(stepped.view_box(), 8, samples), what + " box");
            }
    }
}

/// A ball of voxels of 0.125 mm, whose surface is all steps, in the cube of make_object_medium.
TriangleMesh make_voxel_ball()
{
    Occupancy ball({16, 16, 16});
    for (int z = 0; z < 16; ++z)
        for (int y = 0; y < 16; ++y)
            for (int x = 0; x < 16; ++x)
                if (std::hypot(x - 7.5, y - 7.5, z - 7.5) < 6.8) ball.occupy(x, y, z);
    TriangleMesh mesh = make_voxel_faces(ball, "ball");
    for (Vec3& p : mesh.positions_mm) p = 0.125f * p;
    return mesh;
}

TEST(Object, WhiteFurnaceOfVoxelFacesGivesOneInEverySampleAndLosesNoPath)
{
    PackedVolume const volume = make_object_medium(8, 0);
    std::uint32_t const samples = 90 / kHaste + 1;
    for (auto const& [name, boundary] : list_boundaries()) {
        Scene scene = make_scene(volume);
        scene.boundary = boundary;
        ObjectScene const object(scene, volume, make_voxel_ball());
        ObjectSums const got = render_object(object.view(), samples, list_cpu_kernels().front());
        auto const one = static_cast<std::uint64_t>(static_cast<double>(object.view().sum_scale));
        for (std::uint64_t const sum : got.planes.sums) ASSERT_EQ(sum, samples * one) << name;
        EXPECT_EQ(got.counts.lost_paths, 0u) << name;
        EXPECT_EQ(got.counts.cut_paths, 0u) << name;
        EXPECT_GT(2 * got.counts.extensions, 3 * got.counts.paths) << name;
    }
}

/// Paths of uniform isotropic light that enter a convex mesh, positions in voxels; or any mesh, `start_gap_mm` of 0,
/// if the light of its concavities counts as well.
class ConvexEntry {
public:
    ConvexEntry(SceneView const& scene, TriangleMesh const& mesh_mm, float start_gap_mm = 0.02f)
        : scene_(scene), mesh_(mesh_mm), start_gap_mm_(start_gap_mm), engine_(1)
    {
        for (auto const& t : mesh_.triangles) {
            Vec3 const a = mesh_.positions_mm[t[0]];
            Vec3 const area = cross(mesh_.positions_mm[t[1]] - a, mesh_.positions_mm[t[2]] - a);
            areas_.push_back(static_cast<double>(exact::sqrt(dot(area, area))));
        }
        pick_ = std::discrete_distribution<std::size_t>(areas_.begin(), areas_.end());
    }

    PathState<1> start(std::uint32_t sample)
    {
        auto const& t = mesh_.triangles[pick_(engine_)];
        Vec3 const a = mesh_.positions_mm[t[0]], b = mesh_.positions_mm[t[1]], c = mesh_.positions_mm[t[2]];
        float const root = exact::sqrt(draw()), share = draw();
        Vec3 const point = move_along(move_along((1 - root) * a, root * (1 - share), b), root * share, c);
        Vec3 const inward = normalize(cross(c - a, b - a));
        Frame const frame = make_frame(inward);
        float const radius = exact::sqrt(draw());
        exact::SinCos const azimuth = exact::sincos_turns(static_cast<std::uint32_t>(engine_()));
        PathState<1> path{};
        path.direction = normalize(
            move_along(move_along(radius * azimuth.cosine * frame.tangent, radius * azimuth.sine, frame.bitangent),
                       exact::sqrt(1 - radius * radius), inward));
        path.position = move_along(point, -start_gap_mm_, path.direction) * scene_.medium.inv_pitch;
        path.throughput[0] = 1;
        path.rng = seed_rng(scene_.seed, 0, sample, 0);
        path.stage = Stage::entering;
        return path;
    }

private:
    float draw() { return static_cast<float>(engine_() >> 8) * 0x1p-24f; }

    SceneView const& scene_;
    TriangleMesh mesh_;
    float start_gap_mm_;
    std::vector<double> areas_;
    std::mt19937 engine_;
    std::discrete_distribution<std::size_t> pick_;
};

template <class M>
Measurement count_tentative(ObjectScene const& object, TriangleMesh const& mesh_mm)
{
    ConvexEntry entry(object.view(), mesh_mm);
    std::vector<double> values;
    for (std::uint32_t i = 0; i < 60000 / kHaste; ++i) {
        PathState<1> path = entry.start(i);
        PathCounts counts;
        while (path.stage != Stage::ended) extend_path<M>(object.view(), path, counts);
        EXPECT_EQ(counts.lost_paths, 0u);
        values.push_back(static_cast<double>(counts.tentative_collisions));
    }
    return measure_mean(values);
}

TEST(Object, MeanPathLengthInAConvexMeshIsFourVOverSTimesNSquared)
{
    Vec3 const centre{1, 1, 1};
    std::vector<TriangleMesh> const meshes{move_mesh(make_icosphere(0.9f, 6), centre),
                                           make_box({0.2f, 0.1f, 0.3f}, {1.5f, 1.8f, 1.4f})};
    for (TriangleMesh const& mesh : meshes)
        for (double const ior : {1.0, 1.4}) {
            PackedVolume const volume = make_object_medium(10, 0, 0.4f);
            Scene scene = make_scene(volume);
            if (ior != 1) scene.boundary = {BoundaryKind::smooth, ior, 1.0, 0};
            MeshSize const size = measure_mesh(mesh);
            auto const got =
                count_tentative<Medium<1, Extinction::bare, MajorantGrid::global, Steps::plain, Surfaces::triangles>>(
                    ObjectScene(scene, volume, mesh), mesh);
            expect_truth(got, 10 * ior * ior * 4 * size.volume / size.area, 0,
                         std::to_string(mesh.triangles.size()) + " triangles, ior " + std::to_string(ior));
        }
}

TEST(Object, MeanPathLengthOfAVisitToVoxelsIsFourVOverSOfTheirFacesTimesNSquared)
{
    using M = Medium<1, Extinction::bare, MajorantGrid::global, Steps::plain, Surfaces::triangles>;
    TriangleMesh const mesh = make_voxel_ball();
    MeshSize const size = measure_mesh(mesh);
    EXPECT_NEAR(size.area, 1.5 * 4 * 3.14159 * 0.85 * 0.85, 0.03 * size.area);
    for (double const ior : {1.0, 1.4}) {
        PackedVolume const volume = make_object_medium(10, 0, 0.4f);
        Scene scene = make_scene(volume);
        if (ior != 1) scene.boundary = {BoundaryKind::smooth, ior, 1.0, 0};
        ObjectScene const object(scene, volume, mesh);
        ConvexEntry entry(object.view(), mesh, 0);
        std::vector<double> values;
        for (std::uint32_t i = 0; i < 60000 / kHaste; ++i) {
            PathState<1> path = entry.start(i);
            PathCounts counts;
            extend_at_face<M>(object.view(), path, counts);
            while (path.stage == Stage::inside) extend_inside<M>(object.view(), path, counts);
            EXPECT_EQ(counts.lost_paths, 0u);
            values.push_back(static_cast<double>(counts.tentative_collisions));
        }
        expect_truth(measure_mean(values), 10 * ior * ior * 4 * size.volume / size.area, 0,
                     "ior " + std::to_string(ior));
    }
}

TEST(Object, MeanPathLengthInAHeterogeneousMediumIsFourVOverSToo)
{
    PackedVolume const volume = make_volume(cloud_meta(), {.density = cloud_density});
    Scene scene = make_scene(volume);
    scene.majorant = MajorantKind::global;
    TriangleMesh const mesh = move_mesh(make_icosphere(1.0f, 8), {1.3f, 1.25f, 1.35f});
    ObjectScene const object(scene, volume, mesh);
    auto const got =
        count_tentative<Medium<1, Extinction::density, MajorantGrid::global, Steps::plain, Surfaces::triangles>>(object,
                                                                                                                 mesh);
    MeshSize const size = measure_mesh(mesh);
    expect_truth(got, static_cast<double>(object.view().medium.band[0].majorant) * 4 * size.volume / size.area, 0,
                 "cloud");
}

/// Mean of all pixels, from the sums of their values and squares.
Measurement measure_view(SceneView const& view, std::uint32_t samples)
{
    ObjectSums const got = render_object(view, samples, list_cpu_kernels().front());
    EXPECT_EQ(got.counts.lost_paths, 0u);
    auto const scale = static_cast<double>(view.sum_scale);
    double sum = 0, variance = 0;
    for (std::size_t i = 0; i < got.planes.sums.size(); ++i) {
        double const mean = static_cast<double>(got.planes.sums[i]) / samples;
        double const squares =
            static_cast<double>(got.planes.low_squares[i]) + 0x1p32 * static_cast<double>(got.planes.high_squares[i]);
        sum += mean;
        variance += (squares / samples - mean * mean) / (samples - 1);
    }
    auto const pixels = static_cast<double>(got.planes.sums.size());
    return {sum / pixels / scale, std::sqrt(variance) / pixels / scale};
}

TEST(Object, ACubeOfTrianglesIsTheBox)
{
    BoundarySpec single{BoundaryKind::rough, 1.5, 1.0, 0.25};
    std::map<std::string, BoundarySpec> boundaries = list_boundaries();
    boundaries["single facets"] = single;
    for (auto const& [name, boundary] : boundaries)
        for (float const g : {0.0f, 0.7f}) {
            PackedVolume const volume = make_object_medium(6, 0.03f, g);
            Scene scene = make_scene(volume);
            scene.boundary = boundary;
            light_from_above(scene);
            ObjectScene const object(scene, volume, make_box({0, 0, 0}, {2, 2, 2}));
            std::uint32_t const samples = 256 / kHaste;
            SceneView other = object.view();
            other.seed = 12;
            expect_equal_means(measure_view(other, samples), measure_view(object.view_box(), samples),
                               name + ", g " + std::to_string(g));
        }
}

TEST(Object, AConstantThatIsStoredByVoxelIsTheHomogeneousMedium)
{
    VolumeMeta meta = density_meta({20, 20, 20});
    meta.pitch_mm = {0.1f, 0.1f, 0.1f};
    meta.scale = 6;
    meta.constant_one_minus_albedo = {0.03f};
    PackedVolume const homogeneous = make_object_medium(6, 0.03f);
    TriangleMesh const mesh = move_mesh(make_bumpy_sphere(0.8f, 12, 0.4f), {1, 1, 1});
    for (Filter const filter : {Filter::trilinear, Filter::nearest})
        for (auto const& [name, boundary] : list_boundaries()) {
            meta.filter = filter;
            PackedVolume const stored = make_volume(meta, {.density = [](int, int, int) { return 1.0f; }});
            auto const describe = [&, &kind = boundary](PackedVolume const& volume) {
                Scene scene = make_scene(volume);
                scene.boundary = kind;
                light_from_above(scene);
                return scene;
            };
            ObjectScene const plain(describe(homogeneous), homogeneous, mesh), by_voxel(describe(stored), stored, mesh);
            SceneView other = by_voxel.view();
            other.seed = 12;
            std::uint32_t const samples = 256 / kHaste;
            expect_equal_means(measure_view(other, samples), measure_view(plain.view(), samples), name);
        }
}

TEST(Object, ACubeOfTrianglesInAVolumeOfLabelsIsTheBox)
{
    VolumeMeta meta;
    meta.dims = {26, 21, 18};
    meta.pitch_mm = {0.1f, 0.12f, 0.15f};
    meta.filter = Filter::nearest;
    meta.extinction = meta.albedo = meta.anisotropy = Source::material;
    std::vector<Material> const materials{{"clear", {1.5f}, {0.05f}, 0.5f}, {"dense", {9}, {0.002f}, 0}};
    PackedVolume const volume =
        make_volume(meta, {.label = [](int x, int y, int z) { return (x / 5 + y / 4 + z / 3) % 2; }}, materials);
    for (MajorantKind const majorant : {MajorantKind::global, MajorantKind::local}) {
        Scene scene = make_scene(volume);
        scene.majorant = majorant;
        scene.boundary = {BoundaryKind::smooth, 1.3, 1.0, 0};
        light_from_above(scene);
        ObjectScene const object(scene, volume, make_box({0, 0, 0}, {26 * 0.1f, 21 * 0.12f, 18 * 0.15f}));
        SceneView other = object.view();
        other.seed = 12;
        expect_equal_means(measure_view(other, 256 / kHaste), measure_view(object.view_box(), 256 / kHaste),
                           majorant == MajorantKind::local ? "local" : "global");
    }
}

TEST(Object, AHeterogeneousCubeOfTrianglesIsTheBox)
{
    PackedVolume const volume = make_cloud();
    for (MajorantKind const majorant : {MajorantKind::global, MajorantKind::local}) {
        Scene scene = make_scene(volume);
        scene.majorant = majorant;
        scene.boundary = {BoundaryKind::smooth, 1.3, 1.0, 0};
        light_from_above(scene);
        Vec3 const size{26 * 0.1f, 21 * 0.12f, 18 * 0.15f};
        ObjectScene const object(scene, volume, make_box({0, 0, 0}, size));
        SceneView other = object.view();
        other.seed = 12;
        expect_equal_means(measure_view(other, 256 / kHaste), measure_view(object.view_box(), 256 / kHaste),
                           majorant == MajorantKind::local ? "local" : "global");
    }
}

} // namespace
} // namespace volpt::test
