#include "tools/volprep/mesh_source.h"

#include "formats/mesh/reader.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/volume/mesh/mesh_volume.h"
#include "tools/volprep/mesh_report.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace volpt {
namespace {

/// Whether repair_mesh may close, turn or remove it.
bool is_repairable(MeshDefect defect)
{
    switch (defect) {
    case MeshDefect::degenerate:
    case MeshDefect::open_edge:
    case MeshDefect::misoriented_edge:
    case MeshDefect::coincident:
    case MeshDefect::coincident_opposite:
    case MeshDefect::inverted:
        return true;
    default:
        return false;
    }
}

void check_accepted(PlacedMesh const& placed, std::string const& path)
{
    if (placed.report.is_accepted()) return;
    std::vector<std::string> defects;
    for (MeshFinding const& finding : placed.report.findings)
        if (is_refused(finding.defect)) defects.push_back(format_finding(finding));
    bool const may_help = !placed.repaired && std::ranges::any_of(placed.report.findings, [](MeshFinding const& found) {
        return is_repairable(found.defect);
    });
    fail_input(fmt::format("the mesh bounds no solid: {}", fmt::join(defects, "; ")), path,
               "what is inside has to be certain for every ray",
               may_help ? "try --repair, or close it in a mesh editor; --check-mesh --json lists more places"
                        : "mend it in a mesh editor; --check-mesh --json lists more places");
}

/// Nothing if nothing was changed.
std::string describe_repair(RepairReport const& repair)
{
    std::vector<std::string> parts;
    auto const add = [&](std::uint64_t count, char const* what) {
        if (count > 0) parts.push_back(fmt::format("{} {}", count, what));
    };
    add(repair.merged_vertices, "vertices merged");
    add(repair.collapsed_triangles, "collapsed triangles removed");
    add(repair.duplicate_triangles, "duplicate triangles removed");
    add(repair.flat_triangles, "triangles without area removed");
    add(repair.turned_triangles, "triangles turned");
    add(repair.turned_components, "components turned inside out");
    return fmt::format("{}", fmt::join(parts, ", "));
}

} // namespace

std::unique_ptr<VoxelStream> open_mesh_volume(ToolRun const& run, std::string const& path, MeshPlaceOptions place,
                                              std::unique_ptr<VoxelStream> medium)
{
    MeshFile file = read_mesh(path);
    for (std::string const& notice : file.notices) run.notice(notice);
    if (!file.mesh.colours.empty()) run.notice("the mesh's colours are left out: its medium has one colour");
    place.threads = run.common.threads;
    PlacedMesh placed = place_mesh(std::move(file.mesh), place);
    if (placed.repaired)
        if (std::string const done = describe_repair(*placed.repaired); !done.empty())
            run.notice(fmt::format("--repair: {}", done));
    check_accepted(placed, path);
    return make_mesh_volume(std::move(medium), std::move(placed), path);
}

} // namespace volpt
