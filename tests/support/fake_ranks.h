// Ranks that are threads of one process, so that sanitizers see every message.
#pragma once

#include "libvolpt/render/ranks/communicator.h"

#include <algorithm>
#include <barrier>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

namespace volpt::test {

/// What the ranks of a fake job share.
class FakeJob {
public:
    explicit FakeJob(int size) : inboxes_(static_cast<std::size_t>(size)), all_(size) {}

    int size() const { return static_cast<int>(inboxes_.size()); }
    void send(int to, Message piece)
    {
        std::scoped_lock const lock(mutex_);
        inboxes_[static_cast<std::size_t>(to)].push_back(std::move(piece));
    }
    /// The first piece that `matches`.
    template <class Predicate>
    std::optional<Message> try_receive(int rank, Predicate const& matches)
    {
        std::scoped_lock const lock(mutex_);
        auto& inbox = inboxes_[static_cast<std::size_t>(rank)];
        auto const found = std::find_if(inbox.begin(), inbox.end(), matches);
        if (found == inbox.end()) return std::nullopt;
        Message piece = std::move(*found);
        inbox.erase(found);
        return piece;
    }
    void reduce_sum(int rank, std::span<std::uint64_t> values)
    {
        if (rank == 0) target_ = values;
        all_.arrive_and_wait();
        if (rank != 0) {
            std::scoped_lock const lock(mutex_);
            for (std::size_t i = 0; i < values.size(); ++i) target_[i] += values[i];
        }
        all_.arrive_and_wait();
    }

private:
    std::mutex mutex_;
    std::vector<std::deque<Message>> inboxes_;
    std::barrier<> all_;
    std::span<std::uint64_t> target_;
};

class FakeRanks final : public Communicator {
public:
    /// Pieces are so small that most messages have several.
    static constexpr std::size_t kPieceBytes = 24;

    FakeRanks(FakeJob& job, int rank) : Communicator(kPieceBytes), job_(job), rank_(rank) {}

    int rank() const override { return rank_; }
    int size() const override { return job_.size(); }
    int rank_on_host() const override { return rank_; }
    int size_on_host() const override { return job_.size(); }
    std::string const& host() const override { return host_; }
    void reduce_sum(std::span<std::uint64_t> values) override { job_.reduce_sum(rank_, values); }
    void abort_job(int) override { std::abort(); }

private:
    void send_piece(int to, int tag, std::string_view piece) override
    {
        job_.send(to, {rank_, tag, std::string(piece)});
    }
    std::optional<Message> try_receive_piece(int from, int tag) override
    {
        return job_.try_receive(rank_, [&](Message const& piece) {
            return (from == kAny || piece.rank == from) && (tag == kAny || piece.tag == tag);
        });
    }

    FakeJob& job_;
    int rank_;
    std::string host_ = "here";
};

} // namespace volpt::test
