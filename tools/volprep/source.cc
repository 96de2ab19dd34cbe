// Chooses among foreign files, packed volumes, made volumes and prints, and hands each its options.
#include "tools/volprep/source.h"

#include "formats/openvdb/reader.h"
#include "formats/raw/reader.h"
#include "formats/reader.h"
#include "formats/slices/stack.h"
#include "libvolpt/image/codecs/codecs.h"
#include "libvolpt/medium/albedo_volume.h"
#include "libvolpt/medium/labelled_volume.h"
#include "libvolpt/scene/scene_hints.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/file_bytes.h"
#include "libvolpt/volume/packed_stream.h"

#include <algorithm>
#include <fmt/format.h>

namespace volpt {
namespace {

/// Refuses options that would silently do nothing.
void refuse_if(bool given, char const* option, char const* what_for, char const* what_to_do)
{
    if (given) fail_usage(fmt::format("{} has no meaning for {}", option, what_for), what_to_do);
}

std::array<int, 3> need_dims(VolprepOptions const& options)
{
    if (!options.volume.dims) fail_usage("--dims is missing", "give for example --dims 64,64,64");
    return *options.volume.dims;
}

std::array<float, 3> find_made_pitch(VolumeGroup const& volume, std::array<int, 3> dims)
{
    if (volume.pitch_mm.has_value() == volume.size_mm.has_value())
        fail_usage("a made volume needs --size or --pitch, not both", "give for example --size 10mm,10mm,10mm");
    std::array<float, 3> pitch_mm{};
    for (std::size_t i = 0; i < 3; ++i)
        pitch_mm[i] = static_cast<float>(volume.pitch_mm ? (*volume.pitch_mm)[i] : (*volume.size_mm)[i] / dims[i]);
    return pitch_mm;
}

void refuse_file_options(VolprepOptions const& options, char const* what_for)
{
    refuse_if(options.volume.type.has_value(), "--type", what_for, "it describes a headerless file");
    refuse_if(options.volume.window.has_value(), "--window", what_for, "it maps a file's numbers to density");
    refuse_if(options.volume.transfer.has_value(), "--transfer", what_for, "it colours a file's densities");
    refuse_if(options.core.core_mm.has_value(), "--core", what_for, "it lies behind slices");
    refuse_if(options.volume.scale.has_value(), "--scale", what_for, "give --sigma-t");
}

void fill_with_material(MakeOptions& make, VolprepOptions const& options)
{
    std::string const& name = *options.volume.materials;
    MaterialTable const table = open_material_table(name);
    if (!options.make.material_name)
        fail_usage("--material is missing", "name the material of the table that fills the volume");
    Material const& material = table.materials[find_material(table, *options.make.material_name, name)];
    make.sigma_t.assign(material.sigma_t.begin(), material.sigma_t.end());
    make.one_minus_albedo.assign(material.one_minus_albedo.begin(), material.one_minus_albedo.end());
    make.wavelengths_nm = table.wavelengths_nm;
    make.scene_hints_json = make_material_hints(table, name);
    if (!options.volume.g) make.g = material.g;
}

std::unique_ptr<VoxelStream> make_from_options(VolprepOptions const& options)
{
    refuse_file_options(options, "a made volume");
    MakeOptions make;
    make.shape = *options.make.shape;
    bool const homogeneous = make.shape == MadeShape::cube || make.shape == MadeShape::slab;
    make.dims = homogeneous ? options.volume.dims.value_or(std::array<int, 3>{1, 1, 1}) : need_dims(options);
    make.pitch_mm = find_made_pitch(options.volume, make.dims);
    make.filter = options.volume.filter.value_or(Filter::trilinear);
    make.encoding = options.output.encoding.value_or(Encoding::u8);
    make.sigma_t = options.make.sigma_t.value_or(make.sigma_t);
    if (options.volume.albedo) {
        make.one_minus_albedo = *options.volume.albedo;
        for (double& value : make.one_minus_albedo) value = 1 - value;
    }
    make.g = static_cast<float>(options.volume.g.value_or(0));
    if (!options.volume.materials) return make_volume(std::move(make));

    if (!homogeneous) fail_usage("--material fills a whole volume", "use --make cube or slab");
    refuse_if(options.make.sigma_t.has_value(), "--sigma-t", "a material", "the table has its extinction");
    refuse_if(options.volume.albedo.has_value(), "--albedo", "a material", "the table has its albedo");
    fill_with_material(make, options);
    return make_volume(std::move(make));
}

std::unique_ptr<VoxelStream> print_from_options(VolprepOptions const& options)
{
    refuse_file_options(options, "a print");
    refuse_if(options.volume.albedo.has_value(), "--albedo", "a print", "give --base-albedo");
    refuse_if(options.volume.materials.has_value(), "--materials", "a print of one extinction",
              "use --print instead of --slab");
    if (options.make.sigma_t && options.make.sigma_t->size() != 1)
        fail_usage("--sigma-t of a print is one number", "inks by band need a labelled volume");
    PrintOptions print = options.print.print;
    print.dims = need_dims(options);
    print.pitch_mm = find_made_pitch(options.volume, print.dims);
    print.sigma_t = options.make.sigma_t ? options.make.sigma_t->front() : 1;
    print.albedo_encoding = options.output.encoding;
    print.g = static_cast<float>(options.volume.g.value_or(0));
    print.filter = options.volume.filter.value_or(Filter::trilinear);
    return make_print_slab(read_image(*options.print.texture_path), std::move(print));
}

std::unique_ptr<VoxelStream> halftone_from_options(VolprepOptions const& options)
{
    VolumeGroup const& volume = options.volume;
    refuse_if(volume.dims || volume.type || volume.window || volume.transfer || volume.albedo || volume.g ||
                  volume.filter || options.output.encoding,
              "--dims, --type, --window, --transfer, --albedo, --g, --filter or --encode", "--print",
              "the material table has it all");
    refuse_if(options.make.sigma_t || options.make.material_name, "--sigma-t or --material", "--print",
              "the material table has it all");
    if (!volume.materials) fail_usage("--print needs the inks", "give --materials elek2017, or a table of your own");
    if (!options.core.core_mm)
        fail_usage("--print needs to know what lies behind the inks", "give for example --core 9.5mm");
    if (!volume.face_size_mm && !volume.size_mm)
        fail_usage("--print needs a size", "give for example --size 50mm,50mm");
    auto const is_cube = [](std::array<double, 3> const& size) { return size[0] == size[1] && size[1] == size[2]; };
    refuse_if(volume.size_mm && !is_cube(*volume.size_mm), "--size of three lengths", "--print",
              "give x,y; --core and --ink-depth are the depth");
    PictureOptions picture = options.picture.picture;
    picture.size_mm = volume.face_size_mm.value_or(std::array<double, 2>{});
    if (volume.size_mm) picture.size_mm = {(*volume.size_mm)[0], (*volume.size_mm)[1]};
    if (volume.pitch_mm) picture.pitch_mm = *volume.pitch_mm;
    picture.core_mm = *options.core.core_mm;
    picture.core_material = options.core.material.value_or("");
    picture.scale = static_cast<float>(volume.scale.value_or(1));
    if (!(picture.scale > 0)) fail_usage("--scale 0 leaves no ink to print with", "give a number above 0");
    std::string const& path = *options.picture.path;
    MaterialTable table = open_material_table(*volume.materials);
    picture.scene_hints_json = make_material_hints(table, *volume.materials);
    return make_print_volume(read_image(path), path, std::move(table), *volume.materials, picture);
}

std::unique_ptr<VoxelStream> repack_from_options(std::string const& input, VolprepOptions const& options)
{
    VolumeGroup const& volume = options.volume;
    refuse_if(volume.dims || volume.type || volume.size_mm, "--dims, --type or --size", "a packed volume",
              "it knows them");
    refuse_if(volume.window.has_value(), "--window", "a packed volume", "pack the source file again");
    refuse_if(volume.transfer || volume.albedo || volume.materials, "--transfer, --albedo or --materials",
              "a packed volume", "pack the source file again");
    refuse_if(options.core.core_mm.has_value(), "--core", "a packed volume", "pack the slices again");
    RepackOptions repack;
    if (volume.scale) repack.scale = static_cast<float>(*volume.scale);
    if (volume.g) repack.g = static_cast<float>(*volume.g);
    repack.filter = volume.filter;
    repack.pitch_mm = volume.pitch_mm;
    repack.encoding = options.output.encoding;
    return make_packed_stream(PackedVolume::open(input, VerifyLevel::full), repack);
}

bool is_slices(std::string const& input)
{
    std::error_code ignored;
    return std::filesystem::is_directory(input, ignored) || is_slice_pattern(input);
}

std::unique_ptr<VolumeSource> open_source(std::string const& input, VolprepOptions const& options)
{
    VolumeGroup const& volume = options.volume;
    if (volume.dims.has_value() != volume.type.has_value())
        fail_usage("--dims and --type belong together", "give both for a headerless file, none for others");
    if (is_slices(input)) {
        refuse_if(volume.dims.has_value(), "--dims", "slices", "they know it");
        return open_slice_stack(input, volume.materials ? SliceAlpha::kept : SliceAlpha::opaque);
    }
    if (!volume.dims && is_openvdb(input)) return open_openvdb(input, volume.vdb);
    return volume.dims ? open_raw(input, *volume.dims, *volume.type) : open_volume_source(input);
}

std::unique_ptr<VoxelStream> label_from_options(std::string const& input, VolprepOptions const& options)
{
    VolumeGroup const& volume = options.volume;
    refuse_if(volume.window || volume.transfer || volume.albedo || volume.g || options.output.encoding,
              "--window, --transfer, --albedo, --g or --encode", "a volume with --materials", "they have it all");
    LabelledOptions labelled;
    labelled.pitch_mm = volume.pitch_mm;
    labelled.scale = static_cast<float>(volume.scale.value_or(1));
    labelled.filter = volume.filter.value_or(Filter::nearest);
    labelled.core_mm = options.core.core_mm.value_or(0);
    labelled.core_material = options.core.material.value_or("");
    MaterialTable table = open_material_table(*volume.materials);
    labelled.scene_hints_json = make_material_hints(table, *volume.materials);
    return make_labelled_volume(open_source(input, options), std::move(table), *volume.materials, labelled);
}

std::unique_ptr<VoxelStream> measure_from_options(std::string const& input, VolprepOptions const& options)
{
    VolumeGroup const& volume = options.volume;
    refuse_if(volume.size_mm.has_value(), "--size", "a file", "give --pitch");
    refuse_if(options.make.sigma_t.has_value(), "--sigma-t", "a file", "give --scale");
    refuse_if(options.make.material_name.has_value(), "--material", "a file", "its colours or ids name the materials");
    refuse_if(volume.transfer && volume.albedo, "--albedo", "a volume with --transfer", "the table has the albedo");
    if (volume.materials) return label_from_options(input, options);
    refuse_if(options.core.core_mm.has_value(), "--core", "a volume without --materials",
              "they say what it is made of");
    MeasuredOptions measured;
    measured.pitch_mm = volume.pitch_mm;
    measured.window = volume.window;
    if (volume.transfer) measured.transfer = read_transfer_table(*volume.transfer);
    measured.encoding = options.output.encoding;
    measured.albedo = volume.albedo.value_or(measured.albedo);
    measured.scale = static_cast<float>(volume.scale.value_or(1));
    measured.g = static_cast<float>(volume.g.value_or(0));
    measured.filter = volume.filter.value_or(Filter::trilinear);
    auto source = open_source(input, options);
    refuse_if(volume.albedo.has_value() && source->meta().channels > 1, "--albedo",
              "a volume of several numbers a voxel", "they are its albedo");
    if (volume.vdb.albedo_grid.empty()) return make_measured_volume(std::move(source), std::move(measured));
    refuse_if(volume.albedo || volume.transfer, "--albedo or --transfer", "a volume with --albedo-grid",
              "the grid has the albedo");
    auto albedo = open_openvdb_albedo(input, volume.vdb, *source);
    auto const albedo_encoding = measured.encoding == Encoding::f32 ? Encoding::f32 : Encoding::f16;
    return replace_albedo(make_measured_volume(std::move(source), std::move(measured)), std::move(albedo),
                          albedo_encoding);
}

} // namespace

bool is_packed_volume(std::filesystem::path const& path)
{
    constexpr auto kMagic = kVolumeFile.magic;
    FileBytes const file(path);
    std::array<char, kMagic.size()> head{};
    if (file.size_bytes() >= head.size()) file.read_at(0, std::as_writable_bytes(std::span(head)));
    return head == kMagic || path.extension() == ".vpk";
}

bool is_openvdb(std::filesystem::path const& path)
{
    return is_openvdb_file(path) || path.extension() == ".vdb";
}

std::unique_ptr<VoxelStream> open_voxel_stream(std::vector<std::string> const& inputs, VolprepOptions const& options)
{
    bool const makes = options.make.shape.has_value();
    bool const prints = options.print.texture_path.has_value();
    bool const halftones = options.picture.path.has_value();
    if (static_cast<int>(makes) + static_cast<int>(prints) + static_cast<int>(halftones) +
            static_cast<int>(!inputs.empty()) !=
        1)
        fail_usage("one volume is needed", "give an INPUT, or --make SHAPE, or --slab TEXTURE, or --print PICTURE");
    refuse_if(options.volume.face_size_mm.has_value() && !halftones, "--size of two lengths", "anything but --print",
              "give x,y,z");
    bool const is_vdb = !inputs.empty() && !options.volume.dims && !is_slices(inputs[0]) && is_openvdb(inputs[0]);
    refuse_if(options.volume.has_vdb_options && !is_vdb, "--density-grid, --albedo-grid, --interior or --clamp",
              "anything but an OpenVDB file", "leave it out, or give a .vdb");
    std::unique_ptr<VoxelStream> stream;
    if (makes)
        stream = make_from_options(options);
    else if (prints)
        stream = print_from_options(options);
    else if (halftones)
        stream = halftone_from_options(options);
    else if (!is_slices(inputs[0]) && is_packed_volume(inputs[0]))
        stream = repack_from_options(inputs[0], options);
    else if (!is_slices(inputs[0]) && !options.volume.dims && is_mitsuba_scene(inputs[0]))
        stream = open_mitsuba_from_options(inputs[0], options);
    else
        stream = measure_from_options(inputs[0], options);
    if (!options.output.bands.empty()) stream = select_bands(std::move(stream), options.output.bands);
    return stream;
}

} // namespace volpt
