// The binary header of a NIfTI-1 or NIfTI-2 volume (.nii, .nii.gz, .hdr with .img).
//
// Source: nifti1.h and nifti2.h of the NIfTI Data Format Working Group (nifti.nimh.nih.gov).
#pragma once

#include "libvolpt/volume/element_type.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace volpt {

inline constexpr std::size_t kNiftiMaxHeaderBytes = 540;

struct NiftiHeader {
    std::array<int, 3> dims{1, 1, 1};
    std::uint64_t volumes = 1; ///< product of the dims behind the third, which follow each other
    int channels = 1;          ///< 3 for RGB24
    StoredType stored;
    std::uint64_t data_offset = 0; ///< in the inflated file
    bool is_pair = false;          ///< the voxels lie in the .img beside the .hdr
    double slope = 1;              ///< value = slope * stored + intercept
    double intercept = 0;
    std::array<double, 3> pitch_mm{1, 1, 1};
    std::string pitch_origin; ///< "sform"
    std::array<double, 9> rotation{1, 0, 0, 0, 1, 0, 0, 0, 1};
    std::optional<std::array<double, 3>>
        first_voxel_world_mm; ///< LPS (the file's own is RAS); absent without s- and qform
    std::vector<std::pair<std::string, std::string>> fields; ///< what is kept as source metadata
    std::vector<std::string> notices;
};

/// True if the bytes begin like a NIfTI header of either version and byte order. Never throws.
bool is_nifti_header(std::span<std::byte const> bytes);

/// `bytes` are the first 348 (NIfTI-1) or 540 (NIfTI-2) of the file, or more. Error (input) names `where`, the field
/// and its value.
NiftiHeader parse_nifti_header(std::span<std::byte const> bytes, std::string const& where);

} // namespace volpt
