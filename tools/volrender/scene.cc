#include "tools/volrender/scene.h"

#include "libvolpt/sys/error.h"

#include <fmt/format.h>

namespace volpt {

void check_same_scene(Scene const& wanted, Film const& film, std::optional<std::uint64_t> seed, std::string const& path)
{
    if (seed && *seed != film.seed())
        fail_usage(fmt::format("--seed {} contradicts {}, whose seed is {}", *seed, path, film.seed()),
                   "leave --seed out");
    if (hash_scene(wanted) == film.scene_hash()) return;
    std::string fields;
    for (SceneDifference const& difference : compare_scenes(wanted, film.scene()))
        fields += fmt::format("; {} {} instead of {}", difference.field, difference.left, difference.right);
    fail_usage(fmt::format("the options contradict the scene of {}{}", path, fields),
               "leave them out, or start a new film");
}

} // namespace volpt
