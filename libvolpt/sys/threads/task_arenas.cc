#include "libvolpt/sys/threads/task_arenas.h"

#include <algorithm>
#include <list>
#include <mutex>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/task_arena.h>

namespace volpt {
namespace {

struct KeptArena {
    explicit KeptArena(int arena_threads) : threads(arena_threads), arena(arena_threads) {}

    int threads;
    bool is_used = true;
    tbb::task_arena arena;
};

class KeptArenas {
public:
    KeptArena& take(int threads)
    {
        std::scoped_lock const lock(mutex_);
        auto const found = std::ranges::find_if(
            arenas_, [&](KeptArena const& kept) { return !kept.is_used && kept.threads == threads; });
        if (found == arenas_.end()) return arenas_.emplace_back(threads);
        found->is_used = true;
        return *found;
    }

    void give_back(KeptArena& kept)
    {
        std::scoped_lock const lock(mutex_);
        kept.is_used = false;
    }

    std::size_t count()
    {
        std::scoped_lock const lock(mutex_);
        return arenas_.size();
    }

private:
    std::mutex mutex_;
    std::list<KeptArena> arenas_; ///< stay at their places
};

/// Never destroyed: threads may still run loops while the process ends.
KeptArenas& kept_arenas()
{
    static auto& arenas = *new KeptArenas;
    return arenas;
}

class ArenaUse {
public:
    explicit ArenaUse(int threads) : kept_(kept_arenas().take(threads)) {}
    ~ArenaUse() { kept_arenas().give_back(kept_); }
    ArenaUse(ArenaUse const&) = delete;
    ArenaUse& operator=(ArenaUse const&) = delete;

    tbb::task_arena& arena() { return kept_.arena; }

private:
    KeptArena& kept_;
};

} // namespace

void run_in_arena(int threads, std::function<void()> const& work)
{
    // oneTBB prints a warning where an arena asks for more threads than the machine has.
    ArenaUse use(std::clamp(threads, 1, std::max(1, tbb::info::default_concurrency())));
    use.arena().execute(work);
}

std::size_t count_kept_arenas()
{
    return kept_arenas().count();
}

} // namespace volpt
