// A Communicator whose ranks are threads of one process, so that the sanitizers see every message.
#pragma once

#include "libvolpt/render/ranks/communicator.h"

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
    explicit FakeJob(int size) : boxes_(static_cast<std::size_t>(size)), all_(size) {}

    int size() const { return static_cast<int>(boxes_.size()); }
    void send(int to, Message message)
    {
        std::scoped_lock const lock(mutex_);
        boxes_[static_cast<std::size_t>(to)].push_back(std::move(message));
    }
    std::optional<Message> receive(int rank)
    {
        std::scoped_lock const lock(mutex_);
        auto& box = boxes_[static_cast<std::size_t>(rank)];
        if (box.empty()) return std::nullopt;
        Message message = std::move(box.front());
        box.pop_front();
        return message;
    }
    void sum(int rank, std::span<std::uint64_t> values)
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
    std::vector<std::deque<Message>> boxes_;
    std::barrier<> all_;
    std::span<std::uint64_t> target_;
};

class FakeRanks final : public Communicator {
public:
    FakeRanks(FakeJob& job, int rank) : job_(job), rank_(rank) {}

    int rank() const override { return rank_; }
    int size() const override { return job_.size(); }
    int rank_on_host() const override { return rank_; }
    int size_on_host() const override { return job_.size(); }
    std::string const& host() const override { return host_; }
    void send(int to, std::string const& bytes) override { job_.send(to, {rank_, bytes}); }
    std::optional<Message> receive() override { return job_.receive(rank_); }
    void end_job(int) override { std::abort(); }
    void sum_to_first(std::span<std::uint64_t> values) override { job_.sum(rank_, values); }

private:
    FakeJob& job_;
    int rank_;
    std::string host_ = "here";
};

} // namespace volpt::test
