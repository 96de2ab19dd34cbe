// Every other rank of an MPI job: renders what rank 0 hands out.
#pragma once

#include "libvolpt/render/ranks/communicator.h"
#include "libvolpt/render/render_film.h"

namespace volpt {

/// Takes part in rank 0's renders of the same scene and seed until rank 0 dismisses the ranks. Of `options`, samples
/// and time are rank 0's; if `progress` answers false, the whole job is asked to stop; notices are rank 0's to tell. Of
/// the thread that joined.
void follow_renders(RenderScene const& scene, std::uint64_t seed, RenderOptions options, Communicator& ranks);

} // namespace volpt
