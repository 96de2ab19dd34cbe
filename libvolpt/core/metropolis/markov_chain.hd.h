// A Markov chain whose states are distributed in proportion to their importance.
//
// N. Metropolis et al., Equation of State Calculations by Fast Computing Machines (1953); E. Veach, L. Guibas,
// Metropolis Light Transport (SIGGRAPH 1997). The first state is chosen from candidates in proportion to importance,
// and the chain counts by the mean importance of its own candidates: so its expectation is right from the first step
// on, whatever its length (Veach and Guibas 1997, 5.1).
#pragma once

#include "libvolpt/core/light/camera_connection.hd.h"

namespace volpt {

/// What a path adds to the film, and its importance for the chain: 0 if it adds nothing.
template <int bands>
struct ChainSample {
    float value[bands] = {};
    float importance = 0;
    std::uint32_t slot = kNoSlot; ///< the pixel
};

/// A sample and how often it counts.
template <int bands>
struct WeightedSample {
    ChainSample<bands> sample;
    float weight = 0;
};

template <int bands>
struct MarkovChain {
    ChainSample<bands> state;
    float weight = 0;             ///< how often the state counts so far
    float candidate_total = 0;    ///< sum of the importance of all candidates
    std::uint32_t state_set = 0u; ///< PrimaryNumbers of the state
};

/// The mean of all bands in units of the film's sums, bounded so that quotients of two are within the range of
/// exact::divide.
template <int bands>
VOLPT_HD float find_importance(float const (&value)[bands], float sum_scale)
{
    float sum = 0.0f;
    for (int b = 0; b < bands; ++b) sum += value[b];
    float const mean = sum * sum_scale * (1.0f / static_cast<float>(bands));
    return mean > 0x1p-37f ? exact::min(mean, 0x1p37f) : 0.0f;
}

/// Takes the candidate as the state with the probability of its share in the sum so far (reservoir sampling).
template <int bands>
VOLPT_HD void offer_candidate(ChainSample<bands> const& candidate, std::uint32_t bits, MarkovChain<bands>& chain)
{
    if (!(candidate.importance > 0.0f)) return;
    chain.candidate_total += candidate.importance;
    if (!(to_fine_unit(bits) * chain.candidate_total <= candidate.importance)) return;
    chain.state = candidate;
    chain.state_set ^= 1u;
}

/// One step of Metropolis. Of state and proposal, both count by the probability of being the next state; returned is
/// the one that the chain does not keep, with all that is due to it.
template <int bands>
VOLPT_HD WeightedSample<bands> take_step(ChainSample<bands> const& proposed, std::uint32_t bits,
                                         MarkovChain<bands>& chain)
{
    float const acceptance = proposed.importance >= chain.state.importance
                                 ? 1.0f
                                 : exact::divide(proposed.importance, chain.state.importance);
    if (!(proposed.importance > 0.0f) || !(to_fine_unit(bits) <= acceptance)) {
        chain.weight += 1.0f - acceptance;
        return {proposed, acceptance};
    }
    WeightedSample<bands> const left{chain.state, chain.weight + (1.0f - acceptance)};
    chain.state = proposed;
    chain.weight = acceptance;
    chain.state_set ^= 1u;
    return left;
}

} // namespace volpt
