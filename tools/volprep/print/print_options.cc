// The groups of options that describe prints of pictures and meshes, their core, triangle meshes and surfaces.
#include "libvolpt/image/codecs/codecs.h"
#include "libvolpt/sys/error.h"
#include "tools/options/units.h"
#include "tools/volprep/options.h"

#include <fmt/format.h>

namespace volpt {
namespace {
namespace po = boost::program_options;

double parse_depth_mm(char const* option, std::string const& text, char const* example)
{
    double const depth_mm = parse_length_mm(option, text);
    if (!(depth_mm > 0 && depth_mm <= 1e6))
        fail_usage(fmt::format("{} '{}' must be above 0 and at most 1 km", option, text), example);
    return depth_mm;
}

} // namespace

void PrintedPictureOptions::declare(po::options_description& options)
{
    auto add = options.add_options();
    add("print", file_value("PICTURE", {.files = list_image_extensions(ImageAccess::read)}),
        "separate this picture (JPEG, PNG, TIFF, BMP, ..) into the inks of --materials and print it into the upper "
        "layers of a block of --width or --size x,y, on a core, of --thickness in all or of --core (default --pitch "
        "42.3um,84.7um,27um)");
    add("width", text_value("MM"),
        "width of the print, instead of --size, or of a lithophane: the height follows from the picture");
    add("thickness", text_value("MM|MM,MM"),
        "thickness of the whole print, instead of --core: what --ink-depth leaves is core; of a lithophane "
        "the least and the largest");
    add("picture-profile", file_value("FILE.icc"),
        "colour profile of a picture that has none, for example of the press for CMYK (default: sRGB; CMYK needs one)");
    add("ink-depth", text_value("MM"), "depth of the printed layers (default 0.5mm)");
    add("halftone", text_value(join_words<Halftone>()),
        "diffusion: one ink per voxel; mixture: volume fractions, at most 256 (default diffusion)");
    add("intent", text_value(join_words<Intent>()),
        "rendering intent: relative maps the picture's white to the core's, absolute keeps its colours (default "
        "relative)");
}

void PrintedPictureOptions::read(po::variables_map const& values)
{
    path = given_text(values, "print");
    profile_path = given_text(values, "picture-profile");
    if (auto const text = given_text(values, "width"))
        width_mm = parse_depth_mm("--width", *text, "give for example 50mm");
    if (auto const text = given_text(values, "thickness")) read_thickness(*text);
    if (auto const text = given_text(values, "ink-depth"))
        print.ink_depth_mm = parse_depth_mm("--ink-depth", *text, "give for example 0.5mm");
    if (auto const text = given_text(values, "halftone")) print.halftone = parse_word<Halftone>("--halftone", *text);
    if (auto const text = given_text(values, "intent")) print.intent = parse_word<Intent>("--intent", *text);
}

void PrintedPictureOptions::read_thickness(std::string const& text)
{
    std::size_t const comma = text.find(',');
    if (comma == std::string::npos) {
        thickness_mm = parse_depth_mm("--thickness", text, "give for example 3mm");
        return;
    }
    constexpr char kExample[] = "give for example 0.8mm,3mm";
    thickness_range_mm = {parse_depth_mm("--thickness", text.substr(0, comma), kExample),
                          parse_depth_mm("--thickness", text.substr(comma + 1), kExample)};
}

void PrintedMeshOptions::declare(po::options_description& options)
{
    auto add = options.add_options();
    add("print-mesh", po::bool_switch(),
        "print a triangle mesh: inks of --materials by its colours down to --ink-depth under the surface, the core's "
        "material within (default --pitch 42.3um,84.7um,27um, the mesh's own --size)");
    add("texture", file_value("PICTURE", {.files = list_image_extensions(ImageAccess::read)}),
        "one picture for the whole mesh, by its texture coordinates (default: those of its materials)");
    add("colour", text_value("#rrggbb"), "one colour for the whole mesh, instead of its own");
    add("ignore-factors", po::bool_switch(),
        "pictures as they are: not times Kd, baseColorFactor or the colours of vertices, which often darken them");
    add("clear-coat", text_value("MM"),
        "coat of clear material above the ink, within the mesh: --size stays that of the print (default none)");
}

void PrintedMeshOptions::read(po::variables_map const& values)
{
    is_asked_for = values["print-mesh"].as<bool>();
    ignores_factors = values["ignore-factors"].as<bool>();
    texture_path = given_text(values, "texture");
    if (auto const text = given_text(values, "colour")) {
        auto const rgba = parse_hex_colour(*text);
        if (!rgba || (*rgba & 0xffu) != 0xffu)
            fail_usage(fmt::format("--colour '{}' is no colour", *text), "give for example '#c08040'");
        colour = *rgba >> 8;
    }
    if (auto const text = given_text(values, "clear-coat"))
        clear_coat_mm = parse_depth_mm("--clear-coat", *text, "give for example 0.2mm");
    if (texture_path && colour) fail_usage("--texture and --colour exclude each other", "give one of them");
}

void PrintCoreOptions::declare(po::options_description& options)
{
    auto add = options.add_options();
    add("core", text_value("MM"),
        "thickness of the block of one material behind the layers, below slice 0 (-z), rounded to whole layers");
    add("core-material", text_value("NAME"),
        "the material of the core (default W; with --print and --print-mesh, the lightest if there is no W)");
}

void PrintCoreOptions::read(po::variables_map const& values)
{
    material = given_text(values, "core-material");
    if (auto const text = given_text(values, "core"))
        core_mm = parse_depth_mm("--core", *text, "give for example 10mm");
}

void MeshOptions::declare(po::options_description& options)
{
    auto add = options.add_options();
    add("mesh-scale", text_value("FACTOR"), "size of the mesh against that in the file, for example 25.4 for inches");
    add("mesh-up", text_value("AXIS"),
        "the file's axis that is to be up: +x -x +y -y +z -z; the mesh is turned so that it becomes +z (default "
        "+z, of glTF +y but with --medium)");
    add("repair", po::bool_switch(),
        "repair what moves the surface by no more than 1e-5 of its size: vertices that nearly coincide, triangles "
        "without area or there twice, orientation; if the mesh still bounds no solid, the solid is where its winding "
        "number is at least 1/2, by voxels");
    add("mesh-bricks", text_value("N"),
        fmt::format(
            "bricks of 8x8x8 voxels along the longest side of the box, 1 to {} (default 64, or 32 where --repair takes "
            "the solid by voxels); also of Mitsuba scenes "
            "whose media are in meshes",
            kMaxMeshBricks)
            .c_str());
    add("medium", file_value("IN.vpk"), "the medium inside is that of this volume, in whose box the mesh has to lie");
    add("surface", text_value(join_words<SurfaceKind>()),
        "bound a volume by the surface of its occupied voxels instead of its box: voxels (their faces) or smooth "
        "(needs OpenVDB)");
    add("surface-threshold", text_value("DENSITY"),
        "occupied are voxels of a larger density (default 0); of labels, those that are not air");
}

void MeshOptions::read(po::variables_map const& values)
{
    medium_path = given_text(values, "medium");
    if (auto const text = given_text(values, "surface")) surface = parse_word<SurfaceKind>("--surface", *text);
    if (auto const text = given_text(values, "surface-threshold")) {
        surface_threshold = parse_number("--surface-threshold", *text, 0, kLargestOptionNumber);
        if (!surface) fail_usage("--surface-threshold requires --surface", "give --surface voxels or smooth");
    }
    if (auto const text = given_text(values, "mesh-scale"))
        place.scale = parse_number("--mesh-scale", *text, 1e-9, 1e9);
    if (auto const text = given_text(values, "mesh-up")) place.up_axis = parse_axis("--mesh-up", *text);
    if (values["repair"].as<bool>()) place.repair = MeshRepair::safe;
    if (auto const text = given_text(values, "mesh-bricks"))
        place.bricks = static_cast<int>(parse_integer("--mesh-bricks", *text, 1, kMaxMeshBricks));
}

} // namespace volpt
