// What bindings to other languages need: options and their words, arrays of every type, maps, plots, stops.
#include "tests/support/temp_folder.h"
#include "volpt/volpt.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <gtest/gtest.h>
#include <numeric>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using volpt::test::TempFolder;

volpt::Options const kTiny{{"resolution", "12x8"}, {"spp", "4"}, {"device", "cpu"}};

volpt::Volume make_cube(TempFolder const& folder)
{
    return volpt::pack("", folder / "cube.vpk",
                       {{"make", "cube"}, {"dims", "8,8,8"}, {"size", "8,8,8"}, {"sigma-t", "1"}, {"albedo", "0.9"}});
}

/// The text of the error, with its status in front.
template <class Call>
std::string tell_error(Call&& call)
{
    try {
        call();
    } catch (volpt::Error const& error) {
        return std::to_string(static_cast<int>(error.status())) + " " + error.what();
    }
    return "no error was thrown";
}

/// Whether `call` is true in a forked process; an exception there is false.
template <class Call>
bool is_true_in_child(Call&& call)
{
    pid_t const child = ::fork();
    if (child == 0) {
        try {
            ::_exit(call() ? 0 : 1);
        } catch (...) {
            ::_exit(2);
        }
    }
    int state = 0;
    return child > 0 && ::waitpid(child, &state, 0) == child && WIFEXITED(state) && WEXITSTATUS(state) == 0;
}

bool has(std::string const& text, std::string const& part)
{
    return text.find(part) != std::string::npos;
}

volpt::OptionInfo const* find(std::vector<volpt::OptionInfo> const& options, std::string const& name)
{
    auto const found = std::ranges::find(options, name, &volpt::OptionInfo::name);
    return found == options.end() ? nullptr : &*found;
}

TEST(ApiOptions, AreListedForEachTask)
{
    auto const of_render = volpt::list_options(volpt::Task::render);
    ASSERT_NE(find(of_render, "boundary"), nullptr);
    EXPECT_TRUE(std::ranges::count(find(of_render, "boundary")->words, "smooth"));
    EXPECT_EQ(find(of_render, "output"), nullptr);
    auto const of_compare = volpt::list_options(volpt::Task::compare);
    ASSERT_NE(find(of_compare, "statistical"), nullptr);
    EXPECT_TRUE(find(of_compare, "statistical")->value.empty());
    EXPECT_EQ(find(of_compare, "html"), nullptr);
    EXPECT_NE(find(volpt::list_options(volpt::Task::convergence), "spp"), nullptr);
    auto const of_merge = volpt::list_options(volpt::Task::merge);
    EXPECT_NE(find(of_merge, "expect"), nullptr);
    EXPECT_EQ(find(of_merge, "inputs"), nullptr);
    auto const of_info = volpt::list_options(volpt::Task::info);
    EXPECT_NE(find(of_info, "verify"), nullptr);
    EXPECT_NE(find(of_info, "dims"), nullptr);
    EXPECT_EQ(find(of_info, "slice"), nullptr);
    auto const of_pack = volpt::list_options(volpt::Task::pack);
    ASSERT_NE(find(of_pack, "albedo"), nullptr);
    EXPECT_FALSE(find(of_pack, "albedo")->help.empty());
    EXPECT_EQ(find(of_pack, "export"), nullptr);
}

