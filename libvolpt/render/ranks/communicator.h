// The ranks of an MPI job, as far as a render needs them: tagged messages, and sums of integers.
//
// Message Passing Interface Forum, MPI: A Message-Passing Interface Standard, version 3.1 (2015).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace volpt {

struct Message {
    int rank = 0; ///< of the sender, or, before it is sent, of the receiver
    int tag = 0;
    std::string bytes;
};

/// All calls come from the thread that joined the job. A process that dies ends the whole job.
class Communicator {
public:
    virtual ~Communicator() = default;
    virtual int rank() const = 0; ///< 0 .. size() - 1
    virtual int size() const = 0; ///< at least 2
    /// The same among the processes on this host.
    virtual int rank_on_host() const = 0;
    virtual int size_on_host() const = 0;
    virtual std::string const& host() const = 0;

    /// Messages from one rank to another arrive in the order in which they were sent. MPI sends messages of up to 2 kB
    /// without waiting for the receiver.
    void send(Message const& message);
    /// The next message from any rank, if one has arrived.
    std::optional<Message> try_receive();
    /// Waits for the next message from any rank.
    Message receive();
    /// Adds all ranks' values element by element, modulo 2^64 (MPI_Reduce): rank 0 has the sums, the others keep what
    /// they had. All ranks call this, with equally many values; waits for all.
    virtual void reduce_sum(std::span<std::uint64_t> values) = 0;
    /// Ends all processes at once, with this exit status (MPI_Abort).
    virtual void abort_job(int status) = 0;

protected:
    /// MPI counts bytes in an int, so messages travel in pieces of at most `piece_bytes`. A piece of just this size is
    /// followed by another one, which may be empty.
    explicit Communicator(std::size_t piece_bytes = std::size_t{1} << 30) : piece_bytes_(piece_bytes) {}

    static constexpr int kAny = -1;
    virtual void send_piece(int to, int tag, std::string_view piece) = 0;
    /// The next piece from this rank with this tag (kAny: any), if one has arrived.
    virtual std::optional<Message> try_receive_piece(int from, int tag) = 0;

private:
    std::size_t piece_bytes_;
};

/// The job that this process was started in; null if it was started alone. Error (usage) in a build without MPI, and
/// Error (system) under the launcher of a different MPI: each process would render everything.
std::unique_ptr<Communicator> join_mpi_job();

/// Number of processes that the launcher has started, from what mpirun (Open MPI), mpiexec (MPICH, Intel) or srun left
/// in the environment. 1 without a launcher.
int count_launched_processes();

} // namespace volpt
