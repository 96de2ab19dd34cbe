// Bidirectional path tracing (E. Lafortune, Y. Willems, Bi-Directional Path Tracing, 1993; Veach 1997, chapter 10): a
// particle, then a path from the film that is joined to emitters and to vertices of the particle.
//
// A sample joins each vertex of the path from the film to one vertex of the particle, chosen evenly, and shows one of
// the particle's vertices to the film, chosen in proportion to what it would add. So it adds to its own pixel and to
// one other at most.
#pragma once

#include "libvolpt/core/bidirectional/subpath_vertex.hd.h"
#include "libvolpt/core/light/camera_connection.hd.h"
#include "libvolpt/core/metropolis/chain_state.hd.h"

namespace volpt {

/// Vertices of the particle that are kept: of more, a sample without replacement (J. Vitter, Random Sampling with a
/// Reservoir, 1985, algorithm R). White resin has hundreds.
inline constexpr std::uint32_t kMostVertices = 32;

/// What a path has beside its state, in memory that its scheduler gives it once it has started.
template <int bands>
struct ParticleVertices {
    SubpathVertex<bands> vertices[kMostVertices];
};

/// Of a path with a chain.
template <int bands>
struct ChainMemory : ParticleVertices<bands> {
    PrimaryNumbers numbers;
};

/// The part of a bidirectional path's state that is used within one event only, which schedulers do not store.
template <int bands>
struct BidirectionalEvent {
    SubpathVertex<bands> vertex;
    Stage stage;                 ///< before the event
    std::uint32_t depth;         ///< likewise
    std::uint32_t has_scattered; ///< 1 after a scattering whose densities are known
};

/// A path of Transport::bidirectional, or of metropolis if its Region is WithChain. Once it has ended, `throughput` is
/// what it adds to the pixel `slot`, and `splat` what the particle adds to `splat_slot`.
template <int bands, class Region>
struct BidirectionalPath : PathState<bands>, Region {
    static constexpr Transport kTransport = kHasChain<Region> ? Transport::metropolis : Transport::bidirectional;
    static constexpr std::size_t kEventBytes = sizeof(BidirectionalEvent<bands>);
    using Memory = std::conditional_t<kHasChain<Region>, ChainMemory<bands>, ParticleVertices<bands>>;
    PathId id;
    Subpath subpath;
    SubpathWeights weights;
    Vec3 last_position;       ///< voxels, of the last vertex; at first, where the subpath begins
    std::uint32_t has_turned; ///< 1 once something has turned the subpath
    std::uint32_t emitter;    ///< of the particle
    float start_cosine;       ///< to the emitter's surface; 0: it has none
    std::uint32_t vertex_count;
    float radiance[bands];
    Connection<bands> connection; ///< to an emitter
    Connection<bands> link;       ///< to a vertex of the particle
    std::uint32_t rays;           ///< that are yet to be followed: kToEmitter, kToVertex
    Stage next_stage;             ///< after them
    Connection<bands> splat;
    Vec3 splat_from;
    std::uint32_t splat_slot;
    float splat_total;
    Memory* memory;
    BidirectionalEvent<bands> event;
};

inline constexpr std::uint32_t kToEmitter = 1, kToVertex = 2;

/// The numbers of this path that a group holds become the next ones that it draws. `group` may be kNoGroup.
template <int bands, class Region>
VOLPT_HD void draw_group(std::uint32_t group, BidirectionalPath<bands, WithChain<bands, Region>>& path)
{
    ChainState<bands>& chain = path.chain;
    Words4 const words = group == kNoGroup ? draw_fresh(chain.id, chain.evaluation, kGroups + chain.drawn++)
                                           : propose_numbers(chain.id, chain.evaluation, chain.proposal,
                                                             chain.markov.state_set, group, path.memory->numbers);
    path.rng.c = words.word[3];
    path.rng = set_next_draws(path.rng, words.word[0], words.word[1], words.word[2]);
}

/// The group of number `index` on the way to the next vertex.
template <int bands, class Region>
VOLPT_HD std::uint32_t find_group(BidirectionalPath<bands, Region> const& path, std::uint32_t index)
{
    if (path.chain.order > kMostLength || index >= kGroupsPerVertex) return kNoGroup;
    std::uint32_t const subpath = static_cast<std::uint32_t>(path.subpath);
    return kFirstVertexGroup + (subpath * (kMostLength + 1u) + path.chain.order) * kGroupsPerVertex + index;
}

/// Before an event of a path in a chain.
template <int bands, class Region>
VOLPT_HD void propose_way_numbers(BidirectionalPath<bands, WithChain<bands, Region>>& path)
{
    if (!is_in_chain(path.chain)) return;
    std::uint32_t const event = path.chain.way_events++;
    draw_group(event < kEventsKept ? find_group(path, event) : kNoGroup, path);
}

/// At a vertex of a path with a chain, before it draws anything there: its number, its numbers, and whether the subpath
/// ends. Where light is found by chance or leaves through a probed face, it goes on beyond its last vertex.
template <int bands, class Region>
VOLPT_HD void begin_vertex(SceneView const& scene, BidirectionalPath<bands, Region>& path)
{
    if constexpr (kHasChain<Region>) {
        ChainState<bands>& chain = path.chain;
        if (is_in_chain(chain)) draw_group(find_group(path, kEventsKept), path);
        chain.order += 1u;
        chain.way_events = 0u;
        path.event.vertex.order = chain.order;
        if (!is_in_chain(chain)) return;
        bool const is_light = path.subpath == Subpath::light;
        std::uint32_t const last = is_light ? chain.light_vertices : chain.camera_vertices;
        bool const goes_on = is_light ? chain.strategy == Strategy::shown && scene.camera.aim == Aim::hemisphere
                                      : chain.strategy == Strategy::found;
        chain.ends = chain.order >= last + (goes_on ? 1u : 0u) ? 1u : 0u;
    }
}

/// Whether the light of a strategy counts that paths of `vertices` vertices carry: all but with a chain.
template <int bands, class Region>
VOLPT_HD bool counts_light(SceneView const& scene, Strategy strategy, std::uint32_t vertices,
                           BidirectionalPath<bands, Region> const& path)
{
    if constexpr (kHasChain<Region>) {
        if (!is_in_chain(path.chain)) return vertices == 0u || vertices > scene.metropolis.longest;
        return strategy == path.chain.strategy && vertices == path.chain.vertices;
    }
    return true;
}

/// Vertices of the subpath so far, of a path with a chain.
template <int bands, class Region>
VOLPT_HD std::uint32_t count_vertices(BidirectionalPath<bands, Region> const& path)
{
    if constexpr (kHasChain<Region>) return path.chain.order;
    return 0u;
}

/// How often vertices are joined, as the weights have it.
template <int bands, class Region>
VOLPT_HD float find_join_share(SceneView const& scene, BidirectionalPath<bands, Region> const& path)
{
    if constexpr (kHasChain<Region>)
        if (is_in_chain(path.chain)) return 1.0f;
    return scene.strategies.join_share;
}

template <int bands, class Region>
VOLPT_HD void begin_event(BidirectionalPath<bands, Region>& path)
{
    path.event.stage = path.stage;
    path.event.depth = path.depth;
    path.event.has_scattered = 0u;
    path.rays = 0u;
    if constexpr (kHasChain<Region>) propose_way_numbers(path);
}

} // namespace volpt
