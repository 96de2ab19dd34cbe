// Cube maps as lights: every face shines from where OpenGL's table puts it, without seams, and keeps its light.
#include "libvolpt/scene/light/cube_image.h"
#include "libvolpt/core/environment.hd.h"
#include "tests/scene/light_pictures.h"
#include "tests/support/expect_error.h"

#include <gtest/gtest.h>

#include <limits>

namespace volpt::test {
namespace {

using Sky = std::function<double(Vec3d const&)>;

/// OpenGL 4.6, table 8.19, turned round: the direction of point (s, t) of a face, +x -x +y -y +z -z, t running down,
/// both in -1 .. 1. Its frame is left-handed: x is to the right of z where lat-long pictures have -x.
Vec3d find_direction(int face, double s, double t)
{
    Vec3d const gl[6] = {{1, -t, -s}, {-1, -t, s}, {s, 1, t}, {s, -1, -t}, {s, -t, 1}, {-s, -t, -1}};
    Vec3d const& d = gl[face];
    double const length = std::sqrt(1 + s * s + t * t);
    return {-d[0] / length, d[1] / length, d[2] / length};
}

struct Plan {
    char const* name;
    LightLayout layout;
    int columns, rows;
    int x[6], y[6]; ///< of the faces +x -x +y -y +z -z
    bool back_is_turned;
};

constexpr Plan kPlans[] = {
    {"horizontal cross", LightLayout::cross, 4, 3, {2, 0, 1, 1, 1, 3}, {1, 1, 0, 2, 1, 1}, false},
    {"vertical cross", LightLayout::cross, 3, 4, {2, 0, 1, 1, 1, 1}, {1, 1, 0, 2, 1, 3}, true},
    {"horizontal strip", LightLayout::strip, 6, 1, {0, 1, 2, 3, 4, 5}, {0, 0, 0, 0, 0, 0}, false},
    {"vertical strip", LightLayout::strip, 1, 6, {0, 0, 0, 0, 0, 0}, {0, 1, 2, 3, 4, 5}, false}};

/// `value(face, column, row)` for every texel; the rest is black.
Image make_cube_map(Plan const& plan, int edge, std::function<double(int face, int x, int y)> const& value)
{
    Image image = make_image(plan.columns * edge, plan.rows * edge, Transfer::linear, {"Y"});
    for (int face = 0; face < 6; ++face)
        for (int y = 0; y < edge; ++y)
            for (int x = 0; x < edge; ++x) {
                bool const turned = plan.back_is_turned && face == 5;
                int const to_x = plan.x[face] * edge + (turned ? edge - 1 - x : x);
                int const to_y = plan.y[face] * edge + (turned ? edge - 1 - y : y);
                image.channels[0].values[static_cast<std::size_t>(to_y * image.width + to_x)] =
                    static_cast<float>(value(face, x, y));
            }
    return image;
}

Image paint_cube_map(Plan const& plan, int edge, Sky const& sky)
{
    return make_cube_map(plan, edge, [&](int face, int x, int y) {
        return sky(find_direction(face, (2 * x + 1.0) / edge - 1, (2 * y + 1.0) / edge - 1));
    });
}

double read(LightImage const& light, Vec3d const& d)
{
    EnvironmentView view;
    view.kind = LightKindView::image;
    view.edge = light.edge;
    view.texels = light.texels.data();
    view.above[0] = 1;
    view.row[0] = {1, 0, 0};
    view.row[1] = {0, 1, 0};
    view.row[2] = {0, 0, 1};
    return static_cast<double>(
        read_light(view, 1, 0, {static_cast<float>(d[0]), static_cast<float>(-d[2]), static_cast<float>(d[1])}));
}

/// Smooth, and different in every direction.
double analytic_sky(Vec3d const& d)
{
    return std::exp(0.9 * d[0] - 0.5 * d[1] + 0.7 * d[2]) + d[0] * d[1] * d[1] + 1;
}

TEST(CubeImage, EveryFaceShinesFromItsDirectionsWithoutSeams)
{
    for (Plan const& plan : kPlans) {
        SCOPED_TRACE(plan.name);
        Image const map = paint_cube_map(plan, 64, analytic_sky);
        LightImage const light = make_light_image(arrange_as_latlong(map, LightLayout::automatic, "sky"), kGrey, "sky");
        double largest_error = 0;
        for (int face = 0; face < 6; ++face)
            for (double s = -0.999; s < 1; s += 0.037)
                for (double t = -0.999; t < 1; t += 0.037) {
                    Vec3d const d = find_direction(face, s, t);
                    largest_error = std::max(largest_error, std::abs(read(light, d) - analytic_sky(d)));
                }
        EXPECT_LT(largest_error, 0.1); // of up to 4.3; the sky changes by 0.12 from texel to texel
    }
}

TEST(CubeImage, LightIsThatOfTheLatLongPictureOfTheSameSky)
{
    Image const latlong = make_picture(512, 256, [&](int x, int y) {
        return static_cast<float>(analytic_sky(to_direction((x + 0.5) / 512, (y + 0.5) / 256)));
    });
    for (Plan const& plan : kPlans)
        for (int const edge : {64, 75}) {
            Image const arranged = arrange_as_latlong(paint_cube_map(plan, edge, analytic_sky), plan.layout, "sky");
            EXPECT_NEAR(average_picture(arranged) / average_picture(latlong), 1, 2e-4) << plan.name << ' ' << edge;
        }
}

TEST(CubeImage, ATexelKeepsItsLightAndItsDirection)
{
    // Solid angle of the part of a face between its middle and (s, t).
    auto const corner = [](double s, double t) { return std::atan2(s * t, std::sqrt(1 + s * s + t * t)); };
    for (int const edge : {1, 7, 16, 64})
        for (int face = 0; face < 6; ++face)
            for (auto const& [x, y] : {std::pair{0, 0}, {edge / 2, edge / 2}, {edge - 1, edge / 3}, {edge / 5, 0}}) {
                SCOPED_TRACE(testing::Message() << "edge " << edge << " face " << face << " texel " << x << ',' << y);
                Image const latlong =
                    arrange_as_latlong(make_cube_map(kPlans[0], edge,
                                                     [face, x = x, y = y](int f, int i, int j) {
                                                         return f == face && i == x && j == y ? 1000 : 0;
                                                     }),
                                       LightLayout::cross, "sun");
                double const s0 = 2.0 * x / edge - 1, s1 = s0 + 2.0 / edge, t0 = 2.0 * y / edge - 1,
                             t1 = t0 + 2.0 / edge;
                double const solid = corner(s1, t1) - corner(s0, t1) - corner(s1, t0) + corner(s0, t0);
                double const mean = 1000 * solid / (4 * std::numbers::pi);
                EXPECT_NEAR(average_picture(latlong) / mean, 1, face / 2 == 1 ? 5e-3 : 1e-5);
                if (edge == 1) continue;
                LightImage const light = make_light_image(latlong, kGrey, "sun");
                // A texel in the corner of a face has a fifth of the solid angle of one in the middle.
                EXPECT_GT(read(light, find_direction(face, (s0 + s1) / 2, (t0 + t1) / 2)), 60);
                EXPECT_EQ(read(light, find_direction((face + 2) % 6, 0.1, 0.2)), 0);
            }
}

TEST(CubeImage, AnEvenSkyStaysEven)
{
    for (int const edge : {1, 5, 64}) {
        Image const latlong = arrange_as_latlong(make_cube_map(kPlans[1], edge, [](int, int, int) { return 0.7; }),
                                                 LightLayout::automatic, "sky");
        for (float const value : latlong.channels[0].values) ASSERT_NEAR(value, 0.7f, 1e-6f);
    }
}

TEST(CubeImage, ColoursKeepTheirChannelsAndAlphaIsDropped)
{
    Image map = make_image(12, 2, Transfer::linear, {"A", "B", "G", "R"});
    for (std::size_t c = 0; c < 4; ++c) map.channels[c].values.assign(24, static_cast<float>(c));
    Image const latlong = arrange_as_latlong(map, LightLayout::automatic, "sky");
    ASSERT_EQ(latlong.channels.size(), 3u);
    EXPECT_NEAR(latlong.find("R")->values[5], 3, 1e-5);
    EXPECT_NEAR(latlong.find("B")->values[5], 1, 1e-5);
}

TEST(CubeImage, PicturesThatMayBeLatLongStaySo)
{
    auto const noise = [](int x, int y) { return static_cast<float>((x * 7 + y * 3) % 5); };
    for (auto const& [width, height] : {std::pair{64, 32}, {64, 48}, {48, 64}, {66, 10}, {63, 10}, {61, 10}}) {
        Image const picture = make_picture(width, height, noise);
        Image const same = arrange_as_latlong(picture, LightLayout::automatic, "sky");
        EXPECT_EQ(same.width, width);
        EXPECT_EQ(same.channels[0].values, picture.channels[0].values);
    }
    EXPECT_EQ(arrange_as_latlong(make_picture(60, 10, noise), LightLayout::latlong, "sky").width, 60);
    EXPECT_NE(arrange_as_latlong(make_picture(60, 10, noise), LightLayout::automatic, "sky").width, 60);
    EXPECT_NE(arrange_as_latlong(make_picture(64, 48, noise), LightLayout::cross, "sky").width, 64);
}

TEST(CubeImage, WrongSizesAndValuesAreRefused)
{
    auto const ones = [](int, int) { return 1.0f; };
    expect_error(ExitStatus::usage, {"sky.exr: 64 x 32 pixels are no cross", "4 by 3"},
                 [&] { arrange_as_latlong(make_picture(64, 32, ones), LightLayout::cross, "sky.exr"); });
    expect_error(ExitStatus::usage, {"no strip", "6 by 1"},
                 [&] { arrange_as_latlong(make_picture(64, 48, ones), LightLayout::strip, "sky.exr"); });
    Image bad = make_picture(12, 2, ones);
    bad.channels[0].values[17] = std::numeric_limits<float>::quiet_NaN();
    expect_error(ExitStatus::input, {"sky.exr", "pixel 5,1"},
                 [&] { arrange_as_latlong(bad, LightLayout::automatic, "sky.exr"); });
    expect_error(ExitStatus::input, {"no channel R"},
                 [&] { arrange_as_latlong(make_picture(12, 2, ones, "X"), LightLayout::automatic, "sky.exr"); });
}

} // namespace
} // namespace volpt::test
