#include "libvolpt/scene/light/emitter_tables.h"

#include "libvolpt/core/fixed_point.hd.h"
#include "libvolpt/core/scene_view.hd.h"
#include "libvolpt/scene/camera_view.h"
#include "libvolpt/scene/exact_trig.h"
#include "libvolpt/scene/light/emitter_records.h"
#include "libvolpt/scene/vectors.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace volpt {
namespace {

/// Factor by which the ball is larger than the scene, because its points are rounded.
constexpr double kBallMargin = 1 + 0x1p-16;

Vec3 make_unit(Vec3d const& v)
{
    double const length = measure_length(v);
    return round_vector({v[0] / length, v[1] / length, v[2] / length});
}

double measure_area_mm2(EmitterTriangle const& triangle)
{
    Vec3d const a = make_precise(triangle.a);
    Vec3d const u = find_difference(make_precise(triangle.b), a), v = find_difference(make_precise(triangle.c), a);
    return 0.5 * measure_length(find_cross(u, v));
}

/// 1 - cos, without cancellation.
double find_one_minus_cosine(double degrees)
{
    double const sine = sine_cosine_of_degrees(degrees / 2).sine;
    return 2 * sine * sine;
}

/// Factors between Emitter::amount, EmitterView::amount and the power of an emitter, for its largest band.
struct UnitFactors {
    double to_amount;  ///< from Emitter::amount
    double to_power_w; ///< from EmitterView::amount
};

/// The integral of evaluate_spot over all directions, sr: the inner cone, and half of the solid angle between the
/// cones.
double find_spot_solid_angle(Emitter const& emitter)
{
    return kPi * (find_one_minus_cosine(emitter.inner_angle_deg) + find_one_minus_cosine(emitter.angle_deg));
}

UnitFactors find_sun_factors(Emitter const& emitter, double disc_mm2)
{
    if (emitter.angle_deg == 0) return {1, disc_mm2};
    double const half_sine = sine_cosine_of_degrees(emitter.angle_deg / 2).sine;
    double const irradiance_of_one = kPi * half_sine * half_sine;
    double const solid_angle = 2 * kPi * find_one_minus_cosine(emitter.angle_deg / 2);
    return {emitter.unit == EmitterUnit::irradiance ? 1 / irradiance_of_one : 1, solid_angle * disc_mm2};
}

UnitFactors find_factors(Emitter const& emitter, double area_mm2, double disc_mm2)
{
    bool const is_power = emitter.unit == EmitterUnit::power;
    double to_power_w = 1;
    switch (emitter.kind) {
    case EmitterKind::point:
        to_power_w = 4 * kPi;
        break;
    case EmitterKind::spot:
        to_power_w = find_spot_solid_angle(emitter);
        break;
    case EmitterKind::sun:
        return find_sun_factors(emitter, disc_mm2);
    case EmitterKind::beam:
        break;
    case EmitterKind::rectangle:
    case EmitterKind::disk:
    case EmitterKind::sphere:
    case EmitterKind::mesh:
        to_power_w = kPi * area_mm2;
        break;
    }
    return {is_power ? 1 / to_power_w : 1, to_power_w};
}

EmitterShape find_shape(EmitterKind kind)
{
    switch (kind) {
    case EmitterKind::point:
        return EmitterShape::point;
    case EmitterKind::spot:
        return EmitterShape::spot;
    case EmitterKind::sun:
        return EmitterShape::sun;
    case EmitterKind::beam:
        return EmitterShape::beam;
    case EmitterKind::sphere:
        return EmitterShape::sphere;
    case EmitterKind::rectangle:
    case EmitterKind::disk:
    case EmitterKind::mesh:
        break;
    }
    return EmitterShape::triangles;
}

float get_largest(float const (&by_band)[kMaxBands], std::uint32_t bands)
{
    return *std::max_element(by_band, by_band + bands);
}

/// True if light may reach points of the medium without being refracted, from outside or from `lights`.
bool is_medium_open(SceneView const& view, std::span<EmitterView const> emitters, Vec3 size_mm)
{
    for (std::uint32_t i = 0; view.solids.boundaries != nullptr && i < view.solids.solid_count; ++i)
        if (view.solids.boundaries[i].kind == BoundaryKindView::none) return true;
    if (view.solids.boundaries == nullptr && view.boundary.kind == BoundaryKindView::none) return true;
    return std::ranges::any_of(emitters, [&](EmitterView const& emitter) {
        Vec3 const p = emitter.position_mm;
        bool const has_position = emitter.shape != EmitterShape::sun && emitter.shape != EmitterShape::triangles;
        return has_position && p.x >= 0 && p.y >= 0 && p.z >= 0 && p.x <= size_mm.x && p.y <= size_mm.y &&
               p.z <= size_mm.z;
    });
}

/// The smallest power of two that is not below x, as its exponent; the least one for 0. Scales from it are floats.
int find_exponent(double x)
{
    constexpr int kLeast = -60, kMost = 110;
    if (!(x > 0)) return kLeast;
    int exponent = 0;
    double const fraction = std::frexp(x, &exponent);
    return std::clamp(fraction == 0.5 ? exponent - 1 : exponent, kLeast, kMost);
}

} // namespace

