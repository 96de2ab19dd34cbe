// What a bidirectional path that a Markov chain proposes has beside the state of every such path.
//
// T. Hachisuka, A. Kaplanyan, C. Dachsbacher, Multiplexed Metropolis Light Transport (SIGGRAPH 2014): a proposal has a
// number of vertices and one of the strategies that make such paths, both from its primary numbers.
#pragma once

#include "libvolpt/core/metropolis/markov_chain.hd.h"
#include "libvolpt/core/metropolis/primary_numbers.hd.h"

namespace volpt {

/// How a path finds light.
enum class Strategy : std::uint32_t {
    found = 0,   ///< the path from the film meets it
    emitter = 1, ///< its last vertex is connected to an emitter
    joined = 2,  ///< its last vertex is connected to that of the particle
    shown = 3,   ///< the particle's last vertex is connected to the film, or leaves through a probed face
};

/// What an evaluation of a chain is.
enum class Evaluation : std::uint32_t {
    whole_path = 0, ///< a bidirectional path of one pixel, for numbers of vertices that the chains leave out
    candidate = 1,  ///< of the chain's first state
    proposal = 2,   ///< a step of the chain
};

template <int bands>
struct ChainState {
    MarkovChain<bands> markov;
    ChainId id;
    std::uint32_t first_pixel; ///< of the whole paths
    std::uint32_t pixel_count;
    std::uint32_t evaluation; ///< its number in the chain
    Evaluation kind;
    Proposal proposal;
    std::uint32_t decision_bits;   ///< for the chain's choice about the evaluation
    std::uint32_t vertices;        ///< of the path that is evaluated
    std::uint32_t light_vertices;  ///< of them, the particle's
    std::uint32_t camera_vertices; ///< and those of the path from the film
    Strategy strategy;
    std::uint32_t order;      ///< vertices of the subpath so far
    std::uint32_t way_events; ///< since the last of them
    std::uint32_t drawn;      ///< how many groups that are not kept the path has drawn
    std::uint32_t ends;       ///< 1: the subpath ends with this event
};

/// Region of a path with a chain; see BidirectionalPath.
template <int bands, class Region>
struct WithChain : Region {
    ChainState<bands> chain;
};

template <class Region>
inline constexpr bool kHasChain = false;
template <int bands, class Region>
inline constexpr bool kHasChain<WithChain<bands, Region>> = true;

/// Whether the path is one that the chain holds; if not, it is a whole bidirectional path.
template <int bands>
VOLPT_HD bool is_in_chain(ChainState<bands> const& chain)
{
    return chain.kind != Evaluation::whole_path;
}

} // namespace volpt
