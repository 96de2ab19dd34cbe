#include "libvolpt/cpu/choose_long_steps.h"

#include "libvolpt/backend/render_tile.h"
#include "libvolpt/cpu/path_walk.h"
#include "libvolpt/scene/long_steps_tables.h"
#include "libvolpt/scene/render_scene.h"

namespace volpt {
namespace {

constexpr std::uint32_t kPaths = 2048;
constexpr std::uint64_t kMostFlights = 1 << 21; // bounds the time

/// Long steps pay if they leave at most one of so many flights. On a core with AVX-512, ratio of flights: ratio of
/// paths per second: CT 1.1: 0.7, thin print on a core of 1 mm 1.2: 0.8, cgg-logo 2.1: 0.8 (an H200: 0.8), cube of 32
/// mean free paths 3.2: 1.3, colour wheel on 10 mm of white 7.4: 2.8 (an H200: 3.8), unit cube of 100 mean free paths
/// 10: 4.3, slab of white 14: 6.3.
constexpr double kWorthySaving = 3;

/// What an outcome of a bank costs, in flights, at most: outcomes are made one by one, flights are taken on all lanes.
/// On a core with AVX-512, a bank of 22 levels for a slab of white takes as long as 24 million flights, 65 an outcome.
constexpr double kOutcomeFlights = 150;

/// What a search for triangles costs, in flights: of a core with AVX-512 about 400 and 8 ns (79,380 triangles).
constexpr double kSearchFlights = 50;

/// Counts the events of paths, and of those the ones that long steps would leave: whatever a path does inside the
/// sphere that it has room for would be one step. M is the medium with long steps.
template <class M>
class FlightCounter {
public:
    FlightCounter(SceneView const& scene, FlightCounts& flights) : scene_(scene), flights_(flights) {}

    bool wants_more() const { return flights_.plain < kMostFlights; }

    void begin_event(PathState<1> const& path)
    {
        if (path.stage == Stage::inside && !inside_) enter_sphere(path);
        from_ = path.position;
        flies_ = path.stage == Stage::inside;
    }

    void see_flight(Flight const&) {}

    void end_event(PathState<1> const& path)
    {
        if (inside_) move(from_, path.position);
        if (path.stage != Stage::inside) inside_ = false;
        flights_.plain += 1;
        flights_.stepping += inside_ ? 0u : 1u;
        if constexpr (M::kSurfaces != Surfaces::box) {
            std::uint64_t const searches = needs_search(path) ? 1 : 0;
            flights_.plain_searches += searches;
            flights_.stepping_searches += inside_ ? 0u : searches;
        }
    }

private:
    /// Whether triangles are searched in the event that ends: outside, and in flights that the surface may end.
    bool needs_search(PathState<1> const& path) const
    {
        bool const stays = flies_ && path.stage == Stage::inside;
        return !stays || !is_clear_flight(scene_.medium, scene_.surface, from_, path.position);
    }

    StepRegion<M::kSteps, 1> find_sphere(PathState<1> const& path) const
    {
        if constexpr (M::kSurfaces == Surfaces::box)
            return find_step_region<M>(scene_.medium, scene_.long_steps, path);
        else
            return find_step_region_in_mesh<M>(scene_, path);
    }

    void enter_sphere(PathState<1> const& path)
    {
        StepRegion<M::kSteps, 1> const sphere = find_sphere(path);
        if (sphere.level < 0) return;
        inside_ = true;
        radius_mm_ = sphere_radius(sphere.level) / sphere.brick->sigma_t;
        offset_mm_ = {};
    }

    /// Follows the path's own displacements: a seam may lie in the sphere.
    void move(Vec3 from, Vec3 to)
    {
        Vec3 const inv_period = scene_.long_steps.inv_period, size = scene_.medium.size_voxels;
        auto const along = [](float a, float b, float period, float inverse) {
            float const moved = b - a;
            bool const wraps = inverse > 0.0f && exact::abs(moved) > 0.5f * period;
            return wraps ? moved - exact::copysign(period, moved) : moved;
        };
        Vec3 const moved{along(from.x, to.x, size.x, inv_period.x), along(from.y, to.y, size.y, inv_period.y),
                         along(from.z, to.z, size.z, inv_period.z)};
        Vec3 const inv = scene_.medium.inv_pitch;
        offset_mm_ = offset_mm_ + Vec3{moved.x / inv.x, moved.y / inv.y, moved.z / inv.z};
        if (dot(offset_mm_, offset_mm_) > radius_mm_ * radius_mm_) inside_ = false;
    }

    SceneView const& scene_;
    FlightCounts& flights_;
    Vec3 from_;
    bool flies_ = false;  ///< the event is one of a path that was inside
    bool inside_ = false; ///< a sphere
    float radius_mm_ = 0;
    Vec3 offset_mm_;
};

template <Surfaces surfaces>
void count_flights(SceneView const& view, FlightCounts& flights)
{
    with_medium<1, Steps::spheres, surfaces>(view, [&]<class M>(M) {
        using Walk = Medium<1, M::kExtinction, M::kGrid, Steps::plain, surfaces>;
        FlightCounter<M> counter(view, flights);
        for (std::uint32_t i = 0; i < kPaths && counter.wants_more(); ++i, ++flights.paths)
            walk_path<Walk>(view, spread_path(view, i, kPaths, i), counter);
    });
}

} // namespace

FlightCounts count_flights(Scene scene, PackedVolume const& volume)
{
    scene.long_steps = LongSteps::plain;
    scene.environment = {};
    RenderScene const plain(std::move(scene), volume, nullptr, 0);
    SceneView view = view_for_walk(plain.view());
    LongStepsTables tables;
    tables.fill(volume.view(), Steps::spheres, view);
    FlightCounts flights;
    if (view.long_steps.kind == Steps::plain) return flights;
    flights.bank_outcomes = count_outcomes(view.long_steps);
    flights.bank_paths = std::uint64_t{view.width} * view.height * count_paths_per_sample(plain.view()) * kBankSamples;
    if (view.surface.on != 0u)
        count_flights<Surfaces::surroundings>(view, flights);
    else
        count_flights<Surfaces::box>(view, flights);
    return flights;
}

LongSteps choose_long_steps(Scene const& scene, PackedVolume const& volume)
{
    if (scene.majorant == MajorantKind::global) return LongSteps::plain;
    if (volume.view().albedo_filter != AlbedoFilter::of_scattering) return LongSteps::plain;
    FlightCounts const flights = count_flights(scene, volume);
    if (flights.plain == 0) return LongSteps::plain;
    double const banks = static_cast<double>(flights.paths) / static_cast<double>(flights.bank_paths);
    double const bank_flights = banks * kOutcomeFlights * static_cast<double>(flights.bank_outcomes);
    double const plain =
        static_cast<double>(flights.plain) + kSearchFlights * static_cast<double>(flights.plain_searches);
    double const stepping = kWorthySaving * static_cast<double>(flights.stepping) +
                            kSearchFlights * static_cast<double>(flights.stepping_searches);
    bool const pays = plain >= stepping + bank_flights;
    return pays ? LongSteps::spheres : LongSteps::plain;
}

} // namespace volpt
