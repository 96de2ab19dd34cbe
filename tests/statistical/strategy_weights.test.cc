// The weights of all strategies that may find the same light add up to 1, for paths through any points, and each
// strategy has the whole light where its weight is 1.
#include "libvolpt/core/light/transports.hd.h"
#include "libvolpt/core/metropolis/run_chain.hd.h"
#include "libvolpt/scene/render_scene.h"
#include "tests/statistical/lit_scenes.h"

#include <random>

namespace volpt::test {
namespace {

using Path = BidirectionalPath<1, NoRegion>;
using Vertex = SubpathVertex<1>;

constexpr float kSigmaT = 4, kG = 0.4f;

float find_sigma_t(SceneView const& scene, Vec3 point)
{
    return read_sigma_t<EmitterMedium<1, Surfaces::box, Transport::bidirectional>>(
        scene.medium, pick_voxel(scene.medium, point, 0), 0);
}

struct PointOnEmitter {
    Vec3 at_mm;
    Vec3 normal;
};

/// The vertices of a subpath that has begun, at `points` (voxels) and leaves the last of them towards `end`.
std::vector<Vertex> visit(SceneView const& scene, std::vector<Vec3> const& points, Vec3 end, Path& path)
{
    Vec3 const pitch = scene.lights.pitch_mm;
    std::vector<Vertex> vertices;
    for (std::size_t i = 0; i < points.size(); ++i) {
        Vertex& vertex = path.event.vertex;
        vertex.position = points[i];
        vertex.arriving = path.direction;
        vertex.sigma_t = find_sigma_t(scene, points[i]);
        vertex.g = kG;
        vertex.bsdf = kNoBsdf;
        vertex.weights = find_arriving_weights(scene, points[i], vertex.sigma_t, path);
        vertices.push_back(vertex);
        path.direction = normalize(((i + 1 < points.size() ? points[i + 1] : end) - points[i]) * pitch);
        leave_vertex(scene, path);
        path.has_turned = 1;
        path.last_position = points[i];
    }
    return vertices;
}

std::vector<Vertex> visit_from_emitter(SceneView const& scene, PointOnEmitter const& start,
                                       std::vector<Vec3> const& points)
{
    Path path{};
    path.subpath = Subpath::light;
    path.last_position = start.at_mm * scene.medium.inv_pitch;
    path.direction = normalize(points.front() * scene.lights.pitch_mm - start.at_mm);
    path.start_cosine = dot(start.normal, path.direction);
    path.weights.traced =
        raise_inverse(scene.strategies.heuristic, evaluate_emission_density(scene, 0, path.direction));
    return visit(scene, points, scene.camera.origin, path);
}

/// All weights of the path from the film through `points` to the emitter.
double add_up_weights(SceneView const& scene, std::vector<Vec3> const& points, PointOnEmitter const& end)
{
    Vec3 const pitch = scene.lights.pitch_mm;
    Path path{};
    path.subpath = Subpath::camera;
    path.last_position = scene.camera.origin;
    path.direction = normalize((points.front() - scene.camera.origin) * pitch);
    std::vector<Vertex> const seen = visit(scene, points, end.at_mm * scene.medium.inv_pitch, path);
    std::vector<Vertex> const lit = visit_from_emitter(scene, end, {points.rbegin(), points.rend()});

    EmitterView const& emitter = scene.lights.emitters[0];
    Vec3 const from_mm = points.back() * pitch, way_mm = end.at_mm - from_mm;
    float const distance = exact::sqrt(dot(way_mm, way_mm)), cosine = -dot(path.direction, end.normal);
    EmitterHit const hit{0, from_mm, end.at_mm, path.direction, end.normal};
    float const density = evaluate_hit_density(emitter, hit, cosine);
    float const edge = estimate_edge(scene, 0, points.back(), path.direction, distance);
    double sum = weigh_found_light(scene, density, evaluate_emission_density(scene, 0, -path.direction), edge, path);

    LightSample<1> const sample{path.direction, distance, density, {1}, 0};
    sum += weigh_emitter(scene, seen.back(), sample,
                         evaluate_scattering(scene, seen.back(), Subpath::camera, path.direction, 0), 0);
    for (std::size_t i = 0; i + 1 < points.size(); ++i)
        sum += find_link(scene, seen[i], lit[points.size() - 2 - i], 0, scene.strategies.join_share).weight;
    FilmPoint const point = find_film_point(scene, points.front());
    EXPECT_NE(point.slot, kNoSlot);
    sum += weigh_shown_vertex(scene, lit.back(), point,
                              evaluate_scattering(scene, lit.back(), Subpath::light, point.direction, 0),
                              estimate_edge(scene, 0, points.front(), point.direction, point.distance_mm));
    return sum;
}

VolumeMeta make_box_meta(std::array<int, 3> dims, std::array<float, 3> pitch_mm)
{
    VolumeMeta meta;
    meta.dims = dims;
    meta.pitch_mm = pitch_mm;
    meta.scale = kSigmaT;
    meta.g = kG;
    return meta;
}

/// Any place of the medium where light may be scattered.
template <class Draw>
Vec3 draw_point(SceneView const& scene, Draw const& draw)
{
    for (;;) {
        float const x = draw(), y = draw(), z = draw();
        Vec3 const point = Vec3{x, y, z} * scene.medium.size_voxels;
        if (find_sigma_t(scene, point) > 0) return point;
    }
}

/// For a million paths between a lamp over the volume's box and the camera.
void expect_sums_of_one(PackedVolume const& volume)
{
    std::mt19937 numbers(7);
    std::uniform_real_distribution<float> unit(0, 1);
    int const paths = 1'000'000 / kHaste / 4;
    for (EmitterKind const kind : {EmitterKind::sphere, EmitterKind::rectangle})
        for (MisHeuristic const heuristic : {MisHeuristic::balance, MisHeuristic::power}) {
            Scene scene = make_scene(volume);
            Emitter lamp = make_emitter(kind, {1, 1, 5}, 1);
            lamp.radius_mm = 0.5;
            lamp.u_axis_mm = {0.7, 0, 0};
            lamp.v_axis_mm = {0, -0.4, 0};
            add_emitter(scene, lamp);
            scene.integrator = Integrator::bdpt;
            scene.heuristic = heuristic;
            RenderScene const built(scene, volume, nullptr, 1);
            double worst = 0;
            for (int i = 0; i < paths; ++i) {
                std::vector<Vec3> points(1 + numbers() % 6);
                for (Vec3& point : points) point = draw_point(built.view(), [&] { return unit(numbers); });
                Vec3 const offset{2 * unit(numbers) - 1, 2 * unit(numbers) - 1, -unit(numbers) - 0.01f};
                Vec3 const normal = kind == EmitterKind::sphere ? normalize(offset) : Vec3{0, 0, -1};
                Vec3 const way =
                    kind == EmitterKind::sphere ? 0.5f * normal : Vec3{0.7f * offset.x, 0.4f * offset.y, 0};
                PointOnEmitter const end{Vec3{1, 1, 5} + way, normal};
                Vec3 const from_mm = points.back() * built.view().lights.pitch_mm;
                if (!(dot(from_mm - end.at_mm, normal) > 0)) continue;
                worst = std::max(worst, std::abs(add_up_weights(built.view(), points, end) - 1));
            }
            EXPECT_LT(worst, 1e-3) << static_cast<int>(kind) << " " << static_cast<int>(heuristic);
        }
}

TEST(StrategyWeights, AddUpToOne)
{
    VolumeMeta meta = make_box_meta({4, 4, 4}, {0.5f, 0.4f, 0.6f});
    meta.extinction = Source::constant;
    expect_sums_of_one(make_volume(meta, {}));
}

TEST(StrategyWeights, AddUpToOneWhereBricksAreEmptyBesideDenseOnes)
{
    VolumeMeta meta = make_box_meta({20, 16, 24}, {0.1f, 0.1f, 0.1f});
    meta.extinction = Source::plane;
    meta.filter = Filter::nearest;
    expect_sums_of_one(
        make_volume(meta, {.density = [](int x, int y, int z) {
                        int const brick = x / 8 + y / 8 + z / 8;
                        return brick % 2 == 0 ? 0.0f : brick == 3 ? 6.0f : 0.25f * static_cast<float>(1 + x % 2);
                    }}));
}

struct StrategyLight {
    double sum = 0;
    double squares = 0;
    double count = 0;

