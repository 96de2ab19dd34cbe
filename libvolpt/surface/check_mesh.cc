#include "libvolpt/surface/check_mesh.h"

#include "libvolpt/surface/exact_predicates.h"
#include "libvolpt/surface/mesh_topology.h"
#include "libvolpt/surface/self_intersections.h"
#include "libvolpt/sys/parallel.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace volpt {
namespace {

constexpr std::size_t kTrianglesPerPiece = 1 << 16;

bool is_finite_point(Vec3 p)
{
    return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z);
}

/// Findings while they are collected; a report has them in the order of MeshDefect.
class Findings {
public:
    void add(MeshDefect defect, MeshPlace const& place)
    {
        MeshFinding& finding = get(defect);
        ++finding.count;
        if (finding.places.size() < kMaxMeshPlaces) finding.places.push_back(place);
    }

    MeshFinding& get(MeshDefect defect)
    {
        auto const at = std::lower_bound(all_.begin(), all_.end(), defect,
                                         [](MeshFinding const& a, MeshDefect b) { return a.defect < b; });
        if (at != all_.end() && at->defect == defect) return *at;
        return *all_.insert(at, {defect, 0, {}});
    }

    std::vector<MeshFinding> take() { return std::move(all_); }

private:
    std::vector<MeshFinding> all_;
};

/// What keeps everything else from being looked for.
bool check_vertices(TriangleMesh const& mesh, Findings& findings)
{
    if (mesh.triangles.empty()) {
        ++findings.get(MeshDefect::no_triangles).count;
        return false;
    }
    bool is_sound = true;
    for (std::uint32_t i = 0; i < mesh.triangles.size(); ++i) {
        auto const& t = mesh.triangles[i];
        auto const in_range = [&](std::uint32_t corner) { return corner < mesh.positions_mm.size(); };
        if (!std::all_of(t.begin(), t.end(), in_range)) {
            findings.add(MeshDefect::index_out_of_range, {i, kNoTriangle, {}});
            is_sound = false;
        } else if (!std::all_of(t.begin(), t.end(), [&](auto v) { return is_finite_point(mesh.positions_mm[v]); })) {
            findings.add(MeshDefect::not_finite, {i, kNoTriangle, {}});
            is_sound = false;
        }
    }
    return is_sound;
}

std::vector<std::uint8_t> find_degenerate(TriangleMesh const& mesh, int threads)
{
    std::size_t const count = mesh.triangles.size();
    std::vector<std::uint8_t> is_degenerate(count);
    parallel_for(threads, (count + kTrianglesPerPiece - 1) / kTrianglesPerPiece, [&](std::size_t piece) {
        std::size_t const end = std::min(count, (piece + 1) * kTrianglesPerPiece);
        for (std::size_t i = piece * kTrianglesPerPiece; i < end; ++i) {
            auto const& t = mesh.triangles[i];
            is_degenerate[i] =
                are_collinear(mesh.positions_mm[t[0]], mesh.positions_mm[t[1]], mesh.positions_mm[t[2]]) ? 1 : 0;
        }
    });
    return is_degenerate;
}

/// Sets area, bounds and vertices of the report.
void measure_surface(TriangleMesh const& mesh, MeshReport& report)
{
    std::vector<bool> is_used(mesh.positions_mm.size());
    BoundingBox& bounds = report.bounds;
    for (auto const& t : mesh.triangles) {
        report.area_mm2 += measure_area(mesh.positions_mm[t[0]], mesh.positions_mm[t[1]], mesh.positions_mm[t[2]]);
        for (std::uint32_t const vertex : t) {
            Vec3 const p = mesh.positions_mm[vertex];
            bounds.lower = {std::min(bounds.lower.x, p.x), std::min(bounds.lower.y, p.y),
                            std::min(bounds.lower.z, p.z)};
            bounds.upper = {std::max(bounds.upper.x, p.x), std::max(bounds.upper.y, p.y),
                            std::max(bounds.upper.z, p.z)};
            is_used[vertex] = true;
        }
    }
    report.vertices = static_cast<std::uint64_t>(std::count(is_used.begin(), is_used.end(), true));
}

void check_edges(TriangleMesh const& mesh, MeshTopology const& topology, Findings& findings)
{
    for (OddEdge const& edge : topology.odd_edges) {
        MeshDefect const defect = edge.balance == 0    ? MeshDefect::non_manifold_edge
                                  : edge.uses % 2 == 0 ? MeshDefect::misoriented_edge
                                                       : MeshDefect::open_edge;
        Vec3 const a = mesh.positions_mm[edge.vertices[0]];
        Vec3 const b = mesh.positions_mm[edge.vertices[1]];
        findings.add(defect, {edge.triangle, kNoTriangle, 0.5f * a + 0.5f * b});
    }
}

void check_orientation(TriangleMesh const& mesh, Bvh const& bvh, MeshTopology const& topology,
                       std::vector<double> const& volumes, int threads, Findings& findings)
{
    Enclosures enclosures{std::vector<int>(volumes.size(), 0)};
    if (volumes.size() > 1) enclosures = find_enclosures(mesh, bvh, topology.component_of, volumes.size(), threads);
    if (!enclosures.is_complete) {
        findings.get(MeshDefect::unchecked).count = mesh.triangles.size();
        return;
    }
    std::uint32_t next = 0;
    for (std::uint32_t i = 0; i < mesh.triangles.size() && next < volumes.size(); ++i) {
        std::uint32_t const component = topology.component_of[i];
        if (component != next) continue; // components are numbered by their first triangles
        ++next;
        if (topology.is_closed[component] == 0) continue;
        MeshPlace const place{i, kNoTriangle, mesh.positions_mm[mesh.triangles[i][0]]};
        bool const is_enclosed = enclosures.of_component[component] > 0;
        if (volumes[component] < 0) findings.add(is_enclosed ? MeshDefect::cavity : MeshDefect::inverted, place);
        if (volumes[component] > 0 && is_enclosed) findings.add(MeshDefect::enclosed, place);
    }
}

