#include "libvolpt/volume/mesh/mesh_sections.h"

#include "libvolpt/core/scene_view.hd.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/volume/checked_sections.h"
#include "libvolpt/volume/medium_ranges.h"
#include "libvolpt/volume/mesh/mesh_clearance.h"
#include "libvolpt/volume/mesh/nesting/nested_solids.h"
#include "libvolpt/volume/mesh/place_mesh.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace volpt {
namespace {

static_assert(sizeof(Vec3) == 12 && sizeof(TextureCoordinates) == 8, "stored as they are");

constexpr std::uint32_t kFirstMeshMajor = 2;
constexpr std::uint32_t kFirstSolidsMajor = 3;
constexpr std::uint32_t kFirstSupportMajor = 4;
constexpr std::uint32_t kFirstNestingMajor = 7;
/// Of a normal's squared length.
constexpr float kNormalTolerance = 1e-3f;

std::string name_section(SectionedFile const& file, std::string_view section)
{
    return fmt::format("{}: section '{}'", file.path().string(), section);
}

bool is_inside(Vec3 p, BoundingBox const& box)
{
    return p.x >= box.lower.x && p.x <= box.upper.x && p.y >= box.lower.y && p.y <= box.upper.y && p.z >= box.lower.z &&
           p.z <= box.upper.z;
}

Vec3 to_vector(std::array<float, 3> const& v)
{
    return {v[0], v[1], v[2]};
}

void check_record(SectionedFile const& file, vpk::MeshRecord const& record, VolumeMeta const& meta)
{
    if (record.triangles == 0 || record.triangles > kMaxBvhTriangles || record.vertices == 0 ||
        record.vertices > 3 * std::uint64_t{record.triangles})
        refuse_section(file, vpk::kMesh, 0,
                       fmt::format("{} vertices and {} triangles", record.vertices, record.triangles));
    for (std::size_t axis = 0; axis < 3; ++axis) {
        float const lower = record.lower_voxels[axis], upper = record.upper_voxels[axis];
        if (!(lower >= 0 && lower <= upper && upper <= static_cast<float>(meta.dims[axis])))
            refuse_section(file, vpk::kMesh, offsetof(vpk::MeshRecord, lower_voxels),
                           fmt::format("the mesh reaches from {} to {} along {}, the box has {} voxels", lower, upper,
                                       "xyz"[axis], meta.dims[axis]));
    }
    for (double const figure : {record.volume_mm3, record.area_mm2})
        if (!(std::isfinite(figure) && figure >= 0))
            refuse_section(file, vpk::kMesh, offsetof(vpk::MeshRecord, volume_mm3), "a figure is not finite");
}

void check_vertices(SectionedFile const& file, SurfaceMeshView const& mesh)
{
    auto const wrong = std::ranges::find_if_not(
        mesh.vertices_voxels, [&](Vec3 const& vertex) { return is_inside(vertex, mesh.bounds_voxels); });
    if (wrong == mesh.vertices_voxels.end()) return;
    auto const vertex = static_cast<std::size_t>(wrong - mesh.vertices_voxels.begin());
    refuse_section(file, vpk::kMeshVertices, vertex * sizeof(Vec3),
                   fmt::format("vertex {} is not finite or outside the mesh's bounds", vertex));
}

void check_triangles(SectionedFile const& file, SurfaceMeshView const& mesh)
{
    std::size_t const vertices = mesh.vertices_voxels.size();
    auto const wrong = std::ranges::find_if(mesh.triangles, [&](auto const& corners) {
        return std::max({corners[0], corners[1], corners[2]}) >= vertices;
    });
    if (wrong == mesh.triangles.end()) return;
    auto const triangle = static_cast<std::size_t>(wrong - mesh.triangles.begin());
    refuse_section(
        file, vpk::kMeshTriangles, triangle * sizeof(*wrong),
        fmt::format("triangle {} names vertex {}, there are {}", triangle, std::ranges::max(*wrong), vertices));
}

std::span<BvhNode const> read_nodes(SectionedFile const& file)
{
    std::uint64_t const size_bytes = file.section(vpk::kMeshBvh).size();
    if (size_bytes % sizeof(BvhNode) != 0)
        refuse_section(file, vpk::kMeshBvh, 0, fmt::format("its {} bytes are not a whole number of nodes", size_bytes));
    return read_array<BvhNode>(file, vpk::kMeshBvh, size_bytes / sizeof(BvhNode));
}

TriangleMesh copy_mesh(SurfaceMeshView const& mesh)
{
    return {{mesh.vertices_voxels.begin(), mesh.vertices_voxels.end()},
            {mesh.triangles.begin(), mesh.triangles.end()},
            {},
            {},
            {}};
}

// Numbers of the file.
static_assert(static_cast<int>(BoundaryKindView::none) == 0 && static_cast<int>(BoundaryKindView::smooth) == 1 &&
              static_cast<int>(BoundaryKindView::rough) == 2);
static_assert(static_cast<int>(MicrofacetsView::single) == 0 && static_cast<int>(MicrofacetsView::multiple) == 1);

std::string find_boundary_problem(SolidBoundary const& solid)
{
    if (solid.kind > BoundaryKindView::rough || solid.microfacets > MicrofacetsView::multiple || solid.reserved != 0)
        return "is of an unknown kind";
    if (!kIorRange.contains(solid.int_ior) || !kIorRange.contains(solid.ext_ior))
        return "has an index not in " + describe_range(kIorRange);
    return kAlphaRange.contains(solid.alpha) ? "" : "has an alpha not in " + describe_range(kAlphaRange);
}

std::span<SolidBoundary const> read_solids(SectionedFile const& file, std::uint32_t triangles)
{
    if (!file.has(vpk::kMeshSolids)) return {};
    if (file.version() >> 16 < kFirstSolidsMajor)
        refuse_section(file, vpk::kMeshSolids, 0, "a file of version 2 has none: its readers would not render them");
    std::uint64_t const size_bytes = file.section(vpk::kMeshSolids).size();
    if (size_bytes % sizeof(SolidBoundary) != 0 || size_bytes == 0)
        refuse_section(file, vpk::kMeshSolids, 0,
                       fmt::format("its {} bytes are not a whole number of solids", size_bytes));
    auto const solids = read_array<SolidBoundary>(file, vpk::kMeshSolids, size_bytes / sizeof(SolidBoundary));
    for (std::size_t i = 0; i < solids.size(); ++i) {
        bool const ascends =
            i == 0 ? solids[i].first_triangle == 0 : solids[i].first_triangle > solids[i - 1].first_triangle;
        if (!ascends || solids[i].first_triangle >= triangles)
            refuse_section(file, vpk::kMeshSolids, i * sizeof(SolidBoundary),
                           fmt::format("solid {} begins with triangle {}", i, solids[i].first_triangle));
        if (std::string const problem = find_boundary_problem(solids[i]); !problem.empty())
            refuse_section(file, vpk::kMeshSolids, i * sizeof(SolidBoundary),
                           fmt::format("the boundary of solid {} {}", i, problem));
    }
    return solids;
}

std::uint32_t read_support(SectionedFile const& file, std::uint32_t triangles)
{
    if (!file.has(vpk::kMeshSupport)) return 0;
    if (file.version() >> 16 < kFirstSupportMajor)
        refuse_section(file, vpk::kMeshSupport, 0, "a file of version 3 has none: its readers would not render it");
    if (file.has(vpk::kMeshSolids))
        refuse_section(file, vpk::kMeshSupport, 0, "the mesh has solids with boundaries of their own as well");
    auto const supported = read_record<std::uint32_t>(file, vpk::kMeshSupport);
    if (supported == 0 || supported > triangles)
        refuse_section(file, vpk::kMeshSupport, 0,
                       fmt::format("{} of {} triangles are under support", supported, triangles));
    return supported;
}

/// What solids that nest need of the volume.
std::string find_medium_problem(VolumeMeta const& meta)
{
    if (meta.extinction != Source::material || meta.albedo != Source::material)
        return "solids lie in others, but extinction and albedo are not those of materials";
    return meta.has_emission ? "solids lie in others, and the medium emits" : "";
}

std::span<SolidNesting const> read_nesting(SectionedFile const& file, std::span<SolidBoundary const> solids,
                                           VolumeMeta const& meta, std::size_t materials)
{
    if (!file.has(vpk::kMeshNesting)) return {};
    if (file.version() >> 16 < kFirstNestingMajor)
        refuse_section(file, vpk::kMeshNesting, 0, "a file of version 6 has none: its readers would not render them");
    auto const nesting = read_array<SolidNesting>(file, vpk::kMeshNesting, solids.size());
    for (std::string const& problem : {find_medium_problem(meta), find_nesting_problem(solids, nesting, materials)})
        if (!problem.empty()) refuse_section(file, vpk::kMeshNesting, 0, problem);
    return nesting;
}

/// No vertex belongs to two solids, so that each is closed by itself.
void check_solids_apart(SectionedFile const& file, SurfaceMeshView const& mesh)
{
    constexpr std::uint32_t kNoOne = 0xffffffffu;
    std::vector<std::uint32_t> owner(mesh.vertices_voxels.size(), kNoOne);
    std::uint32_t solid = 0;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        if (solid + 1 < mesh.solids.size() && mesh.solids[solid + 1].first_triangle == t) ++solid;
        for (std::uint32_t const vertex : mesh.triangles[t]) {
            if (owner[vertex] == kNoOne) owner[vertex] = solid;
            if (owner[vertex] != solid)
                refuse_section(file, vpk::kMeshSolids, solid * sizeof(SolidBoundary),
                               fmt::format("solids {} and {} share vertex {}", owner[vertex], solid, vertex));
        }
    }
}

