#include "libvolpt/denoise/guides.h"

#include "libvolpt/denoise/guide_ray.h"
#include "libvolpt/sys/parallel.h"

#include <algorithm>
#include <array>
#include <cmath>

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
    return guides;
}

class GuideCaster {
public:
    GuideCaster(SceneView const& scene, int threads, GoesOn const& goes_on)
        : media_(scene), threads_(threads), goes_on_(goes_on), guides_(make_guides(scene))
    {
    }

    void cast_grid()
    {
        visit_rows([this](std::uint32_t y) {
            for (std::uint32_t x = 0; x < guides_.width; ++x) cast_four(x, y);
        });
    }

    /// Every other pixel of every other row, then those between, as far as their neighbours differ.
    void cast_sparse()
    {
        visit_rows([this](std::uint32_t y) {
            for (std::uint32_t x = 0; y % 2 == 0 && x < guides_.width; x += 2) cast_one(x, y);
        });
        scale_depths();
        visit_rows([this](std::uint32_t y) {
            if (y % 2 == 1) fill(y, 1, {{{-1, -1}, {1, -1}, {-1, 1}, {1, 1}}});
        });
        visit_rows([this](std::uint32_t y) { fill(y, 1 - y % 2, {{{0, -1}, {-1, 0}, {1, 0}, {0, 1}}}); });
        sharpen_edges();
    }

    Guides finish() { return std::move(guides_); }

private:
    struct Offset {
        int x, y;
    };
    using Neighbours = std::array<Offset, 4>;

    template <class Visit>
    void visit_rows(Visit const& visit) const
    {
        constexpr int kRowsPerPiece = 4;
        parallel_for_rows(threads_, static_cast<int>(guides_.height), kRowsPerPiece, [&](RowRange rows) {
            check_interruption(goes_on_);
            for (auto y = static_cast<std::uint32_t>(rows.first); y < static_cast<std::uint32_t>(rows.end); ++y)
                visit(y);
        });
    }

    /// visit(plane, scale), whose values times the scale are about 0 to 1.
    template <class Visit>
    void visit_planes(Visit const& visit)
    {
        visit(guides_.coverage, 1.0f);
        for (auto& component : guides_.normal) visit(component, 1.0f);
        visit(guides_.depth_mm, per_depth_mm_);
        visit(guides_.emission, per_emission_);
        visit(guides_.thinness, 1.0f);
        for (std::uint32_t b = 0; b < guides_.bands; ++b) {
            visit(guides_.albedo[b], 1.0f);
            visit(guides_.beneath[b], 1.0f);
        }
    }

    void cast_one(std::uint32_t x, std::uint32_t y)
    {
        cast_rays(x, y, [](auto const& add) { add(0.5f, 0.5f, 1.0f); });
    }
    void cast_four(std::uint32_t x, std::uint32_t y)
    {
        cast_rays(x, y, [](auto const& add) {
            for (float const in_y : {0.25f, 0.75f})
                for (float const in_x : {0.25f, 0.75f}) add(in_x, in_y, 0.25f);
        });
    }
    template <class Visit>
    void cast_rays(std::uint32_t x, std::uint32_t y, Visit const& visit)
    {
        std::size_t const pixel = std::size_t{y} * guides_.width + x;
        visit_planes([pixel](std::vector<float>& plane, float) { plane[pixel] = 0; });
        visit([&](float in_x, float in_y, float weight) {
            add(cast_guide_ray(media_, static_cast<float>(x) + in_x, static_cast<float>(y) + in_y), weight, pixel);
        });
    }
    void add(GuideSample const& sample, float weight, std::size_t pixel)
    {
        guides_.coverage[pixel] += weight * sample.coverage;
        guides_.depth_mm[pixel] += weight * sample.depth_mm;
        guides_.normal[0][pixel] += weight * sample.normal.x;
        guides_.normal[1][pixel] += weight * sample.normal.y;
        guides_.normal[2][pixel] += weight * sample.normal.z;
        for (std::uint32_t b = 0; b < guides_.bands; ++b) {
            guides_.albedo[b][pixel] += weight * sample.albedo[b];
            guides_.beneath[b][pixel] += weight * sample.beneath[b];
        }
        guides_.thinness[pixel] += weight * sample.thinness;
        guides_.emission[pixel] += weight * sample.emission;
    }

    void scale_depths()
    {
        float const depth_mm = *std::ranges::max_element(guides_.depth_mm);
        float nearest_mm = 0;
        bool has_nearest = false;
        for (std::size_t i = 0; i < guides_.pixels(); ++i)
            if (guides_.coverage[i] > 0.99f) {
                nearest_mm = has_nearest ? std::min(nearest_mm, guides_.depth_mm[i]) : guides_.depth_mm[i];
                has_nearest = true;
            }
        per_depth_mm_ = depth_mm > nearest_mm ? 1 / (depth_mm - nearest_mm) : 0;
        float const emission = *std::ranges::max_element(guides_.emission);
        per_emission_ = emission > 0 ? 1 / emission : 0;
    }

