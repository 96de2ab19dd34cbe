// Samples and time of renderings: from layers, metadata of renderers, names of files.
#include "libvolpt/stats/convergence/render_record.h"

#include "libvolpt/stats/convergence/stored_rounding.h"
#include "tests/support/expect_error.h"

#include <cmath>
#include <gtest/gtest.h>

namespace volpt::test {
namespace {

Subject make_subject_with(std::string name, std::vector<std::pair<std::string, std::string>> metadata)
{
    Subject subject{.name = std::move(name), .film = {}, .image = make_image(2, 2, Transfer::linear, {"Y"})};
    subject.image.metadata = std::move(metadata);
    return subject;
}

RenderRecord find_record(Subject const& subject, double samples = NAN, std::string const& layer = "")
{
    std::vector<std::string> notices;
    RenderRecord stated;
    stated.samples = samples;
    return find_render_record(subject, layer, stated, notices);
}

TEST(RenderRecord, NamesTellTheNumberBesideSpp)
{
    struct Case {
        char const* name;
        double samples;
    };
    for (Case const& test :
         {Case{"cube_64spp.exr", 64}, Case{"cube-spp16.exr", 16}, Case{"a/0256_SPP_denoised.png", 256},
          Case{"cube_64spp_2.exr", 64}, Case{"7-spp64-512x512.pfm", 64}, Case{"spp-4096.hdr", 4096}})
        EXPECT_EQ(find_samples_in_name(test.name), test.samples) << test.name;
    for (char const* const name : {"cube.exr", "cube_64.exr", "64spp/cube.exr", "64spp4.exr", "0.25spp.exr", "spp.exr",
                                   "0spp.exr", "8_spp_9.exr"})
        EXPECT_TRUE(std::isnan(find_samples_in_name(name))) << name;
}

TEST(RenderRecord, ClockTimesAreSeconds)
{
    EXPECT_DOUBLE_EQ(parse_clock_time("00:01.23"), 1.23);
    EXPECT_DOUBLE_EQ(parse_clock_time("1:02:03.5"), 3723.5);
    EXPECT_DOUBLE_EQ(parse_clock_time("7"), 7);
    for (char const* const text : {"", ":", "1:", "a", "1:2:3:4", "-1", "nan", "1 s"})
        EXPECT_TRUE(std::isnan(parse_clock_time(text))) << text;
}

TEST(RenderRecord, RenderersMetadataAreRead)
{
    Subject const pbrt = make_subject_with("p.exr", {{"samplesPerPixel", "128"}, {"renderTimeSeconds", "2.5"}});
    EXPECT_EQ(find_record(pbrt).samples, 128);
    EXPECT_EQ(find_record(pbrt).seconds, 2.5);
    EXPECT_EQ(find_record(pbrt).source, SampleSource::metadata);

    Subject blender = make_subject_with("b.exr", {{"cycles.ViewLayer.samples", "64"}, {"RenderTime", "00:03.50"}});
    std::vector<std::string> notices;
    RenderRecord const record = find_render_record(blender, "", {}, notices);
    EXPECT_EQ(record.samples, 64);
    EXPECT_EQ(record.seconds, 3.5);
    ASSERT_EQ(notices.size(), 1u);
    expect_contains(notices[0], {"adaptive sampling"});
    find_render_record(blender, "", {}, notices);
    EXPECT_EQ(notices.size(), 1u); // said once

    blender.image.metadata = {{"cycles.Front.samples", "64"}, {"cycles.Back.samples", "32"}};
    EXPECT_EQ(find_record(blender, NAN, "Back.Combined").samples, 32);
    EXPECT_TRUE(std::isnan(find_record(blender).samples));
}

TEST(RenderRecord, FilmsCountTheirSamples)
{
    Subject subject = make_subject_with("film_99spp.exr", {{"provenance", R"({"seconds_render": "1.5"})"}});
    subject.image.channels.push_back({"sample_count", {8, 8, 8, 12}});
    EXPECT_EQ(find_record(subject).samples, 9);
    EXPECT_EQ(find_record(subject).seconds, 1.5);
    EXPECT_EQ(find_record(subject).source, SampleSource::film);
    expect_error(ExitStatus::input, {"has 9 samples per pixel, but 16 are stated"}, [&] { find_record(subject, 16); });
    Subject const picture =
        make_subject_with("film.png", {{"scene_hash", "aa"}, {"samples_min", "4"}, {"samples_max", "4"}});
    EXPECT_EQ(find_record(picture).samples, 4);
}

TEST(RenderRecord, StatedNumbersWinOverMetadataAndNames)
{
    Subject const subject = make_subject_with("cube_64spp.exr", {{"samplesPerPixel", "128"}});
    std::vector<std::string> notices;
    EXPECT_EQ(find_render_record(subject, "", {.samples = 100}, notices).samples, 100);
    ASSERT_EQ(notices.size(), 1u);
    expect_contains(notices[0], {"100 samples are stated, its metadata has 128"});
    expect_error(ExitStatus::input, {"128 samples by its metadata, and 64 by its name", "--spp"},
                 [&] { find_record(subject); });
    Subject const bare = make_subject_with("cube_64spp.exr", {{"samplesPerPixel", "no number"}});
    EXPECT_EQ(find_record(bare).samples, 64);
    EXPECT_EQ(find_record(bare).source, SampleSource::name);
}

TEST(StoredRounding, FormsAreToldByTheirMantissas)
{
    Image image = make_image(2, 1, Transfer::linear, {"R", "G", "B", "A"});
    auto const fill = [&](float first, float second) {
        for (Channel& channel : image.channels) channel.values = {first, second};
    };
    fill(1 / 3.0f, 0.7f);
    EXPECT_FALSE(find_stored_rounding(image));
    fill(1 + 1 / 1024.0f, 2); // steps of 2^-10 and 2^-9
    auto rounding = find_stored_rounding(image);
    ASSERT_TRUE(rounding);
    EXPECT_EQ(rounding->form, "half floats");
    EXPECT_DOUBLE_EQ(rounding->variance, (std::ldexp(1, -20) + std::ldexp(1, -18)) / 2 / 12);
    fill(1, 1);
    image.channels[0].values = {4, 4}; // the step of all is 2^-5
    rounding = find_stored_rounding(image);
    ASSERT_TRUE(rounding);
    EXPECT_EQ(rounding->form, "8-bit mantissas");
    EXPECT_DOUBLE_EQ(rounding->variance, std::ldexp(1, -10) / 12);
    image.transfer = Transfer::srgb;
    fill(1, 0);
    rounding = find_stored_rounding(image);
    ASSERT_TRUE(rounding);
    EXPECT_EQ(rounding->form, "8 bits");
    fill(1, 0.5f);
    EXPECT_FALSE(find_stored_rounding(image));
}

} // namespace
} // namespace volpt::test