TEST(ApiOptions, ErrorsNameWhatTheCallerWrote)
{
    TempFolder const folder;
    auto const cube = make_cube(folder);
    auto const film = volpt::render(cube, kTiny).film;
    auto const tell_render = [&](volpt::Option const& option) {
        return tell_error([&] { volpt::render(cube, {option}); });
    };
    auto const tell_pack = [&](volpt::Option const& option) {
        return tell_error([&] { volpt::pack(cube.path(), folder / "x.vpk", {option}); });
    };
    EXPECT_EQ(tell_render({"resolutoin", "4x4"}), "2 there is no option resolutoin; the nearest is resolution");
    EXPECT_TRUE(has(tell_render({"output", "x.vpf"}), "2 volpt::render has no option output"));
    EXPECT_TRUE(has(tell_error([&] { volpt::resume(film, cube, {{"json"}}); }), "volpt::resume has no option json"));
    EXPECT_TRUE(has(tell_render({"spp"}), "2 spp has no value"));
    EXPECT_TRUE(has(tell_render({"transparent", "maybe"}), "2 transparent is a switch"));
    std::string const value = tell_render({"depth-limit", "many"});
    EXPECT_TRUE(has(value, "depth-limit") && !has(value, "--")) << value;
    EXPECT_TRUE(has(tell_pack({"export", "x.mha"}), "2 volpt::pack has no option export"));
    std::string const unknown = tell_pack({"albdo", "0.9"});
    EXPECT_TRUE(has(unknown, "albedo") && !has(unknown, "--") && !has(unknown, "--help")) << unknown;
    EXPECT_TRUE(has(tell_pack({"albdo", "off"}), "the nearest is albedo"));
    EXPECT_TRUE(has(tell_error([&] { volpt::compare(film, film, {{"html", "x"}}); }), "volpt::compare has no option"));
    EXPECT_TRUE(has(tell_render({"spp", std::string("4\0", 2)}), "zero byte"));
}

TEST(ApiOptions, SwitchesMayBeOnOrOff)
{
    TempFolder const folder;
    auto const film = volpt::render(make_cube(folder), kTiny).film;
    auto const tell = [&](volpt::Options const& options) { return volpt::compare(film, film, options).text; };
    EXPECT_EQ(tell({{"statistical", "off"}}), tell({}));
    EXPECT_EQ(tell({{"statistical", "on"}}), tell({{"statistical"}}));
    EXPECT_NE(tell({{"statistical"}}), tell({}));
}

TEST(ApiWords, AreThoseOfABinding)
{
    TempFolder const folder;
    auto const spell_option = [](std::string_view name) {
        std::string word(name);
        std::ranges::replace(word, '-', '_');
        return word;
    };
    volpt::set_caller_words({[](std::string_view name) { return "volpt." + std::string(name); }, spell_option, "x"});
    auto const cube = make_cube(folder);
    std::string const refused = tell_error([&] { volpt::render(cube, {{"list-kernels"}}); });
    std::string const wrong = tell_error([&] { volpt::render(cube, {{"depth-limit", "many"}}); });
    std::string notices;
    volpt::Watch const watch{.notice = [&](std::string_view text) { notices += text; }};
    volpt::render(cube, {{"probe", "top"}, {"resolution", "4x4"}, {"spp", "1"}}, watch);
    volpt::set_caller_words({});
    EXPECT_TRUE(has(refused, "volpt.render has no option list_kernels")) << refused;
    EXPECT_TRUE(has(wrong, "depth_limit")) << wrong;
    EXPECT_TRUE(has(notices, "int_ior") && !has(notices, "--")) << notices;
}

TEST(ApiWords, AChoiceIsToldInOptionsOfTheCaller)
{
    TempFolder const folder;
    std::vector<std::int16_t> values(12 * 12 * 12, -1000);
    for (std::size_t i = 0; i < values.size() / 2; ++i) values[i] = static_cast<std::int16_t>(i % 2 == 0 ? 40 : 900);
    std::string notices;
    volpt::Watch const watch{.notice = [&](std::string_view text) { notices += text; }};
    auto const volume = volpt::pack({values, {12, 12, 12}}, folder / "ct.vpk", {{"auto"}, {"scale", "2"}}, watch);
    EXPECT_EQ(volume.bands(), 3);
    EXPECT_EQ(volume.scale(), 2);
    EXPECT_TRUE(has(notices, "Hounsfield numbers") && has(notices, "opacity -400:0")) << notices;
    EXPECT_FALSE(has(notices, "--") || has(notices, "scale")) << notices;
}

template <class Number>
void expect_values_come_back(TempFolder const& folder)
{
    std::vector<Number> values(5 * 4 * 3);
    std::iota(values.begin(), values.end(), Number{1});
    auto const volume = volpt::pack({values, {5, 4, 3}}, folder / "array.vpk", {{"pitch", "1"}, {"scale", "1"}});
    EXPECT_EQ(volume.read("density").values, std::vector<float>(values.begin(), values.end()));
}