    /// Every other pixel of a row from the first one on: the mean of its neighbours where they agree, else of a ray.
    void fill(std::uint32_t y, std::uint32_t first, Neighbours const& neighbours)
    {
        std::uint32_t const width = guides_.width;
        std::vector<float> differences(width);
        bool const is_inner = y > 0 && y + 1 < guides_.height;
        auto const last = std::max(width, 1u) - 1;
        auto const visit_inner = [&](auto const& visit) {
            for (std::uint32_t x = first > 0 ? first : 2; x < last; x += 2) visit(x, std::size_t{y} * width + x);
        };
        auto const at = [&](std::vector<float> const& plane, std::size_t pixel, Offset by) {
            return plane[pixel + static_cast<std::size_t>(by.y * static_cast<std::ptrdiff_t>(width) + by.x)];
        };
        if (is_inner)
            visit_planes([&](std::vector<float> const& plane, float scale) {
                visit_inner([&](std::uint32_t x, std::size_t pixel) {
                    float const a = at(plane, pixel, neighbours[0]), b = at(plane, pixel, neighbours[1]);
                    float const c = at(plane, pixel, neighbours[2]), d = at(plane, pixel, neighbours[3]);
                    float const range =
                        std::max(std::max(a, b), std::max(c, d)) - std::min(std::min(a, b), std::min(c, d));
                    differences[x] = std::max(differences[x], scale * range);
                });
            });
        for (std::uint32_t x = first; x < width; x += 2)
            if (!is_inner || x == 0 || x >= last || differences[x] > kSame) {
                cast_one(x, y);
                differences[x] = kCast;
            }
        if (is_inner)
            visit_planes([&](std::vector<float>& plane, float) {
                visit_inner([&](std::uint32_t x, std::size_t pixel) {
                    if (differences[x] >= kCast) return;
                    plane[pixel] = 0.25f * ((at(plane, pixel, neighbours[0]) + at(plane, pixel, neighbours[1])) +
                                            (at(plane, pixel, neighbours[2]) + at(plane, pixel, neighbours[3])));
                });
            });
    }

    /// Where what is seen ends or bends, a pixel is the mean of several rays.
    void sharpen_edges()
    {
        std::uint32_t const width = guides_.width, height = guides_.height;
        std::vector<unsigned char> is_edge(guides_.pixels());
        visit_rows([&](std::uint32_t y) {
            auto const mark = [&](std::vector<float> const& plane, float scale) {
                float const* const row = plane.data() + std::size_t{y} * width;
                float const* const above = y > 0 ? row - width : row;
                float const* const below = y + 1 < height ? row + width : row;
                unsigned char* const marks = is_edge.data() + std::size_t{y} * width;
                for (std::uint32_t x = 0; x < width; ++x) {
                    std::uint32_t const left = x > 0 ? x - 1 : x, right = x + 1 < width ? x + 1 : x;
                    float range = 0;
                    for (float const* const other : {above, row, below})
                        for (std::uint32_t const at : {left, x, right})
                            range = std::max(range, std::abs(other[at] - row[x]));
                    marks[x] = static_cast<unsigned char>(marks[x] | static_cast<unsigned char>(scale * range > kEdge));
                }
            };
            mark(guides_.coverage, 1.0f);
            for (auto const& component : guides_.normal) mark(component, 1.0f);
            mark(guides_.depth_mm, per_depth_mm_);
        });
        visit_rows([&](std::uint32_t y) {
            for (std::uint32_t x = 0; x < width; ++x)
                if (is_edge[std::size_t{y} * width + x] != 0) cast_four(x, y);
        });
    }

    /// Differences, of a scale of 1, below which neighbours agree, and above which there is an edge between them.
    static constexpr float kSame = 0.03f, kEdge = 0.2f;
    static constexpr float kCast = 1e30f;

    MediumTable media_;
    int threads_;
    GoesOn const& goes_on_;
    Guides guides_;
    float per_depth_mm_ = 0, per_emission_ = 0;
};

} // namespace

GuideRays choose_guide_rays(std::size_t pixels)
{
    constexpr std::size_t kMostGridPixels = std::size_t{1} << 19;
    return pixels <= kMostGridPixels ? GuideRays::grid : GuideRays::sparse;
}

Guides cast_guides(SceneView const& scene, GuideRays rays, int threads)
{
    return cast_guides(scene, rays, threads, {});
}

Guides cast_guides(SceneView const& scene, GuideRays rays, int threads, GoesOn const& goes_on)
{
    GuideCaster caster(scene, threads, goes_on);
    if (rays == GuideRays::sparse)
        caster.cast_sparse();
    else
        caster.cast_grid();
    return caster.finish();
}

} // namespace volpt
