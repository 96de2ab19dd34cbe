// Solids as one mesh in a box, and the media within.
#include "formats/mitsuba/solids/solids.h"

#include "libvolpt/sys/error.h"
#include "libvolpt/volume/mesh/nesting/nested_labels.h"
#include "libvolpt/volume/mesh/nesting/nested_solids.h"
#include "libvolpt/volume/mesh/place_mesh.h"
#include "libvolpt/volume/mesh/solid_labels.h"
#include "libvolpt/volume/meta.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace volpt {
namespace {

constexpr std::size_t kMostSolids = 65000;

/// All solids; triangles of solid i are those from first[i] to first[i + 1] - 1.
struct JoinedSolids {
    TriangleMesh mesh;
    std::vector<std::uint32_t> first;
};

Vec3 to_single(MitsubaVector const& v)
{
    return {static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2])};
}

/// Unit normals, where a corner has none that of the triangle.
std::array<Vec3, 3> make_corner_normals(ShapeMesh const& mesh, std::size_t triangle)
{
    std::array<MitsubaVector, 3> p;
    for (std::size_t i = 0; i < 3; ++i) p[i] = mesh.positions[mesh.triangles[triangle][i]];
    MitsubaVector u{}, v{};
    for (std::size_t i = 0; i < 3; ++i) {
        u[i] = p[1][i] - p[0][i];
        v[i] = p[2][i] - p[0][i];
    }
    MitsubaVector own{u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
    double const length = std::hypot(own[0], own[1], own[2]);
    for (double& value : own) value = length > 0 ? value / length : 0;
    if (!(length > 0)) own = {0, 0, 1}; // refused later
    std::array<Vec3, 3> normals;
    for (std::size_t i = 0; i < 3; ++i) {
        MitsubaVector const given = mesh.normals.empty() ? own : mesh.normals[triangle][i];
        bool const is_unit = std::abs(std::hypot(given[0], given[1], given[2]) - 1) < 1e-4;
        normals[i] = to_single(is_unit ? given : own);
    }
    return normals;
}

JoinedSolids join_solids(std::vector<MitsubaSolid> const& solids)
{
    JoinedSolids joined;
    TriangleMesh& all = joined.mesh;
    bool const has_normals = std::ranges::any_of(solids, [](MitsubaSolid const& solid) {
        return solid.boundary.kind != BoundaryKind::none && !solid.mesh.normals.empty();
    });
    bool const has_uv = std::ranges::none_of(solids, [](MitsubaSolid const& solid) { return solid.mesh.uv.empty(); });
    if (solids.size() > kMostSolids)
        fail_input(fmt::format("{} shapes have a medium inside", solids.size()), solids[kMostSolids].where,
                   fmt::format("{} solids are possible", kMostSolids), "leave some out");
    for (MitsubaSolid const& solid : solids) {
        ShapeMesh const& mesh = solid.mesh;
        joined.first.push_back(static_cast<std::uint32_t>(all.triangles.size()));
        std::size_t const shift = all.positions_mm.size();
        if (shift + mesh.positions.size() > UINT32_MAX ||
            all.triangles.size() + mesh.triangles.size() > kMaxBvhTriangles)
            fail_input("too many triangles", solid.where, "about five hundred million are possible", "leave some out");
        for (MitsubaVector const& p : mesh.positions) all.positions_mm.push_back(to_single(p));
        for (auto const& t : mesh.triangles) {
            auto const by = static_cast<std::uint32_t>(shift);
            all.triangles.push_back({t[0] + by, t[1] + by, t[2] + by});
        }
        for (std::size_t t = 0; has_normals && t < mesh.triangles.size(); ++t)
            all.normals.push_back(make_corner_normals(mesh, t));
        for (std::size_t t = 0; has_uv && t < mesh.triangles.size(); ++t) {
            auto& uv = all.texture_coordinates.emplace_back();
            for (std::size_t i = 0; i < 3; ++i)
                uv[i] = {static_cast<float>(mesh.uv[t][i][0]), static_cast<float>(mesh.uv[t][i][1])};
        }
    }
    joined.first.push_back(static_cast<std::uint32_t>(all.triangles.size()));
    return joined;
}

/// Of a report in voxels.
std::string list_defects(MeshReport const& report, MeshBox const& box)
{
    std::vector<std::string> list;
    for (MeshFinding const& finding : report.findings) {
        if (!is_refused(finding.defect)) continue;
        std::string text = fmt::format("{}: {}", describe(finding.defect), finding.count);
        if (!finding.places.empty() && finding.places.front().triangle != kNoTriangle) {
            MeshPlace const& place = finding.places.front();
            auto const& origin = box.placement.origin_world_mm;
            auto const to_world = [&](float voxels, std::size_t axis) {
                return static_cast<float>(origin[axis] +
                                          static_cast<double>(voxels) * static_cast<double>(box.pitch_mm[axis]));
            };
            text += fmt::format(", the first one at {:g}, {:g}, {:g} mm", to_world(place.position_mm.x, 0),
                                to_world(place.position_mm.y, 1), to_world(place.position_mm.z, 2));
        }
        list.push_back(std::move(text));
    }
    return fmt::format("{}", fmt::join(list, "; "));
}

void check_solid(MitsubaSolid const& solid, TriangleMesh const& mesh, MeshBox const& box, int threads)
{
    MeshReport const report = check_mesh(mesh, threads);
    if (report.is_accepted()) return;
    fail_input(fmt::format("the {} bounds no solid: {}", solid.name, list_defects(report, box)), solid.where,
               "what is inside has to be certain for every ray",
               "mend it in a mesh editor; volprep MESH --check-mesh --json lists more places");
}

/// Of a shape that lies in no other.
void check_outermost(MitsubaSolid const& solid)
{
    if (solid.exterior != nullptr)
        fail_input(
            fmt::format("the exterior of the {} is the medium in another shape, but it lies in none", solid.name),
            solid.where, "what is between two surfaces has one medium",
            "move it into the shape that has the medium, or leave its exterior out");
}

using SolidPair = std::array<std::size_t, 2>;

[[noreturn]] void refuse_pair(std::vector<MitsubaSolid> const& solids, SolidPair pair, char const* what,
                              char const* why, char const* advice)
{
    std::ranges::sort(pair);
    MitsubaSolid const& a = solids[pair[0]];
    MitsubaSolid const& b = solids[pair[1]];
    fail_input(fmt::format("the {} and the {} {}", a.name, b.name, what), fmt::format("{} and {}", a.where, b.where),
               why, advice);
}

/// The first two that intersect or have triangles in common, each of them being a solid.
SolidPair find_overlap(PlacedMesh const& placed, std::vector<std::uint32_t> const& first)
{
    auto const find_solid = [&](std::uint32_t triangle) {
        return static_cast<std::size_t>(std::ranges::upper_bound(first, triangle) - first.begin()) - 1;
    };
    for (MeshFinding const& finding : placed.report.findings)
        for (MeshPlace const& place : finding.places) {
            if (!is_refused(finding.defect) || place.triangle == kNoTriangle || place.other == kNoTriangle) continue;
            if (find_solid(place.other) != find_solid(place.triangle))
                return {find_solid(place.triangle), find_solid(place.other)};
        }
    return {0, 1};
}

bool are_equal(BoundarySpec const& a, BoundarySpec const& b)
{
    bool const is_none = a.kind == BoundaryKind::none;
    return a.kind == b.kind && (is_none || (a.int_ior == b.int_ior && a.ext_ior == b.ext_ior && a.alpha == b.alpha &&
                                            a.microfacets == b.microfacets));
}

SolidBoundary make_boundary(BoundarySpec const& spec, std::uint32_t first_triangle)
{
    SolidBoundary boundary;
    boundary.first_triangle = first_triangle;
    boundary.kind = spec.kind;
    if (spec.kind == BoundaryKind::none) return boundary;
    boundary.int_ior = spec.int_ior;
    boundary.ext_ior = spec.ext_ior;
    if (spec.kind != BoundaryKind::rough) return boundary;
    boundary.microfacets = spec.microfacets;
    boundary.alpha = spec.alpha;
    return boundary;
}

Material make_solid_material(MitsubaMedium const& medium, SolidVolumeOptions const& options)
{
    Material material;
    material.name = medium.name;
    double const scale = options.scale.value_or(medium.scale);
    for (std::size_t band = 0; band < options.bands; ++band) {
        double const extinction = static_cast<double>(get_mitsuba_band(medium.extinction.constant, band));
        material.sigma_t.push_back(static_cast<float>(scale * extinction));
        material.one_minus_albedo.push_back(find_one_minus_albedo(medium, band));
    }
    material.g = static_cast<float>(options.g.value_or(medium.g));
    return material;
}

/// The stream of media within solids; its box is that of the mesh of all.
class SolidVolume final : public VoxelStream {
public:
    SolidVolume(std::vector<MitsubaSolid> const& solids, MitsubaSurroundings const& surroundings,
                SolidVolumeOptions const& options, std::string const& where, std::vector<std::string> notices,
                std::string hints)
        : notices_(std::move(notices))
    {
        scene_hints_json_ = std::move(hints);
        std::vector<std::uint32_t> const first = place(solids, options);
        std::vector<TriangleMesh> const parts = check_solids(solids, first, options.threads);
        bool const nests = !placed_.report.is_accepted();
        if (nests || !share_boundary(solids))
            for (std::size_t i = 0; i < solids.size(); ++i)
                boundaries_.push_back(make_boundary(solids[i].boundary, first[i]));
        surface_ = placed_.view();
        surface_.solids = boundaries_;
        meta_.dims = placed_.box.dims;
        meta_.pitch_mm = placed_.box.pitch_mm;
        meta_.placement = placed_.box.placement;
        if (std::string const found = find_extent_contradiction(meta_); !found.empty())
            fail_input(found, where, "no camera could see it", "correct the scale");
        std::vector<std::uint8_t> const labels = list_media(solids, options, where);
        if (!nests) std::ranges::for_each(solids, check_outermost);
        if (nests)
            nest_solids(solids, first, labels, options.threads);
        else if (materials_.size() == 1)
            fill_one_medium(solids[0].medium, options);
        else
            label_solids(solids, first, labels, options.threads);
        auto [shapes, emitters] = place_mitsuba_surroundings(surroundings, meta_, notices_, parts);
        surroundings_ = std::move(shapes);
        emitters_ = std::move(emitters);
    }

    VoxelSlab read_slab(int z_first, int z_count) override
    {
        if (labels_)
            labels_->read_layers(z_first, z_count, slab_labels_);
        else if (nested_labels_)
            nested_labels_->read_layers(z_first, z_count, slab_labels_);
        return {z_first, z_count, {}, {}, slab_labels_};
    }

    std::vector<std::string> list_notices() const override { return notices_; }

private:
    /// The first triangles of the solids, and their number.
    std::vector<std::uint32_t> place(std::vector<MitsubaSolid> const& solids, SolidVolumeOptions const& options)
    {
        JoinedSolids joined = join_solids(solids);
        MeshPlaceOptions how;
        how.bricks = options.bricks;
        how.enclosed = EnclosedComponents::allowed;
        how.threads = options.threads;
        placed_ = place_mesh(std::move(joined.mesh), how);
        return std::move(joined.first);
    }

    std::vector<TriangleMesh> check_solids(std::vector<MitsubaSolid> const& solids,
                                           std::vector<std::uint32_t> const& first, int threads) const
    {
        std::vector<TriangleMesh> parts;
        for (std::size_t i = 0; i < solids.size(); ++i) {
            parts.push_back(take_triangles(placed_.mesh, first[i], first[i + 1]));
            check_solid(solids[i], parts[i], placed_.box, threads);
        }
        if (placed_.report.is_accepted(EnclosedComponents::allowed)) return parts;
        refuse_pair(solids, find_overlap(placed_, first), "overlap",
                    "a point has one medium, and where surfaces cross or coincide, no path knows which",
                    "move them apart, or one into the other, or pack them one by one");
    }

    /// Materials, and the label of each solid.
    std::vector<std::uint8_t> list_media(std::vector<MitsubaSolid> const& solids, SolidVolumeOptions const& options,
                                         std::string const& where)
    {
        std::vector<std::uint8_t> labels;
        for (MitsubaSolid const& solid : solids) {
            Material material = make_solid_material(solid.medium, options);
            auto const found = std::ranges::find_if(materials_, [&](Material const& known) {
                return known.sigma_t == material.sigma_t && known.one_minus_albedo == material.one_minus_albedo &&
                       known.g == material.g;
            });
            if (found == materials_.end() && materials_.size() == static_cast<std::size_t>(kMaxMaterials))
                fail_input(fmt::format("the scene has more than {} different media", kMaxMaterials), where,
                           "a label is one byte", "leave some out");
            labels.push_back(static_cast<std::uint8_t>(found - materials_.begin()));
            if (found == materials_.end()) materials_.push_back(std::move(material));
        }
        meta_.band_numbers.resize(options.bands);
        for (std::size_t band = 0; band < options.bands; ++band)
            meta_.band_numbers[band] = static_cast<std::uint32_t>(band);
        meta_.constant_extinction.assign(options.bands, 1);
        meta_.constant_one_minus_albedo.assign(options.bands, 0);
        return labels;
    }

    void fill_one_medium(MitsubaMedium const& medium, SolidVolumeOptions const& options)
    {
        materials_.clear();
        for (std::size_t band = 0; band < options.bands; ++band) {
            meta_.constant_extinction[band] = get_mitsuba_band(medium.extinction.constant, band);
            meta_.constant_one_minus_albedo[band] = find_one_minus_albedo(medium, band);
        }
        meta_.scale = static_cast<float>(options.scale.value_or(medium.scale));
        meta_.g = static_cast<float>(options.g.value_or(medium.g));
    }

    void label_solids(std::vector<MitsubaSolid> const& solids, std::vector<std::uint32_t> const& first,
                      std::vector<std::uint8_t> const& labels, int threads)
    {
        take_materials();
        labels_.emplace(meta_.dims, placed_.mesh, std::span(first).first(solids.size()), labels, threads);
        if (auto const& shared = labels_->shared())
            refuse_pair(solids, {shared->first, shared->second},
                        "are too near one another for the voxels of their media", "a voxel has one medium",
                        "move them apart, give both the same medium, or make smaller voxels with --mesh-bricks, up to "
                        "256");
    }

    void take_materials()
    {
        meta_.extinction = meta_.albedo = meta_.anisotropy = Source::material;
        meta_.filter = Filter::nearest;
    }

    void nest_solids(std::vector<MitsubaSolid> const& solids, std::vector<std::uint32_t> const& first,
                     std::vector<std::uint8_t> const& labels, int threads)
    {
        if (solids.size() > kMaxNestedSolids)
            fail_input(fmt::format("{} shapes have a medium inside, and some lie in others", solids.size()),
                       solids[kMaxNestedSolids].where, fmt::format("{} solids may nest", kMaxNestedSolids),
                       "leave some out");
        take_materials();
        auto const around = find_solids_around(placed_.mesh, std::span(first).first(solids.size()));
        for (std::size_t i = 0; i < solids.size(); ++i) nesting_.push_back({around[i], labels[i]});
        check_between(solids);
        surface_.nesting = nesting_;
        surface_.volume_mm3 = measure_outer_volume_mm3(placed_.mesh, boundaries_, nesting_, placed_.box.pitch_mm);
        nested_labels_.emplace(meta_.dims, placed_.mesh, boundaries_, nesting_, threads);
    }

    /// What is between two surfaces is the same as seen from both.
    void check_between(std::vector<MitsubaSolid> const& solids)
    {
        for (std::size_t i = 0; i < solids.size(); ++i) {
            MitsubaSolid const& solid = solids[i];
            if (nesting_[i].around == 0) {
                check_outermost(solid);
                continue;
            }
            MitsubaSolid const& outer = solids[nesting_[i].around - 1];
            if (solid.exterior == nullptr && outer.interior != nullptr)
                notices_.push_back(fmt::format("the {} lies in the {}, whose medium is outside of it: in Mitsuba, a "
                                               "shape without that medium as its exterior has none there",
                                               solid.name, outer.name));
            else if (solid.exterior != outer.interior)
                fail_input(fmt::format("the {} lies in the {}, but its exterior is not the medium in there", solid.name,
                                       outer.name),
                           solid.where, "what is between two surfaces has one medium",
                           "give the medium in the one as the exterior of the other");
        }
        auto const wrong = find_index_mismatch(boundaries_, nesting_);
        if (!wrong) return;
        MitsubaSolid const& solid = solids[wrong->solid];
        MitsubaSolid const& outer = solids[wrong->around];
        fail_input(fmt::format("outside of the {} the index of refraction is {}, but {} in the {} around it",
                               solid.name, solid.boundary.ext_ior, outer.boundary.int_ior, outer.name),
                   solid.where, "an interface has the indices of both its sides",
                   fmt::format("give its bsdf ext_ior {}", outer.boundary.int_ior));
    }

    PlacedMesh placed_;
    std::vector<SolidBoundary> boundaries_;
    std::vector<SolidNesting> nesting_; ///< empty unless solids lie in others
    std::optional<SolidLabels> labels_;
    std::optional<NestedLabels> nested_labels_;
    std::vector<std::uint8_t> slab_labels_;
    std::vector<std::string> notices_;
};

} // namespace

bool share_boundary(std::span<MitsubaSolid const> solids)
{
    return std::ranges::all_of(
        solids, [&](MitsubaSolid const& solid) { return are_equal(solid.boundary, solids[0].boundary); });
}

std::unique_ptr<VoxelStream> make_solid_volume(std::vector<MitsubaSolid> solids,
                                               MitsubaSurroundings const& surroundings,
                                               SolidVolumeOptions const& options, std::string const& where,
                                               std::vector<std::string> notices, std::string scene_hints_json)
{
    return std::make_unique<SolidVolume>(solids, surroundings, options, where, std::move(notices),
                                         std::move(scene_hints_json));
}

} // namespace volpt
