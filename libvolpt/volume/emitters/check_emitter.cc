#include "libvolpt/volume/emitters/check_emitter.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <vector>

namespace volpt {
namespace {

using Triple = std::array<double, 3>;

constexpr double kMost_mm = 1e9;
constexpr double kLeast_mm = 1e-9;
constexpr double kLeast_k = 800; // at which light is barely seen
constexpr double kMost_k = 1e5;
constexpr float kMostAmount = 1e30f;
constexpr float kLeastAmount = 1e-30f;

bool lies_in(double value, double low, double high)
{
    return value >= low && value <= high; // false for NaN
}

bool all_lie_in(Triple const& values, double limit)
{
    return std::ranges::all_of(values, [&](double value) { return lies_in(value, -limit, limit); });
}

double measure_length(Triple const& v)
{
    return std::hypot(v[0], v[1], v[2]);
}

double measure_cross_product(Triple const& a, Triple const& b)
{
    return measure_length({a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]});
}

bool has_unit(EmitterKind kind, EmitterUnit unit)
{
    switch (kind) {
    case EmitterKind::point:
    case EmitterKind::spot:
        return unit == EmitterUnit::power || unit == EmitterUnit::intensity;
    case EmitterKind::sun:
        return unit == EmitterUnit::irradiance || unit == EmitterUnit::radiance;
    case EmitterKind::beam:
        return unit == EmitterUnit::power;
    case EmitterKind::rectangle:
    case EmitterKind::disk:
    case EmitterKind::sphere:
    case EmitterKind::mesh:
        return unit == EmitterUnit::power || unit == EmitterUnit::radiance;
    }
    return false;
}

std::string find_amount_problem(Emitter const& emitter)
{
    if (!has_unit(emitter.kind, emitter.unit)) return "its kind has no amount in this unit";
    if (emitter.amount.empty() || emitter.amount.size() > kMaxBands)
        return fmt::format("it has {} amounts; one, or one for each band", emitter.amount.size());
    for (float const value : emitter.amount)
        if (!lies_in(value, 0, kMostAmount)) return fmt::format("it sends out {}, which is not in 0 to 1e30", value);
    if (std::ranges::max(emitter.amount) < kLeastAmount) return "it has no power";
    if (emitter.temperature_k != 0 && !lies_in(emitter.temperature_k, kLeast_k, kMost_k))
        return fmt::format("its temperature of {} K is not in 800 to 100000", emitter.temperature_k);
    if (emitter.temperature_k != 0 && emitter.amount.size() > 1)
        return "its temperature gives it a colour, and so do its amounts: it has one amount";
    return {};
}

std::string find_angle_problem(Emitter const& emitter)
{
    if (emitter.kind == EmitterKind::spot) {
        if (!lies_in(emitter.angle_deg, 0.001, 180))
            return fmt::format("its angle of {} degrees is not in 0.001 to 180", emitter.angle_deg);
        if (!lies_in(emitter.inner_angle_deg, 0, emitter.angle_deg))
            return fmt::format("its inner angle of {} degrees is not in 0 to its angle", emitter.inner_angle_deg);
    }
    if (emitter.kind == EmitterKind::sun) {
        bool const has_size = lies_in(emitter.angle_deg, 0.001, 180);
        if (emitter.angle_deg != 0 && !has_size)
            return fmt::format("its diameter of {} degrees is neither 0 nor in 0.001 to 180", emitter.angle_deg);
        if (emitter.unit == EmitterUnit::radiance && !has_size)
            return "it has a radiance but no diameter: parallel light has an irradiance";
    }
    return {};
}

std::string find_extent_problem(Emitter const& emitter)
{
    bool const is_beam = emitter.kind == EmitterKind::beam;
    bool const is_round = is_beam ? emitter.profile == BeamProfile::disc || emitter.profile == BeamProfile::gaussian
                                  : emitter.kind == EmitterKind::disk || emitter.kind == EmitterKind::sphere;
    if (is_round && !lies_in(emitter.radius_mm, kLeast_mm, kMost_mm))
        return fmt::format("its radius of {} mm is not in 1e-9 to 1e9 mm", emitter.radius_mm);
    if (is_beam && emitter.profile == BeamProfile::slit && measure_length(emitter.u_axis_mm) < kLeast_mm)
        return "it is a slit without length";
    if (is_beam && emitter.profile == BeamProfile::slit &&
        measure_cross_product(emitter.u_axis_mm, emitter.direction_world) <=
            1e-6 * measure_length(emitter.u_axis_mm) * measure_length(emitter.direction_world))
        return "it is a slit along its own light";
    if (emitter.kind == EmitterKind::rectangle || (is_beam && emitter.profile == BeamProfile::rectangle)) {
        double const u = measure_length(emitter.u_axis_mm), v = measure_length(emitter.v_axis_mm);
        if (u < kLeast_mm || v < kLeast_mm ||
            measure_cross_product(emitter.u_axis_mm, emitter.v_axis_mm) < 1e-6 * u * v)
            return "it has no area";
    }
    return {};
}

double measure_area_mm2(TriangleMesh const& mesh, std::size_t first, std::size_t count)
{
    double sum = 0;
    for (std::size_t i = first; i < first + count; ++i) {
        auto const corner = [&](std::size_t at) { return mesh.positions_mm[mesh.triangles[i][at]]; };
        auto const edge = [&](Vec3 to) {
            Vec3 const from = corner(0);
            return Triple{double{to.x} - double{from.x}, double{to.y} - double{from.y}, double{to.z} - double{from.z}};
        };
        sum += 0.5 * measure_cross_product(edge(corner(1)), edge(corner(2)));
    }
    return sum;
}

std::string find_mesh_problem(Emitter const& emitter, SurroundingShapes const& shapes, std::vector<bool>& is_taken)
{
    std::size_t const first = emitter.first_triangle, count = emitter.triangle_count;
    if (count == 0 || first + count > is_taken.size())
        return fmt::format("it has triangles {} to {} of {}", first, first + count, is_taken.size());
    for (std::size_t i = first; i < first + count; ++i) {
        if (is_taken[i]) return fmt::format("triangle {} emits twice", i);
        is_taken[i] = true;
    }
    if (!(measure_area_mm2(shapes.mesh_mm, first, count) >= kLeast_mm * kLeast_mm)) return "it has no area";
    return {};
}

} // namespace

