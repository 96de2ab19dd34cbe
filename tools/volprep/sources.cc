#include "tools/volprep/sources.h"

#include "formats/input_format.h"
#include "formats/mcx/reader.h"
#include "formats/open_source.h"
#include "libvolpt/image/codecs/codecs.h"
#include "libvolpt/medium/air.h"
#include "libvolpt/medium/albedo_volume.h"
#include "libvolpt/medium/emission_volume.h"
#include "libvolpt/medium/labelled_volume.h"
#include "libvolpt/medium/printer.h"
#include "libvolpt/scene/scene_hints.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/volume/packed_stream.h"
#include "libvolpt/volume/source/downsampled_source.h"
#include "libvolpt/volume/source/label_signs.h"
#include "libvolpt/volume/source/replaced_numbers.h"
#include "tools/options/progress_line.h"
#include "tools/volprep/lithophane/lithophane_source.h"
#include "tools/volprep/made_source.h"
#include "tools/volprep/mesh/mesh_source.h"
#include "tools/volprep/packed_source.h"
#include "tools/volprep/print/mesh_print_source.h"
#include "tools/volprep/print/print_questions.h"
#include "tools/volprep/print/print_size.h"
#include "tools/volprep/source_names.h"
#include "tools/volprep/surface_source.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace volpt {
namespace {

/// Whether the print, or job, is of a size that somebody means; `size_option` says it.
void ask_about_print(ToolRun const& run, VolprepOptions const& options, VoxelStream const& print,
                     std::string_view size_option)
{
    PrintExtent extent;
    extent.of = "the print";
    for (std::size_t a = 0; a < 3; ++a) {
        extent.pitch_mm[a] = static_cast<double>(print.meta().pitch_mm[a]);
        extent.size_mm[a] = print.meta().dims[a] * extent.pitch_mm[a];
    }
    if (auto const& printer = options.output.printer)
        extent.tray_mm = open_printer(*printer).tray_mm.value_or(extent.tray_mm);
    if (auto const question = ask_about_size(extent, "", size_option)) run.notice(*question);
}

std::unique_ptr<VoxelStream> print_picture(VolprepOptions const& options)
{
    VolumeOptions const& volume = options.volume;
    if (!volume.materials)
        fail_usage("--print needs the inks' materials", "give --materials elek2017, or a table of your own");
    check_print_size(options);
    PictureOptions print = options.picture.print;
    if (auto const& printer = options.output.printer) print.pitch_mm = open_printer(*printer).pitch_mm();
    if (volume.pitch_mm) print.pitch_mm = *volume.pitch_mm;
    print.core_material = options.core.material.value_or("");
    print.scale = static_cast<float>(volume.scale.value_or(1));
    print.layer_bytes = options.output.layer_bytes;
    if (!(print.scale > 0)) fail_usage("--scale 0 makes all inks transparent", "give a number above 0");
    std::string const& path = *options.picture.path;
    MaterialTable table = open_material_table(*volume.materials);
    drop_air(table);
    print.scene_hints_json = make_material_hints(table, *volume.materials);
    StoredImage const picture = read_stored_image(path, options.picture.profile_path);
    set_print_size(print, options, picture.description);
    return make_print_volume(picture, path, std::move(table), *volume.materials, print);
}

std::unique_ptr<VoxelStream> open_mitsuba(ToolRun const& run, VolprepOptions const& options)
{
    MitsubaOptions scene = options.mitsuba.scene;
    scene.encoding = options.output.encoding;
    if (scene.encoding == Encoding::u8 || scene.encoding == Encoding::u16)
        fail_usage("--encode u8 or u16 has no meaning for a Mitsuba scene",
                   "give f16 or f32, or pack the resulting .vpk again");
    scene.scale = options.volume.scale;
    scene.g = options.volume.g;
    scene.filter = options.volume.filter;
    scene.mesh_bricks = options.mesh.place.bricks;
    scene.threads = run.common.threads;
    return open_mitsuba_scene(run.arguments[0], scene);
}

/// --pitch, or the printer's where the source has none.
std::optional<std::array<double, 3>> find_pitch_mm(VolumeSource const& source, VolprepOptions const& options)
{
    auto const& printer = options.output.printer;
    if (options.volume.pitch_mm || !printer || source.meta().pitch_mm) return options.volume.pitch_mm;
    return open_printer(*printer).pitch_mm();
}

std::unique_ptr<VolumeSource> open_source(std::string const& input, VolprepOptions const& options,
                                          PartChoice const& part)
{
    VolumeOptions const& volume = options.volume;
    SliceAlpha const alpha = volume.materials ? SliceAlpha::kept : SliceAlpha::opaque;
    ReadOptions const read{volume.outside, options.output.layer_bytes, alpha, part};
    return open_source_file(input, {volume.dims, volume.type, read, volume.vdb, volume.dicom});
}

/// What the numbers of a file mean.
enum class NumberRole { density, label, albedo, emission };

/// Numbers beyond become its ends with --clamp.
std::array<float, 2> find_range(SourceMeta const& source, VolprepOptions const& options, NumberRole role)
{
    constexpr float kLargest = std::numeric_limits<float>::max();
    if (role == NumberRole::albedo) return {0, 1};
    bool const is_density = role == NumberRole::density && source.channels == 1;
    bool const is_mapped = options.volume.window || (is_density && (options.volume.opacity || source.natural_window));
    bool const is_temperature = options.emission.emission.numbers == EmissionNumbers::blackbody;
    if (role == NumberRole::density && !is_density && !is_mapped) {
        auto const [low, high] = source.natural_window.value_or(std::array<double, 2>{0, 1}); // albedo
        return {static_cast<float>(low), static_cast<float>(high)};
    }
    if (role == NumberRole::label || (role == NumberRole::density && is_mapped) ||
        (role == NumberRole::emission && is_temperature))
        return {-kLargest, kLargest};
    return {0, kLargest};
}

/// The source with what --nan and --clamp replace.
std::unique_ptr<VolumeSource> replace_bad_numbers(std::unique_ptr<VolumeSource> source, VolprepOptions const& options,
                                                  NumberRole role)
{
    VolumeOptions const& volume = options.volume;
    bool const clamps = volume.bad_numbers == BadNumbers::clamped;
    if (!volume.nan && !clamps) return source;
    NumberReplacement replacement;
    if (clamps) replacement.range = find_range(source->meta(), options, role);
    bool const is_of_volume = role == NumberRole::density || role == NumberRole::label;
    if (clamps || is_of_volume) replacement.nan = is_of_volume ? static_cast<float>(volume.nan.value_or(0)) : 0.0f;
    if (!replacement.nan && !replacement.range) return source;
    return replace_numbers(std::move(source), replacement);
}

/// Every reader's volume passes here.
std::unique_ptr<VolumeSource> shape_source(std::unique_ptr<VolumeSource> source, VolprepOptions const& options,
                                           NumberRole role)
{
    auto const pitch_mm = find_pitch_mm(*source, options);
    auto const value = role == NumberRole::label ? BlockValue::most_frequent : BlockValue::mean;
    if (options.volume.crop) source = crop_source(std::move(source), *options.volume.crop, pitch_mm);
    if (source->meta().kind != SourceKind::pictures || !is_integer(source->meta().element))
        source = replace_bad_numbers(std::move(source), options, role);
    if (!options.volume.downsample) return source;
    return downsample_source(std::move(source), *options.volume.downsample, value, pitch_mm,
                             options.output.layer_bytes);
}

/// What replaces the pitch of a source that shape_source gives: larger voxels have their own.
std::optional<std::array<double, 3>> find_shaped_pitch_mm(VolumeSource const& source, VolprepOptions const& options)
{
    return options.volume.downsample ? std::nullopt : find_pitch_mm(source, options);
}

/// Sets the labels of colours that the user, a job's manifest or transparency ask for.
void name_colours(VolumeSource& source, ToolRun const& run, VolumeOptions const& volume, MaterialTable& table,
                  LabelledOptions& labelled)
{
    JobColours colours;
    PrintJob const* const job = source.meta().job ? &*source.meta().job : nullptr;
    apply_labels(table, find_label_colours(volume.labels, job), *volume.materials, colours);
    if (job != nullptr) apply_print_job(table, *job, *volume.materials, colours);
    if (source.meta().channels == 4 && !find_air(table)) {
        source.use_threads(run.common.threads);
        ProgressLine line("colours", run.common.verbosity);
        if (has_transparent_pixels(source, line.sink())) apply_transparency(table, *volume.materials, colours);
    }
    labelled.labels = std::move(colours.labels);
    labelled.snap = volume.snap;
    labelled.progress = [](Progress const&) { return !is_interrupted(); };
    labelled.notices.insert(labelled.notices.end(), colours.notices.begin(), colours.notices.end());
}

std::unique_ptr<VoxelStream> open_labelled(ToolRun const& run, std::string const& input, VolprepOptions const& options)
{
    VolumeOptions const& volume = options.volume;
    LabelledOptions labelled;
    labelled.scale = static_cast<float>(volume.scale.value_or(1));
    labelled.filter = volume.filter.value_or(Filter::nearest);
    labelled.core_mm = options.core.core_mm.value_or(0);
    labelled.core_material = options.core.material.value_or("");
    MaterialTable table = open_material_table(*volume.materials);
    if (!volume.has_interfaces) labelled.scene_hints_json = make_material_hints(table, *volume.materials);
    if (volume.air) labelled.notices.push_back(make_air(table, *volume.air, *volume.materials));
    auto source = open_source(input, options, options.volume.part);
    labelled.pitch_mm = find_shaped_pitch_mm(*source, options);
    if (source->meta().kind == SourceKind::pictures)
        name_colours(*source, run, volume, table, labelled);
    else if (!volume.labels.empty() || volume.snap > 0)
        fail_usage("--label and --snap are for stacks of slices", "other volumes have ids: give them in the table");
    if (volume.has_interfaces) {
        if (labelled.filter != Filter::nearest)
            fail_usage("--interfaces voxels are at faces of voxels, but --filter trilinear interpolates between them",
                       "leave one of the two out");
        if (options.mesh.surface)
            fail_usage("--interfaces voxels are faces of voxels in a box, but --surface bounds the volume by a mesh",
                       "leave one of the two out");
        labelled.scene_hints_json = make_interface_hints(table, *volume.materials);
    }
    return make_labelled_volume(shape_source(std::move(source), options, NumberRole::label), std::move(table),
                                *volume.materials, labelled);
}

/// Error (usage) if the options give the albedo twice.
void check_albedo(VolumeOptions const& volume, VolumeSource const& source)
{
    if (volume.albedo && source.meta().channels > 1)
        fail_usage("--albedo has no meaning for a volume of several numbers per voxel", "they are its albedo");
    if (!volume.vdb.albedo_grid.empty() && (volume.albedo || volume.transfer || volume.albedo_curve))
        fail_usage("--albedo, --albedo-curve or --transfer has no meaning for a volume with --albedo-grid",
                   "the grid has the albedo");
}

/// The numbers of --emission-grid or --emission-file, on the voxels of `volume`; null if neither is given.
std::unique_ptr<VolumeSource> open_emission(std::string const& input, VolprepOptions const& options,
                                            VolumeSource const& volume)
{
    std::unique_ptr<VolumeSource> emission;
    if (!options.volume.vdb.emission_grid.empty()) {
        emission = open_openvdb_emission(input, options.volume.vdb, volume);
        check_layer_memory(emission->meta(), options.output.layer_bytes);
    }
    if (options.emission.file) emission = open_source(*options.emission.file, options, {});
    return emission ? shape_source(std::move(emission), options, NumberRole::emission) : nullptr;
}

/// Of several numbers per voxel, which are the albedo, another note says the extinction.
std::vector<AssumedValue> list_assumed(VolumeOptions const& volume, SourceMeta const& source)
{
    if (source.channels > 1) return {};
    std::vector<AssumedValue> assumed;
    bool const has_albedo = volume.albedo || volume.transfer || volume.albedo_curve || !volume.vdb.albedo_grid.empty();
    if (!volume.scale) assumed.push_back({"--scale", "extinction 1/mm at density 1"});
    if (!has_albedo) assumed.push_back({"--albedo", "albedo 0.9"});
    return assumed;
}

std::unique_ptr<VoxelStream> open_measured(ToolRun const& run, std::string const& input, VolprepOptions const& options)
{
    VolumeOptions const& volume = options.volume;
    MeasuredOptions measured;
    measured.window = volume.window;
    measured.opacity = volume.opacity;
    measured.albedo_curve = volume.albedo_curve;
    if (volume.transfer) measured.transfer = read_transfer_table(*volume.transfer);
    measured.encoding = options.output.encoding;
    measured.keep_values = options.output.keep_values;
    measured.albedo = volume.albedo.value_or(measured.albedo);
    measured.scale = static_cast<float>(volume.scale.value_or(1));
    measured.g = static_cast<float>(volume.g.value_or(0));
    measured.filter = volume.filter.value_or(Filter::trilinear);
    auto source = open_source(input, options, options.volume.part);
    measured.pitch_mm = find_shaped_pitch_mm(*source, options);
    check_albedo(volume, *source);
    if (source->meta().job)
        run.notice(
            "this is a print job, whose colours are taken as albedo: --materials elek2017, or another table, takes "
            "them as inks");
    if (auto const assumed = list_assumed(volume, source->meta()); !assumed.empty())
        run.notice(describe_assumed(assumed));
    // Means are no integers, so that nothing tells later that they were labels.
    bool const is_mapped = measured.window || measured.opacity || source->meta().natural_window;
    if (volume.downsample && !is_mapped && look_like_labels(source->meta(), {}))
        measured.notices.push_back(advise_materials(source->meta(), {}));
    auto emission = open_emission(input, options, *source);
    auto const emit = [&](std::unique_ptr<VoxelStream> stream) {
        if (!emission) return stream;
        return add_emission(std::move(stream), std::move(emission), options.emission.emission);
    };
    if (volume.vdb.albedo_grid.empty())
        return emit(
            make_measured_volume(shape_source(std::move(source), options, NumberRole::density), std::move(measured)));
    auto albedo = open_openvdb_albedo(input, volume.vdb, *source);
    check_layer_memory(albedo->meta(), options.output.layer_bytes);
    albedo = shape_source(std::move(albedo), options, NumberRole::albedo);
    source = shape_source(std::move(source), options, NumberRole::density);
    auto const albedo_encoding = measured.encoding == Encoding::f32 ? Encoding::f32 : Encoding::f16;
    return emit(replace_albedo(make_measured_volume(std::move(source), std::move(measured)), std::move(albedo),
                               albedo_encoding));
}

InputKind find_file_kind(std::string const& input, VolprepOptions const& options)
{
    switch (find_input_format(input, options.volume.dims ? FileHeader::in_options : FileHeader::own)) {
#define VOLPT_INPUT(kind, question, headerless, extensions)                                                            \
    case InputFormat::kind:                                                                                            \
        return InputKind::kind;
#include "formats/inputs.def"
#undef VOLPT_INPUT
    case InputFormat::volume_file:
        break;
    }
    return InputKind::other_file;
}

std::unique_ptr<VoxelStream> open_input(ToolRun const& run, VolprepOptions const& options, InputKinds kinds,
                                        PrintedJob* job)
{
    std::vector<std::string> const& inputs = run.arguments;
    if (kinds.contains(InputKind::synthetic)) return make_synthetic(run, options);
    if (kinds.contains(InputKind::textured_slab)) return make_textured_slab(run, options);
    if (kinds.contains(InputKind::lithophane)) return open_lithophane(run, options);
    if (kinds.contains(InputKind::printed_picture)) {
        auto print = print_picture(options);
        ask_about_print(run, options, *print, options.picture.width_mm ? "--width" : "--size");
        return job != nullptr ? job->collect(std::move(print), *options.picture.path) : std::move(print);
    }
    if (kinds.contains(InputKind::packed_volume)) return open_packed(inputs[0], options);
    if (kinds.contains(InputKind::mitsuba_scene)) return open_mitsuba(run, options);
    if (kinds.contains(InputKind::mcx_input))
        return open_mcx_input(inputs[0], {options.volume.outside, options.output.layer_bytes});
    if (kinds.contains(InputKind::triangle_mesh)) return open_mesh(run, options);
    if (kinds.contains(InputKind::printed_mesh))
        return open_mesh_print(
            run, inputs[0], options,
            options.mesh.surface || !options.output.output_path ? PrintBoundary::none : PrintBoundary::mesh, job);
    if (kinds.contains(InputKind::labelled)) {
        auto labelled = open_labelled(run, inputs[0], options);
        // Few slices are no slip of the unit.
        bool const may_slip = kinds.contains(InputKind::slices) && options.volume.pitch_mm &&
                              std::ranges::max(*options.volume.pitch_mm) >= 1;
        if (may_slip) ask_about_print(run, options, *labelled, "--pitch (42 is 42 mm, a printer's are like 42um)");
        return labelled;
    }
    return open_measured(run, inputs[0], options);
}

} // namespace

