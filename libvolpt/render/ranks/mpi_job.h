// How a program is one of the ranks of an MPI job: agrees to start, renders for rank 0, ends.
#pragma once

#include "libvolpt/render/ranks/communicator.h"
#include "libvolpt/render/render_film.h"
#include "libvolpt/sys/error.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace volpt {

/// What must be equal on all ranks: names and values, the same names in the same order on every rank ("scene",
/// "a1b2..").
using StartFacts = std::vector<std::pair<std::string, std::string>>;

enum class StartVerdict { go_on, leave };

/// Called by all ranks before the first render; `trouble` is what kept this rank from getting ready, if anything did.
/// If the ranks cannot start, rank 0 gets an Error that names a rank and its host: what that rank reported, with its
/// status, or (input) which fact differs from rank 0's. The other ranks are told to leave.
StartVerdict agree_to_start(Communicator& communicator, StartFacts const& facts, std::optional<Error> const& trouble);

/// On ranks other than 0: takes part in rank 0's renders of the same scene and seed until its RemoteRanksGuard ends. Of
/// `options`, sample numbers and times are rank 0's. If `progress` returns false, the whole job is asked to stop;
/// notices are sent to rank 0. Called by the thread that joined the job.
void follow_renders(RenderScene const& scene, std::uint64_t seed, RenderOptions options, Communicator& communicator);

/// On rank 0: its destructor ends follow_renders on the other ranks. Null does nothing.
class RemoteRanksGuard {
public:
    explicit RemoteRanksGuard(Communicator* communicator) : communicator_(communicator) {}
    ~RemoteRanksGuard();
    RemoteRanksGuard(RemoteRanksGuard const&) = delete;
    RemoteRanksGuard& operator=(RemoteRanksGuard const&) = delete;

private:
    Communicator* communicator_;
};

} // namespace volpt
