// The state of one path.
#pragma once

#include "libvolpt/core/path_counts.hd.h"
#include "libvolpt/core/rng.hd.h"
#include "libvolpt/core/scene_view.hd.h"

#include <type_traits>

namespace volpt {

/// Where a path is between two events.
enum class Stage : std::uint32_t {
    inside = 0,     ///< in the medium: the next event is a tentative collision or the way out
    entering = 1,   ///< on the box's outside face, before a refracting boundary; with a mesh: anywhere outside of it
    outside = 2,    ///< on its way to the environment
    ended = 3,      ///< `throughput` now holds the radiance of the sample
    leaving = 4,    ///< its flight reached the box's face from inside; `position` is still where the flight began
    backed = 5,     ///< outside the face that has a backing, on its way to it
    connecting = 6, ///< stands still while its light ray is followed (core/light): the next event is that ray
};

/// One path carries `bands` bands: the three of a grey RGB volume, or one.
template <int bands>
struct PathState {
    static constexpr int kBands = bands;
    static constexpr Transport kTransport = Transport::escape;
    static constexpr std::size_t kEventBytes = 0; ///< at the end, of what is used within one event alone
    Vec3 position;                                ///< voxels
    Vec3 direction;                               ///< unit, box axes
    float throughput[bands];
    Rng rng;
    Stage stage;
    std::uint32_t band;    ///< index of the (first) band in the scene's arrays
    std::uint32_t slot;    ///< where the scheduler stores the result
    std::uint32_t depth;   ///< extensions so far
    std::uint32_t bounces; ///< boundary events since the last real collision
};

/// Identity of a path: pixel, sample and band.
struct PathId {
    std::uint32_t x = 0;
    std::uint32_t y = 0;
    std::uint32_t sample = 0;
    std::uint32_t band = 0; ///< index, not number; 0 if one path carries all bands
    std::uint32_t slot = 0;
};

/// The compile-time properties of a medium: kernels and CPU loops are compiled once per combination, everything else is
/// a uniform branch.
template <int bands, Extinction extinction, MajorantGrid grid, Steps steps = Steps::plain,
          Surfaces surfaces = Surfaces::box, Transport transport = Transport::escape>
struct Medium {
    static constexpr int kBands = bands;
    static constexpr Extinction kExtinction = extinction;
    static constexpr MajorantGrid kGrid = grid;
    static constexpr Steps kSteps = steps;
    static constexpr Surfaces kSurfaces = surfaces;
    static constexpr Transport kTransport = transport;
};

/// Which of the solids that nest a path is in (core/surface/nested_solids.hd.h).
struct RegionState {
    std::uint32_t region;
    std::uint32_t splat_region; ///< of a particle: of the vertex that is shown to the film, if it is inside
};
/// Of paths in all other scenes.
struct NoRegion {};

template <int bands, class Region = NoRegion>
struct LitPath;
template <int bands, class Region = NoRegion>
struct ParticlePath;
template <int bands>
struct TallyPath;
template <int bands, class Region = NoRegion>
struct BidirectionalPath;
template <int bands, class Region>
struct WithChain;

namespace detail {

template <int bands, Transport transport, class Region>
struct PathOfTransport {
    using Type = PathState<bands>;
};
template <int bands, class Region>
struct PathOfTransport<bands, Transport::emitters, Region> {
    using Type = LitPath<bands, Region>;
};
template <int bands, class Region>
struct PathOfTransport<bands, Transport::particles, Region> {
    using Type = ParticlePath<bands, Region>;
};
template <int bands, class Region>
struct PathOfTransport<bands, Transport::tallies, Region> {
    using Type = TallyPath<bands>;
};

template <int bands, class Region>
struct PathOfTransport<bands, Transport::bidirectional, Region> {
    using Type = BidirectionalPath<bands, Region>;
};

template <int bands, class Region>
struct PathOfTransport<bands, Transport::metropolis, Region> {
    using Type = BidirectionalPath<bands, WithChain<bands, Region>>;
};

template <Surfaces surfaces>
using RegionOf = std::conditional_t<surfaces == Surfaces::nested, RegionState, NoRegion>;

} // namespace detail

/// The state of a path in the medium M.
template <class M>
using PathOf = typename detail::PathOfTransport<M::kBands, M::kTransport, detail::RegionOf<M::kSurfaces>>::Type;

/// Paths that need memory beside their state: a scheduler sets `memory` once the path has started, and lends it to no
/// other path until this one has ended.
template <class Path>
concept HasMemory = requires
{
    typename Path::Memory;
};

namespace detail {

template <class Path>
struct MemoryOf {
    struct Type {};
};
template <HasMemory Path>
struct MemoryOf<Path> {
    using Type = typename Path::Memory;
};

} // namespace detail

/// Empty for a path that needs none.
template <class Path>
using PathMemory = typename detail::MemoryOf<Path>::Type;

/// Calls `run` with the Medium<bands, .., steps, surfaces> of the scene and returns its result. Host only; a generic
/// lambda is compiled once per combination. Long steps require local majorants (find_scene_problem), which saves
/// combinations.
template <int bands, Steps steps = Steps::plain, Surfaces surfaces = Surfaces::box, class Run>
inline auto with_medium(SceneView const& scene, Run&& run)
{
    [[maybe_unused]] bool const local = scene.medium.grid == MajorantGrid::local;
    switch (scene.medium.extinction) {
    case Extinction::bare:
        return run(Medium<bands, Extinction::bare, MajorantGrid::global, steps, surfaces>{});
    case Extinction::constant:
        return run(Medium<bands, Extinction::constant, MajorantGrid::global, steps, surfaces>{});
    case Extinction::density:
        if constexpr (steps == Steps::plain)
            if (!local) return run(Medium<bands, Extinction::density, MajorantGrid::global, steps, surfaces>{});
        return run(Medium<bands, Extinction::density, MajorantGrid::local, steps, surfaces>{});
    default:
        if constexpr (steps == Steps::plain)
            if (!local) return run(Medium<bands, Extinction::label, MajorantGrid::global, steps, surfaces>{});
        return run(Medium<bands, Extinction::label, MajorantGrid::local, steps, surfaces>{});
    }
}

/// The medium of scenes with emitters: what varies in it is a branch at run time. Compiled for each kind, the instances
/// of Transport would multiply.
template <int bands, Surfaces surfaces, Transport transport>
using EmitterMedium = Medium<bands, Extinction::any, MajorantGrid::any, Steps::plain, surfaces, transport>;

/// The medium of particles that no film sees, in a box of one homogeneous medium, and whose tally does not sum up
/// lengths: the one case that is worth instances of its own.
template <int bands>
using BareTallyMedium =
    Medium<bands, Extinction::bare, MajorantGrid::global, Steps::plain, Surfaces::box, Transport::tallies>;

template <class M>
inline constexpr bool kIsBareTally = std::is_same_v<M, BareTallyMedium<M::kBands>>;

/// The medium of such particles where materials differ in index of refraction: for kernels that gather the flights
/// which faces of voxels may end (core/light/fluence_event.hd.h).
using FluenceMedium =
    Medium<1, Extinction::label, MajorantGrid::global, Steps::plain, Surfaces::box, Transport::tallies>;

template <class M>
inline constexpr bool kIsFluenceTally = std::is_same_v<M, FluenceMedium>;

/// with_medium for scenes with emitters.
template <int bands, Surfaces surfaces = Surfaces::box, class Run>
inline auto with_emitter_medium(SceneView const& scene, Run&& run)
{
    if constexpr (surfaces == Surfaces::box)
        if (scene.transport == Transport::tallies) {
            if (scene.medium.extinction == Extinction::bare && !sums_length(scene.tally))
                return run(BareTallyMedium<bands>{});
            return run(EmitterMedium<bands, surfaces, Transport::tallies>{});
        }
    if (scene.transport == Transport::particles) return run(EmitterMedium<bands, surfaces, Transport::particles>{});
    return run(EmitterMedium<bands, surfaces, Transport::emitters>{});
}

} // namespace volpt
