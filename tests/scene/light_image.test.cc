// Lat-long pictures as lights: where a pixel shines from, how much light there is in all, what is refused.
#include "libvolpt/scene/light_image.h"
#include "libvolpt/core/environment.hd.h"
#include "libvolpt/scene/render_scene.h"
#include "libvolpt/sys/error.h"
#include "tests/scene/light_pictures.h"
#include "tests/support/expect_error.h"
#include "tests/support/make_volume.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace volpt::test {
namespace {

constexpr std::uint32_t kRgb[] = {0, 1, 2};

/// The light of a picture, as a scene around an unplaced volume sees it.
struct PictureLight {
    LightImage light;
    std::uint32_t bands;
    EnvironmentView view;

    PictureLight(Image const& image, std::span<std::uint32_t const> numbers = kGrey)
        : light(make_light_image(image, numbers, "picture")), bands(static_cast<std::uint32_t>(numbers.size()))
    {
        view.kind = LightKindView::image;
        view.edge = light.edge;
        view.texels = light.texels.data();
        for (std::uint32_t b = 0; b < bands; ++b) view.above[b] = 1;
        view.row[0] = {1, 0, 0};
        view.row[1] = {0, 1, 0};
        view.row[2] = {0, 0, 1};
    }

    double read(Vec3d const& d, std::uint32_t band = 0) const
    {
        return static_cast<double>(read_light(
            view, bands, band, {static_cast<float>(d[0]), static_cast<float>(d[1]), static_cast<float>(d[2])}));
    }
};

Vec3d cross_product(Vec3d const& a, Vec3d const& b)
{
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// `v` turned about the unit vector `axis` by the right hand (Rodrigues).
Vec3d rotate(Vec3d const& v, Vec3d const& axis, double degrees)
{
    double const angle = degrees * std::numbers::pi / 180;
    Vec3d const side = cross_product(axis, v);
    Vec3d out{};
    for (std::size_t i = 0; i < 3; ++i)
        out[i] =
            v[i] * std::cos(angle) + side[i] * std::sin(angle) + axis[i] * dot_product(axis, v) * (1 - std::cos(angle));
    return out;
}

/// The same in a world whose up is `axis` (0..5: +x -x +y -y +z -z), the picture turned by `rotate_deg` about it: first
/// about y, then by the shortest turn from +y to the axis, which for -y is the one about x.
Vec3d place_in_world(Vec3d const& picture, std::uint32_t axis, double rotate_deg)
{
    static constexpr struct {
        Vec3d about;
        double degrees;
    } kTurns[] = {{{0, 0, 1}, -90}, {{0, 0, 1}, 90}, {{1, 0, 0}, 0},
                  {{1, 0, 0}, 180}, {{1, 0, 0}, 90}, {{1, 0, 0}, -90}};
    return rotate(rotate(picture, {0, 1, 0}, rotate_deg), kTurns[axis].about, kTurns[axis].degrees);
}

/// Calls visit(direction, weight) over the sphere; weights add up to 1.
template <class Visit>
void visit_sphere(int steps, Visit&& visit)
{
    for (int i = 0; i < steps; ++i)
        for (int k = 0; k < 2 * steps; ++k) {
            double const z = 2 * (i + 0.5) / steps - 1;
            double const azimuth = std::numbers::pi * (k + 0.5) / steps;
            double const r = std::sqrt(1 - z * z);
            visit(Vec3d{r * std::cos(azimuth), r * std::sin(azimuth), z}, 1.0 / (2.0 * steps * steps));
        }
}

PackedVolume make_plain_volume(Placement const& placement = {})
{
    VolumeMeta meta;
    meta.dims = {1, 1, 1};
    meta.placement = placement;
    return make_volume(meta);
}

Scene make_lit_scene(PackedVolume const& volume, LightImage const& light, std::uint32_t up_axis, double rotate_deg)
{
    Scene scene;
    scene.volume_checksum = volume.data_checksum();
    scene.width = scene.height = 8;
    scene.bands = 1;
    scene.camera.origin_world = {0, 0, 10};
    scene.camera.target_world = {0, 0, 0};
    scene.environment = {EnvironmentKind::image, {1.0f}, {}, light.checksum, up_axis, rotate_deg};
    return scene;
}

TEST(LightImage, APixelShinesFromWhereMitsubaPutsItUnderEveryUpAxisAndRotation)
{
    struct {
        int x, y;
    } const pixels[] = {{3, 10}, {20, 9}, {31, 20}, {12, 25}};
    PackedVolume const volume = make_plain_volume();
    for (auto const pixel : pixels) {
        LightImage const light = make_light_image(
            make_picture(64, 32, [&](int x, int y) { return x == pixel.x && y == pixel.y ? 100.0f : 0.0f; }), kGrey,
            "picture");
        for (std::uint32_t axis = 0; axis < 6; ++axis)
            for (double const rotate_deg : {0.0, 90.0, -37.0}) {
                RenderScene const built(make_lit_scene(volume, light, axis, rotate_deg), volume, &light, 1);
                Vec3d const from =
                    place_in_world(to_direction((pixel.x + 0.5) / 64, (pixel.y + 0.5) / 32), axis, rotate_deg);
                // The light's centre of gravity points there, and nothing shines from elsewhere.
                Vec3d centre{};
                double stray = 0, total = 0;
                visit_sphere(150, [&](Vec3d const& d, double weight) {
                    double const value =
                        weight * static_cast<double>(read_light(
                                     built.view().environment, 1, 0,
                                     {static_cast<float>(d[0]), static_cast<float>(d[1]), static_cast<float>(d[2])}));
                    for (std::size_t i = 0; i < 3; ++i) centre[i] += value * d[i];
                    total += value;
                    if (dot_product(d, from) < std::cos(0.35)) stray += value;
                });
                EXPECT_GT(total, 0);
                EXPECT_LT(stray, 1e-5 * total) << "axis " << axis << " turned by " << rotate_deg;
                EXPECT_GT(dot_product(centre, from) / std::sqrt(dot_product(centre, centre)), std::cos(0.02))
                    << "axis " << axis << " turned by " << rotate_deg;
            }
    }
}

TEST(LightImage, HemispheresSplitAcrossTheUpAxis)
{
    PackedVolume const volume = make_plain_volume();
    for (std::uint32_t axis = 0; axis < 6; ++axis) {
        Scene scene = make_lit_scene(volume, {}, axis, 0);
        scene.environment = {EnvironmentKind::hemispheres, {2.0f}, {0.5f}, {}, axis, 0};
        RenderScene const built(scene, volume, nullptr, 1);
        visit_sphere(20, [&](Vec3d const& d, double) {
            double const up = (axis % 2 == 0 ? 1 : -1) * d[axis / 2];
            EXPECT_EQ(read_light(built.view().environment, 1, 0,
                                 {static_cast<float>(d[0]), static_cast<float>(d[1]), static_cast<float>(d[2])}),
                      up >= 0 ? 2.0f : 0.5f);
        });
    }
}

TEST(LightImage, TheLightTurnsAgainstAPlacedVolume)
{
    // The volume's box is turned by 90 degrees about z: world +x is the box's -y.
    PackedVolume const volume = make_plain_volume({{0, -1, 0, 1, 0, 0, 0, 0, 1}, {0, 0, 0}});
    Scene scene = make_lit_scene(volume, {}, 0, 0);
    scene.environment = {EnvironmentKind::hemispheres, {2.0f}, {0.5f}, {}, 0, 0};
    RenderScene const built(scene, volume, nullptr, 1);
    EXPECT_EQ(read_light(built.view().environment, 1, 0, {0, -1, 0}), 2.0f);
    EXPECT_EQ(read_light(built.view().environment, 1, 0, {0, 1, 0}), 0.5f);
}

TEST(LightImage, TheMeanOverTheSphereIsKept)
{
    Image const pictures[] = {
        make_picture(64, 32, [](int x, int y) { return static_cast<float>((x * 29 + y * 31 + x * y) % 17); }),
        make_picture(128, 64,
                     [](int x, int y) {
                         return 2.0f + std::sin(0.1f * static_cast<float>(x)) * std::cos(0.2f * static_cast<float>(y));
                     }),
        make_picture(64, 32, [](int, int y) { return y < 16 ? 1.0f : 0.0f; }),
        make_picture(100, 37, [](int x, int y) { return x / 10 % 2 == 0 && y / 5 % 2 == 0 ? 50.0f : 1.0f; }),
    };
    for (Image const& image : pictures) {
        PictureLight const light(image);
        double mean = 0;
        visit_sphere(400, [&](Vec3d const& d, double weight) { mean += weight * light.read(d); });
        EXPECT_NEAR(mean / average_picture(image), 1, 1e-3) << image.width;
    }
}

TEST(LightImage, AConstantPictureIsExact)
{
    PictureLight const light(make_picture(48, 24, [](int, int) { return 0.7f; }));
    visit_sphere(100, [&](Vec3d const& d, double) { ASSERT_EQ(light.read(d), static_cast<double>(0.7f)); });
    EXPECT_EQ(light.light.largest, 0.7f);
    for (auto const& [width, height] : {std::pair{1, 1}, {7, 5}, {16, 8}, {100, 37}, {256, 128}, {33, 200}})
        for (float const value : {0.0f, 1e-30f, 0.1f, 3.3f, 1e9f}) {
            LightImage const even =
                make_light_image(make_picture(width, height, [&](int, int) { return value; }), kGrey, "picture");
            EXPECT_TRUE(std::ranges::all_of(even.texels, [&](float texel) { return texel == value; }))
                << width << " x " << height << ", " << value;
        }
}

Image make_rgb(float r, float g, float b)
{
    Image image = make_image(16, 8, Transfer::linear, {"R", "G", "B"});
    float const values[] = {r, g, b};
    for (std::size_t c = 0; c < 3; ++c)
        std::fill(image.channels[c].values.begin(), image.channels[c].values.end(), values[c]);
    return image;
}

TEST(LightImage, BandsTakeTheirOwnChannels)
{
    PictureLight const rgb(make_rgb(1, 2, 4), kRgb);
    for (std::uint32_t band = 0; band < 3; ++band) EXPECT_EQ(rgb.read({0, 0, 1}, band), 1 << band);
    std::uint32_t const last[] = {2};
    EXPECT_EQ(PictureLight(make_rgb(1, 2, 4), last).read({0, 0, 1}), 4) << "a one-band volume keeps its band's channel";
    PictureLight const grey(make_picture(16, 8, [](int, int) { return 3.0f; }), kRgb);
    EXPECT_EQ(grey.read({1, 0, 0}, 2), 3) << "Y serves all bands";
}

TEST(LightImage, OneGreyBandTakesTheLuminance)
{
    EXPECT_NEAR(PictureLight(make_rgb(1, 2, 4)).read({0, 1, 0}), 0.2126 + 2 * 0.7152 + 4 * 0.0722, 1e-6);
}

TEST(LightImage, BadValuesAreRefusedByChannelAndPixel)
{
    for (float const bad :
         {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), -1e-6f, 2e9f}) {
        Image image = make_rgb(1, 1, 1);
        image.channels[1].values[3 * 16 + 5] = bad;
        SCOPED_TRACE(bad);
        std::string const message =
            expect_error(ExitStatus::input, {"channel G", "5,3"}, [&] { make_light_image(image, kRgb, "sky.exr"); });
        EXPECT_TRUE(message.starts_with("sky.exr: ")) << message;
    }
}

TEST(LightImage, MissingChannelsAndCodedValuesAreRefused)
{
    EXPECT_THROW(make_light_image(make_picture(
                                      16, 8, [](int, int) { return 1.0f; }, "Z"),
                                  kGrey, "sky.exr"),
                 Error);
    EXPECT_THROW(make_light_image(make_image(16, 8, Transfer::linear, {"R", "G"}), kRgb, "sky.exr"), Error);
    EXPECT_THROW(make_light_image(make_image(16, 8, Transfer::srgb, {"R", "G", "B"}), kRgb, "sky.png"), Error);
    std::uint32_t const four[] = {0, 1, 2, 3};
    EXPECT_THROW(make_light_image(make_rgb(1, 1, 1), four, "sky.exr"), Error);
}

TEST(LightImage, TheChecksumFollowsTheValuesAlone)
{
    Image const image = make_rgb(1, 2, 3);
    Image same = image;
    same.metadata.emplace_back("comment", "other");
    EXPECT_EQ(hash_image(image), hash_image(same));
    same.channels[0].values[7] = 1.5f;
    EXPECT_NE(hash_image(image), hash_image(same));
    Image swapped = image;
    std::swap(swapped.width, swapped.height);
    EXPECT_NE(hash_image(image), hash_image(swapped));
}

TEST(LightImage, ALoneBandOfAColouredVolumeTakesItsChannelAndAGreyOneTheLuminance)
{
    VolumeMeta meta;
    auto const light = [&] { return make_light_image(make_rgb(1, 2, 4), meta, "sky.exr").texels.front(); };
    EXPECT_FLOAT_EQ(light(), 0.2126f + 0.7152f * 2 + 0.0722f * 4);
    for (std::uint32_t channel = 0; channel < 3; ++channel) {
        meta.light_channels = {channel};
        EXPECT_EQ(light(), static_cast<float>(1u << channel));
    }
}

} // namespace
} // namespace volpt::test
