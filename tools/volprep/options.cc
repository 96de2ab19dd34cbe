#include "tools/volprep/options.h"

#include "formats/mesh/reader.h"
#include "libvolpt/image/codecs/codecs.h"
#include "libvolpt/medium/materials.h"
#include "libvolpt/medium/printer.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/volume/medium_ranges.h"
#include "libvolpt/volume/volume_words.h"
#include "tools/options/listing/part_option.h"
#include "tools/options/listing/type_choices.h"
#include "tools/options/memory/picture_memory_option.h"
#include "tools/options/units.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sstream>

namespace volpt {
namespace {
namespace po = boost::program_options;

std::array<double, 3> parse_positive_lengths(char const* option, std::string const& text)
{
    auto const lengths = parse_length_triple_mm(option, text, SingleValue::repeated);
    for (double const length : lengths)
        if (!(length >= 1e-9 && length <= 1e9))
            fail_usage(fmt::format("{} '{}': lengths must lie between 1e-9 and 1e9 mm", option, text),
                       "give for example 42.3um,84.7um,27um");
    return lengths;
}

/// One length and two empty places.
std::array<std::optional<double>, 3> parse_mesh_size(std::string const& text)
{
    auto const pieces = split_list(text);
    std::array<std::optional<double>, 3> size_mm;
    if (std::ranges::count(pieces, std::string_view()) != 2)
        fail_usage(fmt::format("--size '{}': a mesh keeps its shape, so that one length is enough", text),
                   "give for example 60mm,, or ,,40mm");
    for (std::size_t i = 0; i < 3; ++i)
        if (!pieces[i].empty()) size_mm[i] = parse_positive_lengths("--size", std::string(pieces[i]))[0];
    return size_mm;
}

Window parse_window(std::string const& text)
{
    auto const ends = parse_numbers("--window", text, 2, 2, -1e300, 1e300);
    if (!(ends[0] < ends[1]))
        fail_usage(fmt::format("--window '{}': LO must be less than HI", text), "give for example -1000,1000");
    return {ends[0], ends[1]};
}

Crop parse_crop(std::string const& text)
{
    Crop crop;
    auto const ranges = split_list(text);
    bool is_read = ranges.size() == 3;
    for (std::size_t i = 0; is_read && i < 3; ++i) {
        auto const colon = ranges[i].find(':');
        is_read = colon != std::string_view::npos;
        if (!is_read) break;
        crop.first[i] = static_cast<int>(parse_integer("--crop", ranges[i].substr(0, colon), 0, 65535));
        crop.end[i] = static_cast<int>(parse_integer("--crop", ranges[i].substr(colon + 1), 0, 65535));
    }
    if (!is_read)
        fail_usage(fmt::format("--crop '{}' cannot be read", text),
                   "give three ranges of voxels FIRST:END, END excluded, for example 0:64,16:48,0:10");
    return crop;
}

std::array<int, 3> parse_downsample(std::string const& text)
{
    if (text.find(',') != std::string::npos) return parse_dims("--downsample", text);
    int const factor = static_cast<int>(parse_integer("--downsample", text, 1, 65535));
    return {factor, factor, factor};
}

} // namespace

ValueChoices list_export_choices()
{
    ValueChoices choices;
    std::istringstream names(list_export_extensions());
    for (std::string name; names >> name;) {
        if (name.starts_with('.'))
            choices.files += name + " ";
        else
            choices.words.push_back(name);
    }
    return choices;
}

void VolumeOptions::declare(po::options_description& options)
{
    auto add = options.add_options();
    add("dims", text_value("X,Y,Z"), "number of voxels of a headerless file or of a synthetic volume");
    add("type", text_value("TYPE", list_type_choices()),
        "number type of a headerless file: u8 i8 u16 i16 u32 i32 u64 i64 f16 f32 f64, followed by be if big-endian");
    add("pitch", text_value("x,y,z"), "voxel size, for example 42.3um,84.7um,27um (default: the file's own)");
    add("size", text_value("x,y,z"),
        "size of the whole box, for example 10mm, instead of --pitch (synthetic volumes); with --print: size x,y of "
        "the picture; with --print-mesh: along one axis, for example 60mm,,");
    add("window", text_value("LO,HI"),
        "map values LO..HI to density 0..1, clamped (default: the file's values are the density)");
    add("opacity", text_value("X:Y,.."),
        "density by a curve instead: Y at value X, linear in between, constant beyond the ends, for example "
        "-1000:0,0:0,300:1");
    add("scale", text_value("S"), "extinction in 1/mm at density 1 (default 1)");
    add("albedo", text_value("A|R,G,B"), "single-scattering albedo (default 0.9)");
    add("transfer", file_value("TABLE", {{list_transfer_presets().begin(), list_transfer_presets().end()}, ".json"}),
        fmt::format("albedo as a function of density: {}, or a JSON file of points",
                    fmt::join(list_transfer_presets(), ", "))
            .c_str());
    add("albedo-curve", text_value("X:A,..|X:R:G:B,.."),
        "albedo by a curve of the file's values instead: A at value X, linear in between, constant beyond the ends");
    add("allow-outside", po::bool_switch(),
        "MetaImage, NRRD: read data files outside the header's folder, too (default: refused)");
    add("series", text_value("UID|NUMBER|TEXT"),
        "DICOM: the series of this UID or number, or with this text in its description, where a folder has several");
    add("channel", text_value("N|NAME"),
        "the channel of this name, or of this number from 0, of a file that holds several");
    add("volume", text_value("N"),
        "volume N, from 0, of a file that holds several: times of a 4-D file, images of OME-TIFF, echoes of DICOM");
    add("density-grid", text_value("NAME"), "OpenVDB: the grid of densities; NAME[1] where several have this name");
    add("albedo-grid", text_value("NAME"), "OpenVDB: a Vec3 grid of albedos");
    add("emission-grid", text_value("NAME"),
        "OpenVDB: a scalar or Vec3 grid of what the medium emits, for example of temperatures; see --emission-from");
    add("interior", text_value("D"), "OpenVDB: density deep inside a level set (default 1)");
    add("nan", text_value("VALUE"),
        "take NaN for this number of the file, before --window and the like, for example 0 (default: refused)");
    add("clamp", "set infinite numbers to the largest or the smallest float, NaN to 0 or what --nan says and, where no "
                 "window or curve maps them, negative numbers to 0 and albedo to 0..1 (default: they are refused)");
    add("materials", file_value("TABLE", {list_material_tables(), ".json"}),
        fmt::format("material table, a JSON file or the name of one that is installed ({}). Slices must have exactly "
                    "its colours, other volumes its ids as values",
                    fmt::join(list_material_tables(), ", "))
            .c_str());
    add("palette", file_value("TABLE", {list_material_tables(), ".json"}), "the same as --materials");
    add("air", text_value("COLOUR|NAME", {.words = {"black", "white"}}),
        "voxels of this colour (0,0,0, #rrggbb, black or white), or of this material, are air: they neither scatter "
        "nor absorb; there is no surface between air and material without --surface or --interfaces");
    add("label", repeatable_value("#rrggbb=NAME|JOBNAME=NAME"),
        "pixels of this colour, or of the material that a job's manifest calls JOBNAME, are of this material of "
        "--materials, or air, support or clear; may be repeated");
    add("snap", text_value("DELTA"),
        "take pixels of unknown colours for the nearest material, if R, G and B differ by at most DELTA of 255 codes; "
        "partly transparent ones below half are air (default 0: they are refused)");
    add("interfaces", text_value("none|voxels"),
        "voxels: keep the index of refraction of each material (\"ior\" in --materials), so that volrender refracts "
        "light at the faces between voxels whose materials differ in index (default none: a table with several "
        "indices is refused)");
    add("crop", text_value("X0:X1,Y0:Y1,Z0:Z1"),
        "take only these voxels of a file or stack, from X0 to before X1, counted from 0; they keep their place");
    add("downsample", text_value("N|X,Y,Z"),
        "make one voxel of N along each axis of a file or stack, after --crop: the mean of their numbers; with "
        "--materials, the most frequent one");
    add("g", text_value("G"),
        ("Henyey-Greenstein anisotropy, " + describe_range(kAnisotropyRange) + " (default 0)").c_str());
    add("filter", text_value(join_words<Filter>()),
        "interpolation, trilinear or nearest (default trilinear; nearest for materials)");
}

void VolumeOptions::read(po::variables_map const& values)
{
    outside = values["allow-outside"].as<bool>() ? OutsideFiles::allowed : OutsideFiles::refused;
    if (auto const text = given_text(values, "dims")) dims = parse_dims("--dims", *text);
    if (auto const text = given_text(values, "type")) type = parse_type_option(*text);
    if (auto const text = given_text(values, "pitch")) pitch_mm = parse_positive_lengths("--pitch", *text);
    if (auto const text = given_text(values, "size")) {
        if (split_list(*text).size() == 3 && std::ranges::count(split_list(*text), std::string_view()) > 0) {
            mesh_size_mm = parse_mesh_size(*text);
        } else if (split_list(*text).size() == 2) {
            auto const lengths = parse_positive_lengths("--size", *text + ",1");
            face_size_mm = {lengths[0], lengths[1]};
        } else {
            size_mm = parse_positive_lengths("--size", *text);
        }
    }
    if (auto const text = given_text(values, "window")) window = parse_window(*text);
    if (auto const text = given_text(values, "opacity")) opacity = parse_curve("--opacity", *text);
    if (window && opacity)
        fail_usage("--window and --opacity both give the density of the file's numbers", "give one of them");
    if (auto const text = given_text(values, "scale"))
        scale = parse_number("--scale", *text, 0, static_cast<double>(kMaxScale));
    if (auto const text = given_text(values, "albedo")) albedo = parse_numbers("--albedo", *text, 1, kMaxBands, 0, 1);
    transfer = given_text(values, "transfer");
    if (auto const text = given_text(values, "albedo-curve"))
        albedo_curve = parse_albedo_curve("--albedo-curve", *text);
    if (albedo_curve && (albedo || transfer))
        fail_usage("--albedo-curve has no meaning beside --albedo or --transfer", "give one of them");
    if (transfer && albedo)
        fail_usage("--albedo has no meaning for a volume with --transfer", "the transfer table has the albedo");
    materials = given_text(values, "materials");
    if (auto const text = given_text(values, "palette")) {
        if (materials) fail_usage("--palette and --materials are the same option", "give one of them");
        materials = text;
    }
    if (!materials && is_given(values, "material")) materials = kSolidsTable;
    air = given_text(values, "air");
    for (auto const& text : given_texts(values, "label")) labels.push_back(parse_label_request(text));
    if (auto const text = given_text(values, "snap")) snap = static_cast<int>(parse_integer("--snap", *text, 1, 255));
    if (auto const text = given_text(values, "interfaces"))
        has_interfaces = parse_choice("--interfaces", *text, {"none", "voxels"}) == "voxels";
    if (auto const text = given_text(values, "crop")) crop = parse_crop(*text);
    if (auto const text = given_text(values, "downsample")) downsample = parse_downsample(*text);
    dicom.series = given_text(values, "series").value_or("");
    part = read_part_choice(values);
    vdb.density_grid = given_text(values, "density-grid").value_or("");
    vdb.albedo_grid = given_text(values, "albedo-grid").value_or("");
    vdb.emission_grid = given_text(values, "emission-grid").value_or("");
    if (auto const text = given_text(values, "interior"))
        vdb.interior = parse_number("--interior", *text, 0, kLargestOptionNumber);
    if (auto const text = given_text(values, "nan"))
        nan = parse_number("--nan", *text, -kLargestOptionNumber, kLargestOptionNumber);
    if (is_given(values, "clamp")) bad_numbers = BadNumbers::clamped;
    // Its reader knows what clamps, but not --nan.
    if (!nan) vdb.bad_numbers = bad_numbers;
    if (auto const text = given_text(values, "g")) g = static_cast<double>(parse_float("--g", *text, kAnisotropyRange));
    if (auto const text = given_text(values, "filter")) filter = parse_word<Filter>("--filter", *text);
}

void SyntheticVolumeOptions::declare(po::options_description& options)
{
    auto add = options.add_options();
    add("make", text_value(join_words<MadeShape>()),
        "make a cube, sphere, slab, noise or checker of --dims voxels and --size, centred on the origin");
    add("sigma-t", text_value("S|R,G,B"),
        "extinction in 1/mm (default 1); one number per band for cube, slab and mesh");
    add("material", text_value("NAME"),
        "the material that fills a cube, slab or mesh: of --materials, or without it pla-white, marble, skin and "
        "others "
        "(--list-materials)");
}

void SyntheticVolumeOptions::read(po::variables_map const& values)
{
    if (auto const text = given_text(values, "make")) shape = parse_word<MadeShape>("--make", *text);
    if (auto const text = given_text(values, "sigma-t"))
        sigma_t = parse_numbers("--sigma-t", *text, 1, kMaxBands, 0, kLargestOptionNumber);
    material_name = given_text(values, "material");
}

void TexturedSlabOptions::declare(po::options_description& options)
{
    auto add = options.add_options();
    add("slab", file_value("TEXTURE", {.files = list_image_extensions(ImageAccess::read)}),
        "make a slab of --dims voxels and --size with this image as the albedo of the layers at one side");
    add("ink-share", text_value("SHARE"), "share of the depth that is textured (default 0.1)");
    add("side", text_value("AXIS"), "the textured side: +x -x +y -y +z -z (default +z)");
    add("base-albedo", text_value("A|R,G,B"), "albedo of the rest (default 0.9997)");
    add("texture-transfer", text_value(join_words<TextureTransfer>()),
        "linear: value / 255 is the albedo; srgb: the decoded value is (default linear)");
}

void TexturedSlabOptions::read(po::variables_map const& values)
{
    texture_path = given_text(values, "slab");
    if (auto const text = given_text(values, "ink-share")) slab.ink_share = parse_number("--ink-share", *text, 0, 1);
    if (auto const text = given_text(values, "side")) slab.side_axis = parse_axis("--side", *text);
    if (auto const text = given_text(values, "base-albedo"))
        slab.base_albedo = parse_numbers("--base-albedo", *text, 1, 3, 0, 1);
    if (auto const text = given_text(values, "texture-transfer"))
        slab.transfer = parse_word<TextureTransfer>("--texture-transfer", *text);
}

void LithophaneOptionGroup::declare(po::options_description& options)
{
    options.add_options()("lithophane", file_value("PICTURE", {.files = list_image_extensions(ImageAccess::read)}),
                          "make an upright plate of one medium (default --material pla-white) that shows this picture "
                          "by its thickness when "
                          "light falls through it: --width across, --thickness of its white and black (default "
                          "0.8mm,3mm); with --export OUT.stl its mesh, to print it");
}

void LithophaneOptionGroup::read(po::variables_map const& values)
{
    path = given_text(values, "lithophane");
}

void MitsubaSceneOptions::declare(po::options_description& options)
{
    auto add = options.add_options();
    add("define,D", repeatable_file("NAME=VALUE")->composing(),
        "value of the scene's parameter $NAME instead of its default; may be repeated");
    add("approximate-shape", po::bool_switch(),
        "replace the shape of the medium, if it is not a box, by its bounding box (needed where the medium has a "
        "grid)");
}

void MitsubaSceneOptions::read(po::variables_map const& values)
{
    scene.approximate_shape = values["approximate-shape"].as<bool>();
    for (auto const& text : given_texts(values, "define")) {
        auto const equals = text.find('=');
        if (equals == std::string::npos || equals == 0)
            fail_usage(fmt::format("-D '{}' is not NAME=VALUE", text), "give for example -D spp=64");
        scene.definitions[text.substr(0, equals)] = text.substr(equals + 1);
    }
}

void VolumeFileOptions::declare(po::options_description& options)
{
    auto add = options.add_options();
    add("output,o", file_value("OUT.vpk"), "packed volume to write");
    add("encode", text_value(join_words<Encoding>()),
        "u8, u16, f16 or f32 for the density, or for the albedo of a textured slab (default: lossless where possible)");
    add("keep-values", po::bool_switch(),
        "keep the file's numbers in the .vpk where its densities do not have them all, so that --window, --opacity and "
        "--albedo-curve can map them anew without the file");
    add("auto", po::bool_switch(),
        "choose what a file alone does not say and no option gives: window, opacity, extinction, materials, voxel "
        "size; "
        "a note tells the choice as options");
    add("bands", text_value("LIST"), "keep only these bands, for example 0,2");
    add("layer-memory", text_value("SIZE"),
        "memory that eight layers of voxels may take, for example 16GiB; larger volumes are refused (default: 4GiB, at "
        "most half of the machine's)");
    add("strict", po::bool_switch(),
        "exit with status 3 and write nothing where a note would tell that something of the source is left out, "
        "assumed, or packed otherwise");
    declare_picture_memory(options);
    add("list-grids", "list the grids of an OpenVDB file");
    add("check-mesh", fmt::format("tell whether a triangle mesh ({}) is the closed surface of a solid, and what is "
                                  "wrong with it; exit status 1 if it is none",
                                  list_mesh_extensions())
                          .c_str());
    add("list-materials", "list the material tables, printers and transfer tables that come with the programs");
    add("export", file_value("OUT", list_export_choices()),
        fmt::format("write the densities of a .vpk for other programs ({}); of --print and --print-mesh a printer's "
                    "job (.gcvf, slice%04d.png), of --lithophane its mesh (.stl), beside -o or without",
                    list_export_extensions())
            .c_str());
    add("plane", text_value(join_words<ExportPlane>()),
        "what --export writes: density, albedo (.mha .nrrd .vti .raw) or label (default density)");
    add("printer", file_value("NAME|FILE", {list_printers(), ".json"}),
        fmt::format(
            "{} or a JSON file: voxel size of slices or a picture without another; with --export, check the job "
            "against the printer's limits, of a print before it is made",
            fmt::join(list_printers(), ", "))
            .c_str());
    add("json-lines", po::bool_switch(),
        "for programs that start volprep: print notes, progress, errors and the answer as JSON objects on stdout, one "
        "a line, instead of text");
    declare_provenance(options);
}

void VolumeFileOptions::read(po::variables_map const& values)
{
    output_path = given_text(values, "output");
    export_path = given_text(values, "export");
    if (auto const text = given_text(values, "plane")) {
        export_plane = parse_word<ExportPlane>("--plane", *text);
        if (!export_path) fail_usage("--plane requires --export", "give --export OUT.mha");
    }
    printer = given_text(values, "printer");
    provenance = read_provenance(values);
    if (auto const text = given_text(values, "encode")) encoding = parse_word<Encoding>("--encode", *text);
    if (values["keep-values"].as<bool>()) keep_values = KeepValues::yes;
    if (auto const text = given_text(values, "bands")) bands = parse_integers("--bands", *text);
    if (auto const text = given_text(values, "layer-memory")) layer_bytes = parse_size_bytes("--layer-memory", *text);
    choose_picture_memory(read_picture_memory(values));
    chooses = values["auto"].as<bool>();
    list_grids = is_given(values, "list-grids");
    check_mesh = is_given(values, "check-mesh");
    list_materials = is_given(values, "list-materials");
    std::string lists;
    for (char const* const option : {"list-grids", "check-mesh", "list-materials"}) {
        if (!is_given(values, option)) continue;
        if (!lists.empty())
            fail_usage(fmt::format("--{} and --{} exclude each other", lists, option), "give one of them");
        lists = option;
    }
    if (!lists.empty() && (output_path || export_path))
        fail_usage(fmt::format("--{} writes no volume", lists), "leave out -o and --export");
    if (lists.empty() && !output_path && !export_path)
        fail_usage("an output is needed", "give -o OUT.vpk, or --export OUT.mha for a .vpk");
    if (output_path && !output_path->ends_with(".vpk"))
        fail_usage(fmt::format("-o '{}' does not end in .vpk", *output_path), "name a packed volume");
}

} // namespace volpt
