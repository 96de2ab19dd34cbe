// The library gives what the programs give: bits, judgements, errors.
#include "tests/support/temp_folder.h"
#include "volpt/volpt.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <gtest/gtest.h>
#include <numeric>
#include <thread>
#include <unistd.h>

namespace {

using volpt::test::TempFolder;

volpt::Options const kSmall{{"resolution", "24x16"}, {"spp", "8"}, {"device", "cpu"}};

volpt::Volume make_slab(TempFolder const& folder)
{
    return volpt::pack(
        "", folder / "slab.vpk",
        {{"make", "slab"}, {"dims", "16,16,8"}, {"size", "16,16,8"}, {"sigma-t", "2"}, {"albedo", "0.9"}});
}

volpt::Options with(volpt::Options options, volpt::Option option)
{
    std::erase_if(options, [&](volpt::Option const& other) { return other.name == option.name; });
    options.push_back(std::move(option));
    return options;
}

template <class Call>
volpt::Error catch_error(Call&& call)
{
    try {
        call();
    } catch (volpt::Error const& error) {
        return error;
    }
    ADD_FAILURE() << "no error was thrown";
    return {volpt::Status::system, ""};
}

/// Without blanks and line ends.
std::string squeeze(std::string text)
{
    std::erase_if(text, [](char letter) { return letter == ' ' || letter == '\n'; });
    return text;
}

TEST(Api, RendersTheBitsOfTheProgram)
{
    TempFolder const folder;
    volpt::Volume const slab = make_slab(folder);
    auto const own = volpt::render(slab, kSmall);
    auto const path = folder / "program.vpf";
    std::string const command = std::string(VOLPT_TEST_PROGRAMS "/volrender ") + slab.path().string() +
                                " --resolution 24x16 --spp 8 --device cpu --quiet -o " + path.string();
    ASSERT_EQ(std::system(command.c_str()), 0);
    auto const program = volpt::Film::read(path);
    EXPECT_EQ(own.film.film_hash(), program.film_hash());
    EXPECT_TRUE(own.is_finished);
    EXPECT_NE(own.report.find("\"kernel\""), std::string::npos);
    auto const verdict = volpt::compare(own.film, program);
    EXPECT_TRUE(verdict.is_pass && verdict.has_equal_bits) << verdict.text;
}

TEST(Api, ArraysBecomeVolumesAndComeBack)
{
    TempFolder const folder;
    std::vector<float> values(5 * 4 * 3);
    std::iota(values.begin(), values.end(), 1.0f);
    auto const volume = volpt::pack({values, {5, 4, 3}}, folder / "array.vpk",
                                    {{"pitch", "0.1,0.2,0.3"}, {"scale", "2"}, {"encode", "f32"}});
    EXPECT_EQ(volume.dims(), (std::array{5, 4, 3}));
    EXPECT_FLOAT_EQ(static_cast<float>(volume.pitch_mm()[1]), 0.2f);
    EXPECT_EQ(volume.scale(), 2);
    EXPECT_EQ(volume.planes(), std::vector<std::string>{"density"});
    auto const plane = volume.read("density");
    EXPECT_EQ(plane.shape, (std::array<std::size_t, 4>{3, 4, 5, 1}));
    EXPECT_EQ(plane.values, values);
}

TEST(Api, AlbedosByBandMakeThreeBands)
{
    TempFolder const folder;
    std::vector<float> const values(2 * 2 * 2 * 3, 0.5f);
    EXPECT_EQ(volpt::pack({values, {2, 2, 2}, 3}, folder / "bands.vpk").bands(), 3);
}

TEST(Api, ArraysThatAreNoneAreRefused)
{
    TempFolder const folder;
    std::vector<float> values(8, 1.0f);
    auto const pack = [&](volpt::ArrayView const& view) { volpt::pack(view, folder / "bad.vpk"); };
    for (volpt::ArrayView const& view : {volpt::ArrayView{values, {2, 2, 3}}, volpt::ArrayView{values, {0, 2, 2}},
                                         volpt::ArrayView{values, {2, 2, 2}, 2}, volpt::ArrayView{},
                                         volpt::ArrayView{values, {std::size_t{1} << 63, 2, 8}}})
        EXPECT_EQ(catch_error([&] { pack(view); }).status(), volpt::Status::input);
    values[3] = std::numeric_limits<float>::quiet_NaN();
    auto const error = catch_error([&] { pack({values, {2, 2, 2}}); });
    EXPECT_EQ(error.status(), volpt::Status::input);
    EXPECT_EQ(std::string(error.what()).find("/proc"), std::string::npos) << error.what();
    EXPECT_FALSE(std::filesystem::exists(folder / "bad.vpk"));
}

TEST(Api, ErrorsHaveTheStatusOfThePrograms)
{
    TempFolder const folder;
    volpt::Volume const slab = make_slab(folder);
    EXPECT_EQ(catch_error([&] { volpt::Volume::open(folder / "none.vpk"); }).status(), volpt::Status::input);
    EXPECT_EQ(catch_error([&] { volpt::Film::read(slab.path()); }).status(), volpt::Status::input);
    EXPECT_EQ(catch_error([&] { volpt::render(slab, {{"spp", "-1"}}); }).status(), volpt::Status::usage);
    for (volpt::Option const& option : {volpt::Option{"output", "film.vpf"}, {"exposure", "2"}, {"reproducible"}})
        EXPECT_EQ(catch_error([&] { volpt::render(slab, {option}); }).status(), volpt::Status::usage) << option.name;
    for (char const* const name : {"help", "version", "list-options", "json", "config", "output", "export", "plane",
                                   "list-grids", "check-mesh", "list-materials", "export=x.mha"})
        EXPECT_EQ(catch_error([&] { volpt::pack(slab.path(), folder / "x.vpk", {{name}}); }).status(),
                  volpt::Status::usage)
            << name;
    EXPECT_FALSE(std::filesystem::exists(folder / "x.vpk"));
    EXPECT_EQ(catch_error([&] {
                  volpt::pack("", folder / "x.vpk", {{"make", "pyramid"}});
              }).status(),
              volpt::Status::usage);
    EXPECT_EQ(catch_error([&] { slab.read("colour"); }).status(), volpt::Status::usage);
    EXPECT_EQ(catch_error([&] { volpt::merge({}); }).status(), volpt::Status::usage);
}

TEST(Api, HalvesMergeToTheWhole)
{
    TempFolder const folder;
    volpt::Volume const slab = make_slab(folder);
    auto const whole = volpt::render(slab, kSmall).film;
    auto const render_samples = [&](std::string const& range) {
        return volpt::render(slab, {{"resolution", "24x16"}, {"samples", range}, {"device", "cpu"}}).film;
    };
    std::vector const halves{render_samples("0:4"), render_samples("4:4")};
    EXPECT_EQ(volpt::merge(halves).film_hash(), whole.film_hash());
    EXPECT_EQ(volpt::resume(halves[0], slab, kSmall).film.film_hash(), whole.film_hash());
    std::vector const twice{whole, whole};
    EXPECT_EQ(catch_error([&] { volpt::merge(twice); }).status(), volpt::Status::input);
}

TEST(Api, FilesMergeToTheWholeAsVolmergeDoes)
{
    TempFolder const folder;
    volpt::Volume const slab = make_slab(folder);
    std::vector<std::filesystem::path> const parts{folder / "0.vpf", folder / "1.vpf"};
    for (int i = 0; i < 2; ++i)
        volpt::render(slab, {{"resolution", "24x16"}, {"samples", i == 0 ? "0:4" : "4:4"}, {"device", "cpu"}})
            .film.save(parts[static_cast<std::size_t>(i)]);
    std::vector<std::filesystem::path> const outputs{folder / "all.vpf", folder / "all.png"};
    auto const merged = volpt::merge(parts, outputs, {{"expect", "0:8"}});
    ASSERT_TRUE(merged.film);
    std::string const whole = volpt::render(slab, kSmall).film.film_hash();
    EXPECT_EQ(merged.film->film_hash(), whole);
    EXPECT_EQ(volpt::Film::read(outputs[0]).film_hash(), whole);
    EXPECT_TRUE(std::filesystem::exists(outputs[1]));
    EXPECT_TRUE(merged.is_whole && merged.deviation.empty() && merged.written == outputs);
    std::string const command = VOLPT_TEST_PROGRAMS "/volmerge " + parts[0].string() + " " + parts[1].string() +
                                " --expect 0:8 --json > " + (folder / "report.json").string();
    ASSERT_EQ(std::system(command.c_str()), 0);
    EXPECT_EQ(squeeze(merged.report), squeeze(volpt::test::read_text(folder / "report.json")));
}

TEST(Api, AMergeTellsWhatIsMissing)
{
    TempFolder const folder;
    std::vector<std::filesystem::path> const films{folder / "0.vpf"}, outputs{folder / "all.vpf"};
    volpt::render(make_slab(folder), kSmall).film.save(films[0]);
    auto const merged = volpt::merge(films, outputs, {{"expect", "0:16"}, {"chunk", "4"}});
    EXPECT_FALSE(merged.is_whole);
    EXPECT_TRUE(merged.written.empty() && !std::filesystem::exists(outputs[0]));
    EXPECT_NE(merged.deviation.find("lacks 8:8"), std::string::npos) << merged.deviation;
    EXPECT_NE(squeeze(merged.report).find("\"missing_tasks\":\"2-3\""), std::string::npos) << merged.report;
    EXPECT_EQ(volpt::merge(films, outputs, {{"expect", "0:16"}, {"partial"}}).written, outputs);
    EXPECT_FALSE(volpt::merge(films, {}, {{"expect", "0:8"}, {"heads-only"}}).film);
    volpt::Watch const stopping{.progress = [](volpt::Progress const&) { return false; }};
    EXPECT_EQ(catch_error([&] { volpt::merge(films, outputs, {}, stopping); }).status(), volpt::Status::system);
}

TEST(Api, ErrorsOfAMergeNameWhatTheCallerWrote)
{
    TempFolder const folder;
    std::vector<std::filesystem::path> const films{folder / "0.vpf"}, outputs{folder / "all.vpf"};
    volpt::render(make_slab(folder), kSmall).film.save(films[0]);
    auto const tell = [&](std::vector<std::filesystem::path> const& given, volpt::Options const& options) {
        return std::string(catch_error([&] { volpt::merge(given, {}, options); }).what());
    };
    EXPECT_EQ(tell({}, {}), "there are no films to merge; give one or more");
    EXPECT_EQ(tell(films, {{"heads-only"}}),
              "heads-only requires expect and writes nothing; give expect FIRST:COUNT and no output");
    EXPECT_EQ(tell(films, {{"partial"}}), "partial requires expect and output; give both");
    EXPECT_EQ(
        tell(films, {{"output", "x.vpf"}}),
        "volpt::merge has no option output; name films and outputs in the arguments, or run the program volmerge");
    EXPECT_EQ(tell(films, {{"expct", "0:8"}}), "there is no option expct; the nearest is expect");
    EXPECT_NE(tell({folder / "none.vpf"}, {}).find("none.vpf"), std::string::npos);
}

/// What `volinfo --json` prints, with these words.
std::string run_volinfo(TempFolder const& folder, std::string const& words)
{
    auto const answer = folder / "answer.json";
    std::string const command = VOLPT_TEST_PROGRAMS "/volinfo --json --quiet " + words + " > " + answer.string();
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    return squeeze(volpt::test::read_text(answer));
}

TEST(Api, TellsWhatVolinfoTells)
{
    TempFolder const folder;
    volpt::Volume const slab = make_slab(folder);
    std::string const path = slab.path().string();
    EXPECT_EQ(squeeze(volpt::info(path)), run_volinfo(folder, path));
    EXPECT_EQ(squeeze(volpt::info(path, {{"verify", "full"}, {"histogram"}})),
              run_volinfo(folder, path + " --verify full --histogram"));
    auto const film = folder / "film.vpf";
    volpt::render(slab, kSmall).film.save(film);
    EXPECT_EQ(squeeze(volpt::info(film)), run_volinfo(folder, film.string()));
    auto const raw = folder / "numbers.raw";
    std::string labels;
    for (int i = 0; i < 512; ++i) labels += static_cast<char>(i % 4);
    volpt::test::write_text(raw, labels);
    std::string notices;
    volpt::Watch const watch{.notice = [&](std::string_view text) { notices += text; }};
    EXPECT_EQ(squeeze(volpt::info(raw, {{"dims", "8,8,8"}, {"type", "u8"}}, watch)),
              run_volinfo(folder, raw.string() + " --dims 8,8,8 --type u8"));
    EXPECT_NE(notices.find("materials TABLE"), std::string::npos) << notices;
    EXPECT_EQ(notices.find("--"), std::string::npos) << notices;
}

TEST(Api, ErrorsOfInfoNameWhatTheCallerWrote)
{
    TempFolder const folder;
    auto const slab = make_slab(folder).path(), text = folder / "text.txt";
    volpt::test::write_text(text, "hello");
    auto const tell = [&](std::filesystem::path const& file, volpt::Options const& options) {
        auto const error = catch_error([&] { volpt::info(file, options); });
        return std::to_string(static_cast<int>(error.status())) + " " + error.what();
    };
    EXPECT_EQ(tell(slab, {{"slice", "0"}}), "2 volpt::info has no option slice; run the program volinfo");
    EXPECT_EQ(tell(slab, {{"coverage", "x.svg"}}),
              "2 coverage is 'x.svg', and volpt::info writes no plot; give none, or run the program volinfo");
    EXPECT_EQ(tell(slab, {{"header"}}),
              "2 header has no meaning for a .vpk or .vpf; it is for files that volprep reads");
    EXPECT_TRUE(tell(folder / "none.vpk", {}).starts_with("3 "));
    std::string const unknown = tell(text, {});
    EXPECT_TRUE(unknown.starts_with("3 ") && unknown.find("text.txt") != std::string::npos) << unknown;
    EXPECT_EQ(unknown.find("--"), std::string::npos) << unknown;
}

TEST(Api, TalliesAreReturnedInMemory)
{
    TempFolder const folder;
    volpt::Volume const slab = make_slab(folder);
    volpt::Options const options = with(with(with(kSmall, {"integrator", "light"}),
                                             {"light", "beam origin=0,0,20 direction=0,0,-1 radius=2mm power=1"}),
                                        {"tally", "fluence:gates=3,ns=0.05,grid=4x4x2"});
    auto const result = volpt::render(slab, options);
    ASSERT_TRUE(result.tally);
    volpt::Tally const& tally = *result.tally;
    EXPECT_EQ(tally.kind, "fluence");
    EXPECT_EQ(tally.unit, "1/mm^2 per launched joule of a pulse");
    EXPECT_EQ(tally.shape, (std::array<std::size_t, 5>{3, 1, 2, 4, 4}));
    EXPECT_EQ(tally.values.size(), 96u);
    EXPECT_EQ(tally.standard_errors.size(), 96u);
    EXPECT_EQ(tally.cell_size_mm, (std::array{4.0, 4.0, 4.0}));
    EXPECT_EQ(tally.gate_ns, 0.05);
    EXPECT_GT(*std::ranges::max_element(tally.values), 0);
    EXPECT_NE(result.report.find("\"energy\""), std::string::npos) << result.report;
    EXPECT_FALSE(volpt::render(slab, kSmall).tally);
    EXPECT_EQ(catch_error([&] {
                  volpt::resume(result.film, slab, with(options, {"spp", "16"}));
              }).status(),
              volpt::Status::usage);
}

TEST(Api, AStopLeavesAFilmThatCanBeResumed)
{
    TempFolder const folder;
    volpt::Volume const slab = make_slab(folder);
    volpt::Options const many = with(kSmall, {"spp", "100000"});
    auto const stopped = volpt::render(slab, many, {.progress = [](volpt::Progress const&) { return false; }});
    EXPECT_FALSE(stopped.is_finished);
    EXPECT_FALSE(stopped.failure);
    stopped.film.save(folder / "stopped.vpf");
    auto const read = volpt::Film::read(folder / "stopped.vpf");
    EXPECT_EQ(read.film_hash(), stopped.film.film_hash());
    // Threads finish ranges in any order: some may lie far beyond the number that all pixels have.
    auto resumed = stopped;
    resumed.film = read;
    std::uint64_t samples = 25;
    auto const has_other_numbers = [&] {
        return std::ranges::any_of(resumed.film.samples(), [&](std::uint64_t count) { return count != samples; });
    };
    do {
        samples *= 4;
        resumed = volpt::resume(resumed.film, slab, with(kSmall, {"spp", std::to_string(samples)}));
        EXPECT_TRUE(resumed.is_finished);
    } while (has_other_numbers());
    auto const whole = volpt::render(slab, with(kSmall, {"spp", std::to_string(samples)}));
    EXPECT_EQ(resumed.film.film_hash(), whole.film.film_hash());
}

TEST(Api, WhatASinkThrowsEndsTheCall)
{
    TempFolder const folder;
    volpt::Volume const slab = make_slab(folder);
    struct Stop {};
    volpt::Watch const stopping{.progress = [](volpt::Progress const&) -> bool { throw Stop(); }};
    EXPECT_THROW(volpt::render(slab, with(kSmall, {"spp", "100000"}), stopping), Stop);
    volpt::Watch const refusing{.notice = [](std::string_view) { throw Stop(); }};
    EXPECT_THROW(volpt::render(slab, with(kSmall, {"depth-limit", "1"}), refusing), Stop);
}

TEST(Api, AVolumeThatChangesLeavesAFilm)
{
    TempFolder const folder;
    volpt::Volume const slab = make_slab(folder);
    auto const touch = [&](volpt::Progress const&) {
        std::filesystem::last_write_time(slab.path(), std::filesystem::file_time_type{});
        return true;
    };
    auto const result = volpt::render(slab, with(kSmall, {"spp", "100000"}), {.progress = touch});
    EXPECT_FALSE(result.is_finished);
    ASSERT_TRUE(result.failure);
    EXPECT_EQ(result.failure->status(), volpt::Status::input);
    EXPECT_NE(std::string(result.failure->what()).find("changed"), std::string::npos) << result.failure->what();
}

TEST(Api, FilmsTellMeansErrorsAndSamples)
{
    TempFolder const folder;
    auto const film = volpt::render(make_slab(folder), kSmall).film;
    std::size_t const pixels = 24 * 16, bands = film.band_names().size();
    EXPECT_EQ(film.mean().size(), pixels * bands);
    EXPECT_EQ(film.standard_error().size(), pixels * bands);
    EXPECT_EQ(film.samples(), std::vector<std::uint64_t>(pixels, 8));
    EXPECT_EQ(film.lab().size(), pixels * 3);
    EXPECT_NE(film.describe().find(film.film_hash()), std::string::npos);
    film.save(folder / "film.png", {.exposure = 2});
    EXPECT_GT(std::filesystem::file_size(folder / "film.png"), 0u);
    EXPECT_EQ(catch_error([&] { film.save(folder / "film.doc"); }).status(), volpt::Status::usage);
    for (float const exposure : {-1.0f, 2e12f, std::numeric_limits<float>::quiet_NaN()})
        EXPECT_EQ(catch_error([&] { film.save(folder / "film.jpg", {.exposure = exposure}); }).status(),
                  volpt::Status::usage);
    EXPECT_FALSE(std::filesystem::exists(folder / "film.jpg"));
}

TEST(Api, PicturesShowTheLightBehindTheVolumeAsAsked)
{
    TempFolder const folder;
    auto const film = volpt::render(make_slab(folder), kSmall).film;
    film.save(folder / "film.vpf");
    auto const read = volpt::Film::read(folder / "film.vpf");
    auto const save = [&](volpt::Film const& saved, std::optional<double> backdrop) {
        saved.save(folder / "film.png", {.backdrop = backdrop, .keeps_provenance = false});
        return volpt::test::read_text(folder / "film.png");
    };
    EXPECT_EQ(save(film, 1), save(read, {}));
    EXPECT_NE(save(film, {}), save(read, {}));
    EXPECT_EQ(save(film, 0.2), save(film, {}));
    EXPECT_EQ(catch_error([&] { save(read, 0.5); }).status(), volpt::Status::usage);
}

TEST(Api, FilesAreThoseOfTheProgramsOptions)
{
    TempFolder const folder;
    volpt::Volume const slab = make_slab(folder);
    auto const film = volpt::render(slab, kSmall).film;
    auto const run = [&](std::string const& name, std::string const& words) {
        std::string const path = (folder / ("program_" + name)).string();
        std::string const command = std::string(VOLPT_TEST_PROGRAMS "/volrender ") + slab.path().string() +
                                    " --resolution 24x16 --spp 8 --device cpu --quiet --reproducible " + words +
                                    " -o " + path + " >/dev/null";
        EXPECT_EQ(std::system(command.c_str()), 0) << command;
        return volpt::test::read_text(path);
    };
    auto const save = [&](std::string const& name, volpt::SaveOptions options) {
        options.keeps_provenance = false;
        film.save(folder / name, options);
        return volpt::test::read_text(folder / name);
    };
    EXPECT_EQ(save("a.png", {.finds_exposure = true}), run("a.png", "--exposure auto"));
    EXPECT_EQ(save("d.png", {.denoise = "on"}), run("d.png", "--denoise on"));
    EXPECT_EQ(save("d.exr", {.denoise = "on", .aov = {"all"}}), run("d.exr", "--denoise on --aov all"));
    EXPECT_EQ(save("n.exr", {.aov = {"depth", "normal"}}), run("n.exr", "--aov depth,normal"));
    EXPECT_EQ(save("t.png", {.tone = "filmic"}), run("t.png", "--tone filmic"));
    EXPECT_NE(save("a.png", {}), save("d.png", {.denoise = "on"}));
    EXPECT_NE(save("a.png", {}), save("t.png", {.tone = "filmic"}));
}

TEST(Api, WhatAFileCannotShowIsRefusedBeforeItIsWritten)
{
    TempFolder const folder;
    auto const film = volpt::render(make_slab(folder), kSmall).film;
    film.save(folder / "film.vpf");
    auto const read = volpt::Film::read(folder / "film.vpf");
    auto const refuse = [&](volpt::Film const& saved, char const* name, volpt::SaveOptions const& options,
                            char const* why) {
        auto const error = catch_error([&] { saved.save(folder / name, options); });
        EXPECT_EQ(error.status(), volpt::Status::usage);
        EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
        EXPECT_EQ(std::string(error.what()).find("--"), std::string::npos) << error.what();
        EXPECT_FALSE(std::filesystem::exists(folder / name));
    };
    refuse(read, "a.png", {.denoise = "on"}, "does not have its volume");
    refuse(read, "a.exr", {.aov = {"depth"}}, "does not have its volume");
    refuse(film, "a.jpg", {.denoise = "on"}, "denoise");
    refuse(film, "a.png", {.aov = {"depth"}}, "write an .exr");
    refuse(film, "a.exr", {.aov = {"label"}}, "no materials");
    refuse(film, "a.exr", {.aov = {"z"}}, "no plane 'z'");
    refuse(film, "a.png", {.denoise = "yes"}, "on");
    refuse(film, "a.png", {.tone = "linear"}, "linear");
    for (char const* const name : {"denoise", "aov", "tone"})
        EXPECT_NE(std::string(catch_error([&] {
                                  volpt::render(volpt::Volume::open(folder / "slab.vpk"), {{name, "on"}});
                              }).what())
                      .find("give it to save"),
                  std::string::npos)
            << name;
    read.save(folder / "auto.png", {.finds_exposure = true});
    EXPECT_TRUE(std::filesystem::exists(folder / "auto.png"));
}

TEST(Api, ThreadsRenderAtOnce)
{
    TempFolder const folder;
    volpt::Volume const slab = make_slab(folder);
    std::string const hash = volpt::render(slab, kSmall).film.film_hash();
    std::atomic<int> equal{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&] { equal += volpt::render(slab, kSmall).film.film_hash() == hash; });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(equal, 4);
}

