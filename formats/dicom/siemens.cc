#include "formats/dicom/siemens.h"

#include "formats/common/text.h"
#include "formats/dicom/csa.h"
#include "formats/dicom/values.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <charconv>
#include <cmath>
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

std::optional<double> parse_csa_number(std::string const& text)
{
    double number = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(number)) return std::nullopt;
    return number;
}

CsaValues find_csa_header(gdcm::DataSet const& data)
{
    auto const tag = find_private(data, 0x0029, "siemens csa header", 0x10);
    auto const* const bytes = tag ? data.GetDataElement(*tag).GetByteValue() : nullptr;
    if (bytes == nullptr) return {};
    return read_csa_header(std::as_bytes(std::span(bytes->GetPointer(), bytes->GetLength())));
}

} // namespace

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
