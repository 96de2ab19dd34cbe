#include "libvolpt/print/lithophane.h"

#include "libvolpt/surface/check_mesh.h"
#include "libvolpt/sys/error.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

namespace volpt {
namespace {

constexpr LithophaneMedium kMedia[] = {{0, 2, 1.5}, {1e-9, 2, 1.5}, {0.01, 5, 1.46}, {0.2, 1, 1}, {1, 10, 1.59}};

/// Columns of these luminances, left to right, linear.
StoredImage make_steps(std::vector<float> const& luminances, int height)
{
    Image image;
    image.width = static_cast<int>(luminances.size());
    image.height = height;
    image.channels.push_back({"Y", {}});
    for (int y = 0; y < height; ++y)
        image.channels[0].values.insert(image.channels[0].values.end(), luminances.begin(), luminances.end());
    return image;
}

TEST(Lithophane, ThicknessIsTheInverseOfTransmittance)
{
    for (auto const& medium : kMedia)
        for (double const thickness_mm : {0.0, 0.4, 1.0, 3.0, 8.0}) {
            double const transmittance = find_slab_transmittance(medium, thickness_mm);
            EXPECT_NEAR(find_slab_thickness(medium, transmittance), thickness_mm, 1e-9 + 1e-6 * thickness_mm);
        }
}

TEST(Lithophane, TransmittanceWithoutAbsorptionFallsAsOneOverDepth)
{
    // Whitley's law for a slab that does not absorb: T = 2 z / (d + 2 z); z = 2 D (1 + R) / (1 - R), and R is 0 at
    // index 1 up to the fit's 1e-3.
    LithophaneMedium const medium{0, 2, 1};
    double const boundary_mm = 2.0 / (3 * 2);
    EXPECT_NEAR(find_slab_transmittance(medium, 4), 2 * boundary_mm / (4 + 2 * boundary_mm), 2e-3);
}

TEST(Lithophane, LetsThroughAShareThatIsLinearInThePicture)
{
    LithophaneOptions const options{.width_mm = 0.8, .medium = {0.01, 4, 1.46}};
    LithophaneRelief const relief = make_lithophane_relief(make_steps({0, 0.25f, 0.5f, 0.75f, 1}, 5), options, "steps");
    ASSERT_EQ(relief.columns, 5);
    ASSERT_EQ(relief.rows, 5);
    EXPECT_NEAR(static_cast<double>(relief.thickness_mm[0]), options.thickest_mm, 1e-6);
    EXPECT_NEAR(static_cast<double>(relief.thickness_mm[4]), options.thinnest_mm, 1e-6);
    double const white = find_slab_transmittance(options.medium, options.thinnest_mm),
                 black = white * find_darkest(options);
    for (std::size_t column = 0; column < 5; ++column)
        EXPECT_NEAR(find_slab_transmittance(options.medium, static_cast<double>(relief.thickness_mm[column])),
                    black + (white - black) * 0.25 * static_cast<double>(column), 1e-6);
}

TEST(Lithophane, PlateIsAClosedSolidOfItsReliefsVolume)
{
    for (auto const& [columns, rows] : {std::pair{3, 3}, {3, 7}, {9, 4}, {40, 30}}) {
        LithophaneRelief relief{columns, rows, {}};
        for (int at = 0; at < columns * rows; ++at)
            relief.thickness_mm.push_back(1 + 0.5f * static_cast<float>(at * 7 % 5));
        TriangleMesh const mesh = make_lithophane_mesh(relief, columns - 1);
        MeshReport const report = check_mesh(mesh, 1);
        EXPECT_TRUE(report.is_accepted()) << columns << " x " << rows;
        double volume_mm3 = 0, expected_mm3 = 0;
        for (auto const& [a, b, c] : mesh.triangles)
            volume_mm3 +=
                static_cast<double>(dot(mesh.positions_mm[a], cross(mesh.positions_mm[b], mesh.positions_mm[c]))) / 6;
        // Of each cell, the two triangles whose common edge runs from its upper left to its lower right corner.
        auto const at = [&, width = columns](int row, int column) {
            return static_cast<double>(relief.thickness_mm[static_cast<std::size_t>(row * width + column)]);
        };
        for (int row = 0; row + 1 < rows; ++row)
            for (int column = 0; column + 1 < columns; ++column)
                expected_mm3 +=
                    (2 * at(row, column) + at(row + 1, column) + 2 * at(row + 1, column + 1) + at(row, column + 1)) / 6;
        EXPECT_NEAR(volume_mm3, expected_mm3, 1e-3 * expected_mm3);
    }
}

TEST(Lithophane, RefusesPlatesWithoutReliefAndPicturesOfAPixel)
{
    StoredImage const picture = make_steps({0, 1, 0}, 3);
    EXPECT_THROW(make_lithophane_relief(picture, {.thinnest_mm = 3, .thickest_mm = 1}, "p"), Error);
    EXPECT_THROW(make_lithophane_relief(picture, {.thinnest_mm = 0, .thickest_mm = 1}, "p"), Error);
    EXPECT_THROW(make_lithophane_relief(make_steps({1}, 1), {}, "p"), Error);
    EXPECT_NO_THROW(make_lithophane_relief(picture, {}, "p"));
}

} // namespace
} // namespace volpt
