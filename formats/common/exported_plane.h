// One plane of a packed volume as numbers, for the writers.
#pragma once

#include "formats/writer.h"

#include <vector>

namespace volpt {

/// What the plane's numbers are stored as. Error (usage) if the volume does not have the plane.
ExportedVolume describe_export(VolumeMeta const& meta, ExportPlane plane);

/// u8 or u16 where the stored codes are the numbers, else f32.
ElementType choose_element(VolumeMeta const& meta, ExportPlane plane);

/// Centre of the first voxel in the world, mm.
std::array<double, 3> find_first_voxel(VolumeMeta const& meta);

/// Reads layers of one plane.
class ExportedPlane {
public:
    /// Bytes of albedo are read as such if `element` is u8. The volume has to outlive this object.
    ExportedPlane(PackedVolume const& volume, ExportPlane plane, ElementType element);

    /// Channels fastest, then x; valid until the next call.
    std::vector<float> const& read(int z);

private:
    std::size_t layer_voxels() const;

    PackedVolume const& volume_;
    VolumeView view_;
    ExportPlane plane_;
    bool is_byte_albedo_;
    bool has_density_ = false;
    std::vector<std::uint8_t> labels_;
    std::vector<float> values_;
};

/// Calls the sink after layer z of `layers`; Error (system) if it asks to stop.
void report_layer(ProgressSink const& progress, int z, int layers, std::filesystem::path const& path);

/// A file that is `header`, then the plane's elements, little-endian, channels fastest, then x, y, z, then `footer`.
ExportedVolume write_plane_file(PackedVolume const& volume, ExportPlane plane, std::filesystem::path const& path,
                                ProgressSink const& progress,
                                std::string (*format_header)(VolumeMeta const& meta, ExportedVolume const& exported),
                                std::string_view footer = {});

} // namespace volpt
