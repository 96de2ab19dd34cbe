// View scenes as a tool opens them, and the scenes of the volrender commands that they make.
#pragma once

#include "libvolpt/job/render_job.h"
#include "libvolpt/scene/scene_hints.h"
#include "tests/support/expect_error.h"
#include "tests/support/make_volume.h"
#include "tools/render_setup/scene_options.h"
#include "tools/volrender/options.h"
#include "tools/volview/view_scene.h"

#include <cstdio>
#include <functional>
#include <gtest/gtest.h>

namespace volpt::test {

using Words = std::vector<std::string>;
using Changes = std::map<std::string, std::optional<std::string>>;

/// Density grows along x; three bands.
inline std::filesystem::path write_scene_volume(TempFolder const& folder, std::string const& name,
                                                SceneHints const& hints = {})
{
    VolumeMeta meta = density_meta({8, 6, 4});
    set_three_bands(meta);
    meta.placement.origin_world_mm = {1, 2, 3};
    meta.scale = 2;
    VolumePacker packer(folder / name, meta, {});
    std::vector<float> density;
    for (int i = 0; i < 8 * 6 * 4; ++i) density.push_back(0.1f + 0.05f * static_cast<float>(i % 8));
    VoxelSlab slab{.z_first = 0, .z_count = 4};
    slab.density = density;
    packer.add_slab(slab);
    packer.set_scene_hints(format_scene_hints(hints));
    packer.finish({});
    return folder / name;
}

/// The exit status of `body` with these options in a tool that has such groups.
template <typename Options>
int run_words(Words words, Options& options, std::function<void(ToolRun const&)> const& body)
{
    words.insert(words.begin(), "volsample");
    std::vector<char const*> argv;
    for (auto const& word : words) argv.push_back(word.c_str());
    ToolDescription description;
    description.name = "volsample";
    description.arguments_max = 1;
    return run_tool(static_cast<int>(argv.size()), argv.data(), description, options.list_groups(),
                    [&](ToolRun const& run) {
                        body(run);
                        return ExitStatus::done;
                    });
}

inline int with_view(Words const& words, std::function<void(ViewScene&)> const& body, std::uint64_t seed = 0)
{
    SceneOptions options;
    return run_words(words, options, [&](ToolRun const& run) {
        ViewScene view(run, options.make_request(), {}, seed);
        body(view);
    });
}

/// As a shell splits it.
inline Words split_by_shell(std::string const& command)
{
    Words words{""};
    FILE* const pipe = popen(("printf '%s\\n' " + command).c_str(), "r");
    for (int letter = std::fgetc(pipe); letter != EOF; letter = std::fgetc(pipe)) {
        if (letter == '\n')
            words.emplace_back();
        else
            words.back() += static_cast<char>(letter);
    }
    EXPECT_EQ(pclose(pipe), 0);
    words.pop_back();
    return words;
}

/// What volrender would render with the command is what the view shows.
inline void expect_same_scene(ViewScene const& view, std::string const& step)
{
    testing::ScopedTrace const trace(__FILE__, __LINE__, step);
    Words words = split_by_shell(view.make_command(7));
    ASSERT_GE(words.size(), 6u);
    EXPECT_EQ(words[0], "volrender");
    Words const end(words.end() - 4, words.end());
    EXPECT_EQ(end[0] + end[2] + end[3], "-o--spp7");
    words.erase(words.begin());
    VolrenderOptions options;
    EXPECT_EQ(run_words(words, options,
                        [&](ToolRun const& run) {
                            RenderJob const job(make_request(run, options));
                            EXPECT_EQ(hash_scene(job.scene().scene()), hash_scene(view.scene()));
                            for (auto const& [field, left, right] : compare_scenes(job.scene().scene(), view.scene()))
                                ADD_FAILURE() << field << " is " << left << ", " << right << " is shown";
                            EXPECT_EQ(job.seed(), view.seed());
                            EXPECT_EQ(job.request().samples.samples->count, 7u);
                        }),
              0);
}

inline void expect_refused(ViewScene& view, std::initializer_list<std::string_view> parts, Changes const& changes)
{
    OptionTexts const before = view.texts();
    Hash128 const scene = hash_scene(view.scene());
    expect_error(ExitStatus::usage, parts, [&] { view.change(changes); });
    EXPECT_EQ(view.texts(), before);
    EXPECT_EQ(hash_scene(view.scene()), scene);
}

} // namespace volpt::test
