// Communicator by MPI.
#include "libvolpt/render/ranks/communicator.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <fmt/format.h>
#include <mpi.h>

namespace volpt {
namespace {

constexpr int kLetterTag = 1;
constexpr std::size_t kMostValuesAtOnce = std::size_t{1} << 24; // MPI counts in int

// An error of MPI itself ends the job with MPI's own message (MPI_ERRORS_ARE_FATAL), so no return value is looked at.
class MpiRanks final : public Communicator {
public:
    MpiRanks()
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
    ~MpiRanks() override { MPI_Finalize(); }
    MpiRanks(MpiRanks const&) = delete;
    MpiRanks& operator=(MpiRanks const&) = delete;

    int rank() const override { return rank_; }
    int size() const override { return size_; }
    int rank_on_host() const override { return rank_on_host_; }
    int size_on_host() const override { return size_on_host_; }
    std::string const& host() const override { return host_; }

    void send(int to, std::string const& bytes) override
    {
        MPI_Send(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, to, kLetterTag, MPI_COMM_WORLD);
    }

    std::optional<Message> receive() override
    {
        int is_there = 0;
        MPI_Status status;
        MPI_Iprobe(MPI_ANY_SOURCE, kLetterTag, MPI_COMM_WORLD, &is_there, &status);
        if (is_there == 0) return std::nullopt;
        int size = 0;
        MPI_Get_count(&status, MPI_BYTE, &size);
        Message message{status.MPI_SOURCE, std::string(static_cast<std::size_t>(size), '\0')};
        MPI_Recv(message.bytes.data(), size, MPI_BYTE, message.from, kLetterTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        return message;
    }

    void end_job(int status) override { MPI_Abort(MPI_COMM_WORLD, status); }

    void sum_to_first(std::span<std::uint64_t> values) override
    {
        for (; !values.empty(); values = values.subspan(std::min(values.size(), kMostValuesAtOnce))) {
            int const count = static_cast<int>(std::min(values.size(), kMostValuesAtOnce));
            void const* const from = rank_ == 0 ? MPI_IN_PLACE : values.data();
            MPI_Reduce(from, values.data(), count, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
        }
    }

private:
    int rank_ = 0, size_ = 1, rank_on_host_ = 0, size_on_host_ = 1;
    std::string host_;
};

} // namespace

std::unique_ptr<Communicator> join_mpi_job()
{
    int const launched = count_launched_processes();
    if (launched < 2) return nullptr;
    auto ranks = std::make_unique<MpiRanks>();
    if (ranks->size() < 2)
        fail_system(
            fmt::format("this is one of {} processes, but MPI sees it alone: each would render everything", launched),
            "MPI", "start volrender with the mpirun of the MPI that it was built with");
    return ranks;
}

} // namespace volpt
