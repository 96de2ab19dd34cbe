// A picture whose values are held in the type that its file has: for those who read it row by row.
#pragma once

#include "libvolpt/image/image.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

namespace volpt {

/// How decoders hold integer samples: as floats, or in one or two bytes.
enum class SampleForm { floats, stored };

/// Codes of 8 bits (the value is code / 255), of 16 bits (code / 65535), or floats.
enum class CodeDepth { bits_8, bits_16 };

inline float decode_code(unsigned code, CodeDepth depth)
{
    return static_cast<float>(code) / (depth == CodeDepth::bits_8 ? 255.0f : 65535.0f);
}

/// Bytes of a value.
constexpr std::size_t count_value_bytes(SampleForm form, CodeDepth depth)
{
    return form == SampleForm::floats ? sizeof(float) : depth == CodeDepth::bits_8 ? 1 : 2;
}

struct StoredChannel {
    std::string name;
    std::variant<std::vector<float>, std::vector<std::uint8_t>, std::vector<std::uint16_t>> values; ///< as in Channel

    /// The codes code_of(0) to code_of(count - 1), which have `depth`, at `first`, first + step, ..
    template <class CodeOf>
    void put(std::size_t first, std::size_t step, std::size_t count, CodeDepth depth, CodeOf const& code_of)
    {
        std::visit(
            [&](auto& held) {
                using Value = typename std::remove_reference_t<decltype(held)>::value_type;
                Value* const to = held.data() + first;
                for (std::size_t i = 0; i < count; ++i)
                    if constexpr (std::is_same_v<Value, float>)
                        to[i * step] = decode_code(code_of(i), depth);
                    else
                        to[i * step] = static_cast<Value>(code_of(i));
            },
            values);
    }

    void resize(std::size_t count);
    void reserve(std::size_t count);
    std::size_t value_bytes() const;
    /// The values from `first` on: the very floats that a decoder of floats would have made.
    void read(std::size_t first, std::span<float> to) const;
};

struct StoredImage {
    StoredImage() = default;
    StoredImage(Image image); ///< its floats

    /// With empty channels.
    StoredImage(int width, int height, std::vector<std::string> const& names, SampleForm form, CodeDepth depth);

    Image description; ///< all but the channels, which are empty
    std::vector<StoredChannel> channels;

    StoredChannel const* find(std::string_view name) const;
    int width() const { return description.width; }
    int height() const { return description.height; }
    std::size_t pixel_count() const { return description.pixel_count(); }
};

/// The picture as floats. Channels are converted one after the other, and freed.
Image to_floats(StoredImage image);

} // namespace volpt
