// Every value of the scene's enums has a word, and none else is a value of a scene.
#include "tests/support/data_paths.h"

#include "libvolpt/scene/scene_fields.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

namespace volpt {
namespace {

/// Whether the enum has a name for the value; compilers write others as a cast, "(volpt::Sides)7".
template <auto value>
constexpr bool is_enumerator()
{
    constexpr std::string_view kSignature = __PRETTY_FUNCTION__;
    constexpr std::string_view kBefore = "value = ";
    return kSignature[kSignature.find(kBefore) + kBefore.size()] != '(';
}
static_assert(is_enumerator<Sides::periodic>() && !is_enumerator<static_cast<Sides>(99)>());

/// Only core uses it, for tests of single strategies.
constexpr bool is_of_no_scene(auto value)
{
    return std::is_same_v<decltype(value), MisHeuristic> && static_cast<std::uint32_t>(value) == 2;
}

template <class Enum, std::uint32_t... numbers>
void expect_words(std::string_view field, NumberRange range, std::integer_sequence<std::uint32_t, numbers...>)
{
    auto const expect = [&](Enum value, bool is_named) {
        auto const number = static_cast<std::uint32_t>(value);
        bool const is_value = is_named && !is_of_no_scene(value);
        std::string const word = to_word(value);
        EXPECT_EQ(word != std::to_string(number), is_value) << field << " " << number << " is '" << word << "'";
        EXPECT_EQ(range.contains(number), is_value) << field << " " << number;
        EXPECT_EQ(find_word<Enum>(word), is_value ? std::optional(value) : std::nullopt) << field << " " << word;
    };
    (expect(static_cast<Enum>(numbers), is_enumerator<static_cast<Enum>(numbers)>()), ...);
}

TEST(SceneWords, EveryEnumeratorHasAWordAndIsInTheRangeOfItsField)
{
    std::set<std::string_view> fields;
    visit_scene_fields(Scene(), [&](std::string_view name, auto get, FieldRange range, bool) {
        Scene scene;
        using Field = std::remove_cvref_t<decltype(get(scene))>;
        if constexpr (std::is_enum_v<Field>) {
            expect_words<Field>(name, range, std::make_integer_sequence<std::uint32_t, 16>());
            fields.insert(name);
        }
    });
    EXPECT_EQ(fields.size(), 19u);
}

TEST(SceneWords, AValueWithoutAWordIsToldByItsNumber)
{
    Scene scene;
    scene.width = scene.height = scene.bands = 1;
    scene.majorant = static_cast<MajorantKind>(7);
    auto const problem = find_scene_problem(scene);
    ASSERT_TRUE(problem.has_value());
    EXPECT_EQ(problem->field, "majorant");
    EXPECT_EQ(problem->what, "7 is not in 0 to 1");
}

/// The cell of ranges of the page's row for a field: names, type, values, range, use.
std::string find_cell(std::string const& page, std::string_view field)
{
    std::istringstream lines(page);
    for (std::string line; std::getline(lines, line);) {
        std::vector<std::string> cells;
        std::istringstream row(line);
        for (std::string cell; std::getline(row, cell, '|');) cells.push_back(cell);
        if (cells.size() < 6 || cells[1].find("`" + std::string(field) + "`") == std::string::npos) continue;
        return cells[4].substr(std::min<std::size_t>(1, cells[4].size()));
    }
    return "no row";
}

/// "1e9" or "1000000", as pages have them.
bool says(std::string const& cell, std::string const& before, double number, std::string const& after)
{
    auto const digits = static_cast<int>(std::log10(std::abs(number) + 0.5));
    std::string const power = fmt::format("{}1e{}", number < 0 ? "-" : "", digits);
    bool const is_power = std::abs(number) == std::pow(10, digits);
    return cell.starts_with(before + fmt::format("{}", number) + after) ||
           (is_power && cell.starts_with(before + power + after));
}

bool says(std::string const& cell, NumberRange range)
{
    bool const is_open = range.ends == NumberRange::Ends::excluded;
    std::string const low = is_open ? "above " : "", between = is_open ? ", below " : " .. ";
    auto const at = cell.find(between);
    return at != std::string::npos && says(cell, low, range.lowest, between) &&
           says(cell.substr(at), between, range.highest, "");
}

TEST(SceneWords, ThePageOfFilmsHasTheWordsAndRangesOfAllFields)
{
    std::ifstream file(test::tests_folder() / "../docs/formats/vpf.md");
    std::string const page((std::istreambuf_iterator<char>(file)), {});
    // Of any value, or with a list or a page of their own.
    std::set<std::string_view> const others{
        "volume_checksum", "environment.image_checksum", "override_g", "depth_limit", "mlt.chains", "estimator",
        "emitters"};
    visit_scene_fields(Scene(), [&](std::string_view name, auto get, FieldRange range, bool) {
        Scene scene;
        using Field = std::remove_cvref_t<decltype(get(scene))>;
        std::string const cell = find_cell(page, name);
        if constexpr (std::is_enum_v<Field>) {
            for (auto const& [value, word] : kWords<Field>) {
                auto const at = cell.find(fmt::format("{} ", static_cast<std::uint32_t>(value)));
                EXPECT_NE(at == std::string::npos ? at : cell.find(word, at), std::string::npos)
                    << name << " " << word << ": " << cell;
            }
        } else if (!others.contains(name)) {
            EXPECT_TRUE(says(cell, range)) << name << " in " << describe_range(range) << ": " << cell;
        }
        EXPECT_NE(cell, "no row") << name;
    });
}

} // namespace
} // namespace volpt
