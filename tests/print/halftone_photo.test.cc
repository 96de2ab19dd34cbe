// Halftones of a picture like a photograph: what one part of it owes is not paid in another.
#include "libvolpt/print/halftone.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace volpt {
namespace {

constexpr int kPhotoWidth = 355, kPhotoHeight = 236, kPhotoSlices = 19, kSkyRows = 130, kEdgeColumns = 20;
constexpr std::size_t kInks = 5, kBlack = 3; // C M Y K W

/// A flat sky of cyan and white, a soft dark hair across it, brown ground below. One texel in fifty of the sky has a
/// trace of black, as the noise of a camera leaves it. `more_rows` of sky are added at the top.
std::vector<std::uint16_t> draw_photograph(int more_rows = 0)
{
    std::mt19937 random(1);
    std::vector<std::uint16_t> parts(std::size_t{kPhotoWidth} * static_cast<std::size_t>(kPhotoHeight + more_rows) *
                                     kInks);
    for (int y = -more_rows; y < kPhotoHeight; ++y)
        for (int x = 0; x < kPhotoWidth; ++x) {
            double const distance = y - 150 - 8 * std::sin(0.03 * x);
            double k = 0.95 * std::exp(-distance * distance / 8);
            if (y > 160) k = std::max(k, 0.3 + 0.3 * std::sin(0.1 * x) * std::sin(0.07 * y));
            if (k < 1e-3) k = random() % 50 == 0 ? 0.01 : 0;
            double const c = 0.2 * (1 - k), brown = y > 160 ? 0.3 * (1 - k) : 0;
            std::size_t const texel =
                static_cast<std::size_t>(y + more_rows) * kPhotoWidth + static_cast<std::size_t>(x);
            round_mixture(std::vector<double>{c, 0, brown, k, 1 - c - brown - k},
                          std::span(parts).subspan(texel * kInks, kInks));
        }
    return parts;
}

TEST(InkDiffusion, BlackThatAHairOwesIsNotPaidInTheSky)
{
    auto const parts = draw_photograph();
    double wanted = 0, wanted_in_sky = 0;
    for (std::size_t texel = 0; texel < std::size_t{kPhotoWidth} * kPhotoHeight; ++texel) {
        double const black = static_cast<double>(parts[texel * kInks + kBlack]) / kVoxelParts;
        wanted += black;
        if (texel < std::size_t{kSkyRows} * kPhotoWidth) wanted_in_sky += black;
    }
    ASSERT_LT(wanted_in_sky, 12);
    // Voxels of the sky vary as by chance, and the slices add up to their share.
    double const wanted_at_edges = kPhotoSlices * wanted_in_sky * 2 * kEdgeColumns / kPhotoWidth;
    InkDiffusion diffusion(kPhotoWidth, kPhotoHeight, kInks, parts);
    std::vector<std::uint8_t> labels(std::size_t{kPhotoWidth} * kPhotoHeight);
    double total = 0, sky_total = 0, edge_total = 0;
    for (int slice = 0; slice < kPhotoSlices; ++slice) {
        diffusion.halftone_slice(labels);
        int in_slice = 0, in_sky = 0, at_edges = 0;
        for (int y = 0; y < kPhotoHeight; ++y)
            for (int x = 0; x < kPhotoWidth; ++x) {
                if (labels[static_cast<std::size_t>(y * kPhotoWidth + x)] != kBlack) continue;
                ++in_slice;
                in_sky += y < kSkyRows;
                at_edges += y < kSkyRows && (x < kEdgeColumns || x >= kPhotoWidth - kEdgeColumns);
            }
        EXPECT_LE(in_sky, wanted_in_sky + 3 * std::sqrt(wanted_in_sky)) << "slice " << slice;
        EXPECT_NEAR(in_slice, wanted, 0.1 * kPhotoWidth) << "slice " << slice;
        total += in_slice - wanted;
        sky_total += in_sky;
        edge_total += at_edges;
    }
    EXPECT_NEAR(total, 0, 0.1 * kPhotoWidth);
    // The hair takes some of what texels of the sky with a trace of black are owed, and gives nothing.
    EXPECT_LE(sky_total, kPhotoSlices * wanted_in_sky + 3 * std::sqrt(kPhotoSlices * wanted_in_sky));
    EXPECT_GE(sky_total, 0.6 * kPhotoSlices * wanted_in_sky);
    EXPECT_NEAR(edge_total, wanted_at_edges, 3 * std::sqrt(wanted_at_edges));
}

TEST(InkDiffusion, BlackThatAPaleSkyLacksIsInTheHairAndDoesNotGrowWithTheSky)
{
    for (int const more_rows : {0, 470, 1070}) {
        SCOPED_TRACE(more_rows);
        auto const parts = draw_photograph(more_rows);
        int const height = kPhotoHeight + more_rows, sky_rows = kSkyRows + more_rows;
        InkDiffusion diffusion(kPhotoWidth, height, kInks, parts);
        std::vector<std::uint8_t> labels(static_cast<std::size_t>(kPhotoWidth * height));
        double sky = 0, below = 0; // found and not wanted
        for (int slice = 0; slice < kPhotoSlices; ++slice) {
            diffusion.halftone_slice(labels);
            for (std::size_t texel = 0; texel < labels.size(); ++texel) {
                double const wanted = static_cast<double>(parts[texel * kInks + kBlack]) / kVoxelParts;
                (texel < static_cast<std::size_t>(sky_rows * kPhotoWidth) ? sky : below) +=
                    (labels[texel] == kBlack ? 1 : 0) - wanted;
            }
        }
        EXPECT_NEAR(sky + below, -diffusion.find_unpaid_voxels()[kBlack], 1e-6);
        EXPECT_LT(sky, 0);
        EXPECT_GT(sky, -0.03 * kPhotoWidth * kPhotoSlices) << "voxels per column and slice";
    }
}

} // namespace
} // namespace volpt
