#include "formats/common/file_head.h"

#include "formats/common/text.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/file_bytes.h"
#include "libvolpt/sys/text/lfs_pointer.h"

#include <algorithm>
#include <fmt/format.h>
#include <span>

namespace volpt {
namespace {

using namespace std::string_view_literals;

bool is_picture(std::string_view head)
{
    return head.starts_with("\x89PNG"sv) || head.starts_with("\xff\xd8\xff"sv) ||
           head.starts_with("\x76\x2f\x31\x01"sv) ||
           (head.starts_with("BM"sv) && head.substr(0, 18).ends_with("\0\0\0"sv)) || head.starts_with("#?RADIANCE"sv) ||
           head.starts_with("PF\n"sv) || head.starts_with("Pf\n"sv);
}

struct DicomHeadSyntax {
    bool has_vr = true;
    bool is_big_endian = false;
};

bool is_uid(std::string_view text)
{
    while (!text.empty() && (text.back() == '\0' || text.back() == ' ')) text.remove_suffix(1);
    return text.size() >= 5 && text.size() <= 64 && text.find_first_not_of("0123456789.") == std::string_view::npos &&
           text.find('.') != std::string_view::npos;
}

/// A data set without preamble: elements of group 0002 or 0008 in ascending order, with the UID of a class, an instance
/// or a transfer syntax among them.
bool begins_with_dicom_elements(std::string_view head, DicomHeadSyntax syntax)
{
    constexpr std::size_t kHeadBytes = 8;
    auto const number = [&](std::size_t at, std::size_t bytes) {
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < bytes; ++i)
            value = value << 8 | static_cast<unsigned char>(head[at + (syntax.is_big_endian ? i : bytes - 1 - i)]);
        return value;
    };
    std::uint64_t last = 0;
    for (std::size_t at = 0; at + kHeadBytes <= head.size();) {
        std::uint64_t const tag = number(at, 2) << 16 | number(at + 2, 2);
        bool const is_meta = tag >> 16 == 0x0002;
        if ((tag >> 16 != 0x0008 && !is_meta) || tag <= last) return false;
        last = tag;
        std::size_t value_at = at + kHeadBytes;
        std::uint64_t length = number(at + 4, 4);
        if (syntax.has_vr) {
            std::string_view const vr = head.substr(at + 4, 2);
            if (vr[0] < 'A' || vr[0] > 'Z' || vr[1] < 'A' || vr[1] > 'Z') return false;
            bool const is_long = vr == "OB" || vr == "OW" || vr == "SQ" || vr == "UN" || vr == "UT";
            value_at += is_long ? 4 : 0;
            if (value_at > head.size()) return false;
            length = is_long ? number(at + kHeadBytes, 4) : number(at + 6, 2);
        }
        bool const has_uid = tag == 0x00020002 || tag == 0x00020010 || tag == 0x00080016 || tag == 0x00080018;
        if (length > head.size() - value_at) return false;
        if (has_uid) return is_uid(head.substr(value_at, static_cast<std::size_t>(length)));
        at = value_at + static_cast<std::size_t>(length);
    }
    return false;
}

bool is_web_page(std::string_view head)
{
    std::string const begin = to_lower(head.substr(0, 64));
    return begin.starts_with("<!doctype html") || begin.starts_with("<html");
}

} // namespace

std::string read_file_head(std::filesystem::path const& path, std::size_t size_bytes)
{
    FileBytes const file(path);
    std::string head(static_cast<std::size_t>(std::min<std::uint64_t>(size_bytes, file.size_bytes())), '\0');
    file.read_at(0, std::as_writable_bytes(std::span(head)));
    return head;
}

bool has_extension(std::filesystem::path const& path, std::string_view extensions)
{
    std::string const extension = to_lower(path.extension().string());
    if (extension.empty()) return false;
    return (" " + std::string(extensions) + " ").find(" " + extension + " ") != std::string::npos;
}

bool is_tiff_head(std::string_view head)
{
    return head.starts_with("II*\0"sv) || head.starts_with("MM\0*"sv) || head.starts_with("II+\0"sv) ||
           head.starts_with("MM\0+"sv);
}

bool is_dicom_head(std::string_view head)
{
    constexpr std::size_t kPreambleBytes = 128;
    if (head.size() >= kPreambleBytes && head.substr(kPreambleBytes).starts_with("DICM"sv)) return true;
    for (DicomHeadSyntax const syntax : {DicomHeadSyntax{true, false}, {false, false}, {true, true}})
        if (begins_with_dicom_elements(head, syntax)) return true;
    return false;
}

bool is_openvdb_head(std::string_view head)
{
    return head.starts_with(" BDV\0\0\0\0"sv);
}

bool is_xml_head(std::string_view head)
{
    if (head.starts_with("\xef\xbb\xbf")) head.remove_prefix(3);
    head.remove_prefix(std::min(head.find_first_not_of(" \t\r\n"), head.size()));
    return head.starts_with("<?xml") || head.starts_with("<scene");
}

void refuse_failed_download(std::string_view head, std::string const& where, std::string_view wanted)
{
    refuse_lfs_pointer(std::as_bytes(std::span(head)), where); // of an entry in an archive; FileBytes knows the others
    if (is_web_page(head))
        fail_input(fmt::format("is a web page, not a {}", wanted), where, "a download gave an error or a form instead",
                   "download the file again");
}

void refuse_known_mistakes(std::string_view head, std::string const& where)
{
    refuse_failed_download(head, where, "volume");
    if (head.starts_with("VOLPTVPF"))
        fail_input("is a film (.vpf), which holds a picture and no volume", where, {},
                   "give the volume that it was rendered from; volinfo names it");
    if (is_picture(head))
        fail_input("is a single picture, not a volume", where, {},
                   "print it with --slab, or give the folder of all slices of a stack");
}

} // namespace volpt
