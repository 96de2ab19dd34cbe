// A packed volume whose densities and albedos are made anew from the numbers that it keeps.
#pragma once

#include "libvolpt/medium/measured_volume.h"
#include "libvolpt/volume/packed_stream.h"

#include <optional>

namespace volpt {

/// As in MeasuredOptions. What is absent stays as it is in the volume.
struct NewMap {
    std::optional<Window> window = {};
    std::optional<PiecewiseCurve> opacity = {}; ///< not beside `window`
    std::optional<TransferTable> transfer = {};
    std::optional<TransferTable> albedo_curve = {}; ///< at most one of the three is given
    std::optional<std::vector<double>> albedo = {};

    bool has_albedo() const { return transfer || albedo_curve || albedo; }
    bool is_empty() const { return !window && !opacity && !has_albedo(); }
};

/// The same volume, to the bit, as make_measured_volume of the volume's source with these options; `repack.encoding` is
/// that of MeasuredOptions for what is made anew. A transfer table that gave the volume's albedo is applied to new
/// densities; other albedos, emission, mesh and placement stay. An albedo that is constant or follows from density
/// needs no numbers: without them it is that of the densities as they are stored.
///
/// Error (usage) if the volume has no density plane, does not keep its numbers, or was clamped where `map` tells
/// numbers apart, and if a new albedo has another number of bands than the emission. `path` is for messages.
std::unique_ptr<VoxelStream> map_again(PackedVolume volume, RepackOptions repack, NewMap map, std::string const& path);

} // namespace volpt
