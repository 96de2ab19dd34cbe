#include "libvolpt/scene/light/emitter_records.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace volpt {
namespace {

using Point = std::array<double, 3>;

bool is_zero(Point const& v)
{
    return v[0] == 0 && v[1] == 0 && v[2] == 0;
}

bool has_direction(EmitterKind kind)
{
    using enum EmitterKind;
    return kind == spot || kind == sun || kind == disk || kind == beam;
}

bool has_width(Emitter const& emitter)
{
    return emitter.kind == EmitterKind::beam &&
           (emitter.profile == BeamProfile::disc || emitter.profile == BeamProfile::gaussian);
}

bool has_radius(Emitter const& emitter)
{
    return emitter.kind == EmitterKind::disk || emitter.kind == EmitterKind::sphere || has_width(emitter);
}

bool is_slit(Emitter const& emitter)
{
    return emitter.kind == EmitterKind::beam && emitter.profile == BeamProfile::slit;
}

bool is_rectangle(Emitter const& emitter)
{
    return emitter.kind == EmitterKind::rectangle ||
           (emitter.kind == EmitterKind::beam && emitter.profile == BeamProfile::rectangle);
}

/// Takes numbers from the front; `fits` turns false at the first that is none of the asked kind.
class NumberReader {
public:
    explicit NumberReader(std::span<double const> numbers) : numbers_(numbers) {}

    bool fits = true;
    bool is_empty() const { return numbers_.empty(); }

    double take()
    {
        if (numbers_.empty()) {
            fits = false;
            return 0;
        }
        double const number = numbers_.front();
        numbers_ = numbers_.subspan(1);
        return number;
    }

    std::uint32_t take_index(std::uint32_t most)
    {
        double const number = take();
        if (!(number >= 0 && number <= static_cast<double>(most))) { // NaN fails too
            fits = false;
            return 0;
        }
        auto const index = static_cast<std::uint32_t>(number);
        fits = fits && static_cast<double>(index) == number;
        return index;
    }

    Point take_point()
    {
        double const x = take(), y = take(), z = take();
        return {x, y, z};
    }

private:
    std::span<double const> numbers_;
};

Emitter take_emitter(NumberReader& reader)
{
    constexpr std::uint32_t kAny = std::numeric_limits<std::uint32_t>::max();
    Emitter emitter;
    emitter.kind = static_cast<EmitterKind>(reader.take_index(kWords<EmitterKind>.size() - 1));
    emitter.unit = static_cast<EmitterUnit>(reader.take_index(kWords<EmitterUnit>.size() - 1));
    emitter.profile = static_cast<BeamProfile>(reader.take_index(static_cast<std::uint32_t>(BeamProfile::rectangle)));
    emitter.amount.resize(reader.take_index(kMaxBands));
    for (float& amount : emitter.amount) {
        double const number = reader.take();
        // Out of range for a float is undefined; NaN fails too.
        bool const is_amount = std::abs(number) <= static_cast<double>(std::numeric_limits<float>::max());
        amount = is_amount ? static_cast<float>(number) : 0.0f;
        reader.fits = reader.fits && is_amount && static_cast<double>(amount) == number;
    }
    emitter.origin_world = reader.take_point();
    emitter.direction_world = reader.take_point();
    emitter.u_axis_mm = reader.take_point();
    emitter.v_axis_mm = reader.take_point();
    emitter.radius_mm = reader.take();
    emitter.angle_deg = reader.take();
    emitter.inner_angle_deg = reader.take();
    emitter.first_triangle = reader.take_index(kAny);
    emitter.triangle_count = reader.take_index(kAny);
    return emitter;
}

} // namespace

bool is_area_emitter(EmitterKind kind)
{
    using enum EmitterKind;
    return kind == rectangle || kind == disk || kind == sphere || kind == mesh;
}

bool is_delta_emitter(Emitter const& emitter)
{
    return !is_area_emitter(emitter.kind) && !(emitter.kind == EmitterKind::sun && emitter.angle_deg > 0);
}

Emitter normalize_emitter(Emitter emitter)
{
    using enum EmitterKind;
    if (emitter.kind != beam) emitter.profile = BeamProfile::pencil;
    if (has_width(emitter) && emitter.radius_mm == 0) emitter.profile = BeamProfile::pencil;
    if (is_slit(emitter) && is_zero(emitter.u_axis_mm)) emitter.profile = BeamProfile::pencil;
    if (emitter.amount.size() > 1 &&
        std::ranges::all_of(emitter.amount, [&](float amount) { return amount == emitter.amount[0]; }))
        emitter.amount.resize(1);

    Emitter const defaults;
    if (emitter.kind == sun || emitter.kind == mesh) emitter.origin_world = defaults.origin_world;
    if (!has_direction(emitter.kind)) emitter.direction_world = defaults.direction_world;
    if (!is_rectangle(emitter) && !is_slit(emitter)) emitter.u_axis_mm = defaults.u_axis_mm;
    if (!is_rectangle(emitter)) emitter.v_axis_mm = defaults.v_axis_mm;
    if (!has_radius(emitter)) emitter.radius_mm = 0;
    if (emitter.kind != spot && emitter.kind != sun) emitter.angle_deg = 0;
    if (emitter.kind != spot) emitter.inner_angle_deg = 0;
    if (emitter.kind != mesh) emitter.first_triangle = emitter.triangle_count = 0;

    for (Point* v : {&emitter.origin_world, &emitter.direction_world, &emitter.u_axis_mm, &emitter.v_axis_mm})
        for (double& x : *v)
            if (x == 0) x = 0; // drops the sign
    for (double* x : {&emitter.radius_mm, &emitter.angle_deg, &emitter.inner_angle_deg})
        if (*x == 0) *x = 0;
    for (float& amount : emitter.amount)
        if (amount == 0) amount = 0;
    return emitter;
}

std::vector<double> to_emitter_records(std::span<Emitter const> emitters)
{
    std::vector<double> numbers;
    for (Emitter const& given : emitters) {
        Emitter const emitter = normalize_emitter(given);
        numbers.push_back(static_cast<double>(emitter.kind));
        numbers.push_back(static_cast<double>(emitter.unit));
        numbers.push_back(static_cast<double>(emitter.profile));
        numbers.push_back(static_cast<double>(emitter.amount.size()));
        numbers.insert(numbers.end(), emitter.amount.begin(), emitter.amount.end());
        for (Point const& v : {emitter.origin_world, emitter.direction_world, emitter.u_axis_mm, emitter.v_axis_mm})
            numbers.insert(numbers.end(), v.begin(), v.end());
        numbers.push_back(emitter.radius_mm);
        numbers.push_back(emitter.angle_deg);
        numbers.push_back(emitter.inner_angle_deg);
        numbers.push_back(emitter.first_triangle);
        numbers.push_back(emitter.triangle_count);
    }
    return numbers;
}

std::optional<std::vector<Emitter>> read_emitter_records(std::span<double const> numbers)
{
    std::vector<Emitter> emitters;
    NumberReader reader(numbers);
    while (reader.fits && !reader.is_empty() && emitters.size() <= kMaxEmitters)
        emitters.push_back(take_emitter(reader));
    if (!reader.fits || emitters.size() > kMaxEmitters) return std::nullopt;
    return emitters;
}

} // namespace volpt
