// Writes MetaImages for tests, from numbers, by means of its own (no code of the reader).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <fmt/format.h>
#include <string>
#include <vector>
#include <zlib.h>

namespace volpt {

template <typename Element>
std::string to_binary(std::vector<double> const& numbers, bool big_endian)
{
    std::string bytes;
    for (double const number : numbers) {
        auto const element = static_cast<Element>(number);
        std::array<char, sizeof(Element)> raw;
        std::memcpy(raw.data(), &element, sizeof(Element));
        if (big_endian) std::reverse(raw.begin(), raw.end());
        bytes.append(raw.data(), raw.size());
    }
    return bytes;
}

struct MetType {
    std::string name;
    double low;
    double high;
    std::string (*encode)(std::vector<double> const&, bool big_endian);
};

/// Every type of the format with its range (or a typical one).
inline std::vector<MetType> const& met_types()
{
    static std::vector<MetType> const types{{"MET_CHAR", -128, 127, to_binary<std::int8_t>},
                                            {"MET_UCHAR", 0, 255, to_binary<std::uint8_t>},
                                            {"MET_SHORT", -32768, 32767, to_binary<std::int16_t>},
                                            {"MET_USHORT", 0, 65535, to_binary<std::uint16_t>},
                                            {"MET_INT", -2147483648.0, 2147483647.0, to_binary<std::int32_t>},
                                            {"MET_UINT", 0, 4294967295.0, to_binary<std::uint32_t>},
                                            {"MET_LONG", -2147483648.0, 2147483647.0, to_binary<std::int32_t>},
                                            {"MET_ULONG", 0, 4294967295.0, to_binary<std::uint32_t>},
                                            {"MET_LONG_LONG", -9e15, 9e15, to_binary<std::int64_t>},
                                            {"MET_ULONG_LONG", 0, 9e15, to_binary<std::uint64_t>},
                                            {"MET_FLOAT", -1.5e30, 2.5e-30, to_binary<float>},
                                            {"MET_DOUBLE", -1.5e30, 0.1, to_binary<double>}};
    return types;
}

inline std::string deflate_text(std::string const& bytes)
{
    uLongf size = compressBound(static_cast<uLong>(bytes.size()));
    std::string compressed(size, '\0');
    compress(reinterpret_cast<Bytef*>(compressed.data()), &size, reinterpret_cast<Bytef const*>(bytes.data()),
             static_cast<uLong>(bytes.size()));
    compressed.resize(size);
    return compressed;
}

/// "NDims = 3 / DimSize / ElementType / extra lines / ElementDataFile".
inline std::string met_header(std::array<int, 3> dims, std::string const& type, std::string const& extra,
                              std::string const& data_file = "LOCAL")
{
    return fmt::format("ObjectType = Image\nNDims = 3\nDimSize = {} {} {}\nElementType = {}\n{}ElementDataFile = {}\n",
                       dims[0], dims[1], dims[2], type, extra, data_file);
}

} // namespace volpt
