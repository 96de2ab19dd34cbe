#include "tools/volinfo/source_options.h"

#include "tools/options/listing/part_option.h"
#include "tools/options/listing/type_choices.h"
#include "tools/options/units.h"

#include <fmt/format.h>

namespace volpt {

namespace po = boost::program_options;

void SourceOptions::declare(po::options_description& options)
{
    auto add = options.add_options();
    add("dims", text_value("X,Y,Z"), "number of voxels of a headerless file");
    add("type", text_value("TYPE", list_type_choices()),
        fmt::format("number type of a headerless file: {}, followed by be if big-endian", list_element_names())
            .c_str());
    add("density-grid", text_value("NAME"), "OpenVDB: the grid whose numbers are counted (default: volprep's choice)");
    add("series", text_value("UID|NUMBER|TEXT"), "DICOM: the series to tell of, as in volprep");
    add("channel", text_value("N|NAME"), "the channel to tell of, as in volprep (default: the first)");
    add("volume", text_value("N"), "the volume of a 4-D file to tell of, from 0, as in volprep (default: the first)");
    add("allow-outside", po::bool_switch(),
        "MetaImage, NRRD: read data files outside the header's folder, too (default: refused)");
    add("header", po::bool_switch(), "tell only what the header says, and read no voxels");
    add("layer-memory", text_value("SIZE"),
        "memory that eight layers of voxels may take, for example 16GiB (default: 4GiB, at most half of the "
        "machine's)");
}

void SourceOptions::read(po::variables_map const& values)
{
    if (auto const text = given_text(values, "dims")) file.dims = parse_dims("--dims", *text);
    if (auto const text = given_text(values, "type")) file.type = parse_type_option(*text);
    file.dicom.series = given_text(values, "series").value_or("");
    file.read.part = read_part_choice(values);
    file.read.part.missing = MissingChoice::first;
    file.vdb.density_grid = given_text(values, "density-grid").value_or("");
    file.read.outside = values["allow-outside"].as<bool>() ? OutsideFiles::allowed : OutsideFiles::refused;
    file.read.alpha = SliceAlpha::kept;
    if (auto const text = given_text(values, "layer-memory"))
        file.read.layer_bytes = parse_size_bytes("--layer-memory", *text);
    depth = values["header"].as<bool>() ? SourceDepth::header : SourceDepth::values;
}

} // namespace volpt
