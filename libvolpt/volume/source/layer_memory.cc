#include "libvolpt/volume/source/layer_memory.h"

#include "libvolpt/core/morton.hd.h"
#include "libvolpt/sys/error.h"

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

/// "4 GiB", "0.5 GiB", "137 GiB"
std::string spell_gib(std::uint64_t bytes)
{
    return fmt::format("{:.3g} GiB", static_cast<double>(bytes) / 0x1p30);
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

std::uint64_t find_layer_memory()
{
    return std::min(std::uint64_t{4} << 30, find_usable_memory() / 2);
}

void check_layer_memory(std::array<int, 3> const& dims, std::uint64_t voxel_bytes, std::uint64_t most_bytes,
                        std::string const& where)
{
    // Dims below 2^16 and voxels below 2^10 bytes: no overflow.
    std::uint64_t const bytes = static_cast<std::uint64_t>(dims[0]) * static_cast<std::uint64_t>(dims[1]) *
                                static_cast<std::uint64_t>(kBrickEdge) * voxel_bytes;
    if (bytes <= most_bytes) return;
    fail_input(fmt::format("eight layers of {} x {} voxels take {} of memory at {} bytes a voxel", dims[0], dims[1],
                           spell_gib(bytes), voxel_bytes),
               where, fmt::format("packing holds as many, and {} are allowed", spell_gib(most_bytes)),
               "if the size is right, allow more with --layer-memory; otherwise the file is damaged");
}

void check_layer_memory(SourceMeta const& source, std::uint64_t most_bytes)
{
    check_layer_memory(source.dims, sizeof(float) * static_cast<std::uint64_t>(source.channels), most_bytes,
                       source.path);
}

} // namespace volpt
