// Shares of inks in halftones: no row, column or plane of voxels misses what its texels ask for by more than chance.
#include "libvolpt/medium/materials.h"
#include "libvolpt/print/halftone.h"
#include "libvolpt/print/mesh/mesh_print.h"
#include "libvolpt/surface/make_mesh.h"
#include "tests/support/data_paths.h"

#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <random>

namespace volpt {
namespace {

constexpr std::size_t kShareInks = 5; // C M Y K W

/// Of every voxel drawn by itself, 1 in about 10,000 rows is farther off; of the rows here, some thousands, none may
/// be.
constexpr double kMostDeviations = 4;

/// The voxels of an ink that a row asks for, their variance if each were drawn by itself, and how many there are.
struct RowCount {
    double wanted = 0, variance = 0, found = 0;

    void add(double share, double voxels, double of_ink)
    {
        wanted += share * voxels;
        variance += share * (1 - share) * voxels;
        found += of_ink;
    }
    /// In standard deviations; a voxel more or less is none, however few are wanted.
    double deviation() const { return std::abs(found - wanted) / std::sqrt(variance + 1); }
};

struct SharePicture {
    char const* name;
    int width, height, slices;
    std::vector<std::uint16_t> parts;
};

template <typename Mixture>
SharePicture draw_shares(char const* name, int width, int height, int slices, Mixture mixture)
{
    SharePicture picture{name, width, height, slices, {}};
    picture.parts.resize(static_cast<std::size_t>(width * height) * kShareInks);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            std::array<double, kShareInks> fractions = mixture(x, y);
            fractions[4] = 1 - fractions[0] - fractions[1] - fractions[2] - fractions[3];
            round_mixture(
                fractions,
                std::span(picture.parts).subspan(static_cast<std::size_t>(y * width + x) * kShareInks, kShareInks));
        }
    return picture;
}

SharePicture transpose(SharePicture const& picture)
{
    SharePicture turned{picture.name, picture.height, picture.width, picture.slices, {}};
    turned.parts.resize(picture.parts.size());
    for (int y = 0; y < picture.height; ++y)
        for (int x = 0; x < picture.width; ++x)
            std::copy_n(picture.parts.begin() + (y * picture.width + x) * static_cast<std::ptrdiff_t>(kShareInks),
                        kShareInks,
                        turned.parts.begin() + (x * picture.height + y) * static_cast<std::ptrdiff_t>(kShareInks));
    return turned;
}

std::vector<SharePicture> draw_share_pictures()
{
    std::mt19937 random(1);
    // The sum of twelve uniform numbers: the same on every machine, which std::normal_distribution is not.
    auto const draw_normal = [&] {
        double sum = -6;
        for (int i = 0; i < 12; ++i) sum += static_cast<double>(random()) * 0x1p-32;
        return sum;
    };
    std::vector<SharePicture> pictures;
    pictures.push_back(draw_shares("noisy sky with a hair", 300, 200, 11, [&](int x, int y) {
        double const c = 0.15 + 0.01 * draw_normal(), m = std::max(0.0, 0.03 + 0.01 * draw_normal());
        double const k = std::max(0.0, 0.0008 + 0.002 * draw_normal());
        bool const is_hair = y >= 97 && y < 108 && x > 30 && x < 270;
        return is_hair ? std::array{.02, .02, .02, .92, 0.} : std::array{c, m, 0., k, 0.};
    }));
    pictures.push_back(draw_shares("flat sky", 150, 120, 11, [](int, int) {
        return std::array{.15, .03, 0., .001, 0.};
    }));
    pictures.push_back(draw_shares("one ink", 80, 60, 19, [](int, int) { return std::array{.01, 0., 0., 0., 0.}; }));
    pictures.push_back(draw_shares("ramp", 90, 128, 11, [](int, int y) {
        double const k = y / 127.0;
        return std::array{0., 0., 0., k * k, 0.};
    }));
    pictures.push_back(draw_shares("two ramps", 120, 120, 19, [](int x, int y) {
        return std::array{.5 * x / 120, 0., .1, .3 * x / 120 * y / 120, 0.};
    }));
    pictures.push_back(draw_shares("photograph", 255, 206, 11, [&](int x, int y) {
        double const distance = y - 130 - 8 * std::sin(0.03 * x);
        double k = 0.95 * std::exp(-distance * distance / 8);
        if (y > 140) k = std::max(k, 0.3 + 0.3 * std::sin(0.1 * x) * std::sin(0.07 * y));
        if (k < 1e-3) k = random() % 50 == 0 ? 0.01 : 0;
        return std::array{.2 * (1 - k), 0., y > 140 ? .3 * (1 - k) : 0., k, 0.};
    }));
    for (std::size_t i = pictures.size(); i-- > 0;) pictures.push_back(transpose(pictures[i]));
    return pictures;
}

void expect_shares_of_rows(SharePicture const& picture, InkDiffusion& diffusion)
{
    auto const width = static_cast<std::size_t>(picture.width), height = static_cast<std::size_t>(picture.height);
    std::vector<double> found(picture.parts.size());
    std::vector<std::uint8_t> labels(width * height);
    for (int slice = 0; slice < picture.slices; ++slice) {
        diffusion.halftone_slice(labels);
        for (std::size_t texel = 0; texel < labels.size(); ++texel) ++found[texel * kShareInks + labels[texel]];
    }
    for (std::size_t ink = 0; ink < kShareInks; ++ink) {
        std::vector<RowCount> rows(height), columns(width);
        for (std::size_t texel = 0; texel < labels.size(); ++texel) {
            std::size_t const at = texel * kShareInks + ink;
            double const share = static_cast<double>(picture.parts[at]) / kVoxelParts;
            for (RowCount* const row : {&rows[texel / width], &columns[texel % width]})
                row->add(share, picture.slices, found[at]);
        }
        auto const expect_all = [&](char const* kind, std::vector<RowCount> const& counts) {
            for (std::size_t i = 0; i < counts.size(); ++i)
                EXPECT_LE(counts[i].deviation(), kMostDeviations)
                    << picture.name << ' ' << width << " x " << height << ", ink " << ink << ", " << kind << ' ' << i
                    << ": " << counts[i].found << " voxels for " << counts[i].wanted;
        };
        expect_all("row", rows);
        expect_all("column", columns);
    }
}

TEST(InkDiffusion, NoRowOrColumnMissesItsShareByMoreThanChance)
{
    for (SharePicture const& picture : draw_share_pictures()) {
        InkDiffusion diffusion(picture.width, picture.height, kShareInks, picture.parts);
        expect_shares_of_rows(picture, diffusion);
    }
}

TEST(InkDiffusion, WhatIsUnpaidIsCounted)
{
    for (SharePicture const& picture : draw_share_pictures()) {
        InkDiffusion diffusion(picture.width, picture.height, kShareInks, picture.parts);
        std::array<double, kShareInks> missing{};
        std::vector<std::uint8_t> labels(static_cast<std::size_t>(picture.width * picture.height));
        for (int slice = 0; slice < 3; ++slice) {
            diffusion.halftone_slice(labels);
            for (std::size_t i = 0; i < picture.parts.size(); ++i)
                missing[i % kShareInks] += static_cast<double>(picture.parts[i]) / kVoxelParts;
            for (auto const label : labels) --missing[label];
            auto const unpaid = diffusion.find_unpaid_voxels();
            for (std::size_t ink = 0; ink < kShareInks; ++ink)
                EXPECT_DOUBLE_EQ(unpaid[ink], missing[ink]) << picture.name << ", ink " << ink;
        }
    }
}

/// Prints a mesh of one colour, thin enough to be ink throughout, and compares each plane of voxels across each axis
/// with the shares of that colour.
void expect_shares_of_planes(char const* name, TriangleMesh mesh, std::uint32_t colour)
{
    MeshPlaceOptions placing;
    placing.colours = MeshColours::kept;
    auto const print = fit_print_box(mesh, placing, std::array{0.0423, 0.0847, 0.027}, {});
    PlacedMesh const placed = place_mesh_in(print->box, std::move(mesh), placing);
    MeshPrintOptions options;
    options.ink_depth_mm = 0.3;
    auto const stream = make_mesh_print(
        placed, "mesh", make_constant_colour(colour),
        read_material_table(test::tests_folder() / "../pipelines/data/materials/elek2017.json"), "elek2017", options);
    auto const dims = stream->meta().dims;
    std::array<std::vector<std::array<double, kShareInks>>, 3> found;
    for (std::size_t axis = 0; axis < 3; ++axis) found[axis].resize(static_cast<std::size_t>(dims[axis]));
    for (int z = 0; z < dims[2]; ++z) {
        VoxelSlab const slab = stream->read_slab(z, 1);
        for (int y = 0; y < dims[1]; ++y)
            for (int x = 0; x < dims[0]; ++x) {
                std::uint8_t const label = slab.label[static_cast<std::size_t>(y * dims[0] + x)];
                if (label >= kShareInks) continue;
                std::array<int, 3> const at{x, y, z};
                for (std::size_t axis = 0; axis < 3; ++axis) ++found[axis][static_cast<std::size_t>(at[axis])][label];
            }
    }
    auto const shares = nlohmann::json::parse(stream->report_json()).at("separated_shares");
    std::array<char const*, kShareInks> const inks{"C", "M", "Y", "K", "W"};
    for (std::size_t axis = 0; axis < 3; ++axis)
        for (std::size_t plane = 0; plane < found[axis].size(); ++plane) {
            double voxels = 0;
            for (double const of_ink : found[axis][plane]) voxels += of_ink;
            for (std::size_t ink = 0; ink < kShareInks; ++ink) {
                RowCount count;
                count.add(shares.at(inks[ink]).get<double>(), voxels, found[axis][plane][ink]);
                EXPECT_LE(count.deviation(), kMostDeviations)
                    << name << std::hex << ' ' << colour << std::dec << ", axis " << axis << ", plane " << plane
                    << ", ink " << ink << ": " << count.found << " voxels for " << count.wanted;
            }
        }
}

TEST(LayerDiffusion, NoPlaneMissesItsShareByMoreThanChance)
{
    for (std::uint32_t const colour : {0xe8f0f8u, 0xf4f4f4u, 0xd0a090u, 0x404040u}) {
        expect_shares_of_planes("plate", make_box({0, 0, 0}, {4, 4, 0.6f}), colour);
        expect_shares_of_planes("beam", make_box({0, 0, 0}, {0.6f, 5, 3}), colour);
        expect_shares_of_planes("ball", make_bumpy_sphere(0.3f, 24, 0.0f), colour);
    }
}

} // namespace
} // namespace volpt
