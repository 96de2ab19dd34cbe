// Merges films as volmerge does: from files.
#pragma once

#include "libvolpt/film/film_io.h"
#include "libvolpt/film/film_merge.h"
#include "tests/support/temp_folder.h"

namespace volpt::test {

inline std::vector<std::filesystem::path> write_films(TempFolder const& folder, std::vector<Film> const& films)
{
    std::vector<std::filesystem::path> paths;
    for (Film const& film : films) {
        paths.push_back(folder / (std::to_string(paths.size()) + ".vpf"));
        write_film(paths.back(), film);
    }
    return paths;
}

// All threads of a merge are oneTBB's, whose hand-over ThreadSanitizer does not see: it would report races that are
// none.
#ifdef __SANITIZE_THREAD__
inline constexpr int kMergeThreads = 1;
#else
inline constexpr int kMergeThreads = 2;
#endif

inline Film merge_files(std::vector<std::filesystem::path> const& paths, int threads = kMergeThreads)
{
    MergePlan plan = plan_merge(paths);
    return merge_films(plan, threads);
}

inline Film merge_films(std::vector<Film> const& films)
{
    TempFolder const folder;
    return merge_files(write_films(folder, films));
}

} // namespace volpt::test
