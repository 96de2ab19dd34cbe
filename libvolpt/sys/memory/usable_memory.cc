#include "libvolpt/sys/memory/usable_memory.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <limits>
#include <sys/resource.h>
#include <unistd.h>

namespace volpt {
namespace {

constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

/// kNoLimit if the file is absent or says "max".
std::uint64_t read_limit(std::filesystem::path const& path)
{
    std::ifstream file(path);
    std::uint64_t bytes = 0;
    return file >> bytes ? bytes : kNoLimit;
}

/// The limits of a group and of those that contain it.
std::uint64_t find_group_limit(std::filesystem::path const& root, std::filesystem::path group, char const* file)
{
    std::uint64_t bytes = read_limit(root / file);
    for (; group.has_relative_path(); group = group.parent_path())
        bytes = std::min(bytes, read_limit(root / group.relative_path() / file));
    return bytes;
}

std::uint64_t find_control_group_limit()
{
    std::filesystem::path const root = "/sys/fs/cgroup";
    std::uint64_t bytes = kNoLimit;
    std::ifstream groups("/proc/self/cgroup"); // lines "number:controllers:/path", v2: "0::/path"
    for (std::string line; std::getline(groups, line);) {
        auto const first = line.find(':');
        auto const second = line.find(':', first + 1);
        if (first == std::string::npos || second == std::string::npos) continue;
        std::string const controllers = line.substr(first + 1, second - first - 1);
        std::string const group = line.substr(second + 1);
        if (controllers.empty()) bytes = std::min(bytes, find_group_limit(root, group, "memory.max"));
        if (controllers == "memory")
            bytes = std::min(bytes, find_group_limit(root / "memory", group, "memory.limit_in_bytes"));
    }
    return bytes;
}

} // namespace

std::uint64_t find_usable_memory()
{
    auto const machine =
        static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    rlimit limit{};
    bool const is_limited = ::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
    return std::min({machine, find_control_group_limit(), is_limited ? std::uint64_t{limit.rlim_cur} : kNoLimit});
}

std::string spell_gib(std::uint64_t bytes)
{
    return fmt::format("{:.3g} GiB", static_cast<double>(bytes) / 0x1p30);
}

} // namespace volpt