void check_corner_values(SectionedFile const& file, SurfaceMeshView const& mesh)
{
    for (std::size_t i = 0; i < mesh.normals.size(); ++i)
        for (Vec3 const& normal : mesh.normals[i])
            if (!(std::abs(dot(normal, normal) - 1.0f) <= kNormalTolerance))
                refuse_section(file, vpk::kMeshNormals, i * sizeof(mesh.normals[i]),
                               fmt::format("a normal of triangle {} has not the length 1", i));
    for (std::size_t i = 0; i < mesh.texture_coordinates.size(); ++i)
        for (TextureCoordinates const& at : mesh.texture_coordinates[i])
            if (!std::isfinite(at.u) || !std::isfinite(at.v))
                refuse_section(file, vpk::kMeshUv, i * sizeof(mesh.texture_coordinates[i]),
                               fmt::format("a texture coordinate of triangle {} is not finite", i));
}

bool are_equal(Vec3 a, Vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/// Each is a solid by itself, and lies where the file says.
void check_nesting(SectionedFile const& file, SurfaceMeshView const& mesh, TriangleMesh const& copy, int threads)
{
    std::vector<std::uint32_t> first;
    for (SolidBoundary const& solid : mesh.solids) first.push_back(solid.first_triangle);
    for (std::size_t i = 0; i < first.size(); ++i) {
        auto const end = i + 1 < first.size() ? first[i + 1] : static_cast<std::uint32_t>(copy.triangles.size());
        if (!check_mesh(take_triangles(copy, first[i], end), threads).is_accepted())
            refuse_section(file, vpk::kMeshTriangles, 0, fmt::format("solid {} is none by itself", i));
    }
    std::vector<std::uint32_t> const around = find_solids_around(copy, first);
    for (std::size_t i = 0; i < around.size(); ++i)
        if (around[i] != mesh.nesting[i].around)
            refuse_section(file, vpk::kMeshNesting, i * sizeof(SolidNesting),
                           fmt::format("solid {} lies in {}, not in {} (0: in none, 1: in solid 0)", i, around[i],
                                       mesh.nesting[i].around));
}

/// Against what check_mesh finds.
void check_figures(SectionedFile const& file, SurfaceMeshView const& mesh, MeshReport report, TriangleMesh const& copy,
                   std::array<float, 3> const& pitch_mm)
{
    bool const nests = !mesh.nesting.empty();
    for (MeshFinding const& finding : report.findings)
        if (is_refused(finding.defect) && !(nests && finding.defect == MeshDefect::enclosed))
            refuse_section(file, vpk::kMeshTriangles, 0,
                           fmt::format("the mesh bounds no solid: {}: {}", describe(finding.defect), finding.count));
    scale_figures(report, copy, pitch_mm);
    if (nests) report.volume_mm3 = measure_outer_volume_mm3(copy, mesh.solids, mesh.nesting, pitch_mm);
    if (report.vertices != mesh.vertices_voxels.size())
        refuse_section(
            file, vpk::kMeshVertices, 0,
            fmt::format("triangles use {} of its {} vertices", report.vertices, mesh.vertices_voxels.size()));
    if (report.volume_mm3 != mesh.volume_mm3 || report.area_mm2 != mesh.area_mm2 ||
        !are_equal(report.bounds.lower, mesh.bounds_voxels.lower) ||
        !are_equal(report.bounds.upper, mesh.bounds_voxels.upper))
        refuse_section(
            file, vpk::kMesh, 0,
            fmt::format("volume {} mm3, area {} mm2 or the bounds are not those of the mesh, {} mm3 and {} mm2",
                        mesh.volume_mm3, mesh.area_mm2, report.volume_mm3, report.area_mm2));
}

void check_mesh_clearance(SectionedFile const& file, SurfaceMeshView const& mesh, VolumeMeta const& meta, int threads)
{
    auto const triangles = gather_leaf_triangles(mesh.vertices_voxels, mesh.triangles, mesh.bvh_order, threads);
    std::vector<float> const due_mm = compute_mesh_clearance_mm(
        {mesh.bvh_nodes.data(), triangles.data(), mesh.bounds_voxels, 0}, get_voxel_grid(meta), threads);
    auto const wrong = std::ranges::mismatch(mesh.clearance_mm, due_mm, [](float a, float b) {
                           return bits_from_float(a) == bits_from_float(b);
                       }).in1;
    if (wrong == mesh.clearance_mm.end()) return;
    auto const brick = static_cast<std::size_t>(wrong - mesh.clearance_mm.begin());
    refuse_section(
        file, vpk::kMeshClearance, sizeof(float) * brick,
        fmt::format("the clearance of brick {} is {} mm, but {} mm by the mesh", brick, *wrong, due_mm[brick]));
}

} // namespace

