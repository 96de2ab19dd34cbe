// Synthetic volumes: homogeneous boxes, spheres, noise and checkers.
#pragma once

#include "libvolpt/sys/text/enum_words.h"
#include "libvolpt/volume/voxel_stream.h"

namespace volpt {

/// `cube` and `slab` are homogeneous boxes that store no voxel; `sphere` is the ellipsoid that touches the box's faces,
/// density 1 inside, 0 outside; `noise` smooth random density, 0..1, always the same; `checker` cells of 8
/// voxels, density 1 and 0.
enum class MadeShape { cube, sphere, slab, noise, checker };
template <>
inline constexpr auto kWords<MadeShape> = list_words<MadeShape>({{MadeShape::cube, "cube"},
                                                                 {MadeShape::sphere, "sphere"},
                                                                 {MadeShape::slab, "slab"},
                                                                 {MadeShape::noise, "noise"},
                                                                 {MadeShape::checker, "checker"}});

struct MakeOptions {
    MadeShape shape = MadeShape::cube;
    std::array<int, 3> dims{1, 1, 1};
    std::array<float, 3> pitch_mm{1, 1, 1};
    std::vector<double> sigma_t{1};            ///< 1/mm at density 1; by band for cube and slab, one value otherwise
    std::vector<double> one_minus_albedo{0.1}; ///< by band, or one value for all
    float g = 0;
    Filter filter = Filter::trilinear;
    Encoding encoding = Encoding::u8;    ///< of the density, where there is one
    std::vector<float> wavelengths_nm{}; ///< of the bands; empty: not known
    std::string scene_hints_json = "{}";
    std::string source_metadata_json = "{}"; ///< one flat object of strings
};

/// Centred on the origin. Error (usage) if bands contradict each other or a density shape has an extinction by band.
std::unique_ptr<VoxelStream> make_volume(MakeOptions options);

} // namespace volpt
