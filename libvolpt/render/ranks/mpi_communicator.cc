// Communicator by MPI; left out of a build without it.
#include "libvolpt/render/ranks/communicator.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <fmt/format.h>
#include <mpi.h>

namespace volpt {
namespace {

constexpr std::size_t kMostValuesAtOnce = std::size_t{1} << 24; // MPI counts in int

// An error in MPI ends the job with MPI's own message (MPI_ERRORS_ARE_FATAL), so return values are not checked.
class MpiCommunicator final : public Communicator {
public:
    MpiCommunicator()
    {
        int provided = 0;
        MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
        MPI_Comm_size(MPI_COMM_WORLD, &size_);
        MPI_Comm host;
        MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &host);
        MPI_Comm_rank(host, &rank_on_host_);
        MPI_Comm_size(host, &size_on_host_);
        MPI_Comm_free(&host);
        char name[MPI_MAX_PROCESSOR_NAME];
        int length = 0;
        MPI_Get_processor_name(name, &length);
        host_.assign(name, static_cast<std::size_t>(length));
    }
    ~MpiCommunicator() override { MPI_Finalize(); }
    MpiCommunicator(MpiCommunicator const&) = delete;
    MpiCommunicator& operator=(MpiCommunicator const&) = delete;

    int rank() const override { return rank_; }
    int size() const override { return size_; }
    int rank_on_host() const override { return rank_on_host_; }
    int size_on_host() const override { return size_on_host_; }
    std::string const& host() const override { return host_; }

    void reduce_sum(std::span<std::uint64_t> values) override
    {
        for (; !values.empty(); values = values.subspan(std::min(values.size(), kMostValuesAtOnce))) {
            int const count = static_cast<int>(std::min(values.size(), kMostValuesAtOnce));
            void const* const from = rank_ == 0 ? MPI_IN_PLACE : values.data();
            MPI_Reduce(from, values.data(), count, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
        }
    }

    void abort_job(int status) override { MPI_Abort(MPI_COMM_WORLD, status); }

private:
    void send_piece(int to, int tag, std::string_view piece) override
    {
        MPI_Send(piece.data(), static_cast<int>(piece.size()), MPI_BYTE, to, tag, MPI_COMM_WORLD);
    }

    std::optional<Message> try_receive_piece(int from, int tag) override
    {
        int has_arrived = 0;
        MPI_Status status;
        MPI_Iprobe(from == kAny ? MPI_ANY_SOURCE : from, tag == kAny ? MPI_ANY_TAG : tag, MPI_COMM_WORLD, &has_arrived,
                   &status);
        if (has_arrived == 0) return std::nullopt;
        int size = 0;
        MPI_Get_count(&status, MPI_BYTE, &size);
        Message message{status.MPI_SOURCE, status.MPI_TAG, std::string(static_cast<std::size_t>(size), '\0')};
        MPI_Recv(message.bytes.data(), size, MPI_BYTE, message.rank, message.tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        return message;
    }

    int rank_ = 0, size_ = 1, rank_on_host_ = 0, size_on_host_ = 1;
    std::string host_;
};

} // namespace

std::unique_ptr<Communicator> join_mpi_job()
{
    int const launched = count_launched_processes();
    if (launched < 2) return nullptr;
    auto communicator = std::make_unique<MpiCommunicator>();
    if (communicator->size() < 2)
        fail_system(fmt::format("this is one of {} processes, but MPI finds one process only: each would render "
                                "everything",
                                launched),
                    "MPI", "start volrender with the mpirun of the MPI that it was built with");
    return communicator;
}

} // namespace volpt
