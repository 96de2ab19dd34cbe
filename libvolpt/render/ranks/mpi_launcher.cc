// Reads what launchers leave in the environment.
#include "libvolpt/render/ranks/communicator.h"

#include <algorithm>
#include <cstdlib>

namespace volpt {
namespace {

int read_count(char const* name)
{
    char const* const text = std::getenv(name);
    return text == nullptr ? 1 : std::max(1, std::atoi(text));
}

} // namespace

int count_launched_processes()
{
    int const count = std::max(read_count("OMPI_COMM_WORLD_SIZE"), read_count("PMI_SIZE"));
    // srun sets this for every program; only with --mpi=pmix are the processes one job of MPI.
    return std::getenv("PMIX_RANK") != nullptr ? std::max(count, read_count("SLURM_STEP_NUM_TASKS")) : count;
}

} // namespace volpt
