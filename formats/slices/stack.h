// A stack of pictures as a volume: one slice per layer, its top row first.
#pragma once

#include "formats/reader.h"
#include "formats/slices/files.h"
#include "libvolpt/volume/source/volume_source.h"

#include <map>

namespace volpt {

struct SliceFacts {
    int width = 0; ///< 1 .. 65535
    int height = 0;
    int channels = 0; ///< 1 grey, 2 grey and alpha, 3 R G B, 4 R G B A
    ElementType element = ElementType::u8;
    bool is_indexed = false; ///< decode_indexed reads it
};

/// The slices as numbers, whatever format holds them: files of their own or pages of one file.
class SlicePictures {
public:
    virtual ~SlicePictures() = default;

    /// The folder, pattern, archive or file.
    virtual std::string const& where() const = 0;
    virtual std::size_t count() const = 0;
    virtual std::string describe(std::size_t slice) const = 0; ///< for messages: "stack.tif: page 3"
    virtual std::vector<std::string> const& notices() const = 0;
    virtual std::map<std::string, std::string> list_metadata() const = 0;
    /// Adds the pitch, the channel and the volume, where the pictures' file says so.
    virtual void add_facts(SourceMeta&) const {}

    /// From the slice's header. Error (input) names the slice.
    virtual SliceFacts read_facts(std::size_t slice) = 0;
    /// Fills `numbers` with the samples as stored, channels fastest, top row first. Ascending order is fastest. Error
    /// (input) names the slice.
    virtual SliceFacts decode(std::size_t slice, std::vector<float>& numbers) = 0;
    /// The same for a slice of `size` whose facts say is_indexed: an index a pixel, and the colours of the indices.
    virtual Palette decode_indexed(std::size_t slice, SliceFacts const& size, std::span<std::uint8_t> indices);
    /// Whether several threads may decode at a time, in any order.
    virtual bool is_concurrent() const { return false; }
};

/// PNG and BMP, told apart by content; memory holds one slice for each thread that decodes.
std::unique_ptr<SlicePictures> make_picture_files(std::unique_ptr<SliceFiles> files);

/// Sizes and colour types of all slices are read and compared at once (Error (input) names the slice that differs),
/// pixels slice by slice. Numbers are the samples, u16 if slices of 8 and 16 bits are mixed; one channel if all slices
/// are grey, else R G B, or R G B A if a slice has alpha that is kept. `known` has the placement and what a manifest
/// says.
std::unique_ptr<VolumeSource> make_slice_stack(std::unique_ptr<SlicePictures> pictures, SourceMeta known,
                                               SliceAlpha alpha);

/// A folder (with the manifest of a print job, if it has one) or a pattern of PNG, BMP or one-page TIFF slices, or a
/// stack per material (material_stacks.h); nullptr if the name is none of these. `part` is for volumes of several TIFF
/// files.
std::unique_ptr<VolumeSource> open_slice_stack(std::string const& name, SliceAlpha alpha, PartChoice const& part = {});

/// Columns along +x, rows along -y, slices along +z; the middle of the box is the origin.
SourceMeta place_upright();

} // namespace volpt
