// Banks read from files are those that would be made; files that are not sound are as good as missing.
#include "libvolpt/cpu/outcomes/bank_cache.h"
#include "libvolpt/cpu/outcomes/outcome_banks.h"
#include "libvolpt/sys/checksum.h"
#include "libvolpt/sys/container/sectioned_file.h"
#include "tests/support/make_scene.h"
#include "tests/support/temp_folder.h"

#include <atomic>
#include <chrono>
#include <cstring>
#include <gtest/gtest.h>
#include <set>
#include <thread>

namespace volpt::test {
namespace {

constexpr BankKey kKey{.seed = 5, .number = 2, .log2_size = 4, .g = 0.5f};
constexpr std::size_t kLevelSize = 16;

/// Different for each `content`.
std::vector<Outcome> make_levels(std::size_t levels, std::uint32_t content = 1)
{
    std::vector<Outcome> outcomes(levels * kLevelSize);
    for (std::uint32_t i = 0; i < outcomes.size(); ++i) outcomes[i] = {i, content};
    return outcomes;
}

bool starts_with(std::span<Outcome const> all, std::span<Outcome const> first)
{
    return all.size() >= first.size() && std::memcmp(all.data(), first.data(), first.size_bytes()) == 0;
}

std::size_t count_files(TempFolder const& folder)
{
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder.path()), {}));
}

TEST(BankCache, GivesBackWhatWasWrittenUnderTheSameKeyAlone)
{
    TempFolder const folder;
    BankCache const cache(folder / "new" / "folder");
    std::vector<Outcome> const written = make_levels(3);
    std::vector<Outcome> read(written.size());
    EXPECT_EQ(cache.read(kKey, read), 0);
    cache.write(kKey, written);
    EXPECT_EQ(cache.read(kKey, read), 3);
    EXPECT_TRUE(starts_with(read, written));
    std::vector<BankKey> others(6, kKey);
    others[0].seed = 6;
    others[1].version += 1;
    others[2].number = 3;
    others[3].g_index = 1;
    others[4].log2_size = 3;
    others[5].g = -0.5f;
    std::set<std::filesystem::path> names{cache.name_file(kKey)};
    for (BankKey const& other : others) {
        EXPECT_EQ(cache.read(other, read), 0);
        EXPECT_TRUE(names.insert(cache.name_file(other)).second);
        // Nor does it if the file has come under another key's name.
        std::filesystem::copy_file(cache.name_file(kKey), cache.name_file(other));
        EXPECT_EQ(cache.read(other, read), 0);
    }
}

TEST(BankCache, FewLevelsAreTheBeginningOfMany)
{
    TempFolder const folder;
    BankCache const cache(folder.path());
    std::vector<Outcome> const five = make_levels(5);
    cache.write(kKey, std::span(five).first(3 * kLevelSize));
    std::vector<Outcome> read = make_levels(5, 9);
    EXPECT_EQ(cache.read(kKey, read), 3);
    EXPECT_TRUE(starts_with(read, std::span(five).first(3 * kLevelSize)));
    cache.write(kKey, five);
    read = make_levels(2, 9);
    EXPECT_EQ(cache.read(kKey, read), 2);
    EXPECT_TRUE(starts_with(five, read));
    EXPECT_EQ(cache.read(kKey, {}), 0);
}

TEST(BankCache, NoDamagedFileIsRead)
{
    TempFolder const folder;
    BankCache const cache(folder.path());
    std::vector<Outcome> const written = make_levels(3);
    std::vector<Outcome> read(written.size());
    std::filesystem::path const path = cache.name_file(kKey);
    cache.write(kKey, written);
    std::vector<std::byte> const sound = read_bytes(path);
    for (std::size_t size = 0; size < sound.size(); size += 61) {
        write_bytes(path, std::span(sound).first(size));
        EXPECT_EQ(cache.read(kKey, read), 0) << "cut to " << size;
    }
    write_bytes(path, sound);
    SectionedFile const file =
        SectionedFile::open(path, {{'V', 'O', 'L', 'P', 'T', 'B', 'N', 'K'}, 1 << 16, ""}, VerifyLevel::full);
    std::set<std::size_t> offsets;
    for (std::size_t i = 0; i < 48; ++i) offsets.insert(i);
    for (SectionInfo const& section : file.sections())
        for (std::size_t i = 0; i < section.size_bytes; i += 7) offsets.insert(section.offset_bytes + i);
    for (std::size_t i = sound.size() - 32; i < sound.size(); ++i) offsets.insert(i);
    for (std::size_t const offset : offsets) {
        write_bytes(path, sound);
        flip_bits(path, offset, 0x10);
        EXPECT_EQ(cache.read(kKey, read), 0) << "byte " << offset;
    }
    write_text(path, "something else");
    EXPECT_EQ(cache.read(kKey, read), 0);
    cache.write(kKey, written);
    EXPECT_EQ(cache.read(kKey, read), 3) << "not replaced";
    std::filesystem::remove(path);
    std::filesystem::create_directory(path);
    EXPECT_EQ(cache.read(kKey, read), 0);
    cache.write(kKey, written);
    EXPECT_EQ(cache.read(kKey, read), 0);
}

