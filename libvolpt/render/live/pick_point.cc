#include "libvolpt/render/live/pick_point.h"

#include "libvolpt/backend/render_tile.h"
#include "libvolpt/render/first_event.h"

#include <algorithm>
#include <vector>

namespace volpt {
namespace {

constexpr std::uint32_t kPaths = 65;

/// In mm along the box's axes from its corner.
std::vector<Vec3d> find_first_events(SceneView const& scene, PathId id)
{
    std::vector<Vec3d> points;
    Vec3 const inv_pitch = scene.medium.inv_pitch;
    for (id.sample = 0; id.sample < kPaths; ++id.sample)
        if (auto const at = find_first_event(scene, id))
            points.push_back({double{at->x} / inv_pitch.x, double{at->y} / inv_pitch.y, double{at->z} / inv_pitch.z});
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

std::optional<Vec3d> pick_point(RenderScene const& scene, VolumeMeta const& meta, double x, double y)
{
    if (scene.scene().camera.kind == CameraKind::probe) return std::nullopt;
    SceneView of_first_band = scene.view();
    if (carries_all_bands(of_first_band)) of_first_band.medium.band_number[0] = 0;
    PathId const id{.x = choose_pixel(x, of_first_band.width),
                    .y = choose_pixel(y, of_first_band.height),
                    .sample = 0,
                    .band = 0,
                    .slot = 0};
    std::vector<Vec3d> points = find_first_events(of_first_band, id);
    if (2 * points.size() <= kPaths) return std::nullopt;
    for (Vec3d& point : points) point = turn_into_world(meta.placement, point);
    Vec3d const& eye = scene.scene().camera.origin_world;
    auto const median = points.begin() + static_cast<std::ptrdiff_t>(points.size() / 2);
    std::nth_element(points.begin(), median, points.end(),
                     [&](Vec3d const& a, Vec3d const& b) { return square_distance(a, eye) < square_distance(b, eye); });
    return *median;
}

} // namespace volpt
