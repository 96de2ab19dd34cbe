#include "libvolpt/sys/text/lfs_pointer.h"

#include "libvolpt/sys/error.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <unistd.h>

namespace volpt {
namespace {

constexpr std::string_view kBegin = "version https://git-lfs";
static_assert(kBegin.size() == kLfsHeadBytes);

} // namespace

void refuse_lfs_pointer(std::span<std::byte const> head, std::string const& where)
{
    std::string_view const text(reinterpret_cast<char const*>(head.data()), std::min(head.size(), kBegin.size()));
    if (text == kBegin)
        fail_input("is the pointer of a file kept in Git LFS, not the file itself", where, {},
                   "fetch the file: git lfs pull");
}

void refuse_lfs_pointer(int descriptor, std::size_t size_bytes, std::string const& where)
{
    if (size_bytes < kLfsHeadBytes || size_bytes >= kMostLfsPointerBytes) return;
    std::array<std::byte, kLfsHeadBytes> head{};
    if (::pread(descriptor, head.data(), head.size(), 0) == static_cast<ssize_t>(head.size()))
        refuse_lfs_pointer(head, where);
}

} // namespace volpt
