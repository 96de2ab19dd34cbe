#include "tools/volprep/mesh/mesh_report.h"

#include "formats/mesh/reader.h"
#include "libvolpt/surface/weld_vertices.h"
#include "libvolpt/sys/json.h"
#include "libvolpt/sys/text/one_line.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace volpt {
namespace {

using Json = nlohmann::ordered_json;

Json list_coordinates(Vec3 v)
{
    return {v.x, v.y, v.z};
}

/// Volumes of open meshes depend on where the origin is.
bool is_closed(MeshReport const& report)
{
    return report.components > 0 && report.find(MeshDefect::open_edge) == nullptr &&
           report.find(MeshDefect::misoriented_edge) == nullptr;
}

Json describe_finding(MeshFinding const& finding)
{
    Json places = Json::array();
    for (MeshPlace const& place : finding.places) {
        Json entry;
        if (place.triangle != kNoTriangle) entry["triangle"] = place.triangle;
        if (place.other != kNoTriangle) entry["other_triangle"] = place.other;
        entry["position_mm"] = list_coordinates(place.position_mm);
        places.push_back(std::move(entry));
    }
    return {{"defect", describe(finding.defect)},
            {"refused", is_refused(finding.defect)},
            {"count", finding.count},
            {"first_places", std::move(places)}};
}

Json describe_mesh(MeshFile const& file, MeshReport const& report)
{
    Json findings = Json::array();
    for (MeshFinding const& finding : report.findings) findings.push_back(describe_finding(finding));
    Json const bounds = report.components == 0
                            ? Json(nullptr)
                            : Json{list_coordinates(report.bounds.lower), list_coordinates(report.bounds.upper)};
    return {{"format", file.format},
            {"bounds_a_solid", report.is_accepted()},
            {"triangles", report.triangles},
            {"vertices", report.vertices},
            {"edges", report.edges},
            {"components", report.components},
            {"euler_characteristic", report.euler_characteristic()},
            {"volume_mm3", is_closed(report) ? Json(report.volume_mm3) : Json(nullptr)},
            {"area_mm2", report.area_mm2},
            {"bounds_mm", bounds},
            {"findings", std::move(findings)},
            {"notices", file.notices}};
}

std::string format_place(MeshPlace const& place)
{
    std::string const other = place.other == kNoTriangle ? std::string() : fmt::format(" and {}", place.other);
    return fmt::format("triangle {}{} at {:g}, {:g}, {:g} mm", place.triangle, other, place.position_mm.x,
                       place.position_mm.y, place.position_mm.z);
}

std::string format_mesh(std::filesystem::path const& path, MeshFile const& file, MeshReport const& report)
{
    std::string text =
        fmt::format("{}: {}, {} triangles, {} vertices, {} component{}\n", to_one_line(path.string()), file.format,
                    report.triangles, report.vertices, report.components, report.components == 1 ? "" : "s");
    if (report.components > 0) {
        Vec3 const size = report.bounds.upper - report.bounds.lower;
        text += fmt::format("  size       {:g} x {:g} x {:g} mm\n  area       {:.6g} mm2\n", size.x, size.y, size.z,
                            report.area_mm2);
        if (is_closed(report)) text += fmt::format("  volume     {:.6g} mm3\n", report.volume_mm3);
    }
    for (MeshFinding const& finding : report.findings)
        text +=
            fmt::format("  {}  {}\n", is_refused(finding.defect) ? "wrong    " : "allowed  ", format_finding(finding));
    return text + (report.is_accepted() ? "  bounds a solid\n" : "  bounds no solid\n");
}

} // namespace

std::string format_finding(MeshFinding const& finding)
{
    std::string text = fmt::format("{}: {}", describe(finding.defect), finding.count);
    if (!finding.places.empty() && finding.places.front().triangle != kNoTriangle)
        text += fmt::format(", the first one {}", format_place(finding.places.front()));
    return text;
}

ExitStatus report_mesh(ToolRun const& run, std::filesystem::path const& path)
{
    MeshFile file = read_mesh(path);
    weld_vertices(file.mesh, run.common.threads);
    MeshReport const report = check_mesh(file.mesh, run.common.threads);
    if (run.common.wants_json()) {
        fmt::print("{}\n", format_json(describe_mesh(file, report)));
    } else {
        for (std::string const& notice : file.notices) run.notice(notice);
        fmt::print("{}", format_mesh(path, file, report));
    }
    return report.is_accepted() ? ExitStatus::done : ExitStatus::negative;
}

} // namespace volpt
