// Options of volprep by topic: what goes in, what is made, what is printed, what comes out.
#pragma once

#include "formats/openvdb/reader.h"
#include "formats/writer.h"
#include "libvolpt/medium/measured_volume.h"
#include "libvolpt/print/make_volume.h"
#include "libvolpt/print/print_slab.h"
#include "tools/options/option_group.h"
#include "tools/volprep/core.h"
#include "tools/volprep/mitsuba.h"
#include "tools/volprep/picture.h"

#include <optional>

namespace volpt {

/// Grid, placement and medium: how numbers become a volume.
class VolumeGroup final : public OptionGroup {
public:
    std::optional<std::array<int, 3>> dims;
    std::optional<StoredType> type;
    std::optional<std::array<double, 3>> pitch_mm;
    std::optional<std::array<double, 3>> size_mm;
    std::optional<std::array<double, 2>> face_size_mm; ///< of two lengths alone, for pictures
    std::optional<double> scale;
    std::optional<double> g;
    std::optional<Filter> filter;
    std::optional<Window> window;
    std::optional<std::string> transfer;
    std::optional<std::string> materials; ///< a table's path or name
    std::optional<std::vector<double>> albedo;
    VdbOptions vdb;
    bool has_vdb_options = false; ///< one of them was given

    std::string title() const override { return "Volume"; }
    void declare(boost::program_options::options_description& options) override;
    void read(boost::program_options::variables_map const& values) override;
};

class MakeGroup final : public OptionGroup {
public:
    std::optional<MadeShape> shape;
    std::optional<std::vector<double>> sigma_t;
    std::optional<std::string> material_name;

    std::string title() const override { return "Synthetic volumes"; }
    void declare(boost::program_options::options_description& options) override;
    void read(boost::program_options::variables_map const& values) override;
};

class PrintGroup final : public OptionGroup {
public:
    std::optional<std::string> texture_path;
    PrintOptions print; ///< ink_share, side_axis, base_albedo and transfer are set

    std::string title() const override { return "Print slabs"; }
    void declare(boost::program_options::options_description& options) override;
    void read(boost::program_options::variables_map const& values) override;
};

class OutputGroup final : public OptionGroup {
public:
    std::optional<std::string> output_path;
    std::optional<std::string> export_path;
    ExportPlane export_plane = ExportPlane::density;
    bool list_grids = false;
    std::optional<Encoding> encoding;
    std::vector<std::uint32_t> bands; ///< empty: all

    std::string title() const override { return "Output"; }
    void declare(boost::program_options::options_description& options) override;
    void read(boost::program_options::variables_map const& values) override;
};

struct VolprepOptions {
    VolumeGroup volume;
    MakeGroup make;
    PrintGroup print;
    PictureGroup picture;
    CoreGroup core;
    MitsubaGroup mitsuba;
    OutputGroup output;
};

} // namespace volpt
