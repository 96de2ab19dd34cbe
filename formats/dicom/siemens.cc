#include "formats/dicom/siemens.h"

#include "formats/common/text.h"
#include "formats/dicom/values.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <gdcmByteValue.h>

namespace volpt {
namespace {

/// The element that a private creator's block has at `element`: (group, block << 8 | element).
std::optional<gdcm::Tag> find_private(gdcm::DataSet const& data, std::uint16_t group, std::string_view creator,
                                      std::uint16_t element)
{
    for (std::uint16_t block = 0x10; block <= 0xff; ++block) {
        if (to_lower(find_dicom_text(data, gdcm::Tag(group, block))) != creator) continue;
        gdcm::Tag const tag(group, static_cast<std::uint16_t>(block << 8 | element));
        if (data.FindDataElement(tag)) return tag;
    }
    return std::nullopt;
}

/// Reads little-endian numbers and texts; past the end all are 0 or empty.
class CsaBytes {
public:
    explicit CsaBytes(std::span<std::byte const> bytes) : bytes_(bytes) {}

    bool is_at_end() const { return at_ >= bytes_.size(); }
    std::uint32_t take_word()
    {
        std::uint32_t word = 0;
        if (bytes_.size() - at_ >= sizeof word) std::memcpy(&word, bytes_.data() + at_, sizeof word);
        skip(sizeof word);
        return word;
    }
    std::string take_text(std::size_t size)
    {
        std::size_t const count = std::min(size, bytes_.size() - at_);
        auto const* const begin = reinterpret_cast<char const*>(bytes_.data() + at_);
        std::string const text(begin, std::find(begin, begin + count, '\0'));
        skip(size);
        return std::string(trim(text));
    }
    void skip(std::size_t size) { at_ += std::min(size, bytes_.size() - at_); }
    std::size_t count_left() const { return bytes_.size() - at_; }

private:
    std::span<std::byte const> bytes_;
    std::size_t at_ = 0;
};

std::optional<double> parse_csa_number(std::string const& text)
{
    double number = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(number)) return std::nullopt;
    return number;
}

std::map<std::string, std::vector<std::string>> find_csa_header(gdcm::DataSet const& data)
{
    auto const tag = find_private(data, 0x0029, "siemens csa header", 0x10);
    auto const* const bytes = tag ? data.GetDataElement(*tag).GetByteValue() : nullptr;
    if (bytes == nullptr) return {};
    return read_csa_header(std::as_bytes(std::span(bytes->GetPointer(), bytes->GetLength())));
}

} // namespace

std::map<std::string, std::vector<std::string>> read_csa_header(std::span<std::byte const> bytes)
{
    constexpr std::size_t kNameBytes = 64;
    constexpr std::uint32_t kMostTags = 1024, kMostItems = 4096;
    std::map<std::string, std::vector<std::string>> values;
    CsaBytes csa(bytes);
    bool const is_second = bytes.size() >= 4 && std::memcmp(bytes.data(), "SV10", 4) == 0;
    if (is_second) csa.skip(8);
    std::uint32_t const tags = csa.take_word();
    csa.skip(4);
    // In the first version, lengths are told relative to a number of the first element.
    std::optional<std::uint32_t> offset;
    for (std::uint32_t i = 0; i < std::min(tags, kMostTags) && !csa.is_at_end(); ++i) {
        std::string const name = csa.take_text(kNameBytes);
        csa.skip(4 + 4 + 4); // how many values are meant, VR, data type
        std::uint32_t const items = csa.take_word();
        csa.skip(4);
        if (!offset) offset = is_second ? 0 : items;
        for (std::uint32_t item = 0; item < items && item < kMostItems && !csa.is_at_end(); ++item) {
            std::uint32_t const first = csa.take_word(), second = csa.take_word();
            csa.skip(8);
            std::uint32_t length = is_second ? second : first - *offset;
            if (length > csa.count_left()) {
                if (is_second) return values;
                length = 0; // the first version writes such items
            }
            std::string text = csa.take_text(length);
            csa.skip((4 - length % 4) % 4);
            if (!text.empty()) values[name].push_back(std::move(text));
        }
    }
    return values;
}

std::optional<SiemensMosaic> find_siemens_mosaic(gdcm::DataSet const& data, std::string const& where)
{
    auto const csa = find_csa_header(data);
    std::optional<double> in_csa;
    if (auto const found = csa.find("NumberOfImagesInMosaic"); found != csa.end())
        in_csa = parse_csa_number(found->second.front());
    std::optional<double> number;
    if (auto const tag = find_private(data, 0x0019, "siemens mr header", 0x0a)) {
        auto const& element = data.GetDataElement(*tag);
        // US, where the VR is kept; text of an IS elsewhere.
        if (auto const* const bytes = element.GetByteValue(); bytes != nullptr && bytes->GetLength() == 2)
            number = find_dicom_word(data, *tag);
        if (number && *number > 0x3030) number = parse_csa_number(find_dicom_text(data, *tag));
    }
    if (number && in_csa && *number != *in_csa)
        fail_input(
            fmt::format("NumberOfImagesInMosaic is {} in (0019,100A) and {} in its CSA header", *number, *in_csa),
            where, "it says how many slices the picture holds", "get a copy that was not changed");
    if (!number) number = in_csa;
    if (!number || *number < 1) return std::nullopt;
    if (!(*number <= 65535 && *number == std::floor(*number)))
        fail_input(fmt::format("NumberOfImagesInMosaic = {}", *number), where, "1 to 65535 slices are possible",
                   "the file is damaged");
    SiemensMosaic mosaic{static_cast<unsigned>(*number), {}};
    if (auto const found = csa.find("SliceNormalVector"); found != csa.end() && found->second.size() == 3) {
        std::array<double, 3> normal{};
        bool is_read = true;
        for (std::size_t i = 0; i < 3; ++i) {
            auto const component = parse_csa_number(found->second[i]);
            is_read = is_read && component;
            normal[i] = component.value_or(0);
        }
        if (is_read) mosaic.normal = normal;
    }
    return mosaic;
}

std::optional<double> find_uih_grid(gdcm::DataSet const& data, std::string const& where)
{
    for (char const* const creator : {"image private header", "public private header"})
        if (auto const tag = find_private(data, 0x0065, creator, 0x50))
            return find_dicom_number(data, *tag, "NumberOfSlicesInGrid", where);
    return std::nullopt;
}

} // namespace volpt
