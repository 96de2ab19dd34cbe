#include "libvolpt/volume/emitters/estimate_irradiance.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

namespace volpt {
namespace {

constexpr double kShownWhite = 0.5;
constexpr double kMostStops = 39; // --exposure takes up to 1e12

double measure_front_mm2(Emitter const& emitter)
{
    std::array<double, 3> const &u = emitter.u_axis_mm, &v = emitter.v_axis_mm;
    if (emitter.kind == EmitterKind::rectangle)
        return 4 * std::hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]);
    return std::numbers::pi * emitter.radius_mm * emitter.radius_mm;
}

double average_bands(std::vector<float> const& amount)
{
    if (amount.size() == 3)
        return 0.2126 * static_cast<double>(amount[0]) + 0.7152 * static_cast<double>(amount[1]) +
               0.0722 * static_cast<double>(amount[2]);
    return std::accumulate(amount.begin(), amount.end(), 0.0) / static_cast<double>(amount.size());
}

/// W/sr of an emitter that is not a sun, towards a point in front of it.
double find_intensity(Emitter const& emitter, double amount)
{
    switch (emitter.unit) {
    case EmitterUnit::intensity:
        return amount;
    case EmitterUnit::radiance:
        return amount * measure_front_mm2(emitter);
    case EmitterUnit::irradiance:
    case EmitterUnit::power:
        break;
    }
    if (emitter.kind == EmitterKind::spot)
        return amount / (2 * std::numbers::pi * (1 - std::cos(emitter.angle_deg * std::numbers::pi / 180)));
    if (emitter.kind == EmitterKind::rectangle || emitter.kind == EmitterKind::disk) return amount / std::numbers::pi;
    return amount / (4 * std::numbers::pi);
}

} // namespace

double estimate_irradiance(std::span<Emitter const> emitters, VolumeMeta const& meta)
{
    std::array<double, 3> half{}, centre = meta.placement.origin_world_mm;
    for (std::size_t axis = 0; axis < 3; ++axis)
        half[axis] = 0.5 * meta.dims[axis] * static_cast<double>(meta.pitch_mm[axis]);
    for (std::size_t i = 0; i < 9; ++i) centre[i / 3] += meta.placement.rotation[i] * half[i % 3];
    double const least_mm = std::hypot(half[0], half[1], half[2]);
    double sum = 0;
    for (Emitter const& emitter : emitters) {
        double const amount = average_bands(emitter.amount);
        if (emitter.kind == EmitterKind::sun) {
            double const sine = std::sin(emitter.angle_deg * std::numbers::pi / 360);
            sum += emitter.unit == EmitterUnit::radiance ? amount * std::numbers::pi * sine * sine : amount;
            continue;
        }
        if (emitter.kind == EmitterKind::beam) { // spread over the box
            sum += amount / (std::numbers::pi * least_mm * least_mm);
            continue;
        }
        std::array<double, 3> const& at = emitter.kind == EmitterKind::mesh ? centre : emitter.origin_world;
        double const distance_mm =
            std::max(least_mm, std::hypot(at[0] - centre[0], at[1] - centre[1], at[2] - centre[2]));
        sum += find_intensity(emitter, amount) / (distance_mm * distance_mm);
    }
    return sum;
}

double choose_exposure(double irradiance)
{
    double const white = irradiance / std::numbers::pi;
    if (!(white > 0)) return 1;
    return std::exp2(std::clamp(std::round(2 * std::log2(kShownWhite / white)) / 2, -kMostStops, kMostStops));
}

} // namespace volpt
