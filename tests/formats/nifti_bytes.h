// Writes NIfTI headers for tests, field by field from nifti1.h and nifti2.h (no code of the reader).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <zlib.h>

namespace volpt {

template <typename Value>
void put(std::string& header, std::size_t offset, Value value)
{
    std::memcpy(header.data() + offset, &value, sizeof(Value));
}

/// Header and the four bytes after it; no s- or qform, pixdim 1 2 3.
inline std::string make_nifti1(std::array<int, 3> dims, int datatype, int bits)
{
    std::string header(352, '\0');
    put<std::int32_t>(header, 0, 348);
    put<std::int16_t>(header, 40, 3);
    for (std::size_t i = 0; i < 3; ++i) {
        put(header, 42 + 2 * i, static_cast<std::int16_t>(dims[i]));
        put(header, 80 + 4 * i, static_cast<float>(i + 1));
    }
    put(header, 70, static_cast<std::int16_t>(datatype));
    put(header, 72, static_cast<std::int16_t>(bits));
    put(header, 108, 352.0f);
    header.replace(344, 4, std::string("n+1\0", 4));
    return header;
}

inline std::string make_nifti2(std::array<int, 3> dims, int datatype, int bits)
{
    std::string header(544, '\0');
    put<std::int32_t>(header, 0, 540);
    header.replace(4, 8, std::string("n+2\0\r\n\032\n", 8));
    put(header, 12, static_cast<std::int16_t>(datatype));
    put(header, 14, static_cast<std::int16_t>(bits));
    put<std::int64_t>(header, 16, 3);
    for (std::size_t i = 0; i < 3; ++i) {
        put(header, 24 + 8 * i, static_cast<std::int64_t>(dims[i]));
        put(header, 112 + 8 * i, static_cast<double>(i + 1));
    }
    put<std::int64_t>(header, 168, 544);
    return header;
}

/// The NIfTI-1 header with every field in the other byte order.
inline std::string swap_nifti1(std::string header)
{
    auto const swap = [&](std::size_t offset, std::size_t size, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i, offset += size)
            std::reverse(header.begin() + static_cast<std::ptrdiff_t>(offset),
                         header.begin() + static_cast<std::ptrdiff_t>(offset + size));
    };
    swap(0, 4, 1);
    swap(40, 2, 8);
    swap(70, 2, 2);
    swap(76, 4, 11); // pixdim, vox_offset, slope, intercept
    swap(252, 2, 2);
    swap(256, 4, 18); // quaternion, offsets, srow
    return header;
}

inline std::string gzip_text(std::string const& bytes)
{
    z_stream stream{};
    deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
    std::string packed(deflateBound(&stream, static_cast<uLong>(bytes.size())), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH);
    packed.erase(stream.total_out);
    deflateEnd(&stream);
    return packed;
}

} // namespace volpt
