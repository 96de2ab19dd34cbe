#include "libvolpt/scene/detectors/detector_tables.h"

#include "libvolpt/scene/camera_view.h"
#include "libvolpt/scene/detectors/surface_spot.h"
#include "libvolpt/scene/exact_trig.h"
#include "libvolpt/scene/light/emitter_shapes.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace volpt {
namespace {

// A weight is at most 1, except for gains by roulette: 2^37 particles in one cell of one group fit 64 bits.
constexpr float kWeightScale = 0x1p26f;
// In units of the box's diagonal: 2^35 particles whose paths are 16 diagonals long fit 64 bits.
constexpr int kLengthLog2 = 24;

/// Reach of rings along their normal, as a share of the box's size in this direction: more than positions are rounded.
constexpr double kPlaneReach = 0x1p-16;

[[noreturn]] void refuse(std::size_t number, DetectorSpec const& spec, std::string const& what, std::string const& fix)
{
    char const* const kind = spec.kind == DetectorKind::disc ? "disc" : "rings";
    fail_usage(fmt::format("detector {} ({}): {}", number, kind, what), fix);
}

void check_extent(std::size_t number, DetectorSpec const& spec, double index_outside)
{
    if (spec.kind == DetectorKind::disc && !(spec.radius_mm > 0))
        refuse(number, spec, fmt::format("its radius of {} mm is not above 0", spec.radius_mm), "give it a radius");
    if (spec.kind == DetectorKind::rings && !(spec.ring_width_mm > 0))
        refuse(number, spec, fmt::format("its rings of {} mm have no width", spec.ring_width_mm), "give them a width");
    if (spec.ring_count < 1 || spec.ring_count > kMostRings)
        refuse(number, spec, fmt::format("it has {} rings", spec.ring_count), fmt::format("give 1 to {}", kMostRings));
    if (!(spec.acceptance_deg > 0 && spec.acceptance_deg <= 90))
        refuse(number, spec, fmt::format("no light arrives within {} degrees", spec.acceptance_deg),
               "give an angle to its axis above 0 and up to 90");
    if (spec.numerical_aperture && !(*spec.numerical_aperture > 0 && *spec.numerical_aperture <= index_outside))
        refuse(number, spec,
               fmt::format("a numerical aperture of {} is not between 0 and the index outside, {}",
                           *spec.numerical_aperture, index_outside),
               "it is that index times the sine of the angle to the axis");
}

float find_least_cosine(DetectorSpec const& spec, double index_outside)
{
    if (!spec.numerical_aperture) return static_cast<float>(sine_cosine_of_degrees(spec.acceptance_deg).cosine);
    double const sine = *spec.numerical_aperture / index_outside;
    return static_cast<float>(std::sqrt(std::max(0.0, 1 - sine * sine)));
}

Vec3d find_beam_center_mm(std::size_t number, DetectorSpec const& spec, SceneView const& scene)
{
    LightsView const& lights = scene.lights;
    bool const is_one_beam =
        lights.count == 1 && lights.emitters[0].shape == EmitterShape::beam && !(lights.environment_choice > 0);
    if (!is_one_beam)
        refuse(number, spec, "it has no centre, and the scene's light is not one beam", "give center=x,y,z");
    auto const entry = find_entry_mm(scene, lights.emitters[0]);
    if (!entry)
        refuse(number, spec, "it has no centre, and the beam meets no surface from outside", "give center=x,y,z");
    return *entry;
}

Vec3d turn_into_world(Placement const& placement, Vec3d const& v)
{
    Vec3d world{};
    for (std::size_t row = 0; row < 3; ++row)
        for (std::size_t column = 0; column < 3; ++column)
            world[row] += placement.rotation[3 * row + column] * v[column];
    return world;
}

Vec3d place_in_world(Placement const& placement, Vec3d const& mm)
{
    Vec3d world = turn_into_world(placement, mm);
    for (std::size_t axis = 0; axis < 3; ++axis) world[axis] += placement.origin_world_mm[axis];
    return world;
}

double measure_thickness_mm(SceneView const& scene, Vec3d const& along)
{
    Vec3d const size = make_precise(scene.medium.size_voxels * scene.lights.pitch_mm);
    return std::abs(along[0]) * size[0] + std::abs(along[1]) * size[1] + std::abs(along[2]) * size[2];
}

} // namespace

