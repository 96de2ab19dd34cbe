#include "libvolpt/render/live/find_first_event.h"

#include "libvolpt/backend/render_tile.h"
#include "libvolpt/core/light/transports.hd.h"
#include "libvolpt/core/surface/nested_solids.hd.h"

#include <algorithm>
#include <vector>

namespace volpt {
namespace {

constexpr std::uint32_t kPaths = 65;

/// Position of a path after its first event, in mm along the box's axes from its corner; none if it escapes before.
template <class M>
std::optional<Vec3d> trace_to_event(SceneView const& scene, PathId id)
{
    PathCounts counts;
    PathOf<M> path = start_path_in<M>(scene, id);
    while (path.stage != Stage::ended && path.depth == 0) extend_path<M>(scene, path, counts);
    if (path.depth == 0) return std::nullopt;
    Vec3 const pitch = scene.medium.inv_pitch;
    return Vec3d{double{path.position.x} / pitch.x, double{path.position.y} / pitch.y,
                 double{path.position.z} / pitch.z};
}

template <Surfaces surfaces>
std::vector<Vec3d> trace_all(SceneView const& scene, PathId id)
{
    std::vector<Vec3d> points;
    auto const trace = [&](auto medium) {
        for (id.sample = 0; id.sample < kPaths; ++id.sample)
            if (auto const point = trace_to_event<decltype(medium)>(scene, id)) points.push_back(*point);
    };
    if (has_interfaces(scene) || has_nested_solids(scene))
        trace(EmitterMedium<1, surfaces, Transport::emitters>{});
    else
        with_medium<1, Steps::plain, surfaces>(scene, trace);
    return points;
}

Vec3d turn_into_world(Placement const& placement, Vec3d const& in_box)
{
    Vec3d world = placement.origin_world_mm;
    for (std::size_t row = 0; row < 3; ++row)
        for (std::size_t column = 0; column < 3; ++column)
            world[row] += placement.rotation[3 * row + column] * in_box[column];
    return world;
}

double square_distance(Vec3d const& a, Vec3d const& b)
{
    double sum = 0;
    for (std::size_t i = 0; i < 3; ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum;
}

std::uint32_t choose_pixel(double place, std::uint32_t size)
{
    return static_cast<std::uint32_t>(std::clamp(place * size, 0.0, size - 1.0));
}

} // namespace

std::optional<Vec3d> find_first_event(RenderScene const& scene, VolumeMeta const& meta, double x, double y)
{
    if (scene.scene().camera.kind == CameraKind::probe) return std::nullopt;
    SceneView of_first_band = scene.view();
    if (carries_all_bands(of_first_band)) of_first_band.medium.band_number[0] = 0;
    PathId const id{.x = choose_pixel(x, of_first_band.width),
                    .y = choose_pixel(y, of_first_band.height),
                    .sample = 0,
                    .band = 0,
                    .slot = 0};
    bool const has_surface = of_first_band.surface.on != 0u;
    std::vector<Vec3d> points = has_surface ? trace_all<Surfaces::surroundings>(of_first_band, id)
                                            : trace_all<Surfaces::box>(of_first_band, id);
    if (2 * points.size() <= kPaths) return std::nullopt;
    for (Vec3d& point : points) point = turn_into_world(meta.placement, point);
    Vec3d const& eye = scene.scene().camera.origin_world;
    auto const median = points.begin() + static_cast<std::ptrdiff_t>(points.size() / 2);
    std::nth_element(points.begin(), median, points.end(),
                     [&](Vec3d const& a, Vec3d const& b) { return square_distance(a, eye) < square_distance(b, eye); });
    return *median;
}

} // namespace volpt