TEST(BankCache, WithoutAFolderOrForLaterBanksDoesNothing)
{
    TempFolder const folder;
    folder.write("file", "");
    std::vector<Outcome> const written = make_levels(1);
    std::vector<Outcome> read(written.size());
    for (BankCache const& cache : {BankCache(), BankCache(folder / "file" / "below")}) {
        cache.write(kKey, written);
        EXPECT_EQ(cache.read(kKey, read), 0);
    }
    BankCache const cache(folder.path());
    BankKey late = kKey;
    late.number = BankCache::kBanks;
    EXPECT_FALSE(cache.holds(late));
    cache.write(late, written);
    EXPECT_EQ(cache.read(late, read), 0);
    EXPECT_EQ(count_files(folder), 1u);
    EXPECT_FALSE(BankCache().holds(kKey));
}

TEST(BankCache, RemovesTheOldestOfItsOwnFilesAboveItsBound)
{
    TempFolder const folder;
    std::vector<Outcome> const written = make_levels(64);
    std::vector<Outcome> read(written.size());
    BankCache(folder.path()).write(kKey, written);
    std::uint64_t const size = std::filesystem::file_size(BankCache(folder.path()).name_file(kKey));
    auto const age = [&](std::string const& name, std::chrono::minutes minutes) {
        std::filesystem::last_write_time(folder / name, std::filesystem::file_time_type::clock::now() - minutes);
    };
    std::string const mine = std::string(1 << 16, 'x'), temporary = "bank-00.vpb.tmp-1-0",
                      recent = "bank-01.vpb.tmp-2-0";
    for (std::string const& name : {std::string("thesis.vpf"), std::string("bank-statement.pdf"), temporary, recent})
        folder.write(name, mine);
    age("thesis.vpf", std::chrono::minutes(1000));
    age("bank-statement.pdf", std::chrono::minutes(1000));
    age(temporary, std::chrono::minutes(1000));
    age(BankCache(folder.path()).name_file(kKey).filename().string(), std::chrono::minutes(60));
    BankCache const cache(folder.path(), 3 * size);
    std::vector<BankKey> keys;
    for (std::uint32_t i = 0; i < 6; ++i) {
        keys.push_back(kKey);
        keys.back().number = 10 + i;
        cache.write(keys.back(), written);
        age(cache.name_file(keys.back()).filename().string(), std::chrono::minutes(50 - i));
    }
    for (std::uint32_t i = 0; i < 6; ++i) EXPECT_EQ(cache.read(keys[i], read), i < 3 ? 0 : 64) << i;
    EXPECT_FALSE(std::filesystem::exists(folder / temporary)) << "left by a process that died";
    EXPECT_TRUE(std::filesystem::exists(folder / recent)) << "may be in use";
    EXPECT_TRUE(std::filesystem::exists(folder / "thesis.vpf"));
    EXPECT_TRUE(std::filesystem::exists(folder / "bank-statement.pdf"));
}

TEST(BankCache, ReadersSeeWholeFilesOfOneWriterOrNone)
{
    TempFolder const folder;
    constexpr std::size_t kLevels = 40;
    std::atomic<bool> mixed{false};
    std::atomic<int> seen{0};
    {
        std::vector<std::jthread> threads;
        for (std::uint32_t writer = 1; writer <= 3; ++writer)
            threads.emplace_back([&folder, writer] {
                BankCache const cache(folder.path());
                for (int i = 0; i < 20; ++i) cache.write(kKey, make_levels(kLevels, writer));
            });
        for (int reader = 0; reader < 2; ++reader)
            threads.emplace_back([&] {
                BankCache const cache(folder.path());
                for (int i = 0; i < 200; ++i) {
                    std::vector<Outcome> read(kLevels * kLevelSize);
                    if (cache.read(kKey, read) == 0) continue;
                    ++seen;
                    if (!starts_with(read, make_levels(kLevels, read[0].collisions))) mixed = true;
                }
            });
    }
    std::vector<Outcome> read(kLevels * kLevelSize);
    EXPECT_EQ(BankCache(folder.path()).read(kKey, read), static_cast<std::int32_t>(kLevels));
    EXPECT_FALSE(mixed.load());
    EXPECT_EQ(count_files(folder), 1u);
}