void write_mesh_sections(SectionedWriter& writer, SurfaceMeshView const& mesh, VolumeMeta const& meta,
                         std::size_t materials)
{
    BoundingBox const& bounds = mesh.bounds_voxels;
    vpk::MeshRecord const record{static_cast<std::uint32_t>(mesh.vertices_voxels.size()),
                                 static_cast<std::uint32_t>(mesh.triangles.size()),
                                 {bounds.lower.x, bounds.lower.y, bounds.lower.z},
                                 {bounds.upper.x, bounds.upper.y, bounds.upper.z},
                                 mesh.volume_mm3,
                                 mesh.area_mm2,
                                 {}};
    writer.write_section(vpk::kMesh, std::as_bytes(std::span(&record, 1)));
    writer.write_section(vpk::kMeshVertices, std::as_bytes(mesh.vertices_voxels));
    writer.write_section(vpk::kMeshTriangles, std::as_bytes(mesh.triangles));
    if (!mesh.normals.empty()) writer.write_section(vpk::kMeshNormals, std::as_bytes(mesh.normals));
    if (!mesh.texture_coordinates.empty()) writer.write_section(vpk::kMeshUv, std::as_bytes(mesh.texture_coordinates));
    writer.write_section(vpk::kMeshBvh, std::as_bytes(mesh.bvh_nodes));
    writer.write_section(vpk::kMeshOrder, std::as_bytes(mesh.bvh_order));
    writer.write_section(vpk::kMeshClearance, std::as_bytes(mesh.clearance_mm));
    bool const has_support = mesh.supported_triangles > 0;
    if (mesh.supported_triangles > mesh.triangles.size() || (has_support && !mesh.solids.empty()))
        fail_usage("faces under support are more than there are, or those of several solids");
    if (!mesh.solids.empty()) writer.write_section(vpk::kMeshSolids, std::as_bytes(mesh.solids));
    if (has_support) writer.write_section(vpk::kMeshSupport, std::as_bytes(std::span(&mesh.supported_triangles, 1)));
    if (mesh.nesting.empty()) return;
    for (std::string const& problem :
         {find_medium_problem(meta), find_nesting_problem(mesh.solids, mesh.nesting, materials)})
        if (!problem.empty()) fail_usage(problem);
    writer.write_section(vpk::kMeshNesting, std::as_bytes(mesh.nesting));
}

