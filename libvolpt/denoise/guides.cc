#include "libvolpt/denoise/guides.h"

#include "libvolpt/denoise/guide_ray.h"
#include "libvolpt/sys/parallel.h"

namespace volpt {
namespace {

Guides make_guides(SceneView const& scene)
{
    Guides guides;
    guides.width = scene.width;
    guides.height = scene.height;
    guides.bands = scene.bands;
    std::size_t const pixels = guides.pixels();
    guides.coverage.resize(pixels);
    guides.depth_mm.resize(pixels);
    for (auto& component : guides.normal) component.resize(pixels);
    guides.albedo.assign(scene.bands, std::vector<float>(pixels));
    guides.beneath.assign(scene.bands, std::vector<float>(pixels));
    guides.thinness.resize(pixels);
    guides.emission.resize(pixels);
    guides.label.resize(pixels);
    return guides;
}

void add_sample(GuideSample const& sample, float weight, std::size_t pixel, Guides& guides)
{
    auto const add = [&](std::vector<float>& plane, float value) { plane[pixel] += weight * value; };
    add(guides.coverage, sample.coverage);
    add(guides.depth_mm, sample.depth_mm);
    add(guides.normal[0], sample.normal.x);
    add(guides.normal[1], sample.normal.y);
    add(guides.normal[2], sample.normal.z);
    for (std::uint32_t b = 0; b < guides.bands; ++b) {
        add(guides.albedo[b], sample.albedo[b]);
        add(guides.beneath[b], sample.beneath[b]);
    }
    add(guides.thinness, sample.thinness);
    add(guides.emission, sample.emission);
}

} // namespace

Guides cast_guides(SceneView const& scene, RaysPerPixel rays, int threads)
{
    constexpr int kRowsPerPiece = 4;
    Guides guides = make_guides(scene);
    auto const edge = static_cast<std::uint32_t>(rays);
    float const step = 1.0f / static_cast<float>(edge), weight = step * step;
    parallel_for_rows(threads, static_cast<int>(scene.height), kRowsPerPiece, [&](RowRange rows) {
        for (auto y = static_cast<std::uint32_t>(rows.first); y < static_cast<std::uint32_t>(rows.end); ++y)
            for (std::uint32_t x = 0; x < scene.width; ++x) {
                std::size_t const pixel = std::size_t{y} * scene.width + x;
                for (std::uint32_t k = 0; k < edge * edge; ++k) {
                    float const px = static_cast<float>(x) + step * (static_cast<float>(k % edge) + 0.5f);
                    float const py = static_cast<float>(y) + step * (static_cast<float>(k / edge) + 0.5f);
                    GuideSample const sample = cast_guide_ray(scene, px, py);
                    add_sample(sample, weight, pixel, guides);
                    if (k == edge * edge / 2) guides.label[pixel] = sample.label;
                }
            }
    });
    return guides;
}

} // namespace volpt
