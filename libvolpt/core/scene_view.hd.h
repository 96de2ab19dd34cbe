// Views of everything that a path reads: plain values and pointers, positions in voxels, directions in the box's axes.
#pragma once

#include "libvolpt/core/light/lights_view.hd.h"
#include "libvolpt/core/light/tally_view.hd.h"
#include "libvolpt/core/surface/surface_view.hd.h"
#include "libvolpt/core/surface/surroundings_view.hd.h"
#include "libvolpt/core/vec.hd.h"
#include "libvolpt/core/volume_view.hd.h"

namespace volpt {

/// A PlaneView and what follows from its encoding (make_plane_reader): masks and shifts instead of conditions, so that
/// a loop over lanes has no branches.
struct PlaneReader {
    std::uint32_t const* table = nullptr;
    std::uint32_t const* words = nullptr;
    std::int32_t table_stride = 0;
    std::uint32_t record_elements = 0;
    std::uint32_t words_per_brick = 0;
    std::uint32_t record_words = 0;          ///< if a record is one or more whole words
    std::uint32_t log2_elements_in_word = 0; ///< 2, 1 or 0
    std::uint32_t in_word_mask = 0;          ///< 3, 1 or 0
    std::uint32_t log2_element_bits = 0;     ///< 3, 4 or 5
    std::uint32_t element_mask = 0;          ///< 0xff, 0xffff or 0xffffffff
    std::uint32_t half_mask = 0;             ///< all ones for f16
    std::uint32_t float_mask = 0;            ///< all ones for f32
    float value_scale = 1;
};

/// What a flight looks up.
enum class Extinction : std::uint32_t {
    bare = 0,     ///< nothing varies: no null collisions, no voxel is looked up
    constant = 1, ///< one sigma_t everywhere, albedo by voxel: no null collisions
    density = 2,  ///< a density plane
    label = 3,    ///< a label plane and its materials
    any = 4,      ///< of code alone: MediumView::extinction is asked at run time
};
/// The upper bound of sigma_t that flights are drawn with: one for the volume, or one per brick.
enum class MajorantGrid : std::uint32_t { global = 0, local = 1, any = 2 /**< of code alone, as Extinction::any */ };

/// How directions are sampled; `isotropic` is a constant g of 0, which needs no frame.
enum class Scattering : std::uint32_t { isotropic = 0, constant_g = 1, material_g = 2 };

/// What paths of one band read in every event.
struct alignas(16) BandMedium {
    /// Voxels along each axis per optical depth of the majorant; infinite where it is 0: every flight leaves the box.
    Vec3 mean_free_path_voxels;
    float constant_one_minus_albedo = 0;   ///< if albedo is constant
    float majorant = 0;                    ///< 1/mm, scaled, of the whole volume
    std::int32_t local_majorant_first = 0; ///< index of the band's first brick in local_majorants
};

/// Positions are in voxels from the box corner; directions are unit vectors in the box's own axes; distances are in mm.
struct MediumView {
    Vec3 size_voxels; ///< dims as floats
    Vec3 last_lookup; ///< size - 1/2 on each axis, in the last voxel
    Vec3 inv_pitch;   ///< voxels per mm along each axis
    std::int32_t brick_counts[3] = {0, 0, 0};
    Extinction extinction = Extinction::bare;
    MajorantGrid grid = MajorantGrid::global;
    Source albedo = Source::constant;
    Scattering scattering = Scattering::isotropic;
    PlaneReader density;
    PlaneReader one_minus_albedo;
    PlaneReader label;
    float jitter = 0; ///< 2^-11 for Filter::trilinear, 0 for nearest
    /// By axis: the size where a lookup beyond a face goes on at the opposite one, 0 where it takes the last voxel.
    Vec3 period_voxels{0, 0, 0};
    std::uint32_t has_period = 0; ///< 1 if some axis has
    float scale = 1;
    float g = 0; ///< if `scattering` is constant_g
    BandMedium band[kMaxBands];
    std::uint32_t band_number[kMaxBands] = {};
    float const* local_majorants = nullptr;           ///< unscaled
    float const* material_sigma_t = nullptr;          ///< [band * kMaxMaterials + label], scaled
    float const* material_one_minus_albedo = nullptr; ///< likewise
    float const* material_g = nullptr;                ///< [label]
};

/// Entries of a table by brick with a row for each distinct extinction of the `bands`, as local_majorants.
VOLPT_HD std::size_t count_brick_values(MediumView const& medium, std::uint32_t bands)
{
    std::int32_t last = 0;
    for (std::uint32_t b = 0; b < bands; ++b) last = exact::max(last, medium.band[b].local_majorant_first);
    return static_cast<std::size_t>(last) + static_cast<std::size_t>(medium.brick_counts[0]) *
                                                static_cast<std::size_t>(medium.brick_counts[1]) *
                                                static_cast<std::size_t>(medium.brick_counts[2]);
}

VOLPT_HD void set_size(MediumView& medium, Vec3 size_voxels)
{
    medium.size_voxels = size_voxels;
    medium.last_lookup = {size_voxels.x - 0.5f, size_voxels.y - 0.5f, size_voxels.z - 0.5f};
}

/// How the ray of a film point is chosen: through it; from it in a cosine-weighted direction about `forward`; or from a
/// point of the lens.
enum class Aim : std::uint32_t { pixel = 0, hemisphere = 1, lens = 2 };

/// A ray through film point (sx, sy) in [-1, 1] x [-1, 1], +y up: perspective rays start at `origin` towards
/// forward + sx right + sy up; orthographic ones start at origin + sx right + sy up (voxels) along `forward`. A lens is
/// a disc about `origin`, perpendicular to `forward`; its rays of one film point meet where `forward` has the length of
/// the focus distance.
struct CameraView {
    float parallel = 0; ///< 0 perspective, 1 orthographic: a factor, so that a loop over lanes has no branches
    Vec3 origin;        ///< voxels
    Vec3 forward;
    Vec3 right;
    Vec3 up;
    Aim aim = Aim::pixel; ///< hemisphere: parallel, and `forward` is a signed axis of the box; lens: perspective
};

/// Of a camera with Aim::lens. Apart from CameraView, at the end of SceneView: between what flights read, it made
/// kernels with 64 registers spill.
struct LensView {
    Vec3 right; ///< radius of the lens over the focus distance, along the camera's `right`
    Vec3 up;
    Vec3 focus_voxels; ///< the focus distance in voxels of each axis
};

enum class LightKindView : std::uint32_t { constant = 0, hemispheres = 1, image = 2 };

/// Radiance that arrives from outside; directions point away from the box.
struct EnvironmentView {
    LightKindView kind = LightKindView::constant;
    float above[kMaxBands] = {}; ///< the constant; the upper hemisphere; the factor of an image
    float below[kMaxBands] = {};
    Vec3 row[3];                   ///< rotation from box axes to the light's frame, whose z axis is up
    std::uint32_t edge = 0;        ///< texels along one side of a hemisphere's square
    float const* texels = nullptr; ///< [hemisphere][row][column][bands]: upper hemisphere first
    float seen_directly = 1;       ///< weight of light that comes without an event: 1, or 0 to hide the background
};

enum class BoundaryKindView : std::uint32_t { none = 0, smooth = 1, rough = 2 };
enum class MicrofacetsView : std::uint32_t { single = 0, multiple = 1 };

struct BoundaryView {
    BoundaryKindView kind = BoundaryKindView::none;
    float int_over_ext = 1; ///< interior IOR / exterior IOR
    float ext_over_int = 1;
    float alpha = 0;
    MicrofacetsView microfacets = MicrofacetsView::single; ///< rough only
    float first_reflection = 1; ///< weight of light that never entered the box: 1, or 0 to exclude it
};

enum class BackingView : std::uint32_t { black = 0, white = 1, mirror = 2 };

/// What the faces do besides reflecting and refracting.
struct FacesView {
    std::uint32_t wrapped_axes = 0; ///< bit a: a path that reaches a face of axis a goes on at the opposite one
    BackingView backing = BackingView::black;
    std::int32_t backing_axis = 0;
    float backing_outward = -1; ///< sign of the outward normal of the face that has the backing
};

/// Whether paths take long steps (core/long_steps.hd.h), and through what.
enum class Steps : std::uint32_t { plain = 0, spheres = 1, layers = 2 };

/// Distinct values of g that get banks: those that fill most of the volume. In others, paths go collision by collision.
inline constexpr int kMaxBankedG = 4;

struct Outcome;

/// Outcomes of walks in spheres (core/outcome.hd.h), [g][level][2^log2_size], or in layers,
/// [g][level][node][2^log2_size].
struct BankView {
    Outcome const* outcomes = nullptr;
    std::uint32_t log2_size = 0;
    std::int32_t levels = 0;
};

/// All that a long step reads of a brick of one material, in one fetch.
template <int bands>
struct alignas(16) StepBrick {
    float sigma_t = 0;      ///< 1/mm; 0: no long steps here (the brick varies, has no bank, or an albedo below 1/2)
    float clearance_mm = 0; ///< least distance of its points to another material or a face of the volume
    std::uint32_t box_and_g = 0;  ///< index of its uniform box * kMaxBankedG + index of its g
    float absorption[bands] = {}; ///< -log albedo
};

/// A box of voxel coordinates in which every lookup gives the same constant; +-1e30 where it has no end.
struct alignas(16) StepBox {
    Vec3 low{0, 0, 0};
    Vec3 high{0, 0, 0};
};

/// What long steps need of a scene (core/long_steps.hd.h).
struct LongStepsView {
    Steps kind = Steps::plain;
    Vec3 pitch_mm;
    /// By axis: 1 / size_voxels if a path that leaves at one face enters at the opposite one, else 0.
    Vec3 inv_period;
    std::int32_t layer_axis = 0; ///< with Steps::layers, the normal of layers: the only box has no end along the others
    /// By brick, or a single entry for the whole volume; one such row per band where each band has its own paths. Of
    /// the two, the one for the number of bands on a path is set, the other is null.
    StepBrick<1> const* bricks_of_band = nullptr;
    StepBrick<3> const* bricks_of_three = nullptr;
    std::int32_t brick_count = 0;
    StepBox const* boxes = nullptr;
    std::uint32_t box_count = 0;
    std::uint32_t g_count = 0; ///< number of distinct g that have banks
    float g[kMaxBankedG] = {};
    BankView bank; ///< `outcomes` belongs to the samples being rendered
};

/// Below this throughput a path ends without radiance: the brightest light times it is a quarter of the film's unit
/// (2^-33 2^kSampleLog2), so a sample loses less than that. A path that other bands keep alive has none in this band.
inline constexpr float kInvisibleThroughput = 0x1p-33f;

struct RouletteView {
    float w_min = 0;                                 ///< 0: off
    float plays_below = 2.0f * kInvisibleThroughput; ///< nothing happens at or above: one test of most events
};

VOLPT_HD RouletteView make_roulette(float w_min)
{
    return {w_min, exact::max(w_min, 2.0f * kInvisibleThroughput)};
}

/// How light and film meet.
enum class Transport : std::uint32_t {
    escape = 0,        ///< paths from the film find light where they leave for the environment
    emitters = 1,      ///< they are also connected to emitters, and meet them (LitPath)
    particles = 2,     ///< paths from emitters (ParticlePath)
    tallies = 3,       ///< the same in a box, without a film: they add to tallies alone (TallyPath)
    bidirectional = 4, ///< a particle and a path from the film, which are joined (BidirectionalPath)
    metropolis = 5,    ///< such paths as proposals of Markov chains (WithChain)
};

VOLPT_HD constexpr bool starts_at_emitters(Transport transport)
{
    return transport == Transport::particles || transport == Transport::tallies;
}

/// Whether events of paths may ask for a ray (Stage::connecting).
VOLPT_HD constexpr bool has_connections(Transport transport)
{
    return transport == Transport::emitters || transport == Transport::particles ||
           transport == Transport::bidirectional || transport == Transport::metropolis;
}

struct TextureProbeView;

/// A medium that emits, for paths of the transports that have emitters (core/light/medium_emission.hd.h).
struct EmissionView {
    PlaneReader source; ///< radiance S by band; without a table the medium is dark
    // What particles begin with; of Transport::particles. Shares are cumulative and count 2^-32; an entry without
    // power has none.
    float choice = 0;                     ///< probability that a particle begins in the medium
    float power_per_rate = 0;             ///< 4 pi sr times the volume of a voxel, over LightsView::reference_power_w
    std::uint32_t brick_count = 0;        ///< bricks that emit
    std::int32_t const* bricks = nullptr; ///< their numbers
    std::uint32_t const* brick_shares = nullptr; ///< by entry of `bricks`
    std::uint32_t const* voxel_shares = nullptr; ///< [entry][Morton index], within the brick
};

/// Interfaces that differ over one mesh, of several solids or of faces under support: they replace scene.boundary.
struct SolidsView {
    BoundaryView const* boundaries = nullptr; ///< by solid; null: the scene's boundary is that of all
    std::uint32_t const* solid_of = nullptr;  ///< by number of the triangle
    std::uint32_t solid_count = 0;
    // Of solids that nest (core/surface/nested_solids.hd.h), whose media do not vary: the label of solid i is that of
    // voxel i of brick 0, which is no place.
    std::uint32_t const* around = nullptr; ///< by solid: 1 + the solid that it lies in, or 0; null: none nest
    float const* index_of = nullptr;       ///< of refraction, by region: outside of all solids, then by solid
};

/// Interfaces between materials of different index of refraction, at faces of voxels (core/voxel_flight.hd.h).
struct InterfacesView {
    float const* material_ior = nullptr; ///< [label]; null: there are none
    float ext_ior = 1;                   ///< outside of the box
    float margin = 0;                    ///< voxels, see kFaceMargin
};

/// Of multiple importance sampling (Veach 1997, 9.2): weights in proportion to densities, or to their squares; or all
/// weights 1, for a strategy that is looked at by itself.
enum class Heuristic : std::uint32_t { balance = 0, power = 1, none = 2 };

/// What Transport::bidirectional and metropolis weigh their strategies with.
struct StrategiesView {
    Heuristic heuristic = Heuristic::balance;
    /// Samples of each strategy that joins two vertices, per sample of the others: of a particle's vertices, each is
    /// joined to one.
    float join_share = 1;
    float mean_extinction_ratio = 1; ///< mean of sigma_t over its majorant in the box
    /// sigma_t of each brick (compute_brick_means), 1/mm, in the order of local_majorants; null where sigma_t is that
    /// of the majorant or of a region.
    float const* brick_sigma_t = nullptr;
};

/// Of Transport::metropolis. A sample of the film is a pass of `chains` chains.
struct MetropolisView {
    std::uint32_t chains = 1;    ///< of a pass; of each band, where a path has one band
    std::uint32_t mutations = 1; ///< steps of a chain
    std::uint32_t bootstrap = 1; ///< candidates for its first state
    std::uint32_t longest = 1;   ///< vertices of paths in chains, kMostLength at most
    float chain_share = 1;       ///< pixels / (chains mutations): what a step adds is this times its importance
};

/// Of AlbedoFilter; read with Extinction::any alone.
struct AlbedoLookupView {
    std::uint32_t on = 0; ///< 1: the albedo of a collision is that of a voxel drawn for it
    float jitter = 0;     ///< as MediumView::jitter
};

struct SceneView {
    MediumView medium;
    CameraView camera;
    EnvironmentView environment;
    BoundaryView boundary;
    FacesView faces;
    LongStepsView long_steps;
    std::uint64_t seed = 0;
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::uint32_t bands = 0;
    std::uint32_t path_bands = 1; ///< bands one path carries: 3 (grey RGB) or 1
    float inv_width = 0;          ///< 1 / width
    float inv_height = 0;         ///< 1 / height
    RouletteView roulette;
    std::uint32_t depth_limit = 0;             ///< 0: none
    std::uint32_t draws_before_stratified = 0; ///< count_draws_before_stratified; any gives the same expectation
    float sum_scale = 1;                       ///< a power of two, see fixed_point.hd.h
    SurfaceView surface;
    SurroundingsView surroundings;
    /// Of probes of a mesh, whose paths start at its texels (surface/texel_start.hd.h); else null.
    TextureProbeView const* texture_probe = nullptr;
    LensView lens;
    SolidsView solids; ///< read with Surfaces::surroundings alone
    Transport transport = Transport::escape;
    LightsView lights; ///< empty with Transport::escape
    TallyView tally;   ///< if it starts_at_emitters
    EmissionView emission;
    InterfacesView interfaces; ///< none with Transport::escape
    StrategiesView strategies;
    MetropolisView metropolis;
    AlbedoLookupView albedo_lookup; ///< off with Transport::escape
};

/// Whether there are sums to which particles add.
VOLPT_HD bool has_tally(SceneView const& scene)
{
    return scene.tally.energy_sums != nullptr;
}

VOLPT_HD bool has_interfaces(SceneView const& scene)
{
    return scene.interfaces.material_ior != nullptr;
}

} // namespace volpt
