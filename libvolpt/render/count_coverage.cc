#include "libvolpt/render/count_coverage.h"

#include "libvolpt/core/light/transports.hd.h"
#include "libvolpt/core/surface/nested_solids.hd.h"
#include "libvolpt/core/surface/texel_start.hd.h"
#include "libvolpt/sys/parallel.h"

namespace volpt {
namespace {

/// All events but the escape add to the depth.
template <class M>
bool hits_something(SceneView const& scene, PathId id)
{
    if (scene.texture_probe != nullptr)
        return find_texel_triangle(scene.texture_probe->charts, start_path<1>(scene, id).position).triangle !=
               kNoTriangle;
    PathCounts counts;
    PathOf<M> path = start_path_in<M>(scene, id);
    while (path.stage != Stage::ended && path.depth == 0) extend_path<M>(scene, path, counts);
    return path.depth != 0;
}

template <class M>
std::uint64_t count_hits(SceneView const& scene, PathId id, SampleRanges const& samples)
{
    std::uint64_t hits = 0;
    for (SampleRange const& range : samples)
        for (std::uint64_t sample = range.first; sample < range.first + range.count; ++sample) {
            id.sample = static_cast<std::uint32_t>(sample);
            hits += hits_something<M>(scene, id) ? 1u : 0u;
        }
    return hits;
}

template <Surfaces surfaces>
void count_all(SceneView const& scene, RenderTile const& area, SampleRanges const& samples, int threads,
               std::vector<std::uint64_t>& hits)
{
    constexpr int kRowsPerPiece = 4;
    std::size_t const width = area.x1 - area.x0;
    auto const count = [&](auto medium) {
        parallel_for_rows(threads, static_cast<int>(area.y1 - area.y0), kRowsPerPiece, [&](RowRange rows) {
            for (auto y = static_cast<std::uint32_t>(rows.first); y < static_cast<std::uint32_t>(rows.end); ++y)
                for (std::uint32_t x = 0; x < width; ++x)
                    hits[y * width + x] = count_hits<decltype(medium)>(
                        scene, {.x = area.x0 + x, .y = area.y0 + y, .sample = 0, .band = 0, .slot = 0}, samples);
        });
    };
    if (has_interfaces(scene) || has_nested_solids(scene))
        count(EmitterMedium<1, surfaces, Transport::emitters>{});
    else
        with_medium<1, Steps::plain, surfaces>(scene, count);
}

} // namespace

std::vector<std::uint64_t> count_coverage(SceneView const& scene, RenderTile const& area, SampleRanges const& samples,
                                          int threads)
{
    std::vector<std::uint64_t> hits(std::size_t{area.x1 - area.x0} * (area.y1 - area.y0));
    // Up to its first event, a path of one band does what one of all bands does, if it has its random numbers.
    SceneView of_first_band = scene;
    if (carries_all_bands(scene)) of_first_band.medium.band_number[0] = 0;
    if (scene.surface.on != 0u)
        count_all<Surfaces::surroundings>(of_first_band, area, samples, threads, hits);
    else
        count_all<Surfaces::box>(of_first_band, area, samples, threads, hits);
    return hits;
}

} // namespace volpt
