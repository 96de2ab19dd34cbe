// Options of volprep by topic: what goes in, what is made or printed, what comes out.
#pragma once

#include "formats/dicom/reader.h"
#include "formats/mitsuba/reader.h"
#include "formats/openvdb/reader.h"
#include "formats/reader.h"
#include "formats/writer.h"
#include "libvolpt/medium/job_materials.h"
#include "libvolpt/medium/measured_volume.h"
#include "libvolpt/print/make_volume.h"
#include "libvolpt/print/print_slab.h"
#include "libvolpt/print/print_volume.h"
#include "libvolpt/sys/text/enum_words.h"
#include "libvolpt/volume/mesh/place_mesh.h"
#include "libvolpt/volume/source/cropped_source.h"
#include "tools/options/option_group.h"
#include "tools/options/provenance_options.h"
#include "tools/volprep/emission/emission_options.h"

#include <optional>

namespace volpt {

inline constexpr double kLargestOptionNumber = 1e30; ///< keeps the product of two options inside float's range

/// Grid, placement and medium: how numbers become a volume.
class VolumeOptions final : public OptionGroup {
public:
    std::optional<std::array<int, 3>> dims;
    std::optional<StoredType> type;
    std::optional<std::array<double, 3>> pitch_mm;
    std::optional<std::array<double, 3>> size_mm;
    std::optional<std::array<double, 2>> face_size_mm; ///< --size of two lengths, for --print
    /// --size of one length of three, "60mm,,", for --print-mesh
    std::optional<std::array<std::optional<double>, 3>> mesh_size_mm;
    std::optional<double> scale;
    std::optional<double> g;
    std::optional<Filter> filter;
    std::optional<Window> window;
    std::optional<PiecewiseCurve> opacity;
    std::optional<std::string> transfer;
    std::optional<TransferTable> albedo_curve;
    std::optional<std::string> materials; ///< a table's path or name
    std::optional<std::string> air;       ///< a colour or the name of a material
    std::vector<LabelRequest> labels;
    int snap = 0;
    bool has_interfaces = false; ///< --interfaces voxels
    std::optional<Crop> crop;
    std::optional<std::array<int, 3>> downsample; ///< voxels along x, y, z that become one
    std::optional<std::vector<double>> albedo;
    std::optional<double> nan;                    ///< the file's number that NaN stands for
    BadNumbers bad_numbers = BadNumbers::refused; ///< of every format
    VdbOptions vdb;
    DicomOptions dicom;
    PartChoice part;
    OutsideFiles outside = OutsideFiles::refused;

    std::string title() const override { return "Volume"; }
    void declare(boost::program_options::options_description& options) override;
    void read(boost::program_options::variables_map const& values) override;
};

class SyntheticVolumeOptions final : public OptionGroup {
public:
    std::optional<MadeShape> shape;
    std::optional<std::vector<double>> sigma_t;
    std::optional<std::string> material_name;

    std::string title() const override { return "Synthetic volumes"; }
    void declare(boost::program_options::options_description& options) override;
    void read(boost::program_options::variables_map const& values) override;
};

class TexturedSlabOptions final : public OptionGroup {
public:
    std::optional<std::string> texture_path;
    PrintOptions slab; ///< ink_share, side_axis, base_albedo and transfer are set

    std::string title() const override { return "Textured slabs"; }
    void declare(boost::program_options::options_description& options) override;
    void read(boost::program_options::variables_map const& values) override;
};

class LithophaneOptionGroup final : public OptionGroup {
public:
    std::optional<std::string> path;

    std::string title() const override { return "Lithophanes"; }
    void declare(boost::program_options::options_description& options) override;
    void read(boost::program_options::variables_map const& values) override;
};

class PrintedPictureOptions final : public OptionGroup {
public:
    std::optional<std::string> path;
    std::optional<std::string> profile_path;                 ///< for a picture that has none
    PictureOptions print;                                    ///< ink_depth_mm, halftone and intent are set
    std::optional<double> width_mm;                          ///< of the face, instead of --size; of a lithophane
    std::optional<double> thickness_mm;                      ///< of core and inks, instead of --core
    std::optional<std::array<double, 2>> thickness_range_mm; ///< of a lithophane