TEST(Api, ComparesFilesAndGivesReasons)
{
    TempFolder const folder;
    volpt::Volume const slab = make_slab(folder);
    auto const film = volpt::render(slab, kSmall).film, other = volpt::render(slab, with(kSmall, {"seed", "1"})).film;
    film.save(folder / "a.vpf");
    other.save(folder / "b.vpf");
    auto const verdict = volpt::compare(folder / "a.vpf", folder / "b.vpf");
    EXPECT_FALSE(verdict.is_pass);
    EXPECT_FALSE(verdict.reasons.empty());
    EXPECT_TRUE(volpt::compare(film, other, {{"statistical"}}).is_pass);
    EXPECT_EQ(catch_error([&] { volpt::compare(film, other, {{"html", "x.html"}}); }).status(), volpt::Status::usage);
}

TEST(Api, IlluminantIsThatOfTheProgram)
{
    TempFolder const folder;
    volpt::test::write_text(folder / "six.json",
                            R"({"bands": [400, 460, 520, 580, 640, 700], "materials": [{"id": 1, "name": "red",
                            "sigma_t": [5, 5, 5, 5, 5, 5], "albedo": [0.2, 0.2, 0.3, 0.5, 0.9, 0.9]}]})");
    volpt::Volume const slab = volpt::pack("", folder / "slab.vpk",
                                           {{"make", "slab"},
                                            {"dims", "16,16,8"},
                                            {"size", "16,16,8"},
                                            {"materials", (folder / "six.json").string()},
                                            {"material", "red"}});
    volpt::Options const probe = with(kSmall, {"probe", "top"});
    auto const film = volpt::render(slab, probe).film, other = volpt::render(slab, with(probe, {"seed", "1"})).film;
    film.save(folder / "a.vpf");
    other.save(folder / "b.vpf");
    volpt::Options const d50{{"metric", "de2000"}, {"illuminant", "D50"}}, d65{{"metric", "de2000"}};
    auto const verdict = volpt::compare(film, other, d50);
    EXPECT_NE(verdict.text, volpt::compare(film, other, d65).text);
    EXPECT_EQ(verdict.text, volpt::compare(folder / "a.vpf", folder / "b.vpf", d50).text);
    std::string const command = std::string(VOLPT_TEST_PROGRAMS "/volcompare ") + (folder / "a.vpf").string() + " " +
                                (folder / "b.vpf").string() + " --metric de2000 --illuminant D50 >" +
                                (folder / "printed").string();
    EXPECT_NE(std::system(command.c_str()), -1);
    EXPECT_EQ(verdict.text, volpt::test::read_text(folder / "printed"));
}

