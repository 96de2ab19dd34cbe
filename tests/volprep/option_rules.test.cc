// Every option of volprep has a rule for every kind of input, and the rules say what happens.
#include "tools/volprep/option_rules.h"
#include "tools/volprep/options.h"

#include "libvolpt/sys/error.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace volpt {
namespace {
namespace po = boost::program_options;

std::vector<std::string> list_declared_options()
{
    VolprepOptions options;
    po::options_description declared;
    for (OptionGroup* const group : options.list_groups()) group->declare(declared);
    std::vector<std::string> names;
    for (auto const& option : declared.options()) names.push_back(option->long_name());
    return names;
}

TEST(VolprepOptions, EveryOptionHasOneRule)
{
    std::vector<std::string> names;
    for (OptionRule const& rule : list_option_rules()) names.emplace_back(rule.option);
    std::vector<std::string> declared = list_declared_options();
    std::ranges::sort(names);
    std::ranges::sort(declared);
    EXPECT_GT(declared.size(), 30u);
    EXPECT_EQ(names, declared);
}

TEST(VolprepOptions, EveryRuleDecidesEveryKindOfInputOnce)
{
    for (OptionRule const& rule : list_option_rules())
        for (auto const& [kind, name] : list_input_kinds()) {
            int decisions = static_cast<int>(rule.used.contains(kind)) + static_cast<int>(rule.ignored.contains(kind));
            for (auto const& [kinds, advice] : rule.refused) {
                decisions += static_cast<int>(kinds.contains(kind));
                EXPECT_STRNE(advice, "");
            }
            EXPECT_EQ(decisions, 1) << "--" << rule.option << " for " << name;
        }
}

TEST(VolprepOptions, RefusedIgnoredAndUsedOptions)
{
    std::vector<std::string> notices;
    auto const check = [&](std::vector<std::string> const& given, InputKinds kinds) {
        check_options(given, kinds, [&](std::string_view text) { notices.emplace_back(text); });
    };
    try {
        check({"json", "window"}, InputKind::synthetic | InputKind::without_materials);
        ADD_FAILURE() << "nothing was thrown";
    } catch (Error const& error) {
        EXPECT_EQ(error.status(), ExitStatus::usage);
        EXPECT_STREQ(error.what(),
                     "--window has no meaning for a synthetic volume; it maps a file's values to density");
    }
    EXPECT_THROW(check({"core"}, InputKind::slices | InputKind::without_materials), Error);
    EXPECT_THROW(check({"window"}, InputKind::slices | InputKind::labelled), Error);
    EXPECT_THROW(check({"ink-share"}, InputKind::not_packed), Error);
    EXPECT_TRUE(notices.empty());

    check({"core", "core-material", "json", "output", "pitch"}, InputKind::slices | InputKind::labelled);
    EXPECT_TRUE(notices.empty());
    check({"define"}, InputKind::packed_volume);
    EXPECT_EQ(notices, std::vector<std::string>{"--define has no effect on a packed volume"});
}

} // namespace
} // namespace volpt
