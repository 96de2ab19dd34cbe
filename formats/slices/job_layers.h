// The layers of a volume of labels as a printer's slices: pixels in the materials' colours, the way they are laid.
#pragma once

#include "formats/writer.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace volpt {

/// A material that occurs, other than the background.
struct JobMaterialUse {
    std::string name;
    std::uint32_t colour = 0; ///< 0xRRGGBBAA
    std::uint64_t voxels = 0;
    /// In a manifest: that of the job which the volume was packed from, else that of a printer's resin (C is VeroCY-V),
    /// else `name`. No other material has it.
    std::string job_name = {};
};

/// The colour of air that has none of its own: black as in the jobs of GrabCAD, unless an ink has it; or transparent,
/// which says so without a manifest.
enum class JobBackground { black, transparent };

/// What stands for the materials in a job's pixels.
struct JobPalette {
    std::uint32_t background = 0;
    std::vector<JobMaterialUse> materials;
    std::vector<std::uint32_t> colours; ///< by label; 0 of those that do not occur
};

/// Error (usage) as JobLayers. `counts`: voxels of each material.
JobPalette choose_job_palette(PlannedJob const& job, std::span<std::uint64_t const> counts, JobBackground background);

/// Error (usage) as JobLayers, if every material occurs.
void check_job_layers(PlannedJob const& job, JobBackground background);

class JobLayers {
public:
    /// Error (usage) if the volume has no labels, if its axes are not those of the world, or if a material that occurs
    /// has no colour (source metadata "colour.NAME") or that of another. The volume has to outlive this object.
    JobLayers(PackedVolume const& volume, JobBackground background);

    std::array<int, 3> const& dims() const { return dims_; } ///< columns, rows, slices
    std::array<double, 3> pitch_mm() const;
    /// Of the first material that is air and no support; no material has it.
    std::uint32_t background() const { return palette_.background; }
    std::vector<JobMaterialUse> const& materials() const { return palette_.materials; }

    /// R G B A of a slice: columns along +x, the first row at the largest y, slice 0 at the smallest z of the world.
    /// Valid until the next call.
    std::span<std::byte const> draw(int slice);

private:
    PackedVolume const& volume_;
    VolumeView view_;
    std::array<int, 3> dims_;
    std::array<bool, 3> is_reversed_{}; ///< against the volume's own order
    JobPalette palette_;
    std::vector<std::uint8_t> labels_;
    std::vector<std::byte> pixels_;
};

/// A slice as a PNG of 32 bits per pixel, with its resolution.
std::vector<std::byte> encode_job_slice(JobLayers& layers, int slice);

} // namespace volpt
