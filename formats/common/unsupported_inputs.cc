// Recognises strangers by their first bytes.
#include "formats/common/unsupported_inputs.h"

#include "formats/common/text.h"
#include "libvolpt/sys/error.h"

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

void refuse_known_stranger(std::string_view head, std::string const& where)
{
    if (head.starts_with("version https://git-lfs"))
        fail_input("is the pointer of a file kept in Git LFS, not the volume", where, {},
                   "fetch the volume: git lfs pull");
    if (head.starts_with("VOLPTVPF"))
        fail_input("is a film (.vpf), which holds a picture and no volume", where, {},
                   "give the volume that it was rendered from; volinfo tells which");
    if (is_picture(head))
        fail_input("is a single picture, not a volume", where, {},
                   "print it with --slab, or give the folder of all slices of a stack");
    if (is_web_page(head))
        fail_input("is a web page, not a volume", where, "a download gave an error or a form instead",
                   "download the file again");
}

} // namespace volpt
