#include "tools/volprep/print/mesh_print_source.h"

#include "libvolpt/image/codecs/codecs.h"
#include "libvolpt/medium/air.h"
#include "libvolpt/medium/printer.h"
#include "libvolpt/print/mesh/mesh_print.h"
#include "libvolpt/print/mesh/soup_solid.h"
#include "libvolpt/scene/scene_hints.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/volume/mesh/fill_border.h"
#include "libvolpt/volume/mesh/mesh_volume.h"
#include "tools/volprep/losses.h"
#include "tools/volprep/mesh/mesh_source.h"
#include "tools/volprep/print/print_questions.h"
#include "tools/volprep/surface_source.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace volpt {
namespace {

constexpr char kColourAdvice[] = "give --colour '#rrggbb', or --texture PICTURE for a mesh with texture coordinates";

/// Of all textures of a mesh, in pixels: 1.4 GB with their means.
constexpr std::uint64_t kMostTexels = std::uint64_t{1} << 28;

/// A file that a mesh names lies in the mesh's folder or below: the mesh of a stranger could name any file.
std::filesystem::path find_side_picture(std::string const& mesh_path, std::string const& name)
{
    namespace fs = std::filesystem;
    fs::path const side(name);
    std::error_code failed;
    fs::path const parent = fs::path(mesh_path).parent_path();
    fs::path const folder = fs::canonical(parent.empty() ? fs::path(".") : parent, failed);
    fs::path const picture = failed ? fs::path() : fs::canonical(folder / side, failed);
    if (failed)
        fail_input(fmt::format("names the picture {}, which is not there", name), mesh_path,
                   "it has the colours of the surface", "put it beside the mesh, or give --texture PICTURE");
    if (side.is_absolute() || std::ranges::mismatch(folder, picture).in1 != folder.end())
        fail_input(fmt::format("names the picture {}, which lies outside the mesh's folder", name), mesh_path,
                   "the mesh of a stranger could name any file here", "name it with --texture");
    return picture;
}

/// Error (input) if neither pictures nor colours say how the mesh looks.
void check_colours(MeshFile const& file, std::string const& path, PrintedMeshOptions const& options)
{
    if (options.colour) return;
    bool const has_coordinates = !file.mesh.texture_coordinates.empty();
    if (options.texture_path || !file.mesh.pictures.empty()) {
        if (!has_coordinates)
            fail_input("the mesh has no texture coordinates", path,
                       fmt::format("they say where on the mesh a pixel lies{}{}", file.notices.empty() ? "" : "; ",
                                   fmt::join(file.notices, "; ")),
                       "unwrap it in a mesh editor, or give --colour '#rrggbb'");
        return;
    }
    if (!file.mesh.colours.empty()) return;
    // What the reader left out may be the colours.
    std::string const notes = file.notices.empty() ? "" : fmt::format("; {}", fmt::join(file.notices, "; "));
    if (has_coordinates)
        fail_input("the mesh has texture coordinates, but names no picture", path, "its colours are not known" + notes,
                   kColourAdvice);
    fail_input("the mesh has no colours", path, "inks are chosen by them" + notes, kColourAdvice);
}

using Textures = std::vector<std::vector<TextureLevel>>;

/// Reads one picture at a time, so that only what is printed of them stays in memory.
class TextureReader {
public:
    TextureReader(ToolRun const& run, std::string const& mesh_path, FallbackProfile profile)
        : run_(run), mesh_path_(mesh_path), profile_(std::move(profile))
    {
    }

    void add_file(std::filesystem::path const& path) { add(read_stored_image(path, profile_), path.string()); }

    void add_picture(MeshPicture const& picture)
    {
        std::string const where = picture.is_inside() ? fmt::format("{}: {}", mesh_path_, picture.name)
                                                      : find_side_picture(mesh_path_, picture.name).string();
        StoredImage image = picture.is_inside() ? decode_stored_image(picture.bytes, where, profile_)
                                                : read_stored_image(where, profile_);
        if (picture.alpha == PictureAlpha::ignored)
            std::erase_if(image.channels, [](StoredChannel const& channel) { return channel.name == "A"; });
        add(image, where);
    }

    void add_none() { textures_.emplace_back(); }

