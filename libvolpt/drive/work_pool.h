// One pool of samples that workers of any speed take from, so that all end together.
#pragma once

#include "libvolpt/drive/gpu_areas.h"

#include <deque>
#include <mutex>
#include <optional>
#include <vector>

namespace volpt {

/// Samples of all pixels of a group: what a worker takes at a time. The group stays where it is as long as the pool.
struct Batch {
    AreaGroup const* group = nullptr;
    SampleRange samples;
    std::uint64_t paths = 0;
};

/// How much a worker wants at a time.
struct Wish {
    std::uint64_t first_paths = 1; ///< while its rate is not known
    double duration_s = 1;         ///< about the longest
    double least_s = 0;            ///< shorter ones are not worth their start
};

/// Samples are handed out by guided self-scheduling (C. Polychronopoulos & D. Kuck, 1987) with the workers' measured rates as
/// weights: a batch is at most half of what its worker should still get, so that batches shrink towards the end. All calls from
/// any thread.
class WorkPool {
public:
    /// A sample of a pixel is so many paths. With a `first_turn` groups take turns, first with so many samples, twice as many each
    /// time; 0: they need not.
    WorkPool(std::vector<AreaGroup> groups, std::uint32_t paths_a_sample, std::uint64_t first_turn = 0);

    /// A worker's place in the pool. Those who leave no longer count.
    class Seat {
    public:
        explicit Seat(WorkPool& pool);
        ~Seat();
        Seat(Seat const&) = delete;
        Seat& operator=(Seat const&) = delete;

        /// Paths per second, measured of late.
        void tell_rate(double rate);
        /// The next batch, by preference of the group that it took from last. Nothing if nothing is left, or if others
        /// will have done what is left before this worker could; it is to leave then.
        std::optional<Batch> take(Wish const& wish);

    private:
        friend class WorkPool;
        WorkPool& pool_;
        double rate_ = 0;              ///< 0: not known
        bool is_done_ = false;         ///< others are sooner
        std::size_t entry_ = SIZE_MAX; ///< taken from last
    };

    std::uint64_t total_paths() const { return total_paths_; }

private:
    /// A group with what is left of it, or a part: a row of tiles of a group, with samples that were cut into such rows.
    struct Entry {
        AreaGroup group;
        std::uint64_t paths_of_sample;
        std::uint64_t turn_left;
        std::size_t first_part = 0; ///< of the rows' entries; 0: never cut
        int visitors = 0;
    };

    std::optional<Batch> take(Seat& seat, Wish const& wish);
    std::optional<std::size_t> choose_group(Seat const& seat);
    std::optional<std::size_t> find_part() const;
    std::optional<Batch> cut_unless_others_are_sooner(Seat& seat, std::size_t index, std::uint64_t samples);
    bool others_are_sooner(Seat const& seat, std::uint64_t paths) const;
    double sum_rates() const;
    Batch cut(Seat& seat, std::size_t index, std::uint64_t samples);
    void move_to(Seat& seat, std::size_t index);
    bool split_sample(std::size_t index);
    void make_parts(std::size_t index);
    Entry make_entry(AreaGroup group) const;

    std::mutex mutex_;
    std::uint32_t paths_a_sample_;
    std::uint64_t turn_;
    std::deque<Entry> entries_; ///< groups, then parts; never moved
    std::size_t group_count_;
    std::vector<Seat*> seats_;
    std::uint64_t total_paths_ = 0;
    std::uint64_t paths_left_ = 0; ///< not taken
};

} // namespace volpt
