// The fields of a scene with their ranges (scene_fields.def), for code that visits them all.
#pragma once

#include "libvolpt/core/volume_view.hd.h"
#include "libvolpt/scene/scene.h"
#include "libvolpt/sys/text/number_range.h"
#include "libvolpt/volume/medium_ranges.h"

#include <algorithm>
#include <limits>
#include <type_traits>

namespace volpt {

/// The valid values of a field, and whether it has a record.
struct FieldRange : NumberRange {
    enum class Presence { always, unless_default, unless_lowest } presence = Presence::always;
};

namespace scene_ranges {

constexpr FieldRange closed(double lowest, double highest)
{
    return {NumberRange::closed(lowest, highest)};
}
constexpr FieldRange open(double lowest, double highest)
{
    return {NumberRange::open(lowest, highest)};
}
constexpr FieldRange within(NumberRange range)
{
    return {range};
}
/// The values that have a word. Does not compile unless they are all numbers from 0.
template <HasWords Enum>
constexpr FieldRange words()
{
    constexpr double kLast = static_cast<double>(kWords<Enum>.size() - 1);
    static_assert(
        std::ranges::all_of(kWords<Enum>, [](auto const& entry) { return static_cast<double>(entry.value) <= kLast; }),
        "a number below is no value");
    return closed(0, kLast); // no consteval: clang 14 ends where such a result is an argument
}
constexpr FieldRange optional(FieldRange range)
{
    range.presence = FieldRange::Presence::unless_default;
    return range;
}
/// For a field whose default is not what scenes had before they had the field.
constexpr FieldRange absent_if_lowest(FieldRange range)
{
    range.presence = FieldRange::Presence::unless_lowest;
    return range;
}
constexpr FieldRange anything()
{
    return closed(0, std::numeric_limits<std::uint32_t>::max());
}

} // namespace scene_ranges

/// The range of the field of that name; does not compile if there is none.
consteval NumberRange scene_range(std::string_view name)
{
    using namespace scene_ranges;
#define VOLPT_SCENE_FIELD(path, range, matters)                                                                        \
    if (name == #path) return range;
#include "libvolpt/scene/scene_fields.def"
#undef VOLPT_SCENE_FIELD
    throw "the scene has no such field";
}

/// The values of a field, one of u32, enum, bool, float, double, Hash128.
template <class T>
auto values_of(T& field)
{
    if constexpr (requires { field.data(); })
        return std::span(field.data(), field.size());
    else
        return std::span<T, 1>(&field, 1);
}

/// Calls visit(name, get, range, matters) for each field in record order; `get` returns the field of any scene by
/// reference, `matters` says whether the given scene's kinds use it.
template <class Visit>
void visit_scene_fields(Scene const& scene, Visit&& visit)
{
    using namespace scene_ranges;
#define VOLPT_SCENE_FIELD(path, range, matters)                                                                        \
    visit(                                                                                                             \
        std::string_view(#path), [](auto& any) -> auto& { return any.path; }, range, matters);
#include "libvolpt/scene/scene_fields.def"
#undef VOLPT_SCENE_FIELD
}

} // namespace volpt
