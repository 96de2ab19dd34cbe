#include "formats/common/inflate.h"

#include <algorithm>
#include <climits>
#include <new>
#include <zlib.h>

namespace volpt {

bool is_gzip_head(std::span<std::byte const> bytes)
{
    return bytes.size() >= 2 && bytes[0] == std::byte{0x1f} && bytes[1] == std::byte{0x8b};
}

InflatedBytes inflate_bytes(std::span<std::byte const> packed, std::span<std::byte> room)
{
    z_stream stream{};
    constexpr int kZlibOrGzip = 15 + 32;
    if (inflateInit2(&stream, kZlibOrGzip) != Z_OK) throw std::bad_alloc();
    bool const is_gzip = is_gzip_head(packed);
    std::size_t in = 0, out = 0;
    int result = Z_OK;
    while (result == Z_OK) {
        // zlib reads, but its type is not const. What it is given at a time fits its 32 bits.
        std::size_t const in_part = std::min<std::size_t>(packed.size() - in, INT_MAX);
        std::size_t const out_part = std::min<std::size_t>(room.size() - out, INT_MAX);
        stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(packed.data() + in));
        stream.avail_in = static_cast<uInt>(in_part);
        stream.next_out = reinterpret_cast<Bytef*>(room.data() + out);
        stream.avail_out = static_cast<uInt>(out_part);
        result = inflate(&stream, Z_NO_FLUSH);
        in += in_part - stream.avail_in;
        out += out_part - stream.avail_out;
        if (result == Z_STREAM_END && is_gzip && is_gzip_head(packed.subspan(in))) result = inflateReset(&stream);
    }
    inflateEnd(&stream);
    return {out, result == Z_STREAM_END};
}

} // namespace volpt