    std::string title() const override { return "Printed pictures"; }
    void declare(boost::program_options::options_description& options) override;
    void read(boost::program_options::variables_map const& values) override;

private:
    void read_thickness(std::string const& text);
};

class PrintedMeshOptions final : public OptionGroup {
public:
    bool is_asked_for = false;
    std::optional<std::string> texture_path;
    std::optional<std::uint32_t> colour; ///< sRGB, 0xRRGGBB
    double clear_coat_mm = 0;
    bool ignores_factors = false; ///< of pictures

    std::string title() const override { return "Printed meshes"; }
    void declare(boost::program_options::options_description& options) override;
    void read(boost::program_options::variables_map const& values) override;
};

/// What lies behind printed layers.
class PrintCoreOptions final : public OptionGroup {
public:
    std::optional<double> core_mm;
    std::optional<std::string> material; ///< absent: the one named W

    std::string title() const override { return "Core of a print"; }
    void declare(boost::program_options::options_description& options) override;
    void read(boost::program_options::variables_map const& values) override;
};

/// How a volume's own voxels become the surface of a solid.
enum class SurfaceKind {
    voxels, ///< the faces of the voxels
    smooth,
};
template <>
inline constexpr auto kWords<SurfaceKind> = list_words<SurfaceKind>({{SurfaceKind::voxels, "voxels"},
                                                                     {SurfaceKind::smooth, "smooth"}});

class MeshOptions final : public OptionGroup {
public:
    MeshPlaceOptions place; ///< threads are not set
    std::optional<std::string> medium_path;
    std::optional<SurfaceKind> surface;
    std::optional<double> surface_threshold;

    std::string title() const override { return "Triangle meshes"; }
    void declare(boost::program_options::options_description& options) override;
    void read(boost::program_options::variables_map const& values) override;
};

class MitsubaSceneOptions final : public OptionGroup {
public:
    MitsubaOptions scene; ///< definitions and approximate_shape are set

    std::string title() const override { return "Mitsuba scenes"; }
    void declare(boost::program_options::options_description& options) override;
    void read(boost::program_options::variables_map const& values) override;
};

/// What --export may name: a pattern of slices is a word, the other formats are endings.
ValueChoices list_export_choices();

class VolumeFileOptions final : public OptionGroup {
public:
    std::optional<std::string> output_path;
    std::optional<std::string> export_path;
    ExportPlane export_plane = ExportPlane::density;
    std::optional<std::string> printer; ///< a file's path or a name
    bool chooses = false;               ///< --auto
    bool list_grids = false;
    bool check_mesh = false;
    bool list_materials = false;
    std::optional<Encoding> encoding;
    KeepValues keep_values = KeepValues::no;
    std::vector<std::uint32_t> bands; ///< empty: all
    std::uint64_t layer_bytes = find_layer_memory();
    ProvenanceDetail provenance = ProvenanceDetail::plain;

    std::string title() const override { return "Output"; }
    void declare(boost::program_options::options_description& options) override;
    void read(boost::program_options::variables_map const& values) override;
};

struct VolprepOptions {
    VolumeFileOptions output;
    VolumeOptions volume;
    EmissionVolumeOptions emission;
    SyntheticVolumeOptions synthetic;
    TexturedSlabOptions slab;
    LithophaneOptionGroup lithophane;
    PrintedPictureOptions picture;
    PrintedMeshOptions print_mesh;
    PrintCoreOptions core;
    MeshOptions mesh;
    MitsubaSceneOptions mitsuba;

    /// All of them, in the order of --help.
    std::vector<OptionGroup*> list_groups()
    {
        return {&output,  &volume,     &emission, &synthetic, &slab,   &lithophane,
                &picture, &print_mesh, &core,     &mesh,      &mitsuba};
    }
};

} // namespace volpt
