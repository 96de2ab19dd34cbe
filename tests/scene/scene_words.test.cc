// Every value of the scene's enums has a word, and none else is a value of a scene.
#include "libvolpt/scene/scene_fields.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>

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
static_assert(is_enumerator<Sides::periodic>() && !is_enumerator<static_cast<Sides>(2)>());

/// Only core uses it, for tests of single strategies.
constexpr bool is_of_no_scene(auto value)
{
    return std::is_same_v<decltype(value), MisHeuristic> && static_cast<std::uint32_t>(value) == 2;
}

template <class Enum, std::uint32_t... numbers>
void expect_words(std::string_view field, ValueRange range, std::integer_sequence<std::uint32_t, numbers...>)
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

} // namespace
} // namespace volpt