void check_overlaps(TriangleMesh const& mesh, Bvh const& bvh, int threads, Findings& findings)
{
    auto const place_at = [&](std::uint32_t triangle, std::uint32_t other) {
        return MeshPlace{triangle, other, mesh.positions_mm[mesh.triangles[triangle][0]]};
    };
    std::vector<std::uint8_t> is_left_out = find_degenerate(mesh, threads);
    for (std::uint32_t i = 0; i < is_left_out.size(); ++i) {
        if (is_left_out[i] != 0) findings.add(MeshDefect::degenerate, place_at(i, kNoTriangle));
    }
    for (CoincidentTriangle const& found : find_coincident_triangles(mesh, threads)) {
        findings.add(found.is_opposite ? MeshDefect::coincident_opposite : MeshDefect::coincident,
                     place_at(found.triangle, found.first));
        is_left_out[found.triangle] = 1; // it intersects what the first one does
    }
    SelfIntersections const crossing = find_self_intersections(mesh, bvh, is_left_out, kMaxMeshPlaces, threads);
    if (!crossing.is_complete) findings.get(MeshDefect::unchecked).count = mesh.triangles.size();
    if (crossing.count == 0) return;
    MeshFinding& finding = findings.get(MeshDefect::self_intersection);
    finding.count = crossing.count;
    for (auto const& [triangle, other] : crossing.pairs) finding.places.push_back(place_at(triangle, other));
}

/// `get_bvh` is called where corners are known to be sound.
template <typename GetBvh>
MeshReport find_defects(TriangleMesh const& mesh, int threads, GetBvh const& get_bvh)
{
    MeshReport report;
    report.triangles = mesh.triangles.size();
    Findings findings;
    if (check_vertices(mesh, findings)) {
        MeshTopology const topology = find_topology(mesh, threads);
        report.edges = topology.edges;
        report.components = static_cast<std::uint32_t>(topology.is_closed.size());
        measure_surface(mesh, report);
        std::vector<double> const volumes = measure_volumes(mesh, topology);
        report.volume_mm3 = std::accumulate(volumes.begin(), volumes.end(), 0.0);
        check_edges(mesh, topology, findings);
        Bvh const& bvh = get_bvh();
        check_orientation(mesh, bvh, topology, volumes, threads, findings);
        check_overlaps(mesh, bvh, threads, findings);
    }
    report.findings = findings.take();
    return report;
}

} // namespace

bool is_refused(MeshDefect defect)
{
    return defect < MeshDefect::non_manifold_edge;
}

std::string_view describe(MeshDefect defect)
{
    switch (defect) {
    case MeshDefect::no_triangles:
        return "no triangles";
    case MeshDefect::index_out_of_range:
        return "triangles with a vertex that is not there";
    case MeshDefect::not_finite:
        return "triangles with a vertex that is not a number or infinite";
    case MeshDefect::degenerate:
        return "degenerate triangles (zero area)";
    case MeshDefect::open_edge:
        return "open edges";
    case MeshDefect::misoriented_edge:
        return "edges between triangles of inconsistent orientation";
    case MeshDefect::coincident:
        return "triangles that are there twice";
    case MeshDefect::coincident_opposite:
        return "triangles that are there a second time, facing the other way";
    case MeshDefect::self_intersection:
        return "pairs of triangles that intersect";
    case MeshDefect::inverted:
        return "components that are inside out";
    case MeshDefect::enclosed:
        return "components inside the solid of another";
    case MeshDefect::unchecked:
        return "triangles, of which some are near too many others for all pairs to be tested";
    case MeshDefect::non_manifold_edge:
        return "non-manifold edges (closed, more than two triangles)";
    case MeshDefect::cavity:
        return "cavities";
    }
    return "";
}

bool MeshReport::is_accepted(EnclosedComponents enclosed) const
{
    return std::none_of(findings.begin(), findings.end(), [&](MeshFinding const& f) {
        return is_refused(f.defect) && !(f.defect == MeshDefect::enclosed && enclosed == EnclosedComponents::allowed);
    });
}

MeshFinding const* MeshReport::find(MeshDefect defect) const
{
    auto const at =
        std::find_if(findings.begin(), findings.end(), [&](MeshFinding const& f) { return f.defect == defect; });
    return at == findings.end() ? nullptr : &*at;
}

MeshReport check_mesh(TriangleMesh const& mesh, int threads, Bvh* bvh)
{
    if (bvh != nullptr) *bvh = {};
    Bvh own;
    return find_defects(mesh, threads, [&]() -> Bvh const& {
        Bvh& built = bvh != nullptr ? *bvh : own;
        built = build_bvh(mesh, {BvhNodeOrder::pre_order, threads});
        return built;
    });
}

MeshReport check_mesh_by_bvh(TriangleMesh const& mesh, int threads, Bvh const& bvh)
{
    return find_defects(mesh, threads, [&]() -> Bvh const& { return bvh; });
}

} // namespace volpt