TEST(Api, PathsAreThoseOfTheFolderOfTheCall)
{
    TempFolder const folder;
    auto const before = std::filesystem::current_path();
    std::filesystem::current_path(folder / "");
    std::vector<float> const values(8, 1.0f);
    auto const volume = volpt::pack({values, {2, 2, 2}}, "-q.vpk");
    std::filesystem::current_path(before);
    EXPECT_TRUE(volume.path().is_absolute());
    EXPECT_TRUE(volpt::render(volume, kSmall).is_finished);
}

TEST(Api, AProgramWhoseEndIsNotKnownIsAnError)
{
    TempFolder const folder;
    auto const before = std::signal(SIGCHLD, SIG_IGN);
    EXPECT_EQ(catch_error([&] { make_slab(folder); }).status(), volpt::Status::system);
    std::signal(SIGCHLD, before);
}

TEST(Api, PackingWorksWithoutStandardDescriptors)
{
    TempFolder const folder;
    std::vector<float> const values(8, 1.0f);
    int const in = ::dup(0), error = ::dup(2);
    ::close(0);
    ::close(2);
    std::string failure;
    try {
        volpt::pack({values, {2, 2, 2}}, folder / "array.vpk");
    } catch (volpt::Error const& thrown) {
        failure = thrown.what();
    }
    ::dup2(in, 0);
    ::dup2(error, 2);
    ::close(in);
    ::close(error);
    EXPECT_TRUE(failure.empty()) << failure;
}

} // namespace
