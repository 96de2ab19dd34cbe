#include "libvolpt/image/orientation.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace volpt {
namespace {

constexpr unsigned kOrientationTag = 274;
constexpr unsigned kShortType = 3;

/// Numbers of a TIFF structure in its own byte order; 0 beyond the end.
class ExifNumbers {
public:
    explicit ExifNumbers(std::span<std::byte const> bytes)
        : bytes_(bytes), is_big_(!bytes.empty() && bytes[0] == std::byte{'M'})
    {
    }

    std::uint32_t read(std::uint64_t at, unsigned size_bytes) const
    {
        std::uint32_t value = 0;
        for (unsigned i = 0; i < size_bytes; ++i) {
            std::uint64_t const place = at + (is_big_ ? i : size_bytes - 1 - i);
            value = value << 8 | (place < bytes_.size() ? std::to_integer<std::uint32_t>(bytes_[place]) : 0u);
        }
        return value;
    }

private:
    std::span<std::byte const> bytes_;
    bool is_big_;
};

} // namespace

int find_exif_orientation(std::span<std::byte const> segment)
{
    using namespace std::string_view_literals;
    std::string_view const text(reinterpret_cast<char const*>(segment.data()), segment.size());
    if (!text.starts_with("Exif\0\0"sv)) return 1;
    ExifNumbers const numbers(segment.subspan(6));
    if (numbers.read(2, 2) != 42) return 1;
    std::uint64_t const directory = numbers.read(4, 4);
    std::uint32_t const entries = numbers.read(directory, 2);
    for (std::uint32_t i = 0; i < entries; ++i) {
        std::uint64_t const entry = directory + 2 + std::uint64_t{12} * i;
        if (numbers.read(entry, 2) != kOrientationTag) continue;
        std::uint32_t const value = numbers.read(entry + 8, 2);
        bool const is_sound = numbers.read(entry + 2, 2) == kShortType && value >= 1 && value <= 8;
        return is_sound ? static_cast<int>(value) : 1;
    }
    return 1;
}

void apply_orientation(StoredImage& image, int orientation)
{
    if (orientation < 2 || orientation > 8) return;
    auto const width = static_cast<std::size_t>(image.width()), height = static_cast<std::size_t>(image.height());
    bool const transposes = orientation >= 5;
    bool const from_right = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
    bool const from_bottom = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
    std::size_t const columns = transposes ? height : width, rows = transposes ? width : height;
    auto const turn = [&](auto& values) {
        auto turned = values;
        for (std::size_t y = 0; y < rows; ++y)
            for (std::size_t x = 0; x < columns; ++x) {
                std::size_t const across = transposes ? y : x, down = transposes ? x : y;
                std::size_t const from_x = from_right ? width - 1 - across : across;
                std::size_t const from_y = from_bottom ? height - 1 - down : down;
                turned[y * columns + x] = values[from_y * width + from_x];
            }
        values = std::move(turned);
    };
    for (StoredChannel& channel : image.channels) std::visit(turn, channel.values);
    if (transposes) std::swap(image.description.width, image.description.height);
}

} // namespace volpt
