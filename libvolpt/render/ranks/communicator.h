// The processes of an MPI job, as far as a render needs them: letters, and sums of integers.
//
// Message Passing Interface Forum, MPI: A Message-Passing Interface Standard, version 3.1 (2015). Without the MPI part
// the same call answers that there is no job.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace volpt {

struct Message {
    int from = 0;
    std::string bytes;
};

/// All calls from the thread that joined. A process that dies takes the whole job with it.
class Communicator {
public:
    virtual ~Communicator() = default;
    virtual int rank() const = 0; ///< 0 .. size() - 1
    virtual int size() const = 0; ///< at least 2
    /// The same of the processes on this machine.
    virtual int rank_on_host() const = 0;
    virtual int size_on_host() const = 0;
    virtual std::string const& host() const = 0;

    /// Letters from one rank to another arrive in the order in which they were sent. Short ones (2 kB) do not wait for
    /// the receiver.
    virtual void send(int to, std::string const& bytes) = 0;
    /// The next letter from anybody, if one is there.
    virtual std::optional<Message> receive() = 0;
    /// Ends all processes at once, with this exit status.
    virtual void end_job(int status) = 0;
    /// Adds all ranks' values (MPI_Reduce): rank 0 has the sums, modulo 2^64, the others keep what they had. Waits for
    /// all, who call this with equally many.
    virtual void sum_to_first(std::span<std::uint64_t> values) = 0;
};

/// The next letter from anybody, however long it takes.
Message wait_for_message(Communicator& ranks);

/// The job that this process was started in; null if it was started alone. Error (usage) in a build without MPI, and
/// Error (system) under another MPI's launcher: each process would render everything.
std::unique_ptr<Communicator> join_mpi_job();

/// How many processes the launcher says it has started: what mpirun (Open MPI), mpiexec (MPICH, Intel) or srun left in
/// the environment. 1 without a launcher.
int count_launched_processes();

} // namespace volpt