void EmitterTables::fill(std::span<Emitter const> emitters, LitShapes const& lit, VolumeMeta const& meta,
                         SceneView const& view, EnvironmentUse use, MediumPower const& medium)
{
    bands_ = view.bands;
    view_.pitch_mm = {meta.pitch_mm[0], meta.pitch_mm[1], meta.pitch_mm[2]};
    fill_ball(lit.shapes, meta);
    emitter_of_.assign(lit.shapes.mesh_mm.triangles.size() + lit.shapes.spheres.size(), 0);
    for (std::size_t i = 0; i < emitters.size(); ++i) add_emitter(emitters[i], lit.places[i], lit.shapes, meta);

    double environment_power = 0;
    for (double const integral : integrate_environment(view.environment, bands_)) {
        environment_power = std::max(environment_power, integral);
    }
    levels_.typical += environment_power / (4 * kPi);
    double const radius = static_cast<double>(view_.scene_radius_mm);
    environment_power *= kPi * radius * radius;
    if (use == EnvironmentUse::unsampled) environment_power = 0;
    if (environment_power > 0) environment_.fill(view.environment, bands_);
    fill_choices(environment_power);
    if (medium.power_w > 0) choose_medium(medium.power_w);
    levels_.typical += medium.power_w / (4 * kPi * radius * radius) / kPi;
    levels_.visible = std::max(levels_.visible, medium.largest_radiance);

    view_.count = static_cast<std::uint32_t>(emitters_.size());
    Vec3 const size_mm = view.medium.size_voxels * view_.pitch_mm;
    bool const connects = !emitters_.empty() || environment_power > 0;
    view_.connects_inside = connects && is_medium_open(view, emitters_, size_mm) ? 1u : 0u;
    view_.emitters = emitters_.data();
    view_.choice_cdf = choice_cdf_.data();
    view_.triangles = triangles_.data();
    view_.area_cdf = area_cdf_.data();
    bool const has_primitives = std::ranges::any_of(emitter_of_, [](std::uint32_t emitter) { return emitter != 0; });
    view_.emitter_of = has_primitives ? emitter_of_.data() : nullptr;
    view_.environment = environment_.view();
}

void EmitterTables::fill_ball(SurroundingShapes const& shapes, VolumeMeta const& meta)
{
    Vec3d low{0, 0, 0}, high{};
    for (std::size_t axis = 0; axis < 3; ++axis)
        high[axis] = meta.dims[axis] * static_cast<double>(meta.pitch_mm[axis]);
    Vec3d const size = high;
    auto const include = [&](Vec3 centre, float reach) {
        Vec3d const at = make_precise(centre);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            low[axis] = std::min(low[axis], at[axis] - static_cast<double>(reach));
            high[axis] = std::max(high[axis], at[axis] + static_cast<double>(reach));
        }
    };
    for (Vec3 const vertex : shapes.mesh_mm.positions_mm) include(vertex, 0);
    for (SphereView const& sphere : shapes.spheres) include(sphere.centre_mm, sphere.radius_mm);
    Vec3d centre{};
    for (std::size_t axis = 0; axis < 3; ++axis) centre[axis] = (low[axis] + high[axis]) / 2;
    view_.scene_centre_mm = round_vector(centre);
    centre = make_precise(view_.scene_centre_mm);

    double radius = 0;
    for (int corner = 0; corner < 8; ++corner) {
        Vec3d const at{(corner & 1) != 0 ? size[0] : 0, (corner & 2) != 0 ? size[1] : 0,
                       (corner & 4) != 0 ? size[2] : 0};
        radius = std::max(radius, measure_length(find_difference(at, centre)));
    }
    for (Vec3 const vertex : shapes.mesh_mm.positions_mm)
        radius = std::max(radius, measure_length(find_difference(make_precise(vertex), centre)));
    for (SphereView const& sphere : shapes.spheres)
        radius = std::max(radius, measure_length(find_difference(make_precise(sphere.centre_mm), centre)) +
                                      static_cast<double>(sphere.radius_mm));
    view_.scene_radius_mm = static_cast<float>(radius * kBallMargin);
}

