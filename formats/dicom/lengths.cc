#include "formats/dicom/lengths.h"

#include "formats/common/text.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/file_bytes.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fmt/format.h>
#include <optional>
#include <string_view>
#include <vector>

namespace volpt {
namespace {

constexpr std::uint32_t kUndefinedLength = 0xffffffff;
constexpr std::uint32_t kItemTag = 0xfffee000, kItemEndTag = 0xfffee00d, kSequenceEndTag = 0xfffee0dd;
constexpr std::uint32_t kPixelDataTag = 0x7fe00010;
constexpr int kMostNested = 64;

struct LengthSyntax {
    bool has_vr = true;
    bool is_big_endian = false;
};

struct ElementHead {
    std::uint32_t tag = 0;
    std::array<char, 2> vr{};
    std::uint32_t length = 0;
    std::uint64_t value_at = 0;
    bool is_sequence() const { return vr[0] == 'S' && vr[1] == 'Q'; }
};

bool is_vr(char a, char b)
{
    constexpr std::string_view kVrs =
        "AE AS AT CS DA DS DT FL FD IS LO LT OB OD OF OL OV OW PN SH SL SQ SS ST SV TM UC UI "
        "UL UN UR US UT UV ";
    std::array<char, 3> const wanted{a, b, ' '};
    return a != ' ' && kVrs.find(std::string_view(wanted.data(), wanted.size())) != std::string_view::npos;
}

/// Those that PS3.5 7.1.2 gives a length of 32 bits.
bool has_long_length(std::array<char, 2> vr)
{
    constexpr std::string_view kVrs = "OB OD OF OL OV OW SQ SV UC UN UR UT UV ";
    std::array<char, 3> const wanted{vr[0], vr[1], ' '};
    return kVrs.find(std::string_view(wanted.data(), wanted.size())) != std::string_view::npos;
}

class LengthChecker {
public:
    explicit LengthChecker(std::string const& path) : file_(path), size_(file_.size_bytes()) {}

    void check()
    {
        constexpr std::uint64_t kPreambleBytes = 128;
        std::uint64_t at = 0;
        if (size_ >= kPreambleBytes + 4 && read_text(kPreambleBytes, 4) == "DICM") at = kPreambleBytes + 4;
        std::string syntax;
        bool has_meta = false;
        while (has(at, 8) && read_number(at, 2, false) == 0x0002) {
            auto const head = read_head(at, {});
            if (!head) return;
            has_meta = true;
            refuse_beyond(*head, at);
            if (head->tag == 0x00020010) syntax = read_text(head->value_at, std::min(head->length, 64u));
            at = head->value_at + head->length;
        }
        while (!syntax.empty() && (syntax.back() == '\0' || syntax.back() == ' ')) syntax.pop_back();
        if (!has(at, 8) || syntax == "1.2.840.10008.1.2.1.99") return;
        LengthSyntax data;
        data.is_big_endian = has_meta ? syntax == "1.2.840.10008.1.2.2" : read_number(at, 2, false) > 0xff;
        std::string const vr = read_text(at + 4, 2);
        data.has_vr = is_vr(vr[0], vr[1]);
        walk(at, size_, data, 0);
    }

private:
    bool has(std::uint64_t at, std::uint64_t count) const { return at <= size_ && size_ - at >= count; }

    void load(std::uint64_t at, std::size_t count)
    {
        if (at >= window_at_ && at + count <= window_at_ + window_.size()) return;
        constexpr std::uint64_t kWindowBytes = 65536;
        window_.resize(static_cast<std::size_t>(std::min(kWindowBytes, size_ - at)));
        window_at_ = at;
        file_.read_at(at, window_);
    }

    std::string read_text(std::uint64_t at, std::size_t count)
    {
        load(at, count);
        return {reinterpret_cast<char const*>(window_.data() + (at - window_at_)), count};
    }

    std::uint32_t read_number(std::uint64_t at, std::size_t count, bool is_big_endian)
    {
        load(at, count);
        std::uint32_t number = 0;
        for (std::size_t i = 0; i < count; ++i)
            number = number << 8 |
                     std::to_integer<std::uint32_t>(window_[at - window_at_ + (is_big_endian ? i : count - 1 - i)]);
        return number;
    }