    Textures take() { return std::move(textures_); }

private:
    void add(StoredImage const& picture, std::string const& where)
    {
        texels_ += picture.pixel_count();
        if (texels_ > kMostTexels)
            fail_input(fmt::format("with this picture, the mesh has {} pixels", texels_), where,
                       fmt::format("{} are possible", kMostTexels), "make its pictures smaller");
        tell_losses(run_, list_picture_notices(picture.description, where), where);
        textures_.push_back(make_texture_levels(picture, where));
    }

    ToolRun const& run_;
    std::string const& mesh_path_;
    FallbackProfile profile_;
    std::uint64_t texels_ = 0;
    Textures textures_;
};

/// Nothing if vertices or --colour give the colours. Read before the mesh is placed, by threads.
Textures read_textures(ToolRun const& run, MeshFile const& file, std::string const& path, VolprepOptions const& options)
{
    TextureReader reader(run, path, options.picture.profile_path);
    if (options.print_mesh.colour) return {};
    if (options.print_mesh.texture_path) {
        reader.add_file(*options.print_mesh.texture_path);
        return reader.take();
    }
    if (file.mesh.pictures.empty()) return {};
    std::vector<bool> is_used(file.pictures.size());
    for (std::uint16_t const picture : file.mesh.pictures)
        if (picture != TriangleMesh::kNoPicture) is_used[picture] = true;
    for (std::size_t i = 0; i < file.pictures.size(); ++i) {
        if (is_used[i])
            reader.add_picture(file.pictures[i]);
        else
            reader.add_none();
    }
    return reader.take();
}

/// Before it is placed: boxes of too many voxels are refused then.
void ask_about_own_size(ToolRun const& run, TriangleMesh const& mesh, MeshPlaceOptions const& place, PrintExtent extent)
{
    auto const size_mm = measure_size_mm(mesh, place);
    if (!size_mm) return;
    extent.size_mm = *size_mm;
    if (auto const question = ask_about_size(extent, "--mesh-scale", "--mesh-scale or --size")) run.notice(*question);
}

PlacedMesh place_print(VolprepOptions const& options, TriangleMesh mesh, MeshPlaceOptions place,
                       std::string const& path, ToolRun const& run)
{
    VolumeOptions const& volume = options.volume;
    PrintExtent extent;
    auto pitch_mm = PictureOptions{}.pitch_mm;
    if (auto const& name = options.output.printer) {
        Printer const printer = open_printer(*name);
        pitch_mm = printer.pitch_mm();
        extent.tray_mm = printer.tray_mm.value_or(extent.tray_mm);
    }
    extent.pitch_mm = volume.pitch_mm.value_or(pitch_mm);
    if (!volume.mesh_size_mm) ask_about_own_size(run, mesh, place, extent);
    auto const print = fit_print_box(mesh, place, volume.pitch_mm.value_or(pitch_mm),
                                     volume.mesh_size_mm.value_or(std::array<std::optional<double>, 3>{}));
    if (!print) { // tells which corner is not finite, if one is
        if (volume.mesh_size_mm && place_mesh(mesh, place).report.is_accepted())
            fail_input("the mesh has no extent along the axis of --size", path);
        return place_mesh(std::move(mesh), place);
    }
    run.notice(fmt::format("the print is {:.4g} x {:.4g} x {:.4g} mm large, {} x {} x {} voxels with the air around it",
                           print->size_mm[0], print->size_mm[1], print->size_mm[2], print->box.dims[0],
                           print->box.dims[1], print->box.dims[2]));
    extent.size_mm = print->size_mm;
    if (volume.mesh_size_mm)
        if (auto const question = ask_about_size(extent, "", "--size")) run.notice(*question);
    place.scale = print->scale;
    return place_mesh_in(print->box, std::move(mesh), place);
}

MeshPrintOptions collect_print_options(ToolRun const& run, VolprepOptions const& options, MaterialTable const& table)
{
    MeshPrintOptions print;
    print.ink_depth_mm = options.picture.print.ink_depth_mm;
    print.clear_coat_mm = options.print_mesh.clear_coat_mm;
    print.core_material = options.core.material.value_or("");
    print.intent = options.picture.print.intent;
    print.scale = static_cast<float>(options.volume.scale.value_or(1));
    print.scene_hints_json = make_material_hints(table, *options.volume.materials);
    print.layer_bytes = options.output.layer_bytes;
    print.threads = run.common.threads;
    if (!(print.scale > 0)) fail_usage("--scale 0 makes all inks transparent", "give a number above 0");
    return print;
}

/// A mesh that check_mesh does not accept. Nothing if it does after a repair, by which it is replaced.
std::optional<SoupSolid> place_if_unsound(ToolRun const& run, PlacedMesh& placed, std::string const& path)
{
    if (placed.report.is_accepted() || !has_sound_corners(placed.report)) return {};
    auto const asked_for = placed.repaired; // told by the caller
    if (!asked_for) {
        repair_placed_mesh(placed, run.common.threads);
        if (std::string const done = describe_repair(*placed.repaired); !done.empty())
            tell_losses(run, std::array{fmt::format("the mesh is no surface of a solid, and is repaired: {}", done)},
                        path);
        placed.repaired.reset();
        if (placed.report.is_accepted() || !has_sound_corners(placed.report)) return {};
    }
    std::string const defects = list_defects(placed.report);
    SoupSolid soup = find_soup_solid(std::move(placed), path, run.common.threads);
    tell_losses(run, std::array{describe_soup(defects, soup.voxels, soup.doubtful_voxels)}, path);
    placed = std::move(soup.outer_surface);
    placed.repaired = asked_for;
    return soup;
}

void check_given(VolumeOptions const& volume)
{
    if (!volume.materials)
        fail_usage("--print-mesh needs the inks' materials", "give --materials elek2017, or a table of your own");
    if (volume.size_mm)
        fail_usage("--size is one length of a mesh and its axis, which keeps the mesh's shape",
                   "give --size 60mm,, for its width, ,60mm, or ,,60mm");
}

} // namespace

