// The pictures of a slice stack as numbers, whatever format holds them: files of their own or pages of one file.
#pragma once

#include "formats/slices/files.h"
#include "libvolpt/volume/element_type.h"

#include <map>

namespace volpt {

struct SliceFacts {
    int width = 0; ///< 1 .. 65535
    int height = 0;
    int channels = 0; ///< 1 grey, 2 grey and alpha, 3 R G B, 4 R G B A
    ElementType element = ElementType::u8;
};

class SlicePictures {
public:
    virtual ~SlicePictures() = default;

    /// Of the whole: folder, pattern, archive or file.
    virtual std::string const& where() const = 0;
    virtual std::size_t count() const = 0;
    virtual std::string describe(std::size_t slice) const = 0; ///< for messages: "stack.tif: page 3"
    virtual std::vector<std::string> const& notices() const = 0;
    virtual std::map<std::string, std::string> list_metadata() const = 0;

    /// What its header says. Error (input) names the slice.
    virtual SliceFacts read_facts(std::size_t slice) = 0;
    /// Fills `numbers` with the samples as stored, channels fastest, top row first. Ascending order is quick. Error
    /// (input) names the slice.
    virtual SliceFacts decode(std::size_t slice, std::vector<float>& numbers) = 0;
};

/// PNG and BMP, told apart by content; memory holds one slice.
std::unique_ptr<SlicePictures> make_picture_files(std::unique_ptr<SliceFiles> files);

} // namespace volpt
