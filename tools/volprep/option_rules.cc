#include "tools/volprep/option_rules.h"

#include "libvolpt/sys/error.h"

#include <algorithm>
#include <fmt/format.h>

namespace volpt {
namespace {

using enum InputKind;

constexpr NamedInputKind kInputKinds[] = {
    {synthetic, "a synthetic volume"},
    {textured_slab, "a textured slab"},
    {printed_picture, "a printed picture"},
    {packed_volume, "a packed volume"},
    {mitsuba_scene, "a Mitsuba scene"},
    {mcx_input, "an input of MCX"},
    {openvdb_file, "an OpenVDB file"},
    {slices, "slices"},
    {dicom_series, "a DICOM series"},
    {other_file, "a file"},
    {triangle_mesh, "a triangle mesh"},
    {lithophane, "a lithophane"},
    {one_material, "a volume of one material"},
    {labelled, "a volume with --materials"},
    {without_materials, "a volume without --materials"},
    {in_volume, "a mesh with --medium"},
    {printed_mesh, "a printed mesh"},
    {not_packed, "--export, --list-grids, --check-mesh and --list-materials"},
};

constexpr InputKinds kMesh = triangle_mesh | lithophane;
constexpr InputKinds kFile = openvdb_file | slices | dicom_series | other_file;
constexpr InputKinds kOwnMedium = one_material | labelled | without_materials;
constexpr InputKinds kMedium = kOwnMedium | in_volume;
constexpr InputKinds kPacked = synthetic | textured_slab | printed_picture | packed_volume | mitsuba_scene | mcx_input |
                               kFile | kMesh | kMedium | printed_mesh;

constexpr char kTableHasMedium[] = "the material table has extinction, albedo and anisotropy";
constexpr char kTableHasExtinction[] = "the material table has the extinction";
constexpr char kSceneHasMedium[] = "the scene has extinction and albedo; to choose others, give its .vol file";
constexpr char kSceneHasPlace[] = "the scene says where its voxels lie; change its transforms";
constexpr char kInputHasMedia[] = "the input has the coefficients; change its Domain.Media";
constexpr char kInputHasPlace[] = "the input says how many voxels there are and how large; change its Domain";
constexpr char kPackAgain[] = "pack the source file again";
constexpr char kOneInput[] = "give one input";
constexpr char kLabelsDoNotEmit[] = "it is for densities: of materials, give --emission for all alike";
constexpr char kNeedsSlab[] = "it requires --slab TEXTURE.png";
constexpr char kNeedsPrint[] = "it requires --print PICTURE.png";
constexpr char kNeedsOpenVdb[] = "it requires an OpenVDB file (.vdb)";
constexpr char kNeedsDicom[] = "it requires a DICOM series: a folder, a pattern or a .dcm";
constexpr char kVdbHasGrids[] = "give --density-grid NAME";
constexpr char kNeedsParts[] = "it requires a file of several volumes or channels, or a stack of pictures";
constexpr char kNeedsMesh[] = "it requires a triangle mesh (.stl, .ply, .obj, .gltf, .3mf)";
constexpr char kMeshHasPlace[] = "the mesh has its own size and place; --mesh-scale changes its size";
constexpr char kMeshIsHomogeneous[] =
    "its medium is homogeneous: give --sigma-t and --albedo, or --materials, or a volume by --medium";
constexpr char kVolumeHasMedium[] = "the medium is that volume's: pack the volume with it";
constexpr char kPlateIsMade[] = "the plate is made as --width, --thickness and its material say";
constexpr char kNeedsAnyPrint[] = "it requires --print PICTURE.png or --print-mesh";
constexpr char kNeedsPrintMesh[] = "it requires --print-mesh";
constexpr char kExportsAlone[] = "of --print and --print-mesh a job is written at once, of --lithophane its mesh, of "
                                 "others the .vpk is exported by a "
                                 "second command";
constexpr char kPacksNothing[] = "it is for runs that pack and print nothing: leave it out";

constexpr InputKinds kNotSlab =
    synthetic | printed_picture | packed_volume | mitsuba_scene | mcx_input | kFile | kMesh | printed_mesh | not_packed;
constexpr InputKinds kNotPrint =
    synthetic | textured_slab | packed_volume | mitsuba_scene | mcx_input | kFile | kMesh | not_packed;
constexpr InputKinds kNotPlate =
    synthetic | textured_slab | packed_volume | mitsuba_scene | mcx_input | kFile | triangle_mesh | not_packed;
constexpr InputKinds kNotPrinted = synthetic | textured_slab | packed_volume | mitsuba_scene | mcx_input | kFile |
                                   triangle_mesh | labelled | in_volume;
constexpr InputKinds kNotOpenVdb = synthetic | textured_slab | printed_picture | packed_volume | mitsuba_scene |
                                   mcx_input | slices | dicom_series | other_file | kMesh | printed_mesh;
constexpr InputKinds kNotDicom = synthetic | textured_slab | printed_picture | packed_volume | mitsuba_scene |
                                 mcx_input | openvdb_file | slices | other_file | kMesh | printed_mesh;
constexpr InputKinds kNoParts =
    synthetic | textured_slab | printed_picture | packed_volume | mitsuba_scene | mcx_input | kMesh | printed_mesh;
constexpr InputKinds kNotMitsuba =
    synthetic | textured_slab | printed_picture | packed_volume | mcx_input | kFile | kMesh | printed_mesh | not_packed;
constexpr InputKinds kNotMesh =
    synthetic | textured_slab | printed_picture | packed_volume | mitsuba_scene | mcx_input | kFile;
constexpr InputKinds kFromFile = packed_volume | mitsuba_scene | mcx_input | kFile | triangle_mesh | printed_mesh;

/// What says how an emission is meant has a rule of its own for where there is none (EmissionVolumeOptions).
constexpr InputKinds kEmitting = synthetic | textured_slab | kFile | kMesh | kOwnMedium;
constexpr InputKinds kNotEmitting =
    printed_picture | printed_mesh | packed_volume | mitsuba_scene | mcx_input | in_volume | not_packed;

/// Where no file's values are mapped to density.
std::vector<OptionRule::Refusal> const kMapsNoFile = {{in_volume, kVolumeHasMedium},
                                                      {synthetic | textured_slab, "it maps a file's values to density"},
                                                      {printed_picture | printed_mesh | labelled, kTableHasMedium},
                                                      {mitsuba_scene, kSceneHasMedium},
                                                      {mcx_input, kInputHasMedia},
                                                      {kMesh, kMeshIsHomogeneous}};

/// Where no file has numbers that could be NaN or no density.
std::vector<OptionRule::Refusal> const kReadsNoNumbers = {
    {in_volume, kVolumeHasMedium},
    {synthetic | textured_slab | printed_picture | printed_mesh | kMesh, "it is for the numbers of a file"},
    {packed_volume, kPackAgain},
    {mitsuba_scene, kSceneHasMedium},
    {mcx_input, kInputHasMedia}};

// option, used, ignored, refused
OptionRule const kRules[] = {
    // Volume
    {"dims",
     synthetic | textured_slab | other_file | kMedium,
     not_packed,
     {{printed_picture | printed_mesh, "--size or --width, --pitch and --ink-depth give the number of voxels"},
      {packed_volume | openvdb_file | slices | dicom_series, "it has its own number of voxels"},
      {kMesh, "give --mesh-bricks"},
      {mitsuba_scene, kSceneHasPlace},
      {mcx_input, kInputHasPlace}}},
    {"type",
     other_file | kMedium,
     not_packed,
     {{synthetic | textured_slab | printed_picture | printed_mesh | packed_volume | mitsuba_scene | mcx_input |
           openvdb_file | slices | dicom_series | kMesh,
       "it describes a headerless file"}}},
    {"pitch",
     synthetic | textured_slab | printed_picture | printed_mesh | packed_volume | kFile | kMedium,
     not_packed,
     {{mitsuba_scene, kSceneHasPlace},
      {mcx_input, kInputHasPlace},
      {triangle_mesh, kMeshHasPlace},
      {lithophane, kPlateIsMade}}},
    {"size",
     synthetic | textured_slab | printed_picture | printed_mesh | kMedium,
     not_packed,
     {{packed_volume | kFile, "give --pitch"},
      {mitsuba_scene, kSceneHasPlace},
      {mcx_input, kInputHasPlace},
      {triangle_mesh, kMeshHasPlace},
      {lithophane, "give --width"}}},
    {"window", packed_volume | kFile | one_material | without_materials, not_packed, kMapsNoFile},
    {"opacity", packed_volume | kFile | one_material | without_materials, not_packed, kMapsNoFile},
    {"scale",
     printed_picture | printed_mesh | packed_volume | mitsuba_scene | kFile | kOwnMedium,
     not_packed,
     {{in_volume, kVolumeHasMedium},
      {synthetic | textured_slab | kMesh, "give --sigma-t"},
      {mcx_input, kInputHasMedia}}},
    {"albedo",
     synthetic | packed_volume | kFile | kMesh | without_materials,
     not_packed,
     {{in_volume, kVolumeHasMedium},
      {textured_slab, "give --base-albedo"},
      {printed_picture | printed_mesh | one_material | labelled, kTableHasMedium},
      {mitsuba_scene, kSceneHasMedium},
      {mcx_input, kInputHasMedia}}},
    {"transfer",
     packed_volume | kFile | one_material | without_materials,
     not_packed,
     {{in_volume, kVolumeHasMedium},
      {synthetic | textured_slab, "it gives an albedo to a file's densities"},
      {printed_picture | printed_mesh | labelled, kTableHasMedium},
      {mitsuba_scene, kSceneHasMedium},
      {mcx_input, kInputHasMedia},
      {kMesh, kMeshIsHomogeneous}}},
    {"albedo-curve",
     packed_volume | kFile | one_material | without_materials,
     not_packed,
     {{in_volume, kVolumeHasMedium},
      {synthetic | textured_slab, "it gives an albedo to a file's values"},
      {printed_picture | printed_mesh | labelled, kTableHasMedium},
      {mitsuba_scene, kSceneHasMedium},
      {mcx_input, kInputHasMedia},
      {kMesh, kMeshIsHomogeneous}}},
    {"allow-outside",
     other_file | mcx_input | kMedium,
     synthetic | textured_slab | printed_picture | packed_volume | mitsuba_scene | openvdb_file | slices |
         dicom_series | kMesh | printed_mesh | not_packed,
     {}},
    {"series", dicom_series | kMedium, not_packed, {{kNotDicom, kNeedsDicom}}},
    {"channel",
     slices | dicom_series | other_file | kMedium,
     not_packed,
     {{openvdb_file, kVdbHasGrids}, {kNoParts, kNeedsParts}}},
    {"volume",
     slices | dicom_series | other_file | kMedium,
     not_packed,
     {{openvdb_file, kVdbHasGrids}, {kNoParts, kNeedsParts}}},
    {"density-grid", openvdb_file | kMedium, not_packed, {{kNotOpenVdb, kNeedsOpenVdb}}},
    {"albedo-grid",
     openvdb_file | in_volume | one_material | without_materials,
     labelled | not_packed,
     {{kNotOpenVdb, kNeedsOpenVdb}}},
    {"emission-grid",
     openvdb_file | one_material | without_materials,
     not_packed,
     {{kNotOpenVdb, kNeedsOpenVdb}, {in_volume, kVolumeHasMedium}, {labelled, kLabelsDoNotEmit}}},
    {"interior", openvdb_file | kMedium, not_packed, {{kNotOpenVdb, kNeedsOpenVdb}}},
    {"nan", kFile | kOwnMedium, not_packed, kReadsNoNumbers},
    {"clamp", kFile | kOwnMedium, not_packed, kReadsNoNumbers},
    {"materials",
     synthetic | printed_picture | printed_mesh | kFile | kMesh | kOwnMedium,
     mitsuba_scene | mcx_input | not_packed,
     {{in_volume, kVolumeHasMedium}, {textured_slab, "use --print instead of --slab"}, {packed_volume, kPackAgain}}},
    {"palette",
     synthetic | printed_picture | printed_mesh | kFile | kMesh | kOwnMedium,
     mitsuba_scene | mcx_input | not_packed,
     {{in_volume, kVolumeHasMedium}, {textured_slab, "use --print instead of --slab"}, {packed_volume, kPackAgain}}},
    {"air",
     kFile | one_material | labelled,
     not_packed,
     {{synthetic | textured_slab | printed_picture | kMesh | printed_mesh | in_volume,
       "it is for label volumes and stacks of slices"},
      {packed_volume, kPackAgain},
      {mitsuba_scene, kSceneHasMedium},
      {mcx_input, kInputHasMedia},
      {without_materials, "it is one of the materials: give --materials TABLE"}}},
    {"label",
     kFile | one_material | labelled,
     not_packed,
     {{synthetic | textured_slab | printed_picture | kMesh | printed_mesh | in_volume, "it is for stacks of slices"},
      {packed_volume, kPackAgain},
      {mitsuba_scene, kSceneHasMedium},
      {mcx_input, kInputHasMedia},
      {without_materials, "it names one of the materials: give --materials TABLE"}}},
    {"snap",
     kFile | one_material | labelled,
     not_packed,
     {{synthetic | textured_slab | printed_picture | kMesh | printed_mesh | in_volume, "it is for stacks of slices"},
      {packed_volume, kPackAgain},
      {mitsuba_scene, kSceneHasMedium},
      {mcx_input, kInputHasMedia},
      {without_materials, "it takes colours for materials: give --materials TABLE"}}},
    {"interfaces",
     kFile | labelled,
     not_packed,
     {{synthetic | textured_slab | printed_picture | kMesh | printed_mesh | one_material | in_volume,
       "it is for label volumes and stacks of slices"},
      {packed_volume, kPackAgain},
      {mitsuba_scene, kSceneHasMedium},
      {mcx_input, "its DoMismatch says so"},
      {without_materials, "the materials have the indices: give --materials TABLE"}}},
    {"crop",
     kFile | kMedium,
     not_packed,
     {{synthetic | textured_slab | printed_picture | kMesh | printed_mesh, "make it as large as it is to be"},
      {packed_volume, kPackAgain},
      {mitsuba_scene, kSceneHasPlace},
      {mcx_input, kInputHasPlace}}},
    {"downsample",
     kFile | kMedium,
     not_packed,
     {{synthetic | textured_slab | printed_picture | kMesh | printed_mesh,
       "choose its number of voxels with --dims or --pitch"},
      {packed_volume, kPackAgain},
      {mitsuba_scene, kSceneHasPlace},
      {mcx_input, kInputHasPlace}}},
    {"g",
     synthetic | textured_slab | packed_volume | mitsuba_scene | kFile | kMesh | one_material | without_materials,
     not_packed,
     {{in_volume, kVolumeHasMedium},
      {printed_picture | printed_mesh | labelled, kTableHasMedium},
      {mcx_input, kInputHasMedia}}},
    {"filter",
     synthetic | textured_slab | packed_volume | mitsuba_scene | kFile | kOwnMedium,
     not_packed,
     {{in_volume, kVolumeHasMedium},
      {printed_picture | printed_mesh | mcx_input, "its voxels are not interpolated"},
      {kMesh, kMeshIsHomogeneous}}},

    // Emission of the medium
    {"emission",
     synthetic | textured_slab | kFile | kMesh | kOwnMedium,
     not_packed,
     {{in_volume, kVolumeHasMedium},
      {printed_picture | printed_mesh, "printed materials do not emit"},
      {packed_volume, kPackAgain},
      {mitsuba_scene, kSceneHasMedium},
      {mcx_input, kInputHasMedia}}},
    {"emission-file",
     slices | dicom_series | other_file | one_material | without_materials,
     not_packed,
     {{in_volume, kVolumeHasMedium},
      {openvdb_file, "give --emission-grid"},
      {labelled, kLabelsDoNotEmit},
      {synthetic | textured_slab | printed_picture | printed_mesh | kMesh, "give --emission"},
      {packed_volume, kPackAgain},
      {mitsuba_scene, kSceneHasMedium},
      {mcx_input, kInputHasMedia}}},
    {"emission-from", kEmitting, kNotEmitting, {}},
    {"emission-scale", kEmitting, kNotEmitting, {}},
    {"temperature-scale", kEmitting, kNotEmitting, {}},
    {"temperature-offset", kEmitting, kNotEmitting, {}},

    // Synthetic volumes
    {"make", synthetic | kMedium, not_packed, {{textured_slab | printed_picture | lithophane | kFromFile, kOneInput}}},
    {"sigma-t",
     synthetic | textured_slab | kMesh | labelled | without_materials,
     packed_volume | not_packed,
     {{in_volume, kVolumeHasMedium},
      {printed_picture | printed_mesh | one_material, kTableHasExtinction},
      {mitsuba_scene | mcx_input | kFile, "give --scale"}}},
    {"material",
     synthetic | kMesh | kOwnMedium,
     packed_volume | mitsuba_scene | mcx_input | not_packed,
     {{in_volume, kVolumeHasMedium},
      {textured_slab, "use --print instead of --slab"},
      {printed_picture | printed_mesh, "the inks follow from the picture's colours"},
      {kFile, "the colours or ids of its voxels name the materials"}}},

    // Textured slabs
    {"slab", textured_slab | kMedium, not_packed, {{synthetic | printed_picture | lithophane | kFromFile, kOneInput}}},
    {"ink-share", textured_slab | kMedium, {}, {{kNotSlab, kNeedsSlab}}},
    {"side", textured_slab | kMedium, {}, {{kNotSlab, kNeedsSlab}}},
    {"base-albedo", textured_slab | kMedium, {}, {{kNotSlab, kNeedsSlab}}},
    {"texture-transfer", textured_slab | kMedium, {}, {{kNotSlab, kNeedsSlab}}},

    // Lithophanes
    {"lithophane",
     lithophane | kMedium,
     not_packed,
     {{synthetic | textured_slab | printed_picture | kFromFile, kOneInput}}},

    // Printed pictures
    {"print", printed_picture | kMedium, not_packed, {{synthetic | textured_slab | lithophane | kFromFile, kOneInput}}},
    {"width",
     printed_picture | lithophane | kMedium,
     {},
     {{kNotPlate, "it requires --print PICTURE.png or --lithophane PICTURE.png"},
      {printed_mesh, "give the width of a mesh as --size 60mm,,"}}},
    {"thickness",
     printed_picture | lithophane | kMedium,
     {},
     {{kNotPlate, "it requires --print PICTURE.png or --lithophane PICTURE.png"},
      {printed_mesh, "all that lies deeper than --ink-depth is its core"}}},
    {"picture-profile", printed_picture | printed_mesh | kMedium, {}, {{kNotPrint, kNeedsAnyPrint}}},
    {"ink-depth", printed_picture | printed_mesh | kMedium, {}, {{kNotPrint, kNeedsAnyPrint}}},
    {"halftone",
     printed_picture | kMedium,
     {},
     {{kNotPrint, kNeedsPrint}, {printed_mesh, "its ink is halftoned by error diffusion"}}},

    // Printed meshes
    {"print-mesh",
     triangle_mesh | printed_mesh | kMedium,
     not_packed,
     {{kNotMesh, kNeedsMesh}, {lithophane, kOneInput}}},
    {"texture", printed_mesh | kMedium, not_packed, {{kNotMesh | kMesh, kNeedsPrintMesh}}},
    {"colour", printed_mesh | kMedium, not_packed, {{kNotMesh | kMesh, kNeedsPrintMesh}}},
    {"ignore-factors", printed_mesh | kMedium, not_packed, {{kNotMesh | kMesh, kNeedsPrintMesh}}},
    {"clear-coat", printed_mesh | kMedium, not_packed, {{kNotMesh | kMesh, kNeedsPrintMesh}}},
    {"intent", printed_picture | printed_mesh | kMedium, {}, {{kNotPrint, kNeedsAnyPrint}}},

    // Core of a print
    {"core",
     printed_picture | kFile | one_material | labelled,
     mitsuba_scene | mcx_input | not_packed,
     {{synthetic | textured_slab | kMesh | in_volume, "only printed layers have a core"},
      {printed_mesh, "all that lies deeper than --ink-depth is its core"},
      {packed_volume, "pack the slices again"},
      {without_materials, "the core consists of one of the materials: give --materials TABLE"}}},
    {"core-material",
     printed_picture | printed_mesh | kFile | one_material | labelled,
     synthetic | textured_slab | packed_volume | mitsuba_scene | mcx_input | kMesh | without_materials | in_volume |
         not_packed,
     {}},

    // Triangle meshes
    {"mesh-scale",
     triangle_mesh | printed_mesh | kMedium,
     not_packed,
     {{kNotMesh, kNeedsMesh}, {lithophane, kPlateIsMade}}},
    {"mesh-up",
     triangle_mesh | printed_mesh | kMedium,
     not_packed,
     {{kNotMesh, kNeedsMesh}, {lithophane, kPlateIsMade}}},
    {"repair",
     triangle_mesh | printed_mesh | kMedium,
     not_packed,
     {{kNotMesh, kNeedsMesh}, {lithophane, kPlateIsMade}}},
    {"mesh-bricks",
     kMesh | mitsuba_scene | kOwnMedium,
     not_packed,
     {{printed_mesh, "--pitch says how large its voxels are"},
      {in_volume, "the volume has its own voxels"},
      {synthetic | textured_slab | printed_picture | packed_volume | kFile | mcx_input, kNeedsMesh}}},
    {"medium",
     triangle_mesh | kMedium,
     not_packed,
     {{kNotMesh, kNeedsMesh}, {printed_mesh, kTableHasMedium}, {lithophane, kPlateIsMade}}},
    {"surface",
     synthetic | packed_volume | printed_mesh | kFile | kMedium,
     not_packed,
     {{kMesh, "the mesh is the surface"},
      {textured_slab | printed_picture, "none of its voxels is empty"},
      {mitsuba_scene | mcx_input, "the scene says what bounds its medium; pack the .vpk of the scene again"}}},
    {"surface-threshold",
     synthetic | packed_volume | kFile | one_material | without_materials | in_volume,
     not_packed,
     {{kMesh, "the mesh is the surface"},
      {textured_slab | printed_picture, "none of its voxels is empty"},
      {labelled | printed_mesh, "its voxels are empty where their material is air"},
      {mitsuba_scene | mcx_input, "the scene says what bounds its medium; pack the .vpk of the scene again"}}},

    // Mitsuba scenes
    {"define", mitsuba_scene | kMedium, kNotMitsuba, {}},
    {"approximate-shape", mitsuba_scene | kMedium, kNotMitsuba, {}},

    // Output
    {"output", kPacked | not_packed, {}, {}},
    {"encode",
     synthetic | textured_slab | packed_volume | mitsuba_scene | kFile | one_material | without_materials,
     not_packed,
     {{in_volume, kVolumeHasMedium},
      {printed_picture | printed_mesh | labelled | mcx_input, "its voxels are stored as labels"},
      {kMesh, kMeshIsHomogeneous}}},
    {"keep-values",
     kFile | one_material | without_materials,
     not_packed,
     {{in_volume, kVolumeHasMedium},
      {synthetic | textured_slab, "it keeps a file's values"},
      {printed_picture | printed_mesh | labelled, kTableHasMedium},
      {packed_volume, "what it keeps stays; give it when you pack the source file"},
      {mitsuba_scene, kSceneHasMedium},
      {mcx_input, kInputHasMedia},
      {kMesh, kMeshIsHomogeneous}}},
    {"auto",
     packed_volume | mitsuba_scene | mcx_input | kFile | triangle_mesh | kMedium,
     not_packed,
     {{synthetic | textured_slab | lithophane | printed_picture | printed_mesh,
       "it chooses for a file that is packed"}}},
    {"bands", kPacked, not_packed, {}},
    {"strict", kPacked, not_packed, {}},
    {"json-lines", kPacked | not_packed, {}, {}},
    {"layer-memory", kPacked, not_packed, {}},
    {"picture-memory", kPacked, not_packed, {}},
    {"reproducible", kPacked, not_packed, {}},
    {"provenance", kPacked, not_packed, {}},
    {"list-grids", not_packed, {}, {{kPacked, kPacksNothing}}},
    {"check-mesh", not_packed, {}, {{kPacked, kPacksNothing}}},
    {"list-materials", not_packed, {}, {{kPacked, kPacksNothing}}},
    {"export",
     printed_picture | printed_mesh | lithophane | one_material | without_materials | not_packed,
     {},
     {{kNotPrinted, kExportsAlone}}},
    {"printer",
     printed_picture | printed_mesh | slices | other_file | one_material | labelled | without_materials | not_packed,
     {},
     {{synthetic | textured_slab | packed_volume | openvdb_file | dicom_series | kMesh | mitsuba_scene | mcx_input |
           in_volume,
       "it is for slices, pictures, printed meshes and --export: give --pitch"}}},
    {"plane", not_packed, {}, {{kPacked, kPacksNothing}}},
};

/// The first of `kinds` that is in `set`, or null.
NamedInputKind const* find_kind(InputKinds kinds, InputKinds set)
{
    auto const found =
        std::ranges::find_if(kInputKinds, [&](NamedInputKind const& k) { return (kinds & set).contains(k.kind); });
    return found == std::end(kInputKinds) ? nullptr : found;
}

} // namespace

std::span<NamedInputKind const> list_input_kinds()
{
    return kInputKinds;
}

std::span<OptionRule const> list_option_rules()
{
    return kRules;
}

void check_options(std::span<std::string const> given_options, InputKinds kinds, NoticeSink const& notice)
{
    for (std::string const& option : given_options) {
        auto const rule = std::ranges::find(kRules, option, &OptionRule::option);
        if (rule == std::end(kRules)) continue;
        for (auto const& [refused, advice] : rule->refused)
            if (auto const* kind = find_kind(kinds, refused))
                fail_usage(fmt::format("--{} has no meaning for {}", option, kind->name), advice);
        if (auto const* kind = find_kind(kinds, rule->ignored))
            notice(fmt::format("--{} has no effect on {}", option, kind->name));
    }
}

} // namespace volpt
