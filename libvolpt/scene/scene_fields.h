// The fields of a scene with their ranges (scene_fields.def), for code that visits them all.
#pragma once

#include "libvolpt/core/volume_view.hd.h"
#include "libvolpt/scene/scene.h"

#include <limits>
#include <type_traits>

namespace volpt {

/// Interval of valid values; NaN lies in none.
struct FieldRange {
    double lowest;
    double highest;
    enum class Ends { closed, open } ends;
    enum class Presence { always, unless_default, unless_lowest } presence = Presence::always; ///< of the record

    bool contains(double value) const
    {
        return ends == Ends::open ? value > lowest && value < highest : value >= lowest && value <= highest;
    }
};

namespace scene_ranges {

constexpr FieldRange closed(double lowest, double highest)
{
    return {lowest, highest, FieldRange::Ends::closed};
}
constexpr FieldRange open(double lowest, double highest)
{
    return {lowest, highest, FieldRange::Ends::open};
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