DetectorTables::DetectorTables(std::span<DetectorSpec const> specs, SceneView const& scene, PackedVolume const& volume,
                               TallySpec const& tally, TallyIndices indices)
{
    if (specs.size() > kMostDetectors)
        fail_usage(fmt::format("there are {} detectors", specs.size()),
                   fmt::format("give at most {}; each is asked wherever light leaves", kMostDetectors));
    if (scene.transport == Transport::tallies)
        fail_usage("particles without a film pass detectors by", "render them with a film (particle_film)");
    double const diagonal_mm = measure_length(make_precise(scene.medium.size_voxels * scene.lights.pitch_mm));
    length_scale_ = std::ldexp(1.0f, kLengthLog2 - std::ilogb(diagonal_mm) - 1);
    name_materials(volume.materials());
    for (DetectorSpec spec : specs) {
        if (spec.gate_ns == 0 && tally.gate_ns > 0) {
            spec.gates = tally.gates;
            spec.gate_ns = tally.gate_ns;
        }
        add(spec, scene, volume.meta().placement, indices);
    }
}

void DetectorTables::add(DetectorSpec const& spec, SceneView const& scene, Placement const& placement,
                         TallyIndices indices)
{
    std::size_t const number = detectors_.size() + 1;
    check_extent(number, spec, indices.outside);
    bool const is_disc = spec.kind == DetectorKind::disc;
    if (is_disc && !spec.center_world) refuse(number, spec, "it has no centre", "give center=x,y,z");
    Vec3d const wanted_mm =
        spec.center_world ? place_in_box(placement, *spec.center_world) : find_beam_center_mm(number, spec, scene);
    SurfaceSpot const spot = find_nearest_spot(scene, wanted_mm);
    double const extent_mm = is_disc ? spec.radius_mm : spec.ring_width_mm;
    if (!(spot.distance_mm < extent_mm))
        refuse(
            number, spec,
            fmt::format("its centre is {:.6g} mm away from the surface of the volume, not less than its {} of {} mm: "
                        "no light leaves there",
                        spot.distance_mm, is_disc ? "radius" : "rings' width", extent_mm),
            "place it on the surface; volinfo shows where the volume lies");
    Vec3d outward = spot.outward;
    if (spec.direction_world) {
        Vec3d const turned = turn_into_box(placement, *spec.direction_world);
        double const length = measure_length(turned);
        if (!(length > 0))
            refuse(number, spec, "its direction has no length", "give the direction of light that leaves");
        outward = {turned[0] / length, turned[1] / length, turned[2] / length};
    }
    DetectorView& view = detectors_.emplace_back();
    // Rings lie on the surface; a disc may hover above it, as MCX's do.
    Vec3d const center_mm = is_disc ? wanted_mm : spot.position_mm;
    view.centre_mm = round_vector(center_mm);
    view.outward = round_vector(outward);
    view.ring_width_mm = static_cast<float>(extent_mm);
    view.reach_mm = static_cast<float>(is_disc ? 2 * extent_mm : kPlaneReach * measure_thickness_mm(scene, outward));
    view.rings = is_disc ? 1 : spec.ring_count;
    view.has_beyond = is_disc ? 0 : 1;
    view.least_cosine = find_least_cosine(spec, indices.outside);
    view.gates = spec.gates;
    view.gate_optical_mm = static_cast<float>(spec.gate_ns * kLightSpeed_mm_per_ns);
    view.first_cell = cells_;
    double const cells = 1.0 * cells_ + 1.0 * view.gates * (view.rings + view.has_beyond);
    if (cells > kMostDetectorCells)
        fail_system(fmt::format("{:.3g} cells of {} detectors are more than {}", cells, number, kMostDetectorCells),
                    "the detectors", "give fewer detectors, rings or gates");
    cells_ += count_detector_cells(view);
    DetectorSpec& placed = specs_.emplace_back(spec);
    placed.center_world = place_in_world(placement, center_mm);
    placed.direction_world = turn_into_world(placement, outward);
}

void DetectorTables::name_materials(std::vector<Material> const& materials)
{
    if (materials.size() < 2) {
        materials_ = {materials.empty() ? "medium" : materials.front().name};
        return;
    }
    std::size_t const count = std::min<std::size_t>(materials.size(), kMostDetectedMaterials);
    for (std::size_t i = 0; i < count; ++i) materials_.push_back(materials[i].name);
    if (materials.size() > count) materials_.back() = "others";
}

DetectorsView DetectorTables::view() const
{
    DetectorsView view;
    view.detectors = detectors_.data();
    view.count = static_cast<std::uint32_t>(detectors_.size());
    view.cells = cells_;
    view.materials = static_cast<std::uint32_t>(materials_.size());
    view.weight_scale = kWeightScale;
    view.length_scale = length_scale_;
    return view;
}

} // namespace volpt
