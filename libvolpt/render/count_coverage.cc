#include "libvolpt/render/count_coverage.h"

#include "libvolpt/core/surface/texel_start.hd.h"
#include "libvolpt/render/first_event.h"
#include "libvolpt/sys/parallel.h"

namespace volpt {
namespace {

bool hits_something(SceneView const& scene, PathId id)
{
    if (scene.texture_probe == nullptr) return find_first_event(scene, id).has_value();
    Vec3 const place = start_path<1>(scene, id).position;
    return find_texel_triangle(scene.texture_probe->charts, place).triangle != kNoTriangle;
}

std::uint64_t count_hits(SceneView const& scene, PathId id, SampleRanges const& samples)
{
    std::uint64_t hits = 0;
    for (SampleRange const& range : samples)
        for (std::uint64_t sample = range.first; sample < range.first + range.count; ++sample) {
            id.sample = static_cast<std::uint32_t>(sample);
            hits += hits_something(scene, id) ? 1u : 0u;
        }
    return hits;
}

} // namespace

std::vector<std::uint64_t> count_coverage(SceneView const& scene, RenderTile const& area, SampleRanges const& samples,
                                          int threads)
{
    constexpr int kRowsPerPiece = 4;
    std::size_t const width = area.x1 - area.x0;
    std::vector<std::uint64_t> hits(width * (area.y1 - area.y0));
    // Up to its first event, a path of one band does what one of all bands does, if it has its random numbers.
    SceneView of_first_band = scene;
    if (carries_all_bands(scene)) of_first_band.medium.band_number[0] = 0;
    parallel_for_rows(threads, static_cast<int>(area.y1 - area.y0), kRowsPerPiece, [&](RowRange rows) {
        for (auto y = static_cast<std::uint32_t>(rows.first); y < static_cast<std::uint32_t>(rows.end); ++y)
            for (std::uint32_t x = 0; x < width; ++x)
                hits[y * width + x] = count_hits(
                    of_first_band, {.x = area.x0 + x, .y = area.y0 + y, .sample = 0, .band = 0, .slot = 0}, samples);
    });
    return hits;
}

} // namespace volpt