void EmitterTables::add_emitter(Emitter const& emitter, EmitterPlace const& place, SurroundingShapes const& shapes,
                                VolumeMeta const& meta)
{
    auto const number = static_cast<std::uint32_t>(emitters_.size());
    EmitterView& view = emitters_.emplace_back();
    view.shape = find_shape(emitter.kind);
    view.profile = emitter.profile;
    view.position_mm = round_vector(place_in_box(meta.placement, emitter.origin_world));
    view.direction = make_unit(turn_into_box(meta.placement, emitter.direction_world));
    view.u_axis_mm = round_vector(turn_into_box(meta.placement, emitter.u_axis_mm));
    view.v_axis_mm = round_vector(turn_into_box(meta.placement, emitter.v_axis_mm));
    view.radius_mm = static_cast<float>(emitter.radius_mm);
    if (emitter.kind == EmitterKind::spot) {
        view.one_minus_cosine = static_cast<float>(find_one_minus_cosine(emitter.angle_deg));
        view.one_minus_inner_cosine = static_cast<float>(find_one_minus_cosine(emitter.inner_angle_deg));
    }
    if (emitter.kind == EmitterKind::sun)
        view.one_minus_cosine = static_cast<float>(find_one_minus_cosine(emitter.angle_deg / 2));
    auto const triangles = static_cast<std::uint32_t>(shapes.mesh_mm.triangles.size());
    if (view.shape == EmitterShape::sphere) {
        view.first_primitive = triangles + place.sphere;
        view.area_mm2 = static_cast<float>(4 * kPi * emitter.radius_mm * emitter.radius_mm);
        emitter_of_[view.first_primitive] = number + 1;
    }
    if (view.shape == EmitterShape::triangles) {
        view.first_primitive = place.first_triangle;
        view.first_triangle = static_cast<std::uint32_t>(triangles_.size());
        view.triangle_count = place.triangle_count;
        view.area_mm2 = add_triangles(place, shapes.mesh_mm);
        std::fill_n(emitter_of_.begin() + place.first_triangle, place.triangle_count, number + 1);
    }
    fill_amounts(emitter, view);
    add_level(emitter, view, meta);
}

float EmitterTables::add_triangles(EmitterPlace const& place, TriangleMesh const& mesh)
{
    std::vector<double> areas;
    double total = 0;
    for (std::uint32_t i = 0; i < place.triangle_count; ++i) {
        auto const& corners = mesh.triangles[place.first_triangle + i];
        triangles_.push_back(
            {mesh.positions_mm[corners[0]], mesh.positions_mm[corners[1]], mesh.positions_mm[corners[2]]});
        areas.push_back(measure_area_mm2(triangles_.back()));
        total += areas.back();
    }
    double sum = 0;
    for (double const area : areas) {
        sum += area;
        area_cdf_.push_back(static_cast<float>(std::min(1.0, sum / total)));
    }
    // 1 from the last triangle with an area on: rounding must not leave a share to those behind it.
    for (std::size_t i = areas.size(); i-- > 0;) {
        area_cdf_[area_cdf_.size() - areas.size() + i] = 1.0f;
        if (areas[i] > 0) break;
    }
    return static_cast<float>(total);
}

void EmitterTables::fill_amounts(Emitter const& emitter, EmitterView& view)
{
    double const radius = static_cast<double>(view_.scene_radius_mm);
    UnitFactors const factors = find_factors(emitter, static_cast<double>(view.area_mm2), kPi * radius * radius);
    double largest = 0;
    for (std::uint32_t b = 0; b < bands_; ++b) {
        double const given = static_cast<double>(emitter.amount[std::min<std::size_t>(b, emitter.amount.size() - 1)]);
        double const amount = given * factors.to_amount;
        largest = std::max(largest, amount);
        view.amount[b] = static_cast<float>(amount);
    }
    for (std::uint32_t b = 0; b < bands_; ++b)
        view.power_share[b] = static_cast<float>(static_cast<double>(view.amount[b]) / largest);
    powers_.push_back(largest * factors.to_power_w);
    auto const is_float = [](double x) {
        return x >= static_cast<double>(std::numeric_limits<float>::min()) && x <= 1e31;
    };
    if (!is_float(largest) || !is_float(powers_.back()))
        fail_usage(fmt::format("emitter {} ({}) sends out {} W, too much or too little to be computed with",
                               powers_.size() - 1, to_word(emitter.kind), powers_.back()),
                   "give it another power or extent");
}