SurfaceMeshView read_mesh_sections(SectionedFile const& file, VolumeMeta const& meta, std::size_t materials)
{
    if (file.version() >> 16 < kFirstMeshMajor) {
        if (file.has(vpk::kMesh))
            refuse_section(file, vpk::kMesh, 0, "a file of version 1 has no mesh: its readers would render the box");
        return {};
    }
    bool const has_other_content = file.has(vpk::kSurroundings) || file.has(vpk::kEmitters) ||
                                   file.has(vpk::kEmission.table) || meta.albedo_filter != AlbedoFilter::of_scattering;
    if (!file.has(vpk::kMesh) && has_other_content) return {};
    auto const record = read_record<vpk::MeshRecord>(file, vpk::kMesh);
    check_record(file, record, meta);
    SurfaceMeshView mesh;
    mesh.bounds_voxels = {to_vector(record.lower_voxels), to_vector(record.upper_voxels)};
    mesh.volume_mm3 = record.volume_mm3;
    mesh.area_mm2 = record.area_mm2;
    mesh.vertices_voxels = read_array<Vec3>(file, vpk::kMeshVertices, record.vertices);
    mesh.triangles = read_array<std::array<std::uint32_t, 3>>(file, vpk::kMeshTriangles, record.triangles);
    if (file.has(vpk::kMeshNormals))
        mesh.normals = read_array<std::array<Vec3, 3>>(file, vpk::kMeshNormals, record.triangles);
    if (file.has(vpk::kMeshUv))
        mesh.texture_coordinates = read_array<std::array<TextureCoordinates, 3>>(file, vpk::kMeshUv, record.triangles);
    mesh.bvh_nodes = read_nodes(file);
    mesh.bvh_order = read_array<std::uint32_t>(file, vpk::kMeshOrder, record.triangles);
    mesh.clearance_mm = read_array<float>(file, vpk::kMeshClearance, count_bricks(meta));
    mesh.solids = read_solids(file, record.triangles);
    mesh.supported_triangles = read_support(file, record.triangles);
    mesh.nesting = read_nesting(file, mesh.solids, meta, materials);
    check_vertices(file, mesh);
    check_triangles(file, mesh);
    validate_bvh_links(mesh.bvh_nodes, mesh.bvh_order, name_section(file, vpk::kMeshBvh));
    return mesh;
}

void check_mesh_contents(SectionedFile const& file, SurfaceMeshView const& mesh, VolumeMeta const& meta, int threads)
{
    check_corner_values(file, mesh);
    if (!mesh.solids.empty()) check_solids_apart(file, mesh);
    TriangleMesh const copy = copy_mesh(mesh);
    Bvh const bvh{{mesh.bvh_nodes.begin(), mesh.bvh_nodes.end()},
                  {mesh.bvh_order.begin(), mesh.bvh_order.end()},
                  mesh.bounds_voxels,
                  0};
    validate_bvh({bvh.nodes, bvh.order, bvh.bounds, bvh.root}, copy, name_section(file, vpk::kMeshBvh));
    if (!mesh.nesting.empty()) check_nesting(file, mesh, copy, threads);
    check_figures(file, mesh, check_mesh_by_bvh(copy, threads, bvh), copy, meta.pitch_mm);
    check_mesh_clearance(file, mesh, meta, threads);
}

} // namespace volpt
