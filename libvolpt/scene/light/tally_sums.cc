#include "libvolpt/scene/light/tally_sums.h"

#include "libvolpt/core/surface/nested_solids.hd.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/volume/source/layer_memory.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numeric>

namespace volpt {
namespace {

// Weights of emitters are at most 1: 2^37 particles that end in one cell of one group fit 64 bits, and the energy of a
// real collision in white resin, 1e-4, is thousands of units.
constexpr float kAbsorbedScale = 0x1p26f;
// Weights of the environment may exceed 1, and so may the gains of a particle by roulette: up to 2^7 fits the 2^31 of
// one addition.
constexpr float kEnergyScale = 0x1p24f;
// In units of the mean free path of the largest majorant: an addition, at most 2^31, has room for bricks whose own
// majorant is 2^19 times less.
constexpr int kFluenceLog2 = 12;
// In units of a cell's longest edge, of which a way through it has at most sqrt(3).
constexpr int kCellLengthLog2 = 22;

float choose_fluence_scale(SceneView const& scene)
{
    float largest = 0;
    for (std::uint32_t b = 0; b < scene.bands; ++b) largest = std::max(largest, scene.medium.band[b].majorant);
    if (largest <= 0) return 0x1p12f; // nothing collides
    return std::ldexp(1.0f, std::clamp(std::ilogb(largest) + kFluenceLog2, -100, 100));
}

float choose_length_scale(Vec3 cells_per_mm)
{
    float const longest_mm = 1 / std::min({cells_per_mm.x, cells_per_mm.y, cells_per_mm.z});
    return std::ldexp(1.0f, std::clamp(kCellLengthLog2 - std::ilogb(longest_mm), -100, 100));
}

/// Length if somewhere fewer than one collision is expected on the way through a cell.
FluenceEstimator choose_estimator(SceneView const& scene, Vec3 cells_per_mm)
{
    if (has_nested_solids(scene)) return FluenceEstimator::length; // one may be empty: without any collision
    float const cell_mm = 1 / std::min({cells_per_mm.x, cells_per_mm.y, cells_per_mm.z});
    std::size_t const bricks = static_cast<std::size_t>(scene.medium.brick_counts[0]) *
                               static_cast<std::size_t>(scene.medium.brick_counts[1]) *
                               static_cast<std::size_t>(scene.medium.brick_counts[2]);
    float least = std::numeric_limits<float>::infinity();
    for (std::uint32_t b = 0; b < scene.bands; ++b) {
        BandMedium const& band = scene.medium.band[b];
        least = std::min(least, band.majorant);
        if (!has_local_majorants(scene.medium)) continue;
        float const* const first = scene.medium.local_majorants + band.local_majorant_first;
        least = std::min(least, scene.medium.scale * *std::min_element(first, first + bricks));
    }
    return least * cell_mm < 1 ? FluenceEstimator::length : FluenceEstimator::collision;
}

TallyView make_view(TallySpec const& spec, SceneView const& scene, TallyIndices indices, DetectorsView const& detectors)
{
    TallyView view;
    view.kind = spec.kind;
    view.detectors = detectors;
    Vec3 const size = scene.medium.size_voxels;
    float const voxels[3] = {size.x, size.y, size.z};
    float cells_per_voxel[3] = {1, 1, 1};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        view.dims[axis] = spec.grid ? static_cast<std::uint32_t>((*spec.grid)[axis])
                                    : static_cast<std::uint32_t>(std::lround(voxels[axis]));
        cells_per_voxel[axis] = static_cast<float>(view.dims[axis]) / voxels[axis];
    }
    view.cells_per_voxel = {cells_per_voxel[0], cells_per_voxel[1], cells_per_voxel[2]};
    Vec3 const cells_per_mm = view.cells_per_voxel * scene.medium.inv_pitch;
    view.fluence = spec.estimator.value_or(choose_estimator(scene, cells_per_mm));
    view.gates = spec.gates;
    view.gate_optical_mm = static_cast<float>(spec.gate_ns * kLightSpeed_mm_per_ns);
    view.index_inside = static_cast<float>(indices.inside);
    view.index_outside = static_cast<float>(indices.outside);
    view.scale = sums_length(view)                 ? choose_length_scale(cells_per_mm)
                 : spec.kind == TallyKind::fluence ? choose_fluence_scale(scene)
                                                   : kAbsorbedScale;
    view.energy_scale = kEnergyScale;
    return view;
}

/// Checks the size of the sums, and of the means and errors computed from them, before they are allocated.
void check_memory(TallySpec const& spec, TallyView const& view, std::uint32_t bands)
{
    auto const usable = static_cast<double>(find_usable_memory());
    DetectorsView const& detectors = view.detectors;
    double const detector_bytes =
        1.0 * kTallyGroups * sizeof(std::uint64_t) * detectors.cells * count_detected_sums(detectors) * bands;
    if (detector_bytes > usable)
        fail_system(
            fmt::format("{} cells of {} detectors, in {} bands, take {:.3g} GiB; this process may use {:.3g} GiB",
                        detectors.cells, detectors.count, bands, detector_bytes / 0x1p30, usable / 0x1p30),
            "the detectors", "give fewer detectors, rings or gates");
    if (spec.kind == TallyKind::none) return;
    // Up to 2^48 cells, 2^16 gates and 2^8 bands do not fit 64 bits.
    double const cells = 1.0 * view.dims[0] * view.dims[1] * view.dims[2] * view.gates * bands;
    double const bytes = cells * (kTallyGroups * sizeof(std::uint64_t) + 2 * sizeof(float));
    if (bytes + detector_bytes <= usable) return;
    fail_system(
        fmt::format("{} x {} x {} cells, {} gates and {} bands take {:.3g} GiB; this process may use {:.3g} GiB",
                    view.dims[0], view.dims[1], view.dims[2], view.gates, bands, bytes / 0x1p30, usable / 0x1p30),
        "the tally", "choose a coarser grid with grid=XxYxZ, or fewer gates");
}

} // namespace

