#include "libvolpt/sys/cache_folder.h"

#include <cstdlib>

namespace volpt {
namespace {

/// The XDG base directory specification has relative paths ignored.
std::filesystem::path read_absolute_path(char const* variable)
{
    char const* const text = std::getenv(variable);
    if (text == nullptr) return {};
    std::filesystem::path path(text);
    return path.is_absolute() ? path : std::filesystem::path();
}

} // namespace

std::filesystem::path find_cache_folder()
{
    if (auto const caches = read_absolute_path("XDG_CACHE_HOME"); !caches.empty()) return caches / "volpt";
    auto const home = read_absolute_path("HOME");
    return home.empty() ? home : home / ".cache" / "volpt";
}

} // namespace volpt