    Measurement measure() const
    {
        double const mean = sum / count;
        return {mean, std::sqrt((squares / count - mean * mean) / (count - 1))};
    }
};

/// By number of vertices, from 1 on, then by strategy: found, emitter, joined to the particle's vertex 1, 2, .., shown.
using StrategyLights = std::vector<std::vector<StrategyLight>>;

/// Where a path of a chain is scattered, in order, from each end.
class ScatteringPlaces {
public:
    void clear()
    {
        for (std::vector<Vec3>& places : mm_) places.clear();
    }

    /// extend_path, of which each event may have a vertex: the particle's last one and the first seen from the film.
    template <class M>
    void extend(SceneView const& scene, PathOf<M>& path)
    {
        PathCounts counts;
        if (path.stage == Stage::inside) visit(scene, path, [&] { extend_inside<M>(scene, path, counts); });
        if (is_at_face(path) && !is_connecting<M>(path))
            visit(scene, path, [&] { extend_at_face<M>(scene, path, counts); });
        if (is_connecting<M>(path)) connect(M{}, scene, path, counts);
    }

    /// Whether the path has two consecutive vertices that near. Joining such vertices has no bounded weight.
    bool has_short_edge(double shortest_mm, std::uint32_t camera_vertices, std::uint32_t light_vertices) const
    {
        auto const& camera = mm_[static_cast<std::size_t>(Subpath::camera)];
        auto const& light = mm_[static_cast<std::size_t>(Subpath::light)];
        if (camera.size() < camera_vertices || light.size() < light_vertices) return true; // it has ended before
        std::vector<Vec3> path(camera.begin(), camera.begin() + camera_vertices);
        for (std::uint32_t i = light_vertices; i-- > 0;) path.push_back(light[i]);
        for (std::size_t i = 1; i < path.size(); ++i) {
            Vec3 const edge = path[i] - path[i - 1];
            if (static_cast<double>(dot(edge, edge)) < shortest_mm * shortest_mm) return true;
        }
        return false;
    }

private:
    template <class Path, class Event>
    void visit(SceneView const& scene, Path& path, Event const& event)
    {
        auto const subpath = static_cast<std::size_t>(path.subpath);
        path.event.vertex.order = 0;
        event();
        if (path.event.vertex.order > 0) mm_[subpath].push_back(path.event.vertex.position * scene.lights.pitch_mm);
    }

