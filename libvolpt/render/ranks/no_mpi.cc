// join_mpi_job in a build without MPI.
#include "libvolpt/render/ranks/communicator.h"
#include "libvolpt/sys/error.h"

#include <fmt/format.h>

namespace volpt {

std::unique_ptr<Communicator> join_mpi_job()
{
    int const count = count_launched_processes();
    if (count > 1)
        fail_usage(
            fmt::format("this is one of {} processes, but volpt was built without MPI: each would render everything",
                        count),
            "build with Open MPI (Debian package libopenmpi-dev), or start one process");
    return nullptr;
}

} // namespace volpt
