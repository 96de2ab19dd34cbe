// Walks a few paths and counts the flights that long steps would leave of them.
#include "libvolpt/cpu/choose_long_steps.h"

#include "libvolpt/core/extend_path.hd.h"
#include "libvolpt/scene/long_steps_tables.h"
#include "libvolpt/scene/render_scene.h"

namespace volpt {
namespace {

constexpr std::uint32_t kPilotPaths = 2048;
constexpr std::uint64_t kMostFlights = 1 << 21; // bounds the time

/// Plain flights that a flight with the room for a step before it must stand for. On a core with AVX-512, ratio of
/// flights: ratio of paths a second: CT 1.1: 0.7, thin print on a core of 1 mm 1.2: 0.8, cgg-logo 2.1: 0.8 (an H200:
/// 0.8), cube of 32 mean free paths 3.2: 1.3, colour wheel on 10 mm of white 7.4: 2.8 (an H200: 3.8), unit cube of 100
/// mean free paths 10: 4.3, slab of white 14: 6.3.
constexpr double kWorthySaving = 3;

/// The sphere that a path would pass in one step, followed in the path's own displacements: a seam may lie in it.
class PassedSphere {
public:
    template <class M>
    void enter(SceneView const& scene, PathState<1> const& path)
    {
        StepSphere<1> const sphere = find_step_sphere<M>(scene.medium, scene.long_steps, path);
        if (sphere.level < 0) return;
        inside_ = true;
        radius_mm_ = sphere_radius(sphere.level) / sphere.brick->sigma_t;
        offset_mm_ = {};
    }

    void move(SceneView const& scene, Vec3 from, Vec3 to)
    {
        Vec3 const wraps = scene.long_steps.wraps, size = scene.medium.size_voxels;
        auto const along = [](float a, float b, float period, float wrapped) {
            float const moved = b - a;
            return exact::abs(moved) > 0.5f * period ? moved - wrapped * exact::copysign(period, moved) : moved;
        };
        Vec3 const moved{along(from.x, to.x, size.x, wraps.x), along(from.y, to.y, size.y, wraps.y),
                         along(from.z, to.z, size.z, wraps.z)};
        Vec3 const inv = scene.medium.inv_pitch;
        offset_mm_ = offset_mm_ + Vec3{moved.x / inv.x, moved.y / inv.y, moved.z / inv.z};
        if (dot(offset_mm_, offset_mm_) > radius_mm_ * radius_mm_) inside_ = false;
    }

    bool is_inside() const { return inside_; }
    void leave() { inside_ = false; }

private:
    bool inside_ = false;
    float radius_mm_ = 0;
    Vec3 offset_mm_;
};

template <class M>
void follow_path(SceneView const& scene, PathId id, FlightCounts& flights)
{
    PathState<1> path = start_path<1>(scene, id);
    PassedSphere sphere;
    PathCounts counts;
    while (path.stage != Stage::ended && flights.plain < kMostFlights) {
        if (path.stage == Stage::inside && !sphere.is_inside()) sphere.template enter<M>(scene, path);
        Vec3 const from = path.position;
        extend_path<Medium<1, M::kExtinction, M::kGrid>>(scene, path, counts);
        if (sphere.is_inside()) sphere.move(scene, from, path.position);
        if (path.stage != Stage::inside) sphere.leave();
        flights.plain += 1;
        flights.stepping += sphere.is_inside() ? 0u : 1u;
    }
}

} // namespace

FlightCounts count_flights(Scene scene, PackedVolume const& volume)
{
    scene.long_steps = LongSteps::off;
    scene.environment = {};
    RenderScene const plain(std::move(scene), volume, nullptr, 0);
    SceneView view = plain.view();
    view.path_bands = 1; // one band tells as much as three on a path
    LongStepsTables tables;
    tables.fill(volume.view(), view);
    FlightCounts flights;
    if (view.long_steps.on == 0u) return flights;
    std::uint64_t const pixels = std::uint64_t{view.width} * view.height;
    for (std::uint32_t i = 0; i < kPilotPaths; ++i) {
        std::uint64_t const pixel = (2 * i + 1) * pixels / (2 * kPilotPaths);
        PathId const id{static_cast<std::uint32_t>(pixel % view.width), static_cast<std::uint32_t>(pixel / view.width),
                        i, i % view.bands, 0};
        with_medium<1, Steps::spheres>(view, [&]<class M>(M) { follow_path<M>(view, id, flights); });
    }
    return flights;
}

LongSteps choose_long_steps(Scene const& scene, PackedVolume const& volume)
{
    if (scene.majorant == MajorantKind::global) return LongSteps::off;
    FlightCounts const flights = count_flights(scene, volume);
    bool const worth = flights.plain > 0 &&
                       static_cast<double>(flights.plain) >= kWorthySaving * static_cast<double>(flights.stepping);
    return worth ? LongSteps::on : LongSteps::off;
}

} // namespace volpt
