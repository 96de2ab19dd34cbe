#include "formats/common/file_head.h"

#include "formats/common/text.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/file_bytes.h"

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
    return head.size() >= kPreambleBytes && head.substr(kPreambleBytes).starts_with("DICM"sv);
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
    if (head.starts_with("version https://git-lfs"))
        fail_input(fmt::format("is the pointer of a file kept in Git LFS, not the {}", wanted), where, {},
                   fmt::format("fetch the {}: git lfs pull", wanted));
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
