// A foreign volume as readers present it: its metadata, and its numbers slab by slab.
#pragma once

#include "libvolpt/volume/element_type.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace volpt {

/// Whether a source is a stack of pictures, whose samples may be colours, or a volume of numbers.
enum class SourceKind { volume, pictures };

/// What to do for a source without pitch.
enum class MissingPitch { one_mm, refused };

/// Whether pictures keep their alpha, for materials, or refuse pixels that are not opaque.
enum class SliceAlpha { kept, opaque };

/// What a print job says about the colours of its pixels, 0xRRGGBBAA.
struct PrintJob {
    struct Material {
        std::string name;
        std::uint32_t colour = 0;
        std::optional<std::uint64_t> voxels; ///< as many pixels have the colour
    };
    std::optional<std::uint32_t> background;
    std::vector<Material> materials;
    bool has_colours = true; ///< of its own; else the reader has made them up, and they tell nothing of a material
};

/// What is known before any voxel is read. World coordinates are mm.
struct SourceMeta {
    std::string path;
    SourceKind kind = SourceKind::volume;
    std::array<int, 3> dims{0, 0, 0};              ///< 1 .. 65535 each
    std::optional<std::array<double, 3>> pitch_mm; ///< absent: the file does not say
    MissingPitch missing_pitch = MissingPitch::one_mm;
    std::string pitch_origin; ///< what says pitch_mm: "OME's PhysicalSizeX, Y and Z"
    std::string pitch_advice; ///< why pitch_mm is absent, though the file says something of it
    std::array<double, 9> rotation{1, 0, 0, 0, 1, 0, 0, 0, 1}; ///< row-major, columns are the voxel axes
    /// Where the centre of voxel (0,0,0) lies; absent: the file does not say, and the box's middle is put at the
    /// origin.
    std::optional<std::array<double, 3>> first_voxel_world_mm;
    ElementType element = ElementType::u8;
    int channels = 1; ///< numbers per voxel: one is a density, three and more are the albedo by band
    std::vector<std::string> channel_names; ///< of a file with several volumes of numbers at one time
    std::optional<std::size_t> channel;     ///< which of channel_names is read
    std::string series;                     ///< of several in DICOM, what chooses the one that is read; else empty
    std::uint64_t volume_count = 1;         ///< times or series in the file
    std::uint64_t volume = 0;               ///< which of them is read
    /// Numbers that mean 0 and 1, where the format says so (u8 as 0..255); --window replaces it.
    std::optional<std::array<double, 2>> natural_window;
    std::optional<std::array<double, 2>> display_window; ///< LO and HI that the file says to show its numbers with
    std::string metadata_json = "{}";                    ///< the file's own keys, verbatim, one flat object of strings
    std::vector<std::string> notices;                    ///< for the user: assumptions and losses
    std::optional<PrintJob> job;                         ///< of a print job with a manifest
};

/// Colours by index, 0xRRGGBBAA.
using Palette = std::array<std::uint32_t, 256>;

class VolumeSource {
public:
    virtual ~VolumeSource() = default;

    SourceMeta const& meta() const noexcept { return meta_; }

    /// VoxelStream::use_threads.
    virtual void use_threads(int) {}

    /// The numbers of layers z_first .. z_first + z_count - 1, channels fastest, then x; `values` holds
    /// channels * dims.x * dims.y * z_count.
    /// Ascending order is fastest; going back may mean starting over. Error (input) names file and offset if the data
    /// end early or are damaged; a check over the whole of the data is made when the last layer is read.
    virtual void read_slab(int z_first, int z_count, std::span<float> values) = 0;

    /// True for pictures with a palette: read_indexed gives what read_slab does, in a quarter of the memory and less.
    virtual bool is_indexed() const { return false; }
    /// As read_slab: an index per voxel, and the colours of each layer's indices; `indices` holds dims.x * dims.y *
    /// z_count, `palettes` z_count. Error (input) for indices without a colour, too.
    virtual void read_indexed(int z_first, int z_count, std::span<std::uint8_t> indices, std::span<Palette> palettes);

    /// What reading has shown, beside the notices of meta(): asked for once the last layer was read.
    virtual std::vector<std::string> list_notices() const { return {}; }

    /// The place of a voxel, for messages: "head.mha: voxel 1,2,3", or a slice and a pixel in it.
    virtual std::string describe_voxel(int x, int y, int z) const;

protected:
    explicit VolumeSource(SourceMeta meta) : meta_(std::move(meta)) {}

private:
    SourceMeta meta_;
};

/// The notices of meta(), then those of list_notices.
std::vector<std::string> join_notices(VolumeSource const& source);

/// The same for voxel `index` of a slab that starts at layer z_first.
std::string describe_voxel_at(VolumeSource const& source, int z_first, std::size_t index);

} // namespace volpt
