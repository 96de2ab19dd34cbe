// Bidirectional path tracing (E. Lafortune, Y. Willems, Bi-Directional Path Tracing, 1993; Veach 1997, chapter 10): a
// particle, then a path from the film that is joined to emitters and to vertices of the particle.
//
// A sample joins each vertex of the path from the film to one vertex of the particle, chosen evenly, and shows one of
// the particle's vertices to the film, chosen in proportion to what it would add. So it adds to its own pixel and to
// one other at most.
#pragma once

#include "libvolpt/core/bidirectional/subpath_vertex.hd.h"
#include "libvolpt/core/light/camera_connection.hd.h"

namespace volpt {

/// Vertices of the particle that are kept: of more, a sample without replacement (J. Vitter, Random Sampling with a
/// Reservoir, 1985, algorithm R). White resin has hundreds.
inline constexpr std::uint32_t kMostVertices = 32;

/// What a path has beside its state, in memory that its scheduler gives it once it has started.
template <int bands>
struct ParticleVertices {
    SubpathVertex<bands> vertices[kMostVertices];
};

/// The part of a bidirectional path's state that is used within one event only, which schedulers do not store.
template <int bands>
struct BidirectionalEvent {
    SubpathVertex<bands> vertex;
    Stage stage;                 ///< before the event
    std::uint32_t depth;         ///< likewise
    std::uint32_t has_scattered; ///< 1 after a scattering whose densities are known
};

/// A path of Transport::bidirectional. Once it has ended, `throughput` is what it adds to the pixel `slot`, and `splat`
/// what the particle adds to `splat_slot`.
template <int bands, class Region>
struct BidirectionalPath : PathState<bands>, Region {
    static constexpr Transport kTransport = Transport::bidirectional;
    static constexpr std::size_t kEventBytes = sizeof(BidirectionalEvent<bands>);
    using Memory = ParticleVertices<bands>;
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

template <int bands, class Region>
VOLPT_HD void begin_event(BidirectionalPath<bands, Region>& path)
{
    path.event.stage = path.stage;
    path.event.depth = path.depth;
    path.event.has_scattered = 0u;
    path.rays = 0u;
}

} // namespace volpt
