// volrender as one of the processes of an MPI job.
#pragma once

#include "libvolpt/render/ranks/communicator.h"
#include "tools/volrender/job.h"

#include <functional>

namespace volpt {

/// Makes the job on every rank; if all have the same, rank 0 runs `body` with the job's options set up for the ranks,
/// and the others render for it. Only rank 0 prints and writes. Error on rank 0 as what went wrong anywhere.
ExitStatus render_on_ranks(ToolRun const& run, RenderGroups const& groups, Communicator& ranks,
                           std::function<ExitStatus(RenderJob&)> const& body);

} // namespace volpt
