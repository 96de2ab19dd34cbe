#include "formats/dicom/csa.h"

#include "formats/common/text.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>

namespace volpt {
namespace {

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

} // namespace

CsaValues read_csa_header(std::span<std::byte const> bytes)
{
    constexpr std::size_t kNameBytes = 64;
    constexpr std::uint32_t kMostTags = 1024, kMostItems = 4096;
    CsaValues values;
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
            std::uint32_t const length = is_second ? second : first - *offset;
            if (length > csa.count_left()) {
                if (is_second) return values;
                break; // the first version ends the items of an element so (SPM, spm_dicom_headers.m)
            }
            std::string text = csa.take_text(length);
            csa.skip((4 - length % 4) % 4);
            if (!text.empty()) values[name].push_back(std::move(text));
        }
    }
    return values;
}

} // namespace volpt