InputKinds find_input_kinds(std::vector<std::string> const& inputs, VolprepOptions const& options)
{
    std::vector<InputKind> kinds;
    if (options.synthetic.shape) kinds.push_back(InputKind::synthetic);
    if (options.slab.texture_path) kinds.push_back(InputKind::textured_slab);
    if (options.lithophane.path) kinds.push_back(InputKind::lithophane);
    if (options.picture.path) kinds.push_back(InputKind::printed_picture);
    if (kinds.size() + inputs.size() != 1)
        fail_usage("one volume is needed",
                   "give an INPUT, or --make SHAPE, or --slab TEXTURE, --lithophane PICTURE or --print PICTURE");
    bool const has_materials = options.volume.materials.has_value();
    InputKind const kind = inputs.empty() ? kinds.front() : find_file_kind(inputs[0], options);
    if (kind == InputKind::triangle_mesh && options.print_mesh.is_asked_for) return InputKind::printed_mesh;
    switch (kind) {
    case InputKind::triangle_mesh:
        if (options.mesh.medium_path) return kind | InputKind::in_volume;
        [[fallthrough]];
    case InputKind::lithophane:
    case InputKind::synthetic:
        return kind | (has_materials ? InputKind::one_material : InputKind::without_materials);
    case InputKind::openvdb_file:
    case InputKind::slices:
    case InputKind::dicom_series:
    case InputKind::other_file:
        return kind | (has_materials ? InputKind::labelled : InputKind::without_materials);
    default:
        return kind;
    }
}

