// Names and fixed records of a .vpk's sections, shared by packer and reader (docs/formats/vpk.md).
#pragma once

#include "libvolpt/core/volume_view.hd.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace volpt::vpk {

inline constexpr std::string_view kMeta = "meta";
inline constexpr std::string_view kMoreBands = "more_bands";    ///< only above kMetaBands bands
inline constexpr std::string_view kWavelengths = "wavelengths"; ///< only where bands have wavelengths
inline constexpr std::string_view kMaterials = "materials";
inline constexpr std::string_view kMaterialNames = "material_names";
inline constexpr std::string_view kMajorants = "majorants";
inline constexpr std::string_view kClearance = "clearance"; ///< only where a brick has any
inline constexpr std::string_view kStatistics = "statistics";
inline constexpr std::string_view kSceneHints = "scene_hints";
inline constexpr std::string_view kSourceMetadata = "source_metadata";
inline constexpr std::string_view kSourceValues = "source_values"; ///< only where numbers were mapped to densities
inline constexpr std::string_view kProvenance = "provenance";

/// The two sections of one plane.
struct PlaneSections {
    std::string_view table;
    std::string_view voxels;
};
inline constexpr PlaneSections kDensity{"density.table", "density.voxels"};
inline constexpr PlaneSections kAlbedo{"albedo.table", "albedo.voxels"};
inline constexpr PlaneSections kLabel{"label.table", "label.voxels"};
/// Of volumes whose medium emits. With them the major version is 6.
inline constexpr PlaneSections kEmission{"emission.table", "emission.voxels"};
/// The numbers that the densities were made from; nothing that is rendered depends on them.
inline constexpr PlaneSections kValues{"values.table", "values.voxels"};

/// Of volumes that a mesh bounds. With these or those that follow the major version is 2.
inline constexpr std::string_view kMesh = "mesh";
inline constexpr std::string_view kMeshVertices = "mesh.vertices";
inline constexpr std::string_view kMeshTriangles = "mesh.triangles";
inline constexpr std::string_view kMeshNormals = "mesh.normals"; ///< only where the mesh has any
inline constexpr std::string_view kMeshUv = "mesh.uv";           ///< likewise
inline constexpr std::string_view kMeshBvh = "mesh.bvh";
inline constexpr std::string_view kMeshOrder = "mesh.order";
inline constexpr std::string_view kMeshClearance = "mesh.clearance";
/// Of several solids with boundaries of their own. With it the major version is 3.
inline constexpr std::string_view kMeshSolids = "mesh.solids";
/// Of a print whose faces are in part under support. With it the major version is 4, and there is no kMeshSolids.
inline constexpr std::string_view kMeshSupport = "mesh.support";
/// Of several solids of which some lie in others. With it there is kMeshSolids, and the major version is 7.
inline constexpr std::string_view kMeshNesting = "mesh.nesting";

/// Of volumes with surfaces around them.
inline constexpr std::string_view kSurroundings = "shapes";
inline constexpr std::string_view kSurroundingVertices = "shapes.vertices";
inline constexpr std::string_view kSurroundingTriangles = "shapes.corners";
inline constexpr std::string_view kSurroundingNormals = "shapes.normals";
inline constexpr std::string_view kSurroundingUv = "shapes.uv";
inline constexpr std::string_view kSurroundingSpheres = "shapes.spheres";
inline constexpr std::string_view kSurroundingPrimitives = "shapes.bsdf_of";
inline constexpr std::string_view kSurroundingBsdfs = "shapes.bsdfs";
inline constexpr std::string_view kSurroundingTexels = "shapes.texels";

/// Of volumes with light of their own. With it the major version is 5.
inline constexpr std::string_view kEmitters = "emitters";

/// The sections that the data checksum covers, in this order. Clearances and the mesh's hierarchy follow from them.
inline constexpr std::array<std::string_view, 31> kDataSections{kMeta,
                                                                kMaterials,
                                                                kDensity.table,
                                                                kDensity.voxels,
                                                                kAlbedo.table,
                                                                kAlbedo.voxels,
                                                                kLabel.table,
                                                                kLabel.voxels,
                                                                kMajorants,
                                                                kMoreBands,
                                                                kWavelengths,
                                                                kMesh,
                                                                kMeshVertices,
                                                                kMeshTriangles,
                                                                kMeshNormals,
                                                                kMeshUv,
                                                                kSurroundings,
                                                                kSurroundingVertices,
                                                                kSurroundingTriangles,
                                                                kSurroundingNormals,
                                                                kSurroundingUv,
                                                                kSurroundingSpheres,
                                                                kSurroundingPrimitives,
                                                                kSurroundingBsdfs,
                                                                kSurroundingTexels,
                                                                kMeshSolids,
                                                                kMeshSupport,
                                                                kEmitters,
                                                                kEmission.table,
                                                                kEmission.voxels,
                                                                kMeshNesting};