void EmitterTables::add_level(Emitter const& emitter, EmitterView const& view, VolumeMeta const& meta)
{
    auto const amount = static_cast<double>(get_largest(view.amount, bands_));
    double const disc_radius = static_cast<double>(view_.scene_radius_mm);
    auto const find_irradiance = [&](Vec3d const& centre, double radius) {
        if (emitter.kind == EmitterKind::sun) return powers_.back() / (kPi * disc_radius * disc_radius);
        // An emitter far away lights the ball with a part of its power.
        double const reach = std::max(radius, measure_length(find_difference(make_precise(view.position_mm), centre)));
        if (emitter.kind == EmitterKind::point || emitter.kind == EmitterKind::spot) return amount / (reach * reach);
        return powers_.back() / (4 * kPi * radius * radius);
    };
    // The surroundings may extend far away from the light: the volume alone counts too.
    Vec3d half{};
    for (std::size_t axis = 0; axis < 3; ++axis)
        half[axis] = 0.5 * meta.dims[axis] * static_cast<double>(meta.pitch_mm[axis]);
    levels_.typical += std::max(find_irradiance(make_precise(view_.scene_centre_mm), disc_radius),
                                find_irradiance(half, measure_length(half))) /
                       kPi;
    bool const is_visible =
        is_area_emitter(emitter.kind) || (emitter.kind == EmitterKind::sun && emitter.angle_deg > 0);
    if (is_visible) levels_.visible = std::max(levels_.visible, amount);
}

void EmitterTables::fill_choices(double environment_power)
{
    double total = environment_power;
    for (double const power : powers_) total += power;
    if (!(total > 0)) return;
    double sum = 0;
    float before = 0;
    choice_cdf_.clear();
    for (std::size_t i = 0; i < powers_.size(); ++i) {
        sum += powers_[i];
        bool const is_last = i + 1 == powers_.size() && environment_power == 0;
        float const up_to = is_last ? 1.0f : static_cast<float>(std::min(1.0, sum / total));
        emitters_[i].choice = up_to - before; // the probability in the rounded table
        if (!(emitters_[i].choice > 0))
            fail_usage(fmt::format("emitter {} sends out {:.3g} of all {:.3g} W, too small a share to be chosen", i,
                                   powers_[i], total),
                       "leave it out, or give it more power");
        // The choice is rounded to the steps of floats below 1.
        auto const correction = static_cast<float>(powers_[i] / (total * static_cast<double>(emitters_[i].choice)));
        for (std::uint32_t b = 0; b < bands_; ++b) emitters_[i].power_share[b] *= correction;
        choice_cdf_.push_back(up_to);
        before = up_to;
    }
    view_.environment_choice = environment_power > 0 ? 1.0f - before : 0.0f;
    view_.reference_power_w = static_cast<float>(total);
}

/// After fill_choices, which sums the power of all other emitters.
void EmitterTables::choose_medium(double power_w)
{
    bool const is_alone = choice_cdf_.empty() && view_.environment_choice == 0;
    double const others_w = is_alone ? 0 : static_cast<double>(view_.reference_power_w);
    double const total = power_w + others_w;
    medium_choice_ = std::max(0x1p-24f, std::round(static_cast<float>(power_w / total) * 0x1p24f) * 0x1p-24f);
    if (others_w > 0 && medium_choice_ == 1.0f)
        fail_usage(fmt::format("the medium sends out {:.3g} W, so much that the emitters' {:.3g} W cannot be chosen",
                               power_w, others_w),
                   "leave the emitters out, or give them more power");
    view_.reference_power_w = static_cast<float>(total);
    // Their choice is rounded, too.
    auto const correction = static_cast<float>(others_w / (total * (1 - static_cast<double>(medium_choice_))));
    for (EmitterView& emitter : emitters_)
        for (std::uint32_t b = 0; b < bands_; ++b) emitter.power_share[b] *= correction;
}

int choose_lit_sum_log2(LightLevels const& levels)
{
    return std::min(13 - find_exponent(levels.typical), kSampleLog2 - find_exponent(levels.visible));
}

int choose_particle_sum_log2(LightLevels const& levels, double gain, std::uint64_t pixels)
{
    double const typical = gain > 0 ? gain / (4 * kPi) : levels.typical * static_cast<double>(pixels);
    return std::min(16 - find_exponent(typical), kSampleLog2 - find_exponent(levels.visible));
}

} // namespace volpt
