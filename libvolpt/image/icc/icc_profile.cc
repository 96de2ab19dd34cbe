#include "libvolpt/image/icc/icc_profile.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <vector>
#include <zlib.h>

namespace volpt {
namespace {

using Bytes = std::span<std::byte const>;

constexpr std::size_t kProfileBytesMost = std::size_t{4} << 20;
constexpr std::size_t kDescriptionMost = 80;

/// Big-endian; 0 beyond the end.
std::uint32_t read_number(Bytes bytes, std::size_t at, std::size_t size)
{
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < size; ++i)
        value = value << 8 | (at + i < bytes.size() ? std::to_integer<std::uint32_t>(bytes[at + i]) : 0u);
    return value;
}

double read_s15_fixed16(Bytes bytes, std::size_t at)
{
    return static_cast<double>(static_cast<std::int32_t>(read_number(bytes, at, 4))) / 65536;
}

std::string_view view_text(Bytes bytes, std::size_t at, std::size_t size)
{
    if (at + size > bytes.size()) return {};
    return {reinterpret_cast<char const*>(bytes.data()) + at, size};
}

/// Section 7.3; empty if the profile has no such tag.
Bytes find_tag(Bytes profile, std::string_view signature)
{
    std::uint32_t const count = std::min<std::uint32_t>(read_number(profile, 128, 4), 200);
    for (std::size_t i = 0; i < count; ++i) {
        std::size_t const entry = 132 + 12 * i;
        if (view_text(profile, entry, 4) != signature) continue;
        std::size_t const offset = read_number(profile, entry + 4, 4), size = read_number(profile, entry + 8, 4);
        if (offset <= profile.size() && size <= profile.size() - offset) return profile.subspan(offset, size);
    }
    return {};
}

/// textDescriptionType of version 2, or the first record of a multiLocalizedUnicodeType.
std::string read_description(Bytes tag)
{
    std::string text;
    if (view_text(tag, 0, 4) == "desc") {
        std::size_t const size = std::min<std::size_t>(read_number(tag, 8, 4), kDescriptionMost);
        text = view_text(tag, 12, size);
    } else if (view_text(tag, 0, 4) == "mluc" && read_number(tag, 8, 4) > 0) {
        std::size_t const size = std::min<std::size_t>(read_number(tag, 20, 4), 2 * kDescriptionMost);
        std::size_t const offset = read_number(tag, 24, 4);
        for (std::size_t i = 0; i + 1 < size && offset + i + 1 < tag.size(); i += 2) {
            std::uint32_t const unit = read_number(tag, offset + i, 2);
            text += unit < 0x7f ? static_cast<char>(unit) : '?';
        }
    }
    text.resize(std::min(text.find('\0'), text.size()));
    for (char& letter : text)
        if (letter < ' ' || letter > '~') letter = '?';
    return text;
}

/// A tone curve at half of the largest code: sections 10.6 (curveType) and 10.18 (parametricCurveType).
std::optional<double> evaluate_curve_at_half(Bytes tag)
{
    constexpr double kHalf = 0.5;
    if (view_text(tag, 0, 4) == "curv") {
        std::uint32_t const count = read_number(tag, 8, 4);
        if (count == 0) return kHalf;
        if (count == 1) return std::pow(kHalf, read_number(tag, 12, 2) / 256.0);
        if (12 + 2 * std::uint64_t{count} > tag.size()) return std::nullopt;
        double const place = kHalf * (count - 1);
        auto const below = static_cast<std::size_t>(place);
        double const low = read_number(tag, 12 + 2 * below, 2), high = read_number(tag, 14 + 2 * below, 2);
        return (low + (high - low) * (place - static_cast<double>(below))) / 65535;
    }
    if (view_text(tag, 0, 4) != "para") return std::nullopt;
    std::uint32_t const type = read_number(tag, 8, 2);
    std::array<double, 7> p{}; // g a b c d e f
    for (std::size_t i = 0; i < p.size(); ++i) p[i] = read_s15_fixed16(tag, 12 + 4 * i);
    auto const [g, a, b, c, d, e, f] = p;
    switch (type) {
    case 0:
        return std::pow(kHalf, g);
    case 1:
        return a * kHalf + b >= 0 ? std::pow(a * kHalf + b, g) : 0;
    case 2:
        return a * kHalf + b >= 0 ? std::pow(a * kHalf + b, g) + c : c;
    case 3:
        return kHalf >= d ? std::pow(a * kHalf + b, g) : c * kHalf;
    case 4:
        return kHalf >= d ? std::pow(a * kHalf + b, g) + e : c * kHalf + f;
    default:
        return std::nullopt;
    }
}

bool has_srgb_curve(Bytes profile, std::string_view signature)
{
    constexpr double kSrgbAtHalf = 0.21404;
    auto const value = evaluate_curve_at_half(find_tag(profile, signature));
    return value && std::abs(*value - kSrgbAtHalf) < 0.003;
}

bool has_srgb_primary(Bytes profile, std::string_view signature, std::array<double, 3> const& xyz)
{
    Bytes const tag = find_tag(profile, signature);
    if (view_text(tag, 0, 4) != "XYZ " || tag.size() < 20) return false;
    for (std::size_t i = 0; i < 3; ++i)
        if (!(std::abs(read_s15_fixed16(tag, 8 + 4 * i) - xyz[i]) < 0.003)) return false;
    return true;
}

bool is_srgb(Bytes profile)
{
    if (view_text(profile, 16, 4) == "GRAY") return has_srgb_curve(profile, "kTRC");
    return view_text(profile, 16, 4) == "RGB " && has_srgb_primary(profile, "rXYZ", {0.4361, 0.2225, 0.0139}) &&
           has_srgb_primary(profile, "gXYZ", {0.3851, 0.7169, 0.0971}) &&
           has_srgb_primary(profile, "bXYZ", {0.1431, 0.0606, 0.7141}) && has_srgb_curve(profile, "rTRC") &&
           has_srgb_curve(profile, "gTRC") && has_srgb_curve(profile, "bTRC");
}

/// As much as fits `most` bytes; empty if nothing inflates. deflate makes nothing smaller than a 1032nd.
std::vector<std::byte> inflate_some(Bytes data, std::size_t most)
{
    std::vector<std::byte> inflated(std::min(most, 1032 * data.size() + 64));
    z_stream stream{};
    if (inflateInit(&stream) != Z_OK) return {};
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(data.data())); // zlib only reads
    stream.avail_in = static_cast<uInt>(data.size());
    stream.next_out = reinterpret_cast<Bytef*>(inflated.data());
    stream.avail_out = static_cast<uInt>(inflated.size());
    inflate(&stream, Z_FINISH);
    inflated.resize(stream.total_out);
    inflateEnd(&stream);
    return inflated;
}

} // namespace

IccSummary read_icc_profile(std::span<std::byte const> profile)
{
    return {read_description(find_tag(profile, "desc")), is_srgb(profile)};
}

ColourProfile read_iccp_chunk(std::span<std::byte const> data)
{
    std::string_view const text = view_text(data, 0, data.size());
    std::size_t const name_size = std::min(text.find('\0'), text.size());
    ColourProfile profile{std::string(text.substr(0, std::min(name_size, kDescriptionMost))), {}};
    for (char& letter : profile.name)
        if (letter < ' ' || letter > '~') letter = '?';
    if (name_size + 2 <= data.size()) profile.bytes = inflate_some(data.subspan(name_size + 2), kProfileBytesMost);
    return profile;
}

} // namespace volpt
