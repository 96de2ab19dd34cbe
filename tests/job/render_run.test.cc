// A render that nobody asked for in words: typed requests, and what they refuse.
#include "libvolpt/job/render_run.h"

#include "libvolpt/volume/emitters/emitter_text.h"
#include "tests/support/expect_error.h"
#include "tests/support/make_volume.h"

#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>

namespace volpt {
namespace {

using test::density_meta;
using test::expect_error;
using test::TempFolder;

std::shared_ptr<PackedVolume const> make_cube()
{
    auto const density = [](int x, int, int) { return 0.1f + 0.1f * static_cast<float>(x); };
    return std::make_shared<PackedVolume const>(test::make_volume(density_meta({4, 4, 4}), {.density = density}));
}

RenderRequest make_request(std::shared_ptr<PackedVolume const> volume)
{
    RenderRequest request;
    request.volume_path = "cube.vpk";
    request.volume = std::move(volume);
    request.scene.camera.resolution = {{12, 8}};
    request.samples.samples = SampleRange{0, 3};
    request.device.device = DeviceChoice::cpu;
    request.threads = 1;
    return request;
}

TEST(Render, RequestIsRenderedWithoutFiles)
{
    RenderRequest request = make_request(make_cube());
    request.scene.boundary.int_ior = 1.4;
    RenderResult const rendered = render(request, {});
    ASSERT_TRUE(rendered.film);
    EXPECT_TRUE(is_finished(rendered));
    EXPECT_EQ(rendered.film->width(), 12u);
    EXPECT_EQ(rendered.film->samples_at(11, 7), 3u);
    EXPECT_EQ(rendered.film->scene().boundary.int_ior, 1.4);
    EXPECT_EQ(*rendered.film->provenance.find("threads"), "1");
}

TEST(Render, ResumedFilmHasTheBitsOfOneRender)
{
    auto const volume = make_cube();
    RenderRequest request = make_request(volume);
    Film const whole = *render(request, {}).film;
    request.samples.samples = SampleRange{0, 1};
    Film const begun = *render(request, {}).film;
    EXPECT_NE(hash_film(begun), hash_film(whole));
    RenderRequest rest = make_request(volume);
    rest.film = begun;
    EXPECT_EQ(hash_film(*render(rest, {}).film), hash_film(whole));
}

TEST(Render, SinkStopsIt)
{
    RenderRequest request = make_request(make_cube());
    request.samples.samples = SampleRange{0, 1 << 20};
    int calls = 0;
    RenderResult const rendered = render(request, {.progress = [&](Progress const&) { return ++calls < 2; }});
    EXPECT_FALSE(is_finished(rendered));
    ASSERT_TRUE(rendered.film);
    EXPECT_LT(rendered.film->samples_at(0, 0), 1u << 20);
}

TEST(Render, OutputsAreWrittenAndTellTheirMaking)
{
    TempFolder const folder;
    RenderRequest request = make_request(make_cube());
    request.output.files = {folder / "a.vpf", folder / "a.png"};
    request.output.make_provenance = [] {
        Provenance provenance;
        provenance.set("tool", "a test");
        return provenance;
    };
    RenderResult const rendered = render(request, {});
    Film const written = read_film(folder / "a.vpf");
    EXPECT_EQ(hash_film(written), hash_film(*rendered.film));
    EXPECT_EQ(*written.provenance.find("tool"), "a test");
    EXPECT_TRUE(std::filesystem::exists(folder / "a.png"));
}

/// A beam through the cube, whose absorbed energy is tallied and returned.
RenderRequest make_tally_request()
{
    VolumeMeta meta = density_meta({4, 4, 4});
    meta.constant_one_minus_albedo = {0.5f};
    auto const density = [](int, int, int) { return 0.5f; };
    RenderRequest request =
        make_request(std::make_shared<PackedVolume const>(test::make_volume(meta, {.density = density})));
    request.scene.emitters.integrator = Integrator::light;
    request.scene.emitters.emitters = {
        parse_emitter("beam origin=2,2,20 direction=0,0,-1 radius=1mm power=1", "a test")};
    request.tally.spec = parse_tally("--tally", "absorbed");
    request.tally.use = TallyUse::returned;
    return request;
}

TEST(Render, TallyIsReturnedWithoutAFile)
{
    RenderResult const rendered = render(make_tally_request(), {});
    ASSERT_TRUE(rendered.tally);
    TallyVolume const& tally = *rendered.tally;
    EXPECT_EQ(tally.dims, (std::array{4, 4, 4}));
    EXPECT_EQ(spell_tally_unit(tally), "1/mm^3 per launched watt");
    ASSERT_EQ(tally.values.size(), std::size_t{64} * tally.bands);
    auto const& pitch_mm = rendered.job->voxels().pitch_mm;
    double const cell_mm3 =
        static_cast<double>(pitch_mm[0]) * static_cast<double>(pitch_mm[1]) * static_cast<double>(pitch_mm[2]);
    double const absorbed = std::accumulate(tally.values.begin(), tally.values.end(), 0.0) * cell_mm3 / tally.bands;
    auto const report = nlohmann::json::parse(describe_render(rendered));
    EXPECT_GT(absorbed, 0);
    EXPECT_NEAR(absorbed, report["energy"]["absorbed"].get<double>(), 1e-5 * absorbed);
    EXPECT_EQ(report["tally"]["kind"], "absorbed");
    EXPECT_EQ(rendered.job->tally, nullptr); // its sums are freed
    EXPECT_EQ(rendered.film->scene().particle_film, ParticleFilm::none);
}

TEST(Render, DetectorsAreReportedWithoutAFile)
{
    RenderRequest request = make_tally_request();
    request.tally = {};
    DetectorSpec disc;
    disc.kind = DetectorKind::disc;
    disc.center_world = {{2, 2, 4}};
    disc.radius_mm = 2;
    request.detectors.specs = {disc};
    RenderResult const rendered = render(request, {});
    EXPECT_FALSE(rendered.tally);
    auto const report = nlohmann::json::parse(describe_render(rendered));
    ASSERT_EQ(report["detectors"].size(), 1u);
    EXPECT_EQ(report["detectors"][0]["radius_mm"], 2);
    EXPECT_FALSE(report.contains("tally"));
}

TEST(Render, TallyThatIsWrittenNeedsAFile)
{
    RenderRequest request = make_tally_request();
    request.tally.use = TallyUse::written;
    expect_error(ExitStatus::usage, {"--tally has no file"}, [&] { render(request, {}); });
}

TEST(Render, ContradictionsAreRefusedBeforeTheRender)
{
    auto const volume = make_cube();
    auto const refuse = [&](std::initializer_list<std::string_view> parts,
                            std::function<void(RenderRequest&)> const& change) {
        RenderRequest request = make_request(volume);
        change(request);
        JobSinks const sinks{.progress = [](Progress const&) -> bool { throw std::logic_error("it renders"); }};
        expect_error(ExitStatus::usage, parts, [&] { render(request, sinks); });
    };
    refuse({"--fov", "--ortho"}, [](RenderRequest& request) {
        request.scene.camera.fov_x_deg = 30;
        request.scene.camera.ortho_width_mm = 3;
    });
    refuse({"--boundary none"}, [](RenderRequest& request) {
        request.scene.boundary.kind = BoundaryKind::none;
        request.scene.boundary.alpha = 0.2;
    });
    refuse({"--env-below"}, [](RenderRequest& request) {
        request.scene.light.image_path = "sky.exr";
        request.scene.light.below = {{1.0f}};
    });
    refuse({"--mutations"}, [](RenderRequest& request) { request.scene.emitters.longest = 4; });
    refuse({"number of samples to reach"}, [&](RenderRequest& request) {
        request.film = *render(request, {}).film;
        request.samples.samples.reset();
    });
    refuse({"same file", "a.png"}, [](RenderRequest& request) {
        request.output.files = {"a.png"};
        request.output.kept = {"a.png"};
    });
    refuse({"--checkpoint"}, [](RenderRequest& request) { request.samples.checkpoint_s = 1; });
}

} // namespace
} // namespace volpt