/// A scene of two g with small banks.
class SmallBanks {
public:
    SmallBanks() : volume_(make_bare_cube(16, 0.01f, 0.4f)), scene_(make(volume_), volume_, nullptr, 7)
    {
        view = scene_.view();
        view.long_steps.bank.log2_size = 6;
        view.long_steps.g_count = 2;
        view.long_steps.g[1] = -0.2f;
    }

    SceneView view;

private:
    static Scene make(PackedVolume const& volume)
    {
        Scene scene = make_scene(volume);
        scene.long_steps = LongSteps::spheres;
        return scene;
    }

    PackedVolume volume_;
    RenderScene scene_;
};

TEST(OutcomeBanks, AreTheSameReadMadeOrPartlyRead)
{
    SmallBanks const small;
    TempFolder const folder;
    std::vector<Outcome> const made = make_bank(small.view, 1, 2);
    auto const find = [&](SceneView const& view) { return *OutcomeBanks(view, 2, BankCache(folder.path())).find(1); };
    EXPECT_TRUE(starts_with(*OutcomeBanks(small.view, 1).find(1), made));
    // The cache of a scene of smaller spheres is completed.
    SceneView shallow = small.view;
    shallow.long_steps.bank.levels = 9;
    ASSERT_GT(small.view.long_steps.bank.levels, 9);
    find(shallow);
    EXPECT_EQ(count_files(folder), 2u) << "a file for each g";
    EXPECT_TRUE(starts_with(find(small.view), made)) << "partly read";
    EXPECT_TRUE(starts_with(find(small.view), made)) << "read";
    EXPECT_TRUE(starts_with(find(shallow), make_bank(shallow, 1, 1))) << "the beginning";
    for (auto const& entry : std::filesystem::directory_iterator(folder.path()))
        std::filesystem::resize_file(entry.path(), std::filesystem::file_size(entry.path()) / 2);
    EXPECT_TRUE(starts_with(find(small.view), made)) << "after damage";
    // That files are read at all: what they say is believed if they are sound.
    BankKey const key{.seed = 7, .number = 1, .log2_size = 6, .g = 0.4f};
    std::vector<Outcome> const strange(std::size_t{64} * static_cast<std::size_t>(small.view.long_steps.bank.levels),
                                       Outcome{1, 2});
    BankCache(folder.path()).write(key, strange);
    EXPECT_TRUE(starts_with(find(small.view), strange));
}

TEST(OutcomeBanks, OfLayersAreReadAsTheyWereMade)
{
    PrintOnCore const print = make_print_on_core(Source::constant, Source::constant);
    RenderScene const scene(print.scene, print.volume, nullptr, 7);
    SceneView view = scene.view();
    view.long_steps.bank.log2_size = 4;
    view.long_steps.bank.levels = 20;
    TempFolder const folder;
    BankCache const cache(folder.path());
    std::vector<Outcome> const made = make_bank(view, 1, 2);
    EXPECT_EQ(made.size(), 20u * kLayerNodes << 4);
    EXPECT_TRUE(starts_with(*OutcomeBanks(view, 1, cache).find(1), made));
    EXPECT_EQ(count_files(folder), 1u);
    EXPECT_TRUE(starts_with(*OutcomeBanks(view, 1, cache).find(1), made)) << "read";
    view.long_steps.kind = Steps::spheres;
    EXPECT_TRUE(starts_with(*OutcomeBanks(view, 1, cache).find(1), make_bank(view, 1, 1))) << "a file of their own";
    EXPECT_FALSE(cache.holds({.number = BankCache::kLayerBanks, .kind = Steps::layers}));
}

TEST(OutcomeBanks, HaveTheBitsOfTheirVersion)
{
    SmallBanks const small;
    std::vector<Outcome> const made = make_bank(small.view, 1, 1);
    EXPECT_EQ(kBankVersion, 1u);
    EXPECT_EQ(to_hex(hash_bytes(std::as_bytes(std::span(made)))), "38fbd6c63e6511f6338a08a0285d0a83")
        << "outcomes have changed: raise kBankVersion, or renders will take those of before from files";
}

} // namespace
} // namespace volpt::test
