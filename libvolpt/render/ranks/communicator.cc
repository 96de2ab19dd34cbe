#include "libvolpt/render/ranks/communicator.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

namespace volpt {
namespace {

int read_count(char const* name)
{
    char const* const text = std::getenv(name);
    return text == nullptr ? 1 : std::max(1, std::atoi(text));
}

/// Polls every millisecond: MPI's own waiting would keep a core busy.
template <class TryReceive>
Message wait_for(TryReceive const& try_receive)
{
    for (;;) {
        if (std::optional<Message> message = try_receive()) return *std::move(message);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

} // namespace

void Communicator::send(Message const& message)
{
    std::string_view left = message.bytes;
    for (; left.size() >= piece_bytes_; left.remove_prefix(piece_bytes_))
        send_piece(message.rank, message.tag, left.substr(0, piece_bytes_));
    send_piece(message.rank, message.tag, left);
}

std::optional<Message> Communicator::try_receive()
{
    std::optional<Message> message = try_receive_piece(kAny, kAny);
    if (!message) return std::nullopt;
    for (std::size_t size = message->bytes.size(); size == piece_bytes_;) {
        std::string const next = wait_for([&] { return try_receive_piece(message->rank, message->tag); }).bytes;
        message->bytes += next;
        size = next.size();
    }
    return message;
}

Message Communicator::receive()
{
    return wait_for([this] { return try_receive(); });
}

int count_launched_processes()
{
    int const count = std::max(read_count("OMPI_COMM_WORLD_SIZE"), read_count("PMI_SIZE"));
    // srun sets this for every program; only with --mpi=pmix are the processes one job of MPI.
    return std::getenv("PMIX_RANK") != nullptr ? std::max(count, read_count("SLURM_STEP_NUM_TASKS")) : count;
}

} // namespace volpt
