// Instantiates stb_image (Radiance only) and stb_image_write, with zlib as the compressor.
#include <cstdlib>
#include <stdexcept>
#include <zlib.h>

namespace {

/// stb frees the result with free(); null means failure.
unsigned char* compress_with_zlib(unsigned char* data, int size_bytes, int* compressed_bytes, int)
{
    uLongf capacity = compressBound(static_cast<uLong>(size_bytes));
    auto* out = static_cast<unsigned char*>(std::malloc(capacity));
    if (out != nullptr && compress2(out, &capacity, data, static_cast<uLong>(size_bytes), 6) != Z_OK) {
        std::free(out);
        out = nullptr;
    }
    *compressed_bytes = out == nullptr ? 0 : static_cast<int>(capacity);
    return out;
}

} // namespace

// A broken invariant inside stb throws, so that the caller of read_image can report it; it never aborts.
#define STBI_ASSERT(x) ((x) ? static_cast<void>(0) : throw std::logic_error("stb_image: " #x))
#define STBI_ONLY_HDR
#define STBI_NO_STDIO
#define STB_IMAGE_IMPLEMENTATION
#include <stb/stb_image.h>

#define STBIW_ZLIB_COMPRESS compress_with_zlib
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb/stb_image_write.h>
