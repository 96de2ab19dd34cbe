#include "libvolpt/scene/light/tally_volume.h"

namespace volpt {
TallyVolume make_tally_volume(TallySums const& sums, GroupCounts const& particles)
{
    TallyView const& view = sums.view();
    TallyVolume volume;
    volume.kind = view.kind;
    volume.gates = view.gates;
    volume.gate_ns = sums.spec().gate_ns;
    volume.bands = sums.bands();
    for (std::size_t axis = 0; axis < 3; ++axis) volume.dims[axis] = static_cast<int>(view.dims[axis]);
    std::size_t const cells = count_tally_cells(view), values = cells * view.gates * volume.bands;
    volume.values.resize(values);
    volume.standard_errors.resize(values);
    std::vector<double> const launched = sums.measure_launched();
    GroupSpread const spread(particles);
    for (std::size_t i = 0; i < values; ++i) {
        double const energy = launched[i / cells % volume.bands];
        double const factor =
            energy > 0 ? 1 / (static_cast<double>(view.scale) * energy * sums.cell_volume_mm3()) : 0.0;
        __extension__ __int128 units = 0; // of 16 sums of 64 bits
        std::array<double, kTallyGroups> group_sums;
        for (std::size_t group = 0; group < kTallyGroups; ++group) {
            auto const sum = static_cast<std::int64_t>(view.sums[group * values + i]);
            units += sum;
            group_sums[group] = factor * static_cast<double>(sum);
        }
        double const mean = factor * static_cast<double>(units);
        volume.values[i] = static_cast<float>(mean);
        volume.standard_errors[i] = static_cast<float>(spread.find_standard_error(group_sums, mean));
    }
    return volume;
}

std::string name_tally_kind(TallyKind kind)
{
    return kind == TallyKind::fluence ? "fluence" : "absorbed";
}

std::string spell_tally_unit(TallyVolume const& tally)
{
    std::string const unit = tally.kind == TallyKind::fluence ? "1/mm^2" : "1/mm^3";
    return unit + (tally.gate_ns > 0 ? " per launched joule of a pulse" : " per launched watt");
}

} // namespace volpt
