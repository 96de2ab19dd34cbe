#include "tools/volprep/lithophane/lithophane_source.h"

#include "formats/mesh/stl/writer.h"
#include "libvolpt/image/codecs/codecs.h"
#include "libvolpt/print/lithophane.h"
#include "libvolpt/scene/scene_hints.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/volume/mesh/mesh_volume.h"
#include "tools/volprep/made_source.h"
#include "tools/volprep/mesh/mesh_source.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <tuple>

namespace volpt {
namespace {

constexpr char kUsualMaterial[] = "pla-white";

void check_plate(VolprepOptions const& options)
{
    PrintedPictureOptions const& given = options.picture;
    if (!given.width_mm) fail_usage("--lithophane needs a size", "give for example --width 100mm");
    if (given.thickness_mm)
        fail_usage("--thickness of a lithophane is two lengths",
                   "give the least and the largest, for example 0.8mm,3mm");
    auto const& path = options.output.export_path;
    if (path && std::filesystem::path(*path).extension() != ".stl")
        fail_usage(fmt::format("--export of a lithophane is a mesh, and '{}' does not end in .stl", *path),
                   "name it OUT.stl");
}

/// One that is not given is what most lithophanes are printed of.
VolprepOptions choose_medium(ToolRun const& run, VolprepOptions options)
{
    bool const is_given = options.volume.materials || options.synthetic.sigma_t || options.volume.albedo;
    if (is_given) return options;
    options.volume.materials = kSolidsTable;
    options.synthetic.material_name = kUsualMaterial;
    run.notice(fmt::format("--material is not given: {} is assumed", kUsualMaterial));
    return options;
}

/// Means over the bands: a plate has one relief for all of them.
LithophaneMedium average_bands(MakeOptions const& medium)
{
    auto const& [sigma_t, loss] = std::tie(medium.sigma_t, medium.one_minus_albedo);
    std::size_t const bands = std::max(sigma_t.size(), loss.size());
    double sigma_a = 0, sigma_s = 0;
    for (std::size_t band = 0; band < bands; ++band) {
        double const extinction = sigma_t[sigma_t.size() == 1 ? 0 : band], lost = loss[loss.size() == 1 ? 0 : band];
        sigma_a += extinction * lost / static_cast<double>(bands);
        sigma_s += extinction * (1 - lost) / static_cast<double>(bands);
    }
    auto const boundary = parse_scene_hints(medium.scene_hints_json, "the hints of the material").boundary;
    LithophaneMedium mean{.sigma_a = sigma_a, .sigma_s_reduced = sigma_s * (1 - static_cast<double>(medium.g))};
    if (boundary && boundary->int_ior > 1) mean.ior = boundary->int_ior / boundary->ext_ior;
    return mean;
}

TriangleMesh make_plate(ToolRun const& run, VolprepOptions const& options, MakeOptions const& medium)
{
    std::string const& path = *options.lithophane.path;
    PrintedPictureOptions const& given = options.picture;
    LithophaneOptions plate{.width_mm = *given.width_mm, .medium = average_bands(medium)};
    if (!(plate.medium.sigma_s_reduced > 0))
        fail_usage("a medium that does not scatter shows no lithophane",
                   "give another --material, or an --albedo above 0");
    if (auto const& range_mm = given.thickness_range_mm) {
        plate.thinnest_mm = range_mm->front();
        plate.thickest_mm = range_mm->back();
    }
    LithophaneRelief const relief = make_lithophane_relief(read_stored_image(path), plate, path);
    auto const [least, most] = std::ranges::minmax(relief.thickness_mm);
    run.notice(fmt::format(
        "the plate is {:g} x {:.4g} mm, {:.3g} to {:.3g} mm thick; black lets through 1/{:.3g} of what white does",
        plate.width_mm, plate.width_mm * (relief.rows - 1) / (relief.columns - 1), least, most,
        1 / find_darkest(plate)));
    return make_lithophane_mesh(relief, plate.width_mm);
}

} // namespace

std::unique_ptr<VoxelStream> open_lithophane(ToolRun const& run, VolprepOptions const& given)
{
    check_plate(given);
    VolprepOptions const options = choose_medium(run, given);
    MakeOptions medium = choose_filling(run, options);
    TriangleMesh mesh = make_plate(run, options, medium);
    MeshPlaceOptions place;
    place.threads = run.common.threads;
    place.bricks = options.mesh.place.bricks;
    return make_mesh_volume(make_volume(std::move(medium)), place_mesh(std::move(mesh), place),
                            *options.lithophane.path);
}

ExitStatus export_lithophane(ToolRun const& run, VolprepOptions const& given)
{
    check_plate(given);
    VolprepOptions const options = choose_medium(run, given);
    write_stl(make_plate(run, options, choose_filling(run, options)), *options.output.export_path);
    return ExitStatus::done;
}

} // namespace volpt