std::string find_emitter_problem(Emitter const& emitter)
{
    if (emitter.kind > EmitterKind::beam) return "its kind is unknown";
    if (emitter.profile > BeamProfile::rectangle) return "its profile is unknown";
    for (Triple const* place : {&emitter.origin_world, &emitter.u_axis_mm, &emitter.v_axis_mm})
        if (!all_lie_in(*place, kMost_mm)) return "it is not finite, or beyond 1e9 mm";
    if (!all_lie_in(emitter.direction_world, kMost_mm)) return "its direction is not finite";
    if (!lies_in(emitter.radius_mm, 0, kMost_mm) || !lies_in(emitter.angle_deg, 0, 180) ||
        !lies_in(emitter.inner_angle_deg, 0, 180))
        return "its radius or an angle is not finite, or negative";
    bool const has_direction = emitter.kind == EmitterKind::spot || emitter.kind == EmitterKind::sun ||
                               emitter.kind == EmitterKind::disk || emitter.kind == EmitterKind::beam;
    if (has_direction && measure_length(emitter.direction_world) < kLeast_mm) return "it has no direction";
    if (std::string problem = find_amount_problem(emitter); !problem.empty()) return problem;
    if (std::string problem = find_angle_problem(emitter); !problem.empty()) return problem;
    return find_extent_problem(emitter);
}

std::string find_emitters_problem(std::span<Emitter const> emitters, std::size_t bands, SurroundingShapes const& shapes)
{
    std::vector<bool> is_taken(shapes.mesh_mm.triangles.size());
    for (std::size_t i = 0; i < emitters.size(); ++i) {
        Emitter const& emitter = emitters[i];
        std::string problem = find_emitter_problem(emitter);
        if (problem.empty() && emitter.amount.size() != 1 && emitter.amount.size() != bands)
            problem = fmt::format("it has {} amounts, the volume {} bands", emitter.amount.size(), bands);
        if (problem.empty() && emitter.temperature_k != 0) problem = "its temperature has no bands yet";
        if (problem.empty() && emitter.kind == EmitterKind::mesh)
            problem = find_mesh_problem(emitter, shapes, is_taken);
        if (!problem.empty()) return fmt::format("emitter {}: {}", i, problem);
    }
    return {};
}

} // namespace volpt