    std::vector<Vec3> mm_[2];
};

/// What each strategy adds to the film's mean by paths whose vertices are `shortest_mm` apart, up to a factor that all
/// have. The candidates of a Markov chain take the strategies one at a time.
StrategyLights measure_strategies(Scene const& scene, PackedVolume const& volume, double shortest_mm,
                                  Heuristic heuristic, std::uint32_t candidates)
{
    RenderScene const built(scene, volume, nullptr, 3);
    SceneView view = built.view();
    view.strategies.heuristic = heuristic;
    view.metropolis.bootstrap = candidates;
    StrategyLights lights;
    for (std::uint32_t n = 1; n <= scene.mlt.longest; ++n) lights.emplace_back(n + 2);
    with_bidirectional_medium<1, Transport::metropolis>(view, [&](auto medium) {
        using M = decltype(medium);
        PathMemory<PathOf<M>> memory;
        PathOf<M> path = start_path_in<M>(view, {});
        path.memory = &memory;
        ScatteringPlaces places;
        for (; begin_evaluation(M{}, view, path); places.clear()) {
            while (path.stage != Stage::ended) places.extend<M>(view, path);
            auto const& chain = path.chain;
            if (chain.kind == Evaluation::candidate) {
                std::uint32_t const strategy =
                    chain.light_vertices > 0 ? chain.light_vertices + 1 : static_cast<std::uint32_t>(chain.strategy);
                double value = static_cast<double>(read_sample(view, path).value[0]) / (chain.vertices + 2);
                if (places.has_short_edge(shortest_mm, chain.camera_vertices, chain.light_vertices)) value = 0;
                StrategyLight& light = lights[chain.vertices - 1][strategy];
                light.sum += value;
                light.squares += value * value;
                light.count += 1;
            }
            end_evaluation(view, path);
        }
    });
    return lights;
}

/// The one with the least relative error.
Measurement find_best(std::vector<StrategyLight> const& strategies)
{
    std::vector<Measurement> found;
    for (StrategyLight const& light : strategies)
        if (light.sum > 0) found.push_back(light.measure());
    return std::ranges::min(found, {}, [](Measurement const& light) { return light.standard_error / light.mean; });
}

/// For every number of vertices, each strategy alone against the one with the least error; and with weights, all
/// together.
void expect_equal_strategies(Scene scene, PackedVolume const& volume, double shortest_mm, std::uint32_t vertices)
{
    constexpr std::uint32_t kCandidates = 6'000'000 / kHaste;
    scene.integrator = Integrator::mlt;
    scene.mlt = {.mutations = 1, .bootstrap = 1, .chains = 1, .longest = vertices};
    StrategyLights const alone = measure_strategies(scene, volume, shortest_mm, Heuristic::none, kCandidates);
    StrategyLights const balanced = measure_strategies(scene, volume, shortest_mm, Heuristic::balance, kCandidates);
    StrategyLights const squared = measure_strategies(scene, volume, shortest_mm, Heuristic::power, kCandidates);
    double const haste = std::sqrt(kHaste);
    for (std::uint32_t n = 1; n <= vertices; ++n) {
        std::string const name = std::to_string(n) + " vertices";
        Measurement const best = find_best(alone[n - 1]);
        EXPECT_GT(best.mean * haste, 25 * best.standard_error) << name;
        for (std::uint32_t strategy = 0; strategy < n + 2; ++strategy) {
            Measurement const light = alone[n - 1][strategy].measure();
            std::string const place = name + ", strategy " + std::to_string(strategy);
            EXPECT_GT(light.mean * haste, 5 * light.standard_error) << place;
            if (light.mean != best.mean) expect_equal_means(best, light, place);
        }
        for (StrategyLights const* weighted : {&balanced, &squared}) {
            Measurement sum;
            for (StrategyLight const& strategy : (*weighted)[n - 1]) {
                Measurement const light = strategy.measure();
                sum = {sum.mean + light.mean, std::hypot(sum.standard_error, light.standard_error)};
            }
            expect_equal_means(best, sum, name + ", weighted");
        }
    }
}

TEST(Strategies, EachAloneFindsAllLightOfAMedium)
{
    VolumeMeta meta = make_box_meta({4, 4, 4}, {0.5f, 0.5f, 0.5f});
    meta.extinction = Source::constant;
    meta.scale = 1.5f;
    meta.constant_one_minus_albedo = {0.05f};
    PackedVolume const cube = make_volume(meta, {});
    Scene scene = make_scene(cube, 8, 6);
    add_emitter(scene, make_sized(EmitterKind::sphere, {1, 1, 5}, 2.5, 20));
    expect_equal_strategies(scene, cube, 0.4, 3);
}

TEST(Strategies, EachAloneFindsAllLightAmongSurfaces)
{
    SurroundingShapes shapes;
    add_mesh(shapes, make_box({-4, 3, 0}, {5, 3.5f, 3}), make_bsdf(BsdfKind::diffuse, 0.7f));
    PackedVolume const volume = make_cube_among(shapes, 0.6f, 0.1f);
    Scene scene = make_surrounded_picture(volume);
    scene.width = 8;
    scene.height = 6;
    scene.boundary = {};
    add_emitter(scene, make_sized(EmitterKind::sphere, {2, -3, 5}, 1.5, 20));
    expect_equal_strategies(scene, volume, 1, 3);
}

} // namespace
} // namespace volpt::test
