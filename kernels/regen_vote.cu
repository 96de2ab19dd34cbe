// regen_vote: persistent threads; a warp's lanes wait with starts and faces until enough of them need one.
//
// A start, a face and an escape cost at least as much as a flight, and in a warp of long paths some lane is always at
// one. If it ran at once, 31 lanes would wait for one. Which lane waits changes no bit.
#include "kernels/schedule/lane_run.cuh"
#include "kernels/schedule/persistent.cuh"

namespace volpt {
namespace {

__device__ bool have_votes(bool wants, int votes)
{
    return __popc(__ballot_sync(kWholeWarp, wants)) >= votes;
}

template <class M, int min_blocks>
__global__ void __launch_bounds__(kBlockThreads, min_blocks)
    run_regen_vote(LaunchParams const __grid_constant__ params, KernelKnobs<KernelId::regen_vote> const knobs)
{
    __shared__ RunSums<M::kBands, kBlockThreads> shared;
    LaneRun<M, kBlockThreads> run(params, shared);
    LaneCounts counts(params);
    PathState<M::kBands> path;
    path.stage = Stage::ended;
    bool holds = false; // the lane has a path, ended or not
    while (true) {
        bool const flies = path.stage == Stage::inside;
        bool const nobody_flies = !__any_sync(kWholeWarp, flies);
        bool const wants_start = path.stage == Stage::ended && (holds || run.has_more());
        if (have_votes(wants_start, nobody_flies ? 1 : knobs.start_votes)) {
            counts.start_rounds += 1;
            if (wants_start) {
                if (holds) run.keep(path);
                holds = run.start(path, counts);
                counts.starts += holds ? 1u : 0u;
            }
        }
        bool const at_face = is_at_face(path);
        if (have_votes(at_face, nobody_flies ? 1 : knobs.face_votes)) {
            counts.rounds += 1;
            if (at_face) {
                extend_at_face<M>(params.scene, path, counts);
                counts.steps += 1;
            }
        } else if (nobody_flies && !__any_sync(kWholeWarp, path.stage == Stage::inside || holds || run.has_more())) {
            break;
        }
        counts.rounds += 1;
        if (path.stage == Stage::inside) {
            extend_inside<M>(params.scene, path, counts);
            counts.steps += 1;
        }
    }
    flush_counts(counts);
}

} // namespace

VOLPT_EXPORT_KERNEL(regen_vote, describe_persistent)

} // namespace volpt
