// Mitsuba's own regression scenes of participating media, against its reference pictures (32,000 samples a pixel, with
// their variances): what is packed without a loss has their means and blocks of 8 x 8 pixels; the others say what they
// lack.
#include "formats/mitsuba/reader.h"
#include "libvolpt/film/film_image.h"
#include "libvolpt/image/codecs/codecs.h"
#include "libvolpt/scene/volume_scene.h"
#include "tests/statistical/measure.h"
#include "tests/support/expect_error.h"

#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <optional>

namespace volpt::test {
namespace {

constexpr double kReferenceSamples = 32000;
constexpr int kBlockEdge = 8;

struct ScenePair {
    char const* scene;
    char const* reference;
    std::uint32_t depth_limit; ///< Mitsuba's max_depth
    std::uint32_t samples;
    /// A share of each block, for light that is seen directly: it is blurred by a pixel of its picture, means are not.
    double block_tolerance;
};

/// A channel of a picture and its variance, summed over blocks.
struct Block {
    double sum = 0, variance = 0;
};

std::vector<Block> sum_blocks(std::vector<float> const& values, std::vector<double> const& variances, int width,
                              int height, int edge)
{
    int const across = width / edge;
    std::vector<Block> blocks(static_cast<std::size_t>(across * (height / edge)));
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            auto const pixel = static_cast<std::size_t>(y * width + x);
            Block& block = blocks[static_cast<std::size_t>(y / edge * across + x / edge)];
            block.sum += static_cast<double>(values[pixel]);
            block.variance += variances[pixel];
        }
    return blocks;
}

class MitsubaScenes : public testing::Test {
protected:
    void SetUp() override
    {
        char const* const data = std::getenv("VOLPT_TEST_DATA");
        if (data == nullptr) GTEST_SKIP() << "VOLPT_TEST_DATA is not set";
        home_ = std::filesystem::path(data) / "mitsuba-participating-media";
    }

    std::unique_ptr<VoxelStream> open(char const* scene) const
    {
        return open_mitsuba_scene(home_ / fmt::format("test_{}.xml", scene), {});
    }

    /// As volrender takes it from the volume's hints.
    Film render(ScenePair const& pair)
    {
        auto const stream = open(pair.scene);
        for (std::string const& notice : stream->list_notices()) {
            bool const is_known =
                notice.find("--depth-limit") != std::string::npos || notice.find("near_clip") != std::string::npos;
            EXPECT_TRUE(is_known) << notice;
        }
        pack_volume(*stream, folder_ / "v.vpk", {}, {});
        PackedVolume const volume = PackedVolume::open(folder_ / "v.vpk");
        SceneHints const hints = parse_scene_hints(volume.scene_hints_json(), pair.scene);
        std::optional<LightImage> light;
        if (hints.environment && hints.environment->kind == EnvironmentKind::image)
            light = make_light_image(read_image(home_ / hints.environment->image_file), volume.meta(), pair.scene);
        Scene scene = make_volume_scene(volume, hints, light ? &*light : nullptr);
        scene.depth_limit = pair.depth_limit;
        return render_scene(scene, volume, {0, pair.samples / kHaste}, {}, 3, light ? &*light : nullptr);
    }

    void expect_agreement(ScenePair const& pair)
    {
        Image const rendered = film_to_image(render(pair));
        Image const reference = read_image(home_ / fmt::format("refs/test_{}_ref_rgb.exr", pair.reference));
        Image const noise = read_image(home_ / fmt::format("refs/test_{}_ref_rgb_var.exr", pair.reference));
        for (std::string const channel : {"R", "G", "B"}) {
            auto const& errors = rendered.find("standard_error." + channel)->values;
            auto const& variances = noise.find(channel)->values;
            std::vector<double> own, theirs;
            for (std::size_t i = 0; i < errors.size(); ++i) {
                own.push_back(static_cast<double>(errors[i]) * static_cast<double>(errors[i]));
                theirs.push_back(static_cast<double>(variances[i]) / kReferenceSamples);
            }
            for (int const edge : {rendered.width, kBlockEdge}) {
                auto const ours =
                    sum_blocks(rendered.find(channel)->values, own, rendered.width, rendered.height, edge);
                auto const truth =
                    sum_blocks(reference.find(channel)->values, theirs, rendered.width, rendered.height, edge);
                double const tolerance = edge == kBlockEdge ? pair.block_tolerance : 0;
                double squares = 0;
                for (std::size_t i = 0; i < ours.size(); ++i) {
                    double const spread = std::sqrt(ours[i].variance + truth[i].variance);
                    EXPECT_NEAR(ours[i].sum, truth[i].sum, 4.5 * spread + tolerance * truth[i].sum)
                        << pair.scene << ", " << channel << ", block " << i << " of " << ours.size();
                    squares += std::pow((ours[i].sum - truth[i].sum) / spread, 2) / static_cast<double>(ours.size());
                }
                if (tolerance == 0 && edge == kBlockEdge) {
                    EXPECT_LT(std::sqrt(squares), 1.4) << pair.scene << channel;
                }
            }
        }
    }

    void expect_notice(char const* scene, std::string_view words) const
    {
        auto const stream = open(scene);
        std::string const all = fmt::format("{}", fmt::join(stream->list_notices(), "\n"));
        EXPECT_NE(all.find(words), std::string::npos) << scene << ": " << all;
    }

    std::filesystem::path home_;
    TempFolder folder_;
};

TEST_F(MitsubaScenes, OfGridsHaveTheirReferences)
{
    expect_agreement({"hetero_sigmat_volpath", "hetero_sigmat", 6, 512, 0});
    expect_agreement({"hetero_sigmat_albedo_volpath", "hetero_sigmat_albedo", 6, 512, 0});
}

TEST_F(MitsubaScenes, OfMeshesHaveTheirReferences)
{
    expect_agreement({"homo_spectral_sigmat_volpathmis", "homo_spectral_sigmat", 6, 256, 0});
    expect_agreement({"homo_dielectric_envmap_volpath", "homo_dielectric_envmap", 16, 256, 0.05});
}

TEST_F(MitsubaScenes, OthersSayWhatTheyLack)
{
    expect_notice("homo_area_light_volpath", "thindielectric is no surface that the renderer has");
    expect_notice("homo_roughdielectric_spot_volpath", "the emitter spot fades smoothly");
    expect_error(ExitStatus::input, {"<spectrum> radiance"}, [&] { open("homo_emitter_inside_medium_volpath"); });
    expect_error(ExitStatus::input, {"a grid of three channels"}, [&] { open("hetero_spectral_sigmat_volpathmis"); });
    expect_error(ExitStatus::input, {"no medium"}, [&] { open("surf_area_light_volpath"); });
}

} // namespace
} // namespace volpt::test