TEST(ApiArrays, OfEveryTypeBecomeVolumes)
{
    TempFolder const folder;
    expect_values_come_back<std::uint8_t>(folder);
    expect_values_come_back<std::int8_t>(folder);
    expect_values_come_back<std::uint16_t>(folder);
    expect_values_come_back<std::int16_t>(folder);
    expect_values_come_back<std::uint32_t>(folder);
    expect_values_come_back<std::int32_t>(folder);
    expect_values_come_back<std::uint64_t>(folder);
    expect_values_come_back<std::int64_t>(folder);
    expect_values_come_back<float>(folder);
    expect_values_come_back<double>(folder);
    std::vector<std::byte> const halves(16);
    std::string const error = tell_error([&] {
        volpt::pack({halves, volpt::NumberType::f16, {2, 2, 2}, 1}, folder / "x.vpk");
    });
    EXPECT_TRUE(error.starts_with("3 ")) << error;
    std::vector<float> const values(8);
    EXPECT_TRUE(has(tell_error([&] {
                        volpt::pack({values, {2, 2, 2}}, folder / "x.vpk", {{"dims", "2,2,2"}});
                    }),
                    "headerless"));
}

TEST(ApiArrays, BricksAreTheVoxelsOfTheFile)
{
    TempFolder const folder;
    std::vector<float> values(9 * 10 * 11);
    std::iota(values.begin(), values.end(), 0.0f);
    auto const volume = volpt::pack({values, {11, 10, 9}}, folder / "array.vpk", {{"encode", "f32"}, {"scale", "1"}});
    auto const bricks = volume.bricks("density");
    auto const order = volpt::list_voxel_order();
    ASSERT_EQ(bricks.type, volpt::NumberType::f32);
    ASSERT_EQ(bricks.values_shape[1], order.size());
    auto const* const words = static_cast<float const*>(bricks.values);
    std::uint32_t const slot = bricks.table[0];
    ASSERT_LT(slot, bricks.values_shape[0]);
    for (std::size_t i = 0; i < order.size(); ++i) {
        auto const [x, y, z] = order[i];
        ASSERT_EQ(words[(slot * order.size() + i) * bricks.values_shape[2]], values[x + 11u * (y + 10u * z)]);
    }
    EXPECT_TRUE(tell_error([&] { volume.bricks("colour"); }).starts_with("2 "));
}

TEST(ApiFilms, HaveLayersAndPictures)
{
    TempFolder const folder;
    auto const film = volpt::render(make_cube(folder), kTiny).film;
    auto const layers = film.layers();
    auto const errors = std::ranges::find(layers, "standard_error.Y", &volpt::Layer::name);
    ASSERT_NE(errors, layers.end());
    EXPECT_EQ(errors->values, film.standard_error());
    auto const picture = film.encode_png();
    ASSERT_GT(picture.size(), 8u);
    EXPECT_EQ(picture[1], std::byte{'P'});
    std::vector<std::filesystem::path> const outputs{folder / "f.vpf", folder / "f.png"};
    film.save(outputs);
    EXPECT_EQ(volpt::Film::read(outputs[0]).film_hash(), film.film_hash());
    std::vector<std::filesystem::path> const bad{folder / "g.vpf", folder / "g.doc"};
    EXPECT_TRUE(tell_error([&] { film.save(bad); }).starts_with("2 "));
    EXPECT_FALSE(std::filesystem::exists(bad[0]));
    EXPECT_TRUE(tell_error([&] { film.save(std::span<std::filesystem::path const>()); }).starts_with("2 "));
}

