// The checks of an OpenEXR file that the library does not make itself, and the file as a stream for the library.
#pragma once

#if VOLPT_WITH_OPENEXR
#include "libvolpt/image/codecs/picture_memory.h"

#include <OpenEXR/ImfIO.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace volpt {

/// A view of bytes as the library reads them. A read beyond their end throws.
class ExrMemoryStream : public Imf::IStream {
public:
    /// `name` is for messages of the library.
    ExrMemoryStream(std::span<std::byte const> file, char const* name) : IStream(name), file_(file) {}

    bool read(char to[], int count) override;
    std::uint64_t tellg() override { return at_; }
    void seekg(std::uint64_t position) override { at_ = position; }

private:
    std::span<std::byte const> file_;
    std::uint64_t at_ = 0;
};

/// OpenEXR 3.1 reads attributes without regard to their sizes in the file, allocates what a header claims before it
/// reads it, and does not compare the size of a picture with that of its file. Error (input) names the attribute and
/// its offset, or the size. Refuses besides what is not read: deep data and parts of different sizes. Nothing is
/// allocated for pixels or tables of chunks. Passes on what the library throws.
void check_exr_header(std::span<std::byte const> file, std::string const& where, PictureMemory const& memory);

} // namespace volpt
#endif
