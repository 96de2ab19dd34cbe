// Primary sample space: a path as the uniform numbers that it is made from, and proposals of others near them.
//
// C. Kelemen, L. Szirmay-Kalos, G. Antal, F. Csonka, A Simple and Robust Mutation Strategy for the Metropolis Light
// Transport Algorithm (Eurographics 2002). Numbers come in groups of three. A path reads as many groups as it needs, so
// those that the state has not read are drawn anew; what a path draws beside its groups is drawn anew, too, and its
// value is kept with the state (C. Andrieu, G. Roberts, The Pseudo-Marginal Approach for Efficient Monte Carlo
// Computations, 2009). Both leave the stationary density as it is.
#pragma once

#include "libvolpt/core/rng.hd.h"

namespace volpt {

/// Vertices of paths that chains may hold.
inline constexpr std::uint32_t kMostLength = 12;

/// Groups by what they are for; of each subpath, kGroupsPerVertex for the way to each vertex and what follows there.
inline constexpr std::uint32_t kStrategyGroup = 0, kParticlePlaceGroup = 1, kParticleDirectionGroup = 2, kFilmGroup = 3,
                               kLensGroup = 4, kFirstVertexGroup = 5;
/// Events on the way to a vertex whose numbers are kept: null collisions, boundaries, mirrors.
inline constexpr std::uint32_t kEventsKept = 4;
inline constexpr std::uint32_t kGroupsPerVertex = kEventsKept + 1;
inline constexpr std::uint32_t kGroups = kFirstVertexGroup + 2 * (kMostLength + 1) * kGroupsPerVertex;
/// Of numbers that are not kept.
inline constexpr std::uint32_t kNoGroup = 0xffffffffu;

/// The numbers of a chain's state, and of the path that is proposed.
struct PrimaryNumbers {
    std::uint32_t number[2][kGroups][3];
    std::uint32_t is_read[2][(kGroups + 31) / 32]; ///< bits by group
};

/// What names the random numbers of a chain, but for the evaluation and the group.
struct ChainId {
    std::uint32_t chain = 0;
    std::uint32_t sample = 0;
    std::uint32_t band_number = 0;
    std::uint32_t key[2] = {};
};

enum class Proposal : std::uint32_t {
    large = 0, ///< all numbers are drawn anew
    small = 1, ///< those that the state has read are changed a little
};

/// A number near another, modulo 1: from 2^-10 to 2^-6 above or below, with a density that falls as 1 / distance
/// (Kelemen et al. 2002, eq. 13). Places on the film move by 2^-13 to 2^-3: at a door ajar, that is a quarter less
/// variance than by 2^-10 to 2^-6.
VOLPT_HD std::uint32_t perturb(std::uint32_t number, std::uint32_t group, std::uint32_t bits)
{
    bool const is_film = group == kFilmGroup;
    float const most = is_film ? 0x1p29f : 0x1p26f;
    float const log_range = is_film ? 6.93147181f : 2.77258872f; // log 1024, log 16
    auto const distance = static_cast<std::uint32_t>(most * exact::exp_neg(log_range * to_unit(bits << 1)));
    return (bits >> 31) != 0u ? number + distance : number - distance;
}

/// Fresh numbers of evaluation `evaluation` of the chain; `place` differs for all that an evaluation draws.
VOLPT_HD Words4 draw_fresh(ChainId const& id, std::uint32_t evaluation, std::uint32_t place)
{
    return hash_philox({{id.chain, id.sample, evaluation, id.band_number << 24 | (place & 0xffffffu)}}, id.key[0],
                       id.key[1]);
}

VOLPT_HD bool is_group_read(PrimaryNumbers const& numbers, std::uint32_t set, std::uint32_t group)
{
    return (numbers.is_read[set][group / 32u] >> group % 32u & 1u) != 0u;
}

/// Nothing of the proposal has been read.
VOLPT_HD void clear_proposal(PrimaryNumbers& numbers, std::uint32_t state_set)
{
    for (std::uint32_t& word : numbers.is_read[state_set ^ 1u]) word = 0u;
}

/// Three numbers of the proposal, and a fourth that is fresh. `state_set` is the set that holds the chain's state.
VOLPT_HD Words4 propose_numbers(ChainId const& id, std::uint32_t evaluation, Proposal proposal, std::uint32_t state_set,
                                std::uint32_t group, PrimaryNumbers& numbers)
{
    Words4 words = draw_fresh(id, evaluation, group);
    if (proposal == Proposal::small && is_group_read(numbers, state_set, group))
        for (int i = 0; i < 3; ++i) words.word[i] = perturb(numbers.number[state_set][group][i], group, words.word[i]);
    for (int i = 0; i < 3; ++i) numbers.number[state_set ^ 1u][group][i] = words.word[i];
    numbers.is_read[state_set ^ 1u][group / 32u] |= 1u << group % 32u;
    return words;
}

} // namespace volpt
