// Declares and reads the options of volprep.
#include "tools/volprep/options.h"

#include "formats/writer.h"
#include "libvolpt/sys/error.h"
#include "tools/options/units.h"

#include <algorithm>
#include <fmt/format.h>

namespace volpt {
namespace {
namespace po = boost::program_options;

constexpr double kHuge = 1e30; ///< keeps products of two options inside float's range

auto text_option(char const* value_name)
{
    return po::value<std::string>()->value_name(value_name);
}

Encoding parse_encoding(std::string const& text)
{
    auto const name = parse_choice("--encode", text, {"u8", "u16", "f16", "f32"});
    return name == "u8" ? Encoding::u8 : name == "u16" ? Encoding::u16 : name == "f16" ? Encoding::f16 : Encoding::f32;
}

std::array<double, 3> parse_positive_lengths(char const* option, std::string const& text)
{
    auto const lengths = parse_length_triple_mm(option, text, SingleValue::repeated);
    for (double const length : lengths)
        if (!(length >= 1e-9 && length <= 1e9))
            fail_usage(fmt::format("{} '{}': lengths lie between 1e-9 and 1e9 mm", option, text),
                       "give for example 42.3um,84.7um,27um");
    return lengths;
}

MadeShape parse_shape(std::string const& text)
{
    std::vector<std::string> const names{"cube", "sphere", "slab", "noise", "checker"};
    auto const name = parse_choice("--make", text, names);
    return static_cast<MadeShape>(std::find(names.begin(), names.end(), name) - names.begin());
}

} // namespace

void VolumeGroup::declare(po::options_description& options)
{
    auto add = options.add_options();
    add("dims", text_option("X,Y,Z"), "voxels: of a headerless file, or of what is made");
    add("type", text_option("TYPE"),
        "numbers of a headerless file: u8 i8 u16 i16 u32 i32 u64 i64 f16 f32 f64, with be after it for big-endian");
    add("pitch", text_option("x,y,z"), "voxel size, for example 42.3um,84.7um,27um; instead of the file's own");
    add("size", text_option("x,y,z"),
        "size of the whole box, for example 10mm (made volumes, instead of --pitch); of the face x,y with --print");
    add("window", text_option("LO,HI"),
        "map LO..HI to density 0..1, clamped (default: the file's numbers are the density)");
    add("scale", text_option("S"), "extinction in 1/mm at density 1 (default 1)");
    add("albedo", text_option("A|R,G,B"), "single-scattering albedo (default 0.9)");
    add("transfer", text_option("TABLE"),
        "albedo from density: grey-red-blue, green-red-blue, or a JSON file with points");
    add("density-grid", text_option("NAME"), "OpenVDB: the grid that is the density, NAME[1] where names repeat");
    add("albedo-grid", text_option("NAME"), "OpenVDB: a Vec3 grid that is the albedo");
    add("interior", text_option("D"), "OpenVDB: density deep inside a level set (default 1)");
    add("clamp", "OpenVDB: clamp NaN, infinite and negative numbers instead of refusing them");
    add("materials", text_option("TABLE"),
        "material table, a JSON file or the name of one that comes with the programs (elek2017): slices of exactly its "
        "colours, or numbers that are its ids, become materials");
    add("palette", text_option("TABLE"), "the same as --materials");
    add("g", text_option("G"), "mean cosine of Henyey-Greenstein scattering (default 0)");
    add("filter", text_option("NAME"), "trilinear or nearest (default trilinear)");
}

void VolumeGroup::read(po::variables_map const& values)
{
    if (auto const text = given_text(values, "dims")) dims = parse_dims("--dims", *text);
    if (auto const text = given_text(values, "type")) {
        type = parse_stored_type(*text);
        if (!type) fail_usage(fmt::format("--type '{}' is unknown", *text), "give one of " + list_element_names());
    }
    if (auto const text = given_text(values, "pitch")) pitch_mm = parse_positive_lengths("--pitch", *text);
    if (auto const text = given_text(values, "size")) {
        if (split_list(*text).size() == 2) {
            auto const lengths = parse_positive_lengths("--size", *text + ",1");
            face_size_mm = {lengths[0], lengths[1]};
        } else {
            size_mm = parse_positive_lengths("--size", *text);
        }
    }
    if (auto const text = given_text(values, "window")) {
        auto const ends = parse_numbers("--window", *text, 2, 2, -1e300, 1e300);
        if (!(ends[0] < ends[1]))
            fail_usage(fmt::format("--window '{}': LO has to be less than HI", *text), "give for example -1000,1000");
        window = Window{ends[0], ends[1]};
    }
    if (auto const text = given_text(values, "scale")) scale = parse_number("--scale", *text, 0, kHuge);
    if (auto const text = given_text(values, "albedo")) albedo = parse_numbers("--albedo", *text, 1, kMaxBands, 0, 1);
    transfer = given_text(values, "transfer");
    materials = given_text(values, "materials");
    if (auto const text = given_text(values, "palette")) {
        if (materials) fail_usage("--palette and --materials are one option", "give one of them");
        materials = text;
    }
    vdb.density_grid = given_text(values, "density-grid").value_or("");
    vdb.albedo_grid = given_text(values, "albedo-grid").value_or("");
    if (auto const text = given_text(values, "interior")) vdb.interior = parse_number("--interior", *text, 0, kHuge);
    if (is_given(values, "clamp")) vdb.bad_numbers = BadNumbers::clamped;
    for (auto const* option : {"density-grid", "albedo-grid", "interior", "clamp"})
        has_vdb_options = has_vdb_options || is_given(values, option);
    if (auto const text = given_text(values, "g")) g = parse_number("--g", *text, -0.999, 0.999);
    if (auto const text = given_text(values, "filter"))
        filter = parse_choice("--filter", *text, {"trilinear", "nearest"}) == "nearest" ? Filter::nearest
                                                                                        : Filter::trilinear;
}

void MakeGroup::declare(po::options_description& options)
{
    auto add = options.add_options();
    add("make", text_option("SHAPE"),
        "cube, sphere, slab, noise or checker, of --dims voxels and --size, centred on the origin");
    add("sigma-t", text_option("S|R,G,B"), "extinction in 1/mm (default 1); by band for cube and slab");
    add("material", text_option("NAME"), "the material of --materials that a cube or slab is made of");
}

void MakeGroup::read(po::variables_map const& values)
{
    if (auto const text = given_text(values, "make")) shape = parse_shape(*text);
    if (auto const text = given_text(values, "sigma-t"))
        sigma_t = parse_numbers("--sigma-t", *text, 1, kMaxBands, 0, kHuge);
    material_name = given_text(values, "material");
    if (material_name && !is_given(values, "materials") && !is_given(values, "palette"))
        fail_usage("--material is the name of a material in a table", "give --materials TABLE too");
}

void PrintGroup::declare(po::options_description& options)
{
    auto add = options.add_options();
    add("slab", text_option("TEXTURE"), "print this picture into one side of a slab of --dims voxels and --size");
    add("ink-share", text_option("SHARE"), "part of the depth that is printed (default 0.1)");
    add("side", text_option("AXIS"), "side that is printed: +x -x +y -y +z -z (default +z)");
    add("base-albedo", text_option("A|R,G,B"), "albedo of what is not printed (default 0.9997)");
    add("texture-transfer", text_option("NAME"), "linear: v/255 is the albedo; srgb: v is decoded (default linear)");
}

void PrintGroup::read(po::variables_map const& values)
{
    texture_path = given_text(values, "slab");
    if (auto const text = given_text(values, "ink-share")) print.ink_share = parse_number("--ink-share", *text, 0, 1);
    if (auto const text = given_text(values, "side")) print.side_axis = parse_axis("--side", *text);
    if (auto const text = given_text(values, "base-albedo"))
        print.base_albedo = parse_numbers("--base-albedo", *text, 1, 3, 0, 1);
    if (auto const text = given_text(values, "texture-transfer"))
        print.transfer = parse_choice("--texture-transfer", *text, {"linear", "srgb"}) == "srgb"
                             ? TextureTransfer::srgb
                             : TextureTransfer::linear;
    for (auto const* option : {"ink-share", "side", "base-albedo", "texture-transfer"})
        if (!texture_path && is_given(values, option))
            fail_usage(fmt::format("--{} belongs to a print", option), "give --slab TEXTURE.png");
}

void OutputGroup::declare(po::options_description& options)
{
    auto add = options.add_options();
    add("output,o", text_option("OUT.vpk"), "packed volume to write");
    add("encode", text_option("CODE"),
        "u8, u16, f16 or f32 for the density, or for the albedo of a print (default: lossless where the source "
        "allows)");
    add("bands", text_option("LIST"), "keep these bands only, for example 0,2");
    add("list-grids", "list the grids of an OpenVDB file");
    add("export", text_option("OUT"),
        fmt::format("write the densities of a .vpk for other programs: {}", list_export_extensions()).c_str());
    add("plane", text_option("NAME"),
        "what --export writes: density, albedo (.mha .nrrd .raw) or label (default density)");
}

void OutputGroup::read(po::variables_map const& values)
{
    output_path = given_text(values, "output");
    export_path = given_text(values, "export");
    if (auto const text = given_text(values, "plane")) {
        std::vector<std::string> const names{"density", "albedo", "label"};
        export_plane =
            static_cast<ExportPlane>(std::ranges::find(names, parse_choice("--plane", *text, names)) - names.begin());
        if (!export_path) fail_usage("--plane belongs to --export", "give --export OUT.mha");
    }
    if (auto const text = given_text(values, "encode")) encoding = parse_encoding(*text);
    if (auto const text = given_text(values, "bands")) bands = parse_integers("--bands", *text);
    list_grids = is_given(values, "list-grids");
    if (list_grids && (output_path || export_path))
        fail_usage("--list-grids packs nothing", "leave out -o and --export");
    if (!list_grids && output_path.has_value() == export_path.has_value())
        fail_usage("one output is needed", "give -o OUT.vpk, or --export OUT.mha for a .vpk");
    if (output_path && !output_path->ends_with(".vpk"))
        fail_usage(fmt::format("-o '{}' does not end in .vpk", *output_path), "name a packed volume");
}

} // namespace volpt