std::unique_ptr<VoxelStream> open_mesh_print(ToolRun const& run, std::string const& path, VolprepOptions const& options,
                                             PrintBoundary boundary, PrintedJob* job)
{
    check_given(options.volume);
    MaterialTable table = open_material_table(*options.volume.materials);
    drop_air(table);
    MeshPrintOptions print = collect_print_options(run, options, table);
    bool const are_others_given = options.print_mesh.texture_path || options.print_mesh.colour;
    MeshReadOptions read;
    read.pictures = are_others_given ? MeshPictures::dropped : MeshPictures::kept;
    MeshFile file = read_mesh(path, read);
    check_colours(file, path, options.print_mesh);
    Textures textures = read_textures(run, file, path, options);
    bool const has_textures = !textures.empty();
    if (options.print_mesh.ignores_factors)
        drop_factors(file.mesh);
    else if (auto const factors = describe_factors(file.mesh))
        run.notice(*factors);
    MeshPlaceOptions place = options.mesh.place;
    turn_by_format(run, file, place);
    place.threads = run.common.threads;
    place.colours = are_others_given ? MeshColours::dropped : MeshColours::kept;
    std::optional<SoupSolid> soup;
    PlacedMesh placed = place_solid(run, path, std::move(file), [&](TriangleMesh mesh) {
        PlacedMesh found = place_print(options, std::move(mesh), place, path, run);
        soup = place_if_unsound(run, found, path);
        return found;
    });
    if (soup) {
        print.inside = soup->inside;
        print.doubtful_voxels = soup->doubtful_voxels;
    }
    std::unique_ptr<SurfaceColours> colours;
    if (has_textures)
        colours = make_texture_colours(std::move(textures), path, placed.mesh, placed.box.pitch_mm);
    else if (options.print_mesh.colour)
        colours = make_constant_colour(*options.print_mesh.colour);
    else
        colours = make_corner_colours(std::move(placed.mesh.colours));
    placed.mesh.colours = {};
    placed.mesh.pictures = {};
    auto stream = make_mesh_print(placed, path, std::move(colours), std::move(table), *options.volume.materials, print);
    if (job != nullptr) stream = job->collect(std::move(stream), path);
    if (boundary == PrintBoundary::none) return stream;
    if (soup) {
        run.notice("the surface of its voxels, drawn to the mesh, bounds the print: the mesh cannot");
        return bound_by_voxels(run, SurfaceKind::smooth, {*soup->inside, {}}, path, std::move(stream),
                               make_surface_target(placed, run.common.threads));
    }
    // Triangles cross voxels whose centres lie outside: light in there is in ink.
    stream = fill_border(std::move(stream), find_inside(placed, run.common.threads));
    return bound_volume(std::move(stream), std::move(placed));
}

} // namespace volpt
