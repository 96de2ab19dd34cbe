#include "formats/dicom/values.h"

#include "formats/common/text.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <gdcmByteValue.h>
#include <gdcmSequenceOfItems.h>

namespace volpt {
namespace {

gdcm::ByteValue const* find_bytes(gdcm::DataSet const& data, gdcm::Tag tag)
{
    return data.FindDataElement(tag) ? data.GetDataElement(tag).GetByteValue() : nullptr;
}

std::string_view trim_padding(std::string_view text)
{
    while (!text.empty() && text.back() == '\0') text.remove_suffix(1);
    return trim(text);
}

std::optional<double> parse_decimal(std::string_view text)
{
    text = trim_padding(text);
    if (text.starts_with('+')) text.remove_prefix(1);
    double value = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
    return value;
}

} // namespace

std::string find_dicom_text(gdcm::DataSet const& data, gdcm::Tag tag)
{
    auto const* const bytes = find_bytes(data, tag);
    if (bytes == nullptr) return {};
    constexpr std::size_t kMost = 1024;
    std::string text(trim_padding({bytes->GetPointer(), std::min<std::size_t>(bytes->GetLength(), kMost)}));
    for (char& letter : text)
        if (letter < ' ' || letter > '~') letter = '?';
    return text;
}

std::vector<double> find_dicom_numbers(gdcm::DataSet const& data, gdcm::Tag tag, char const* keyword,
                                       std::string const& where)
{
    auto const* const bytes = find_bytes(data, tag);
    if (bytes == nullptr) return {};
    std::string_view rest = trim_padding({bytes->GetPointer(), bytes->GetLength()});
    std::vector<double> numbers;
    while (!rest.empty()) {
        auto const end = std::min(rest.find('\\'), rest.size());
        auto const number = parse_decimal(rest.substr(0, end));
        if (!number)
            fail_input(fmt::format("{} = {}", keyword, find_dicom_text(data, tag)), where, "numbers are expected",
                       "the file is damaged");
        numbers.push_back(*number);
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return numbers;
}

std::optional<double> find_dicom_number(gdcm::DataSet const& data, gdcm::Tag tag, char const* keyword,
                                        std::string const& where)
{
    auto const numbers = find_dicom_numbers(data, tag, keyword, where);
    if (numbers.empty()) return std::nullopt;
    return numbers.front();
}

std::optional<unsigned> find_dicom_word(gdcm::DataSet const& data, gdcm::Tag tag)
{
    auto const* const bytes = find_bytes(data, tag);
    if (bytes == nullptr || bytes->GetLength() < 2) return std::nullopt;
    std::uint16_t word = 0;
    std::memcpy(&word, bytes->GetPointer(), sizeof word);
    return word;
}

std::vector<gdcm::DataSet> list_dicom_items(gdcm::DataSet const& data, gdcm::Tag tag)
{
    std::vector<gdcm::DataSet> items;
    if (!data.FindDataElement(tag)) return items;
    auto const sequence = data.GetDataElement(tag).GetValueAsSQ();
    if (!sequence) return items;
    for (std::size_t i = 1; i <= sequence->GetNumberOfItems(); ++i)
        items.push_back(sequence->GetItem(i).GetNestedDataSet());
    return items;
}

} // namespace volpt
