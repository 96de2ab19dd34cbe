// Starts the ranks together, and lets the first lead.
#include "tools/volrender/ranks.h"

#include "libvolpt/render/ranks/mpi_job.h"
#include "libvolpt/sys/provenance.h"
#include "tools/options/interrupt.h"

#include <fmt/format.h>
#include <sched.h>

namespace volpt {
namespace {

// Where the launcher kills all ranks when one dies, this much is lost at most.
constexpr double kDefaultCheckpoint_s = 300;

StartFacts list_facts(RenderJob const* job)
{
    if (job == nullptr) return {};
    return {{"version", fmt::format("{} {}", suite_version(), suite_revision())},
            {"scene or volume (scene hash)", to_hex(job->film->scene_hash())},
            {"seed", std::to_string(job->seed())}};
}

/// Launchers bind a process to one core unless told otherwise, which starves its threads.
void warn_of_binding(RenderJob const& job, ToolRun const& run)
{
    cpu_set_t cores;
    if (sched_getaffinity(0, sizeof(cores), &cores) != 0 || CPU_COUNT(&cores) >= job.options.threads) return;
    run.notice(fmt::format(
        "{} threads share {} cores to which the launcher has bound rank 0; mpirun --bind-to none frees them",
        job.options.threads, CPU_COUNT(&cores)));
}

} // namespace

ExitStatus render_on_ranks(ToolRun const& run, RenderGroups const& groups, Communicator& ranks,
                           std::function<ExitStatus(RenderJob&)> const& body)
{
    std::unique_ptr<RenderJob> job;
    std::optional<Error> trouble;
    try {
        job = std::make_unique<RenderJob>(run, groups, &ranks);
    } catch (Error const& error) {
        trouble = error;
    } catch (std::exception const& error) {
        trouble.emplace(ExitStatus::system, ErrorText{error.what(), "volrender", {}, {}});
    }
    // Status 0: a launcher that sees another one kills rank 0, which has something to say yet.
    if (agree_to_start(ranks, list_facts(job.get()), trouble) == StartVerdict::leave) return ExitStatus::done;
    watch_interrupts();
    if (ranks.rank() != 0) {
        job->options.progress = [](Progress const&) { return !is_interrupted(); };
        follow_renders(job->scene(), job->seed(), job->options, ranks);
        return ExitStatus::done;
    }
    RemoteRanksGuard const guard(&ranks);
    warn_of_binding(*job, run);
    job->options.ranks = &ranks;
    if (groups.samples.checkpoint_s == 0 && groups.device.trials == 0 && !list_films(job->outputs).empty())
        job->options.checkpoint_s = kDefaultCheckpoint_s;
    return body(*job);
}

} // namespace volpt