std::unique_ptr<VolumeSource> open_shaped_source(std::string const& input, VolprepOptions const& options)
{
    return shape_source(open_source(input, options, options.volume.part), options, NumberRole::density);
}

std::unique_ptr<VoxelStream> open_voxel_stream(ToolRun const& run, VolprepOptions const& options, PrintedJob* job)
{
    InputKinds const kinds = find_input_kinds(run.arguments, options);
    check_options(run.given_options, kinds, run.notice);
    if (options.volume.face_size_mm && !options.picture.path)
        fail_usage("--size of two lengths requires --print", "give x,y,z");
    if (options.volume.mesh_size_mm && !kinds.contains(InputKind::printed_mesh))
        fail_usage("--size of one length of three requires --print-mesh", "give x,y,z");
    ToolRun opening = run;
    auto const open = [&] {
        auto stream = open_input(opening, options, kinds, job);
        opening.notice = [](std::string_view) {}; // a surface opens the volume twice
        if (!options.emission.emission.constant.empty())
            stream = add_emission(std::move(stream), nullptr, options.emission.emission);
        return options.output.bands.empty() ? std::move(stream) : select_bands(std::move(stream), options.output.bands);
    };
    MeshOptions const& mesh = options.mesh;
    bool const is_packed = options.output.output_path.has_value();
    for (char const* const of_file : {"surface", "reproducible", "provenance", "encode"})
        if (!is_packed && std::ranges::find(run.given_options, of_file) != run.given_options.end())
            run.notice(fmt::format("--{} has no effect on a job without -o", of_file));
    if (mesh.surface && is_packed && options.output.keep_values == KeepValues::yes)
        run.notice("--keep-values has no effect on a volume that --surface bounds: voxels around it take the densities "
                   "of others");
    std::string const input = run.arguments.empty() ? std::string("the volume") : run.arguments[0];
    auto stream = mesh.surface && is_packed
                      ? bound_by_own_surface(run, *mesh.surface, mesh.surface_threshold, input, open)
                      : open();
    std::filesystem::path base;
    if (kinds.contains(InputKind::packed_volume)) base = std::filesystem::path(input).parent_path();
    if (mesh.medium_path) base = std::filesystem::path(*mesh.medium_path).parent_path();
    return name_sources(std::move(stream), base, options.output.provenance, options.output.output_path.value_or(""));
}

} // namespace volpt
