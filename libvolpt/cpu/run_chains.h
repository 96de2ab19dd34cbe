// Passes of Markov chains, one chain after the other.
#pragma once

#include "libvolpt/core/metropolis/run_chain.hd.h"
#include "libvolpt/cpu/cpu_backend.h"

#include <vector>

namespace volpt {

/// What the chains of one pass add to each pixel: a sample of it. [band][pixel]
template <class Isa>
class PassSums {
public:
    explicit PassSums(SceneView const& scene)
        : sum_scale_(scene.sum_scale), pixels_(std::size_t{scene.width} * scene.height), sums_(pixels_ * scene.bands)
    {
    }

    template <int bands>
    void add(PathState<bands> const& path)
    {
        if (path.slot == kNoSlot) return;
        FixedDeposit<bands> const deposit = round_deposit(path, sum_scale_);
        for (int b = 0; b < bands; ++b)
            sums_[(bands > 1 ? static_cast<std::size_t>(b) : path.band) * pixels_ + path.slot] += deposit.value[b];
    }

    /// Adds the pass to the film's sums and begins the next.
    void flush(TileSumsView film)
    {
        for (std::size_t i = 0; i < sums_.size(); ++i) {
            std::uint64_t const sum = bound_to_pass(sums_[i]);
            FixedSumSquare const square = square_of_sum(sum);
            film.sums[i] += sum;
            film.low_squares[i] += square.low;
            film.high_squares[i] += square.high;
            sums_[i] = 0;
        }
    }

private:
    float sum_scale_;
    std::size_t pixels_;
    std::vector<std::uint64_t> sums_;
};

template <class Isa>
class PollCounter {
public:
    explicit PollCounter(StopPoll poll) : poll_(poll) {}
    bool asks_to_stop()
    {
        constexpr std::uint32_t kEventsBetweenPolls = 1 << 10; // a few milliseconds
        return ++events_ % kEventsBetweenPolls == 0 && poll_.should_stop != nullptr && poll_.should_stop(poll_.context);
    }

private:
    StopPoll poll_;
    std::uint32_t events_ = 0;
};

/// False if it was stopped.
template <class Isa, class M>
bool run_chain(SceneView const& scene, PathId id, PathMemory<PathOf<M>>& memory, PassSums<Isa>& pass,
               PathCounts& counts, PollCounter<Isa>& poll)
{
    PathOf<M> path = start_path_in<M>(scene, id);
    path.memory = &memory;
    while (begin_evaluation(M{}, scene, path)) {
        counts.paths += 1;
        while (path.stage != Stage::ended) {
            extend_path<M>(scene, path, counts);
            if (poll.asks_to_stop()) return false;
        }
        end_evaluation(scene, path);
        pass.add(path);
        if (take_splat(path)) pass.add(path);
    }
    return true;
}

/// `tile` is the whole film: chains add to any pixel, and a sample is what all chains of a pass add.
template <class Isa, class M>
bool run_chains(SceneView const& scene, RenderTile const& tile, TileSumsView sums, PathCounts& counts, StopPoll poll)
{
    PathMemory<PathOf<M>> memory;
    PassSums<Isa> pass(scene);
    PollCounter<Isa> counter(poll);
    std::uint32_t const bands_apart = M::kBands > 1 ? 1u : scene.bands;
    for (std::uint32_t sample = 0; sample < tile.sample_count; ++sample) {
        for (std::uint32_t chain = 0; chain < scene.metropolis.chains; ++chain)
            for (std::uint32_t band = 0; band < bands_apart; ++band) {
                PathId const id{chain % scene.width, chain / scene.width, tile.first_sample + sample, band, 0};
                if (!run_chain<Isa, M>(scene, id, memory, pass, counts, counter)) return false;
            }
        pass.flush(sums);
    }
    return true;
}

} // namespace volpt