    /// None at the end of the file, or if the bytes are no element.
    std::optional<ElementHead> read_head(std::uint64_t at, LengthSyntax syntax)
    {
        if (!has(at, 8)) return std::nullopt;
        ElementHead head;
        head.tag = read_number(at, 2, syntax.is_big_endian) << 16 | read_number(at + 2, 2, syntax.is_big_endian);
        head.value_at = at + 8;
        bool const is_delimiter = head.tag == kItemTag || head.tag == kItemEndTag || head.tag == kSequenceEndTag;
        if (!syntax.has_vr || is_delimiter) {
            head.length = read_number(at + 4, 4, syntax.is_big_endian);
            return head;
        }
        std::string const vr = read_text(at + 4, 2);
        head.vr = {vr[0], vr[1]};
        if (!is_vr(vr[0], vr[1])) return std::nullopt;
        if (!has_long_length(head.vr)) {
            head.length = read_number(at + 6, 2, syntax.is_big_endian);
            return head;
        }
        if (!has(at, 12)) return std::nullopt;
        head.length = read_number(at + 8, 4, syntax.is_big_endian);
        head.value_at = at + 12;
        return head;
    }

    void refuse_beyond(ElementHead const& head, std::uint64_t at) const
    {
        if (head.length <= size_ - head.value_at) return;
        fail_input(fmt::format("element ({:04x},{:04x}) announces {} bytes, {} are left in the file", head.tag >> 16,
                               head.tag & 0xffff, head.length, size_ - head.value_at),
                   fmt::format("{} at offset {}", file_.path().string(), at), "the file is cut short or damaged",
                   "get a complete copy");
    }

    /// Elements from `at` to `end`, or to what ends an item; returns where it stopped. At bytes that are no element,
    /// is_lost_ is set: what lies behind them cannot be told.
    std::uint64_t walk(std::uint64_t at, std::uint64_t end, LengthSyntax syntax, int depth)
    {
        while (at < end && !is_lost_) {
            auto const head = read_head(at, syntax);
            if (!head || depth > kMostNested) {
                is_lost_ = true;
                break;
            }
            if (head->tag == kItemEndTag || head->tag == kSequenceEndTag) return head->value_at;
            bool const is_pixel_data = head->tag == kPixelDataTag && depth == 0;
            if (is_pixel_data && head->length != kUndefinedLength) break;
            if (head->length == kUndefinedLength) {
                // PS3.5 6.2.2: the items of an unknown sequence have no VR.
                LengthSyntax const inside =
                    head->vr[0] == 'U' && head->vr[1] == 'N' ? LengthSyntax{false, false} : syntax;
                at = walk_items(head->value_at, size_, inside, depth + 1,
                                is_pixel_data ? ItemKind::fragments : ItemKind::elements);
                if (is_pixel_data) break;
                continue;
            }
            refuse_beyond(*head, at);
            at = head->value_at + head->length;
            // Without VR, sequences are told by the item that they begin with.
            bool const begins_with_item =
                head->length >= 8 && (read_number(head->value_at, 2, syntax.is_big_endian) << 16 |
                                      read_number(head->value_at + 2, 2, syntax.is_big_endian)) == kItemTag;
            if (!begins_with_item || !(head->is_sequence() || !syntax.has_vr)) continue;
            walk_items(head->value_at, at, syntax, depth + 1, ItemKind::elements);
            is_lost_ = false; // its end is known
        }
        return at;
    }

    enum class ItemKind { elements, fragments };

    std::uint64_t walk_items(std::uint64_t at, std::uint64_t end, LengthSyntax syntax, int depth, ItemKind kind)
    {
        while (at < end && !is_lost_) {
            auto const head = read_head(at, syntax);
            if (!head || (head->tag != kItemTag && head->tag != kSequenceEndTag)) {
                is_lost_ = true;
                break;
            }
            if (head->tag == kSequenceEndTag) return head->value_at;
            if (head->length == kUndefinedLength) {
                at = walk(head->value_at, size_, syntax, depth);
                continue;
            }
            refuse_beyond(*head, at);
            at = head->value_at + head->length;
            if (kind == ItemKind::fragments) continue;
            walk(head->value_at, at, syntax, depth);
            is_lost_ = false;
        }
        return at;
    }

    FileBytes file_;
    std::uint64_t size_;
    std::vector<std::byte> window_;
    std::uint64_t window_at_ = 0;
    bool is_lost_ = false;
};

} // namespace

void check_dicom_lengths(std::string const& path)
{
    LengthChecker(path).check();
}

} // namespace volpt
