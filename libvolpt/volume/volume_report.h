// Reports of a volume: the JSON that tools print.
#pragma once

#include "libvolpt/volume/volume.h"

#include <nlohmann/json_fwd.hpp>

namespace volpt {

/// Geometry (dims, pitch_mm, size_mm, placement), bands, filter, scale, sources with their encodings, bricks and
/// constant_bricks, quantisation_error_max (the larger of density_error_max, absolute, and albedo_error_max, relative
/// to 1 - albedo), majorants (global_majorant_per_mm by band, scale included), materials, size_bytes, data_checksum,
/// surface (report_surface), surroundings, source_values (report_source_values), emission and emitters, if there are
/// any, clearance_share (of voxels, see report_clearance), scene_hints, source_metadata, provenance.
nlohmann::ordered_json report_volume(PackedVolume const& volume);

/// A list of {clearance_mm, share}: the share of the voxels with at least that clearance, for each of
/// kClearanceSteps_mm.
nlohmann::ordered_json report_clearance(std::span<double const> shares);

/// triangles, vertices, volume_mm3, area_mm2, solids_with_boundaries, solids_in_others, triangles_under_support and
/// their area_under_support_mm2, bvh_nodes, normals and texture_coordinates (whether there are any), bytes_per_triangle
/// (of all these), clearance_share (of voxels, as report_clearance, from the surface); the mesh is not empty.
nlohmann::ordered_json report_surface(SurfaceMeshView const& mesh, VolumeMeta const& meta);

/// What stands around a volume: numbers of triangles, spheres, and BSDFs by kind.
nlohmann::ordered_json report_surroundings(SurroundingShapes const& shapes);

/// As the .vpk has them, with two sentences: map (describe_map) and new_map (describe_store).
nlohmann::ordered_json report_source_values(SourceValues const& values);

/// Of a volume with emission: largest_radiance by band.
nlohmann::ordered_json report_emission(VolumeView const& volume);

/// A list of what describe_emitter says of each.
nlohmann::ordered_json report_emitters(std::vector<Emitter> const& emitters);

} // namespace volpt