TallySums::TallySums(TallySpec const& spec, SceneView const& scene, TallyIndices indices,
                     DetectorsView const& detectors)
    : spec_(spec), bands_(scene.bands), view_(make_view(spec, scene, indices, detectors))
{
    check_memory(spec, view_, bands_);
    Vec3 const pitch = scene.medium.inv_pitch, cells = view_.cells_per_voxel;
    for (float const per_mm : {pitch.x, pitch.y, pitch.z, cells.x, cells.y, cells.z})
        cell_volume_mm3_ /= static_cast<double>(per_mm);
    try {
        sums_.resize(count_tally_sums(view_, bands_));
        energy_sums_.resize(count_energy_sums(bands_));
    } catch (std::bad_alloc const&) {
        fail_system(fmt::format("no memory for {:.3g} GiB of sums",
                                static_cast<double>(count_tally_sums(view_, bands_)) / 0x1p27),
                    "the tally", "choose a coarser grid with grid=XxYxZ, or fewer gates");
    }
    view_.sums = sums_.data();
    view_.energy_sums = energy_sums_.data();
}

void TallySums::clear()
{
    std::ranges::fill(sums_, 0);
    std::ranges::fill(energy_sums_, 0);
}

std::vector<double> TallySums::add_parts(EnergyKind kind) const
{
    std::vector<double> sums(bands_);
    for (std::uint32_t b = 0; b < bands_; ++b) {
        // Signed: what a surface absorbs may be negative, though not on average.
        for (std::size_t part = 0; part < kEnergyParts; ++part) {
            std::size_t const at = (part * kEnergyKinds + static_cast<std::size_t>(kind)) * bands_ + b;
            sums[b] += static_cast<double>(static_cast<std::int64_t>(energy_sums_[at]));
        }
        sums[b] /= static_cast<double>(view_.energy_scale);
    }
    return sums;
}

double TallySums::add_bands(EnergyKind kind) const
{
    std::vector<double> const bands = add_parts(kind);
    return std::accumulate(bands.begin(), bands.end(), 0.0);
}

std::vector<double> TallySums::measure_launched() const
{
    return add_parts(EnergyKind::launched);
}

std::vector<EnergyShares> TallySums::measure_energy() const
{
    std::vector<double> const launched = measure_launched();
    auto const measure = [&](EnergyKind kind, double EnergyShares::*share, double sign,
                             std::vector<EnergyShares>& bands) {
        std::vector<double> const sums = add_parts(kind);
        for (std::size_t b = 0; b < bands.size(); ++b)
            if (launched[b] > 0) bands[b].*share += sign * sums[b] / launched[b];
    };
    std::vector<EnergyShares> bands(bands_);
    measure(EnergyKind::reflected, &EnergyShares::reflected, 1, bands);
    measure(EnergyKind::transmitted, &EnergyShares::transmitted, 1, bands);
    measure(EnergyKind::absorbed, &EnergyShares::absorbed, 1, bands);
    measure(EnergyKind::cut, &EnergyShares::cut, 1, bands);
    measure(EnergyKind::roulette_lost, &EnergyShares::roulette, 1, bands);
    measure(EnergyKind::roulette_gained, &EnergyShares::roulette, -1, bands);
    return bands;
}

EnergyShares TallySums::measure_total_energy() const
{
    std::vector<double> const launched = measure_launched();
    std::vector<EnergyShares> const bands = measure_energy();
    double const all = std::accumulate(launched.begin(), launched.end(), 0.0);
    EnergyShares total;
    if (all == 0) return total;
    for (std::size_t b = 0; b < bands.size(); ++b) {
        double const part = launched[b] / all;
        total.reflected += part * bands[b].reflected;
        total.transmitted += part * bands[b].transmitted;
        total.absorbed += part * bands[b].absorbed;
        total.cut += part * bands[b].cut;
        total.roulette += part * bands[b].roulette;
    }
    return total;
}

OutsideShares TallySums::measure_outside_energy() const
{
    double const all = add_bands(EnergyKind::launched);
    if (all == 0) return {};
    return {add_bands(EnergyKind::outside_reflected) / all, add_bands(EnergyKind::outside_transmitted) / all};
}

} // namespace volpt
