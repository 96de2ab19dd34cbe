// Headers of Mitsuba volumes for tests.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string>

namespace volpt {

template <typename Value>
void append_value(std::string& bytes, Value value)
{
    char raw[sizeof value];
    std::memcpy(raw, &value, sizeof value);
    bytes.append(raw, sizeof value);
}

/// A version 3 header; `encoding` 1 is float32, 2 float16, 3 uint8.
inline std::string vol_header(std::array<int, 3> dims, int channels, int encoding,
                              std::array<float, 6> box = {0, 0, 0, 1, 1, 1})
{
    std::string bytes = "VOL\x03";
    append_value(bytes, static_cast<std::int32_t>(encoding));
    for (int const size : dims) append_value(bytes, static_cast<std::int32_t>(size));
    append_value(bytes, static_cast<std::int32_t>(channels));
    for (float const corner : box) append_value(bytes, corner);
    return bytes;
}

} // namespace volpt
