#include "libvolpt/stats/convergence/stored_rounding.h"

#include "libvolpt/colour/srgb.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

namespace volpt {
namespace {

constexpr int kMantissaBits = 23; // of a float, without the leading one
constexpr int kHalfBits = 11, kSharedExponentBits = 8;

std::vector<Channel const*> list_picture(Image const& image)
{
    std::vector<Channel const*> picture;
    for (Channel const& channel : image.channels)
        if (is_picture_channel(channel)) picture.push_back(&channel);
    return picture;
}

bool are_8_bit_codes(std::vector<Channel const*> const& picture)
{
    return std::ranges::all_of(picture, [](Channel const* channel) {
        return std::ranges::all_of(channel->values, [](float value) {
            float const code = value * 255;
            return std::abs(code - std::round(code)) < 1e-3f;
        });
    });
}

double average_code_steps(std::vector<Channel const*> const& picture)
{
    double sum = 0, count = 0;
    for (Channel const* const channel : picture)
        for (float const value : channel->values) {
            double const coded = static_cast<double>(value);
            double const step = decode_srgb(coded + 0.5 / 255) - decode_srgb(coded - 0.5 / 255);
            sum += step * step;
            count += 1;
        }
    return count > 0 ? sum / count : 0;
}

/// Of the longest mantissa, with the leading one.
int count_mantissa_bits(std::vector<Channel const*> const& picture)
{
    int least_zeros = kMantissaBits;
    for (Channel const* const channel : picture)
        for (float const value : channel->values)
            if (std::isfinite(value))
                least_zeros = std::min(least_zeros, std::countr_zero(std::bit_cast<std::uint32_t>(value)));
    return kMantissaBits + 1 - least_zeros;
}

double step_of(float value, int bits)
{
    return value == 0 || !std::isfinite(value) ? 0 : std::ldexp(1.0, std::ilogb(value) + 1 - bits);
}

double average_half_steps(std::vector<Channel const*> const& picture)
{
    double sum = 0, count = 0;
    for (Channel const* const channel : picture)
        for (float const value : channel->values) {
            double const step = step_of(value, kHalfBits);
            sum += step * step;
            count += 1;
        }
    return count > 0 ? sum / count : 0;
}

double average_shared_steps(std::vector<Channel const*> const& picture)
{
    if (picture.empty() || picture.front()->values.empty()) return 0;
    double sum = 0;
    std::size_t const pixels = picture.front()->values.size();
    for (std::size_t i = 0; i < pixels; ++i) {
        float largest = 0;
        for (Channel const* const channel : picture) largest = std::max(largest, std::abs(channel->values[i]));
        double const step = step_of(largest, kSharedExponentBits);
        sum += step * step;
    }
    return sum / static_cast<double>(pixels);
}

} // namespace

bool is_picture_channel(Channel const& channel)
{
    return channel.name != "A" && channel.name != "sample_count" && channel.name.find('.') == std::string::npos;
}

std::optional<StoredRounding> find_stored_rounding(Image const& image)
{
    std::vector<Channel const*> const picture = list_picture(image);
    if (image.transfer == Transfer::srgb) {
        if (!are_8_bit_codes(picture)) return std::nullopt;
        return StoredRounding{"8 bits", average_code_steps(picture) / 12};
    }
    int const bits = count_mantissa_bits(picture);
    if (bits <= kSharedExponentBits) return StoredRounding{"8-bit mantissas", average_shared_steps(picture) / 12};
    if (bits <= kHalfBits) return StoredRounding{"half floats", average_half_steps(picture) / 12};
    return std::nullopt;
}

} // namespace volpt