/// What follows from the mesh, and is used where it is rendered.
inline constexpr std::array<std::string_view, 3> kMeshTables{kMeshBvh, kMeshOrder, kMeshClearance};

inline constexpr std::uint32_t kMaxDim = 65535;
/// Of radiance that the medium emits, as of emitters: powers stay finite.
inline constexpr float kMaxEmission = 1e30f;
/// Words of a table, of a plane's voxels, entries of the majorants: indices stay in signed 32 bits.
inline constexpr std::uint64_t kMaxWords = std::uint64_t{1} << 31;

/// Values by band: of the first kMetaBands bands in `meta`, of the others in `more_bands`.
template <std::size_t bands>
struct BandColumns {
    std::array<std::uint32_t, bands> band_numbers;
    std::array<float, bands> constant_extinction;
    std::array<float, bands> constant_one_minus_albedo;
    std::array<float, bands> global_majorant;
};
inline constexpr std::size_t kMetaBands = 16;
using MoreBandsRecord = BandColumns<kMaxBands - kMetaBands>;
static_assert(sizeof(MoreBandsRecord) == 320);

struct MetaRecord {
    std::array<std::uint32_t, 3> dims;
    std::uint32_t bands;
    std::array<float, 3> pitch_mm;
    float scale;
    std::array<double, 9> rotation;
    std::array<double, 3> origin_world_mm;
    std::uint32_t filter;
    std::uint32_t extinction;
    std::uint32_t albedo;
    std::uint32_t anisotropy;
    float g;
    float density_value_scale;
    std::uint32_t density_encoding;
    std::uint32_t albedo_encoding;
    std::uint32_t material_count;
    std::array<std::uint32_t, 2>
        light_channels;          ///< bit c: a band takes channel c of a coloured light image; 0: default
    std::uint32_t albedo_filter; ///< if not 0, the major version is 8
    BandColumns<kMetaBands> by_band;
};
static_assert(sizeof(MetaRecord) == 432);

struct StatisticsRecord {
    std::uint64_t bricks;
    std::uint64_t constant_bricks;
    double density_error_max;
    double albedo_error_max;
    double mean_majorant_ratio;
    double mean_extinction_ratio;
};
static_assert(sizeof(StatisticsRecord) == 48);

struct MeshRecord {
    std::uint32_t vertices;
    std::uint32_t triangles;
    std::array<float, 3> lower_voxels; ///< of all vertices
    std::array<float, 3> upper_voxels;
    double volume_mm3;
    double area_mm2;
    std::array<std::uint64_t, 2> reserved;
};
static_assert(sizeof(MeshRecord) == 64);

struct SurroundingsRecord {
    std::uint32_t vertices;
    std::uint32_t triangles;
    std::uint32_t spheres;
    std::uint32_t bsdfs;
    std::uint64_t texels;
    std::uint64_t reserved;
};
static_assert(sizeof(SurroundingsRecord) == 32);

struct BsdfRecord {
    std::uint32_t kind;
    std::uint32_t two_sided;
    std::uint32_t has_fresnel;
    std::uint32_t boundary_kind;
    std::uint32_t microfacets;
    std::uint32_t picture_width;
    std::uint32_t picture_height;
    float checks_u;
    float checks_v;
    float exponent;
    float specular_share;
    float int_over_ext;
    float alpha;
    std::array<std::uint32_t, 3> reserved;
    std::array<float, kMaxBands> colour;
    std::array<float, kMaxBands> other_colour;
    std::array<float, kMaxBands> specular;
    std::array<float, kMaxBands> eta;
    std::array<float, kMaxBands> extinction;
};
static_assert(sizeof(BsdfRecord) == 784);

struct EmitterRecord {
    std::uint32_t kind;
    std::uint32_t unit;
    std::uint32_t profile;
    std::uint32_t amounts; ///< how many of `amount` there are
    std::array<double, 3> origin_world;
    std::array<double, 3> direction_world;
    std::array<double, 3> u_axis_mm;
    std::array<double, 3> v_axis_mm;
    double radius_mm;
    double angle_deg;
    double inner_angle_deg;
    std::uint32_t first_triangle;
    std::uint32_t triangle_count;
    std::array<float, kMaxBands> amount;
};
static_assert(sizeof(EmitterRecord) == 288);

} // namespace volpt::vpk