TEST(ApiVerdicts, OfPicturesInMemoryHaveMetricsAndMaps)
{
    std::vector<float> const ones(4 * 3 * 3, 1.0f), halves(4 * 3 * 3, 0.5f);
    volpt::PictureView const test{ones, 4, 3, {"R", "G", "B"}}, reference{halves, 4, 3, {"R", "G", "B"}};
    auto const verdict =
        volpt::compare(test, reference, {{"metric", "rmse"}, {"metric", "bias"}, {"threshold", "rmse<1"}});
    EXPECT_TRUE(verdict.is_pass && !verdict.is_undecided && !verdict.has_equal_bits);
    auto const rmse = std::ranges::find(verdict.metrics, "rmse", &volpt::Metric::name);
    ASSERT_NE(rmse, verdict.metrics.end());
    EXPECT_DOUBLE_EQ(rmse->value.value_or(0), 0.5);
    auto const map = std::ranges::find(verdict.maps, "difference", &volpt::Layer::name);
    ASSERT_NE(map, verdict.maps.end());
    EXPECT_EQ(map->values, std::vector<float>(verdict.width * verdict.height, 0.5f));
    volpt::PictureView short_one = test;
    short_one.height = 4;
    EXPECT_TRUE(has(tell_error([&] { volpt::compare(short_one, reference); }), "3 test: has 36 values"));
    short_one.height = 65536;
    EXPECT_TRUE(has(tell_error([&] { volpt::compare(test, short_one); }), "3 reference: is no picture"));
}

TEST(ApiConvergence, IsMeasuredOnFilms)
{
    TempFolder const folder;
    auto const cube = make_cube(folder);
    std::vector<volpt::Comparable> films;
    for (char const* const spp : {"4", "16", "64"})
        films.emplace_back(
            volpt::render(cube, {{"resolution", "24x16"}, {"spp", spp}, {"seed", spp}, {"device", "cpu"}}).film);
    auto const found = volpt::convergence(films);
    ASSERT_EQ(found.points.size(), 2u);
    EXPECT_EQ(found.points[1].samples, 16);
    EXPECT_LT(found.slope, 0);
    EXPECT_TRUE(has(found.plot, "<svg") && has(found.report, "slope_samples") && !found.text.empty());
    EXPECT_TRUE(has(tell_error([&] {
                        volpt::convergence(films, {}, {{"plot", "x.svg"}});
                    }),
                    "2 volpt::convergence has no option plot"));
}

TEST(ApiStops, APackThatIsStoppedLeavesNothing)
{
    TempFolder const folder;
    std::vector<float> const values(std::size_t{256} * 256 * 256, 1.0f);
    volpt::Watch const stopping{.progress = [](volpt::Progress const&) { return false; }};
    std::string const error = tell_error([&] {
        volpt::pack({values, {256, 256, 256}}, folder / "big.vpk", {}, stopping);
    });
    EXPECT_TRUE(has(error, "4 volprep: was stopped")) << error;
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder / ""), {}), 0);
    struct Stop : std::runtime_error {
        using std::runtime_error::runtime_error;
    };
    volpt::Watch const throwing{.progress = [](volpt::Progress const&) -> bool { throw Stop("of the caller"); }};
    EXPECT_THROW(volpt::pack({values, {256, 256, 256}}, folder / "big.vpk", {}, throwing), Stop);
}

TEST(ApiPrograms, AreThoseOfTheLibraryAndNotOfPath)
{
    EXPECT_EQ(volpt::find_program("volprep"), std::filesystem::path(VOLPT_TEST_PROGRAMS) / "volprep");
    std::string const error = tell_error([&] { volpt::find_program("sh"); });
    EXPECT_TRUE(error.starts_with("4 ") && has(error, VOLPT_TEST_PROGRAMS) && has(error, "PATH is not searched"))
        << error;
}

TEST(ApiProcesses, AForkedOneIsTold)
{
    TempFolder const folder;
    std::vector<float> const values(8 * 8 * 8, 0.5f);
    auto const cube = volpt::pack({values, {8, 8, 8}}, folder / "cube.vpk");
    EXPECT_TRUE(is_true_in_child([&] {
        std::string const error = tell_error([&] { volpt::render(cube, kTiny); });
        return has(error, "4 fork: this process was forked") && has(error, "posix_spawn") &&
               cube.read("density").values == values;
    }));
}

TEST(ApiProgress, IsOneLineOfText)
{
    std::string const line = volpt::format_progress("render", {50, 100, "paths"}, 2);
    EXPECT_TRUE(has(line, "render") && has(line, "50%")) << line;
}

} // namespace
