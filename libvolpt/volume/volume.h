// PackedVolume: metadata and mapping of a .vpk, and the view of it that core renders from.
//
// Byte layout in docs/formats/vpk.md.
#pragma once

#include "libvolpt/core/volume_view.hd.h"
#include "libvolpt/sys/checksum.h"
#include "libvolpt/sys/container/sectioned_file.h"
#include "libvolpt/sys/provenance.h"
#include "libvolpt/volume/emitters/emitter.h"
#include "libvolpt/volume/mesh/surface_mesh.h"
#include "libvolpt/volume/source/source_values.h"
#include "libvolpt/volume/surroundings/surrounding_shapes.h"

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace volpt {

inline constexpr FileKind kVolumeFile{
    {'V', 'O', 'L', 'P', 'T', 'V', 'P', 'K'}, file_version(1, 0), "packed volume (.vpk)"};
/// With a mesh or with surroundings, which readers of version 1 would ignore: they would render the whole box, alone.
inline constexpr FileKind kMeshVolumeFile{kVolumeFile.magic, file_version(2, 0), kVolumeFile.name, 1};
/// With boundaries of several solids, which readers of version 2 would ignore.
inline constexpr FileKind kSolidsVolumeFile{kVolumeFile.magic, file_version(3, 0), kVolumeFile.name, 1};
/// With faces under support, which readers of version 3 would ignore.
inline constexpr FileKind kSupportVolumeFile{kVolumeFile.magic, file_version(4, 0), kVolumeFile.name, 1};
/// With emitters, which readers of version 4 would ignore: they would render another light.
inline constexpr FileKind kEmittersVolumeFile{kVolumeFile.magic, file_version(5, 0), kVolumeFile.name, 1};
/// With a medium that emits, which readers of version 5 would leave dark.
inline constexpr FileKind kEmissionVolumeFile{kVolumeFile.magic, file_version(6, 0), kVolumeFile.name, 1};
/// With solids in others, whose media readers of version 6 would take from voxels.
inline constexpr FileKind kNestedVolumeFile{kVolumeFile.magic, file_version(7, 0), kVolumeFile.name, 1};
/// With an albedo that is interpolated by itself, which readers of version 7 would interpolate otherwise. What opens it
/// opens all eight.
inline constexpr FileKind kAlbedoFilterVolumeFile{kVolumeFile.magic, file_version(8, 0), kVolumeFile.name, 1};

/// The voxel box in the world. A point of the box, in mm from its corner along its own axes, is at origin_world_mm +
/// rotation * point. `rotation` is row-major and orthonormal; its columns are the box axes; its determinant may be -1
/// (a mirrored file).
struct Placement {
    std::array<double, 9> rotation{1, 0, 0, 0, 1, 0, 0, 0, 1};
    /// Of the box corner, half a voxel before the first voxel's centre; within 5e8, and within 1e9 times the box's
    /// longest side.
    std::array<double, 3> origin_world_mm{0, 0, 0};
};

inline constexpr float kMaxScale = 1e9f; ///< that of a scene as well

/// All properties of a volume except its voxels and materials.
struct VolumeMeta {
    std::array<int, 3> dims{0, 0, 0};       ///< 1 .. 65535 each
    std::array<float, 3> pitch_mm{1, 1, 1}; ///< at least 1e-9; times dims at most 1e8
    Placement placement;
    Filter filter = Filter::trilinear;
    AlbedoFilter albedo_filter = AlbedoFilter::of_scattering; ///< another one only if extinction and albedo are planes
    std::vector<std::uint32_t> band_numbers{0};               ///< by band: 0..N-1, or the numbers kept by --bands
    /// Of each band's centre, ascending, 300 .. 1100; empty: the bands are R, G, B, a lone grey one, or unknown.
    std::vector<float> wavelengths_nm;
    /// Channel (0 R, 1 G, 2 B) of a coloured light image for each band, ascending, below kMaxBands; empty: the band
    /// number, and luminance for a lone band 0.
    std::vector<std::uint32_t> light_channels;
    float scale = 1.0f; ///< sigma_t in 1/mm per unit of density (or of material sigma_t), 0 .. kMaxScale
    Source extinction = Source::constant;
    Source albedo = Source::constant;
    Source anisotropy = Source::constant;
    std::vector<float> constant_extinction{1.0f};       ///< by band
    std::vector<float> constant_one_minus_albedo{0.0f}; ///< by band
    float g = 0.0f;                                     ///< (-1, 1)
    Encoding density_encoding = Encoding::f32;
    float density_value_scale = 1.0f; ///< density = code * this, for u8 and u16
    Encoding albedo_encoding = Encoding::f16;
    bool has_emission = false; ///< by voxel and band, f32: the source's radiance (VoxelSlab::emission)
    /// By voxel, the numbers that the densities were made from, of this type (VoxelSlab::source_values).
    std::optional<ElementType> kept_values;

    std::uint32_t bands() const { return static_cast<std::uint32_t>(band_numbers.size()); }
    /// Whether it has one band that nothing says the colour of: no wavelength, and none of a coloured volume.
    bool is_grey() const
    {
        return bands() == 1 && band_numbers[0] == 0 && wavelengths_nm.empty() && light_channels.empty();
    }
};

/// One material of a labelled volume; the label is its index in the table.
struct Material {
    std::string name;
    std::vector<float> sigma_t;          ///< by band, 1/mm
    std::vector<float> one_minus_albedo; ///< by band, 0..1
    float g = 0.0f;
};

/// Statistics of packing; stored in the file, shown by volinfo.
struct PackStatistics {
    std::uint64_t bricks = 0;
    std::uint64_t constant_bricks = 0; ///< constant in every plane
    double density_error_max = 0;      ///< absolute, in density units
    double albedo_error_max = 0;       ///< relative to 1 - albedo
    double mean_majorant_ratio = 0;    ///< mean over bricks of (local majorant / global majorant), <= 1
    double mean_extinction_ratio = 0;  ///< mean density / global majorant: acceptance of the global null test
    /// For kClearanceSteps_mm, as measure_clearance_shares; not stored: of a volume that was just packed alone.
    std::vector<double> clearance_shares = {};
};

/// An opened or freshly packed volume.
class PackedVolume {
public:
    /// Maps a .vpk. Error (input) if it is not one, damaged, or of a newer version. `full` also checks the brick tables
    /// (each slot used once), all voxels and labels, majorants and clearances against them, and the mesh (check_mesh),
    /// on up to `threads` threads (parallel_for_joined; parallel_for for a mesh).
    static PackedVolume open(std::filesystem::path const& path, VerifyLevel level = VerifyLevel::quick,
                             int threads = 1);

    /// Of a volume that is grey: the same file in three bands, R, G and B, that are all its one band. Paths in it are
    /// those in a volume that was packed with three equal bands; checksum and provenance are the file's. Planes of one
    /// channel, majorants and the mesh stay in the mapping. Planes by band are copied into memory: of an albedo, four
    /// elements a voxel in place of one, of bricks that are not constant (4 to 8 bytes; emission 16).
    /// Error (system) with the figures if they do not fit into the memory that this process may use, and (input) if
    /// they are too large for a volume of three bands. On up to `threads` threads.
    PackedVolume widen_to_rgb(int threads) const;

    ~PackedVolume();
    PackedVolume(PackedVolume&&) noexcept;
    PackedVolume& operator=(PackedVolume&&) noexcept;

    VolumeMeta const& meta() const noexcept;
    std::vector<Material> const& materials() const noexcept; ///< empty unless labelled
    PackStatistics const& statistics() const noexcept;
    Provenance const& provenance() const noexcept;
    std::string const& scene_hints_json() const noexcept;     ///< "{}" if there are none
    std::string const& source_metadata_json() const noexcept; ///< keys of the source file, "{}" if none
    /// Of densities that were made from numbers, unless an earlier program packed them.
    std::optional<SourceValues> const& source_values() const noexcept;
    std::uint64_t size_bytes() const noexcept;

    /// Checksum of everything that pictures depend on (meta, tables, voxels, majorants, materials), not of provenance,
    /// hints or source metadata.
    Hash128 data_checksum() const noexcept;

    /// Error (input) unless everything that pictures of the volume depend on, its materials' names and its source
    /// metadata match their checksums, as `full` checks besides.
    void verify_contents() const;

    /// Pointers into this object; valid while it lives. They show the file as it is now: see check_unchanged.
    VolumeView view() const;

    /// Where meta().kept_values: code + choose_value_code's offset is the number. Without channels otherwise.
    PlaneView kept_values() const;

    /// The mesh that bounds the medium, empty if there is none; valid and to be checked as the view. At any level
    /// its indices lead nowhere outside, vertices are finite and in the box, and the hierarchy is a tree that
    /// find_triangle can traverse; at `full` the mesh is also one that check_mesh accepts, and the rest follows from
    /// it.
    SurfaceMeshView surface() const;

    /// What stands around the volume; mostly nothing. Valid for rendering at any level (find_shape_problem).
    SurroundingShapes const& surroundings() const noexcept;

    /// The light of the volume's own scene; mostly none. Light can start from all of them at any level
    /// (find_emitters_problem).
    std::vector<Emitter> const& emitters() const noexcept;

    /// SectionedFile::check_unchanged of the file: to be called after reading voxels and before using what follows from
    /// them. From any thread.
    void check_unchanged() const;

private:
    struct Impl;
    explicit PackedVolume(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

} // namespace volpt
