// Grey volumes under light that has a colour.
#include "libvolpt/image/codecs/codecs.h"
#include "libvolpt/job/render_run.h"
#include "libvolpt/volume/bands/match_bands.h"
#include "tests/support/expect_error.h"
#include "tests/support/make_probed_object.h"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <numeric>

namespace volpt {
namespace {

using test::expect_error;
using test::make_volume;
using test::TempFolder;
using test::VoxelFunctions;
using Change = std::function<void(RenderRequest&)>;

std::vector<float> const kBlue{0.4f, 0.5f, 0.7f};

std::shared_ptr<PackedVolume const> share(PackedVolume volume)
{
    return std::make_shared<PackedVolume const>(std::move(volume));
}

std::shared_ptr<PackedVolume const> make_smoke()
{
    VolumeMeta meta = test::cloud_meta();
    meta.constant_one_minus_albedo = {0.1f};
    return share(make_volume(meta, {.density = test::cloud_density}));
}

RenderResult render_with(std::shared_ptr<PackedVolume const> volume, Change const& change,
                         std::vector<std::string>* notices = nullptr)
{
    RenderRequest request;
    request.volume_path = "v.vpk";
    request.volume = std::move(volume);
    request.scene.camera.resolution = {{16, 12}};
    request.samples.samples = SampleRange{0, 4};
    request.device.device = DeviceChoice::cpu;
    request.threads = 1;
    change(request);
    JobSinks sinks;
    if (notices != nullptr) sinks.notice = [notices](std::string_view text) { notices->emplace_back(text); };
    return render(request, sinks);
}

Film make_film_of(std::shared_ptr<PackedVolume const> volume, Change const& change)
{
    return *render_with(std::move(volume), change).film;
}

Change light_by(std::vector<float> const& radiance)
{
    return [radiance](RenderRequest& request) { request.scene.light.radiance = radiance; };
}

/// The volume in three bands, by the packer, and the film of the grey one, have the same film.
void expect_film_of_equal_bands(
    VolumeMeta meta, VoxelFunctions const& voxels, std::vector<Material> materials = {},
    Change const& more = [](RenderRequest&) {})
{
    auto const change = [&](RenderRequest& request) {
        request.scene.light.radiance = kBlue;
        more(request);
    };
    Film const film = make_film_of(share(make_volume(meta, voxels, materials)), change);
    meta.band_numbers = {0, 1, 2};
    for (auto* const by_band : {&meta.constant_extinction, &meta.constant_one_minus_albedo})
        by_band->assign(3, by_band->front());
    for (Material& material : materials)
        for (auto* const by_band : {&material.sigma_t, &material.one_minus_albedo})
            by_band->assign(3, by_band->front());
    Film const equal = make_film_of(share(make_volume(meta, voxels, materials)), change);
    ASSERT_EQ(film.scene().bands, 3u);
    EXPECT_EQ(film.sum_log2(), equal.sum_log2());
    EXPECT_EQ(film.sums, equal.sums);
    EXPECT_TRUE(std::ranges::any_of(film.sums, [](std::uint64_t sum) { return sum != 0; }));
}

TEST(PictureBands, ColouredLightRendersThreeEqualBands)
{
    auto const part = [](int x, int y, int z) { return test::cloud_density(y, z, x); };
    VolumeMeta meta = test::cloud_meta();
    meta.constant_one_minus_albedo = {0.1f};
    expect_film_of_equal_bands(meta, {.density = test::cloud_density});
    meta.filter = Filter::nearest;
    expect_film_of_equal_bands(meta, {.density = test::cloud_density});
    meta.albedo = Source::plane;
    meta.albedo_encoding = Encoding::u8;
    VoxelFunctions voxels{.density = test::cloud_density,
                          .one_minus_albedo = [&](int x, int y, int z, int) { return part(x, y, z); }};
    expect_film_of_equal_bands(meta, voxels);
    meta.has_emission = true;
    voxels.emission = [&](int x, int y, int z, int) { return 5 * part(x, y, z); };
    expect_film_of_equal_bands(meta, voxels);
}

TEST(PictureBands, MaterialsAndLongStepsAreThoseOfThreeEqualBands)
{
    VolumeMeta meta;
    meta.dims = {40, 40, 40};
    meta.filter = Filter::nearest;
    meta.extinction = meta.albedo = meta.anisotropy = Source::material;
    std::vector<Material> const materials{{"clear", {0.1f}, {0.5f}, 0}, {"white", {4}, {0.01f}, 0.4f}};
    VoxelFunctions const voxels{.label = [](int x, int y, int) { return x < 16 && y < 16 ? 0 : 1; }};
    expect_film_of_equal_bands(meta, voxels, materials);
    expect_film_of_equal_bands(meta, voxels, materials, [](RenderRequest& request) {
        request.scene.medium.long_steps = LongSteps::spheres;
        request.samples.samples = SampleRange{0, 2};
    });
}

TEST(PictureBands, MeshInColouredLightIsThatOfThreeEqualBands)
{
    VolumeMeta const grey = test::make_constant_meta(0.05f);
    VolumeMeta equal = grey;
    test::set_three_bands(equal);
    equal.constant_one_minus_albedo.assign(3, 0.05f);
    auto const change = [](RenderRequest& request) {
        request.scene.light.radiance = kBlue;
        request.scene.medium.scale = 4.0f;
        request.scene.ground.kind = GroundKind::diffuse;
    };
    auto const make_block = [](VolumeMeta const& meta) {
        return share(test::make_object(test::make_notched_block(0.5f), meta));
    };
    Film const film = make_film_of(make_block(grey), change);
    EXPECT_EQ(film.scene().bands, 3u);
    EXPECT_EQ(film.sums, make_film_of(make_block(equal), change).sums);
}

TEST(PictureBands, EachBandIsTheGreyPictureTimesItsLight)
{
    auto const volume = make_smoke();
    Film const grey = make_film_of(volume, light_by({1})), film = make_film_of(volume, light_by(kBlue));
    std::size_t const pixels = std::size_t{16} * 12;
    ASSERT_EQ(grey.sums.size() * 3, film.sums.size());
    auto const add = [&](Film const& of, std::size_t band) {
        double sum = 0;
        for (std::size_t i = 0; i < pixels; ++i) sum += static_cast<double>(of.sums[band * pixels + i]);
        return std::ldexp(sum, -of.sum_log2());
    };
    for (std::size_t band = 0; band < 3; ++band)
        EXPECT_NEAR(add(film, band), static_cast<double>(kBlue[band]) * add(grey, 0),
                    1e-5 * static_cast<double>(pixels));
}

TEST(PictureBands, GreyLightLeavesTheFilmAsItIs)
{
    auto const volume = make_smoke();
    Film const white = make_film_of(volume, [](RenderRequest&) {});
    EXPECT_EQ(white.scene().bands, 1u);
    EXPECT_EQ(hash_film(make_film_of(volume, light_by({1, 1, 1}))), hash_film(white));
    std::vector<std::string> notices;
    render_with(volume, light_by({1}), &notices);
    EXPECT_TRUE(notices.empty());
}

TEST(PictureBands, ANoticeTellsOfThreeBands)
{
    std::vector<std::string> notices;
    render_with(make_smoke(), light_by(kBlue), &notices);
    ASSERT_EQ(notices.size(), 1u);
    test::expect_contains(notices[0], {"three bands", "--bands volume"});
}

TEST(PictureBands, AnyLightOrGroundWithAColourCounts)
{
    auto const volume = make_smoke();
    auto const count_bands = [&](Change const& change) { return make_film_of(volume, change).scene().bands; };
    EXPECT_EQ(count_bands([](RenderRequest& request) {
                  request.scene.light.radiance = {{1.0f}};
                  request.scene.light.below = kBlue;
              }),
              3u);
    EXPECT_EQ(count_bands([](RenderRequest& request) {
                  request.scene.ground.kind = GroundKind::diffuse;
                  request.scene.ground.albedo = kBlue;
              }),
              3u);
    auto const lamp = [](std::vector<float> const& power) {
        return [power](RenderRequest& request) {
            Emitter sun;
            sun.kind = EmitterKind::sun;
            sun.unit = EmitterUnit::irradiance;
            sun.angle_deg = 20;
            sun.amount = power;
            request.scene.emitters.emitters = {sun};
        };
    };
    EXPECT_EQ(count_bands(lamp(kBlue)), 3u);
    EXPECT_EQ(count_bands(lamp({2})), 1u);
    EXPECT_EQ(count_bands(lamp({2, 2, 2})), 1u);
    expect_error(ExitStatus::usage, {"environment.radiance", "2 values for 1 bands"}, [&] {
        count_bands(light_by({1, 2}));
    });
}

TEST(PictureBands, ImagesInColourCountAndGreyOnesDoNot)
{
    TempFolder const folder;
    auto const write_sky = [&](char const* name, float blue) {
        Image image = make_image(8, 4, Transfer::linear, {"R", "G", "B"});
        for (std::size_t i = 0; i < 32; ++i)
            for (std::size_t c = 0; c < 3; ++c)
                image.channels[c].values[i] = (c == 2 ? blue : 1.0f) * static_cast<float>(i % 5);
        write_image(folder / name, image);
        return folder / name;
    };
    auto const under = [&](std::filesystem::path const& sky) {
        return make_film_of(make_smoke(), [&](RenderRequest& request) { request.scene.light.image_path = sky; });
    };
    EXPECT_EQ(under(write_sky("blue.exr", 2)).scene().bands, 3u);
    EXPECT_EQ(under(write_sky("white.exr", 1)).scene().bands, 1u);
    Film const own = make_film_of(make_smoke(), [&](RenderRequest& request) {
        request.scene.light.image_path = folder / "blue.exr";
        request.scene.bands = PictureBands::of_volume;
    });
    EXPECT_EQ(own.scene().bands, 1u);
}

TEST(PictureBands, VolumeKeepsItsOwnIfAsked)
{
    auto const volume = make_smoke();
    Film const own = make_film_of(volume, [](RenderRequest& request) {
        request.scene.light.radiance = kBlue;
        request.scene.bands = PictureBands::of_volume;
    });
    EXPECT_EQ(own.scene().bands, 1u);
    ASSERT_EQ(own.scene().environment.radiance.size(), 1u);
    EXPECT_NEAR(own.scene().environment.radiance[0], 0.2126f * 0.4f + 0.7152f * 0.5f + 0.0722f * 0.7f, 1e-6f);
}

TEST(PictureBands, FilmsGoOnInTheirOwn)
{
    auto const volume = make_smoke();
    TempFolder const folder;
    auto const go_on = [&](Film film, Change const& change) {
        return make_film_of(volume, [&](RenderRequest& request) {
            request.film = std::move(film);
            request.samples.samples = SampleRange{0, 6};
            change(request);
        });
    };
    auto const with_end = [](Change const& change) {
        return [change](RenderRequest& request) {
            request.samples.samples = SampleRange{0, 6};
            change(request);
        };
    };
    Film const blue = make_film_of(volume, light_by(kBlue)), whole = make_film_of(volume, with_end(light_by(kBlue)));
    EXPECT_EQ(hash_film(go_on(blue, light_by(kBlue))), hash_film(whole));
    EXPECT_EQ(hash_film(go_on(blue, [](RenderRequest&) {})), hash_film(whole));
    auto const keep_own = [](RenderRequest& request) { request.scene.bands = PictureBands::of_volume; };
    expect_error(ExitStatus::usage, {"--bands volume", "three bands"}, [&] { go_on(blue, keep_own); });

    Image image = make_image(8, 4, Transfer::linear, {"R", "G", "B"});
    for (Channel& channel : image.channels)
        std::iota(channel.values.begin(), channel.values.end(), channel.name == "R" ? 1.0f : 2.0f);
    write_image(folder / "sky.exr", image);
    auto const under_sky = [&](RenderRequest& request) { request.scene.light.image_path = folder / "sky.exr"; };
    auto const grey_under_sky = [&](RenderRequest& request) {
        under_sky(request);
        keep_own(request);
    };
    Film const grey = make_film_of(volume, grey_under_sky);
    EXPECT_EQ(grey.scene().bands, 1u);
    EXPECT_EQ(hash_film(go_on(grey, under_sky)), hash_film(make_film_of(volume, with_end(grey_under_sky))));
    expect_error(ExitStatus::usage, {"environment.radiance"},
                 [&] { go_on(make_film_of(volume, light_by({1})), light_by(kBlue)); });
}

} // namespace
} // namespace volpt
