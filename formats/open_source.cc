#include "formats/open_source.h"

#include "formats/common/part_choice.h"
#include "formats/input_format.h"
#include "formats/raw/reader.h"
#include "formats/slices/material_stacks.h"
#include "formats/slices/stack.h"
#include "libvolpt/sys/error.h"

namespace volpt {
namespace {

InputFormat find_format(std::string const& input, SourceFileOptions const& options)
{
    return find_input_format(input, options.dims ? FileHeader::in_options : FileHeader::own);
}

/// Nothing is allocated by the size of its layers before that is checked.
std::unique_ptr<VolumeSource> open_unchecked(std::string const& input, SourceFileOptions const& options)
{
    if (options.dims.has_value() != options.type.has_value())
        fail_usage("--dims and --type belong together", "give both for a headerless file, none for others");
    switch (find_format(input, options)) {
    case InputFormat::dicom_series: {
        DicomOptions dicom = options.dicom;
        dicom.part = options.read.part;
        return open_dicom(input, dicom);
    }
    case InputFormat::slices:
        return open_slice_stack(input, options.read.alpha, options.read.part);
    case InputFormat::openvdb_file:
        return open_openvdb(input, options.vdb);
    default:
        return options.dims ? open_raw(input, *options.dims, *options.type) : open_volume_source(input, options.read);
    }
}

} // namespace

bool is_slice_stack(std::string const& input)
{
    std::error_code ignored;
    return std::filesystem::is_directory(input, ignored) || is_slice_pattern(input) || is_material_stacks(input);
}

bool is_openvdb(std::filesystem::path const& path)
{
    return is_openvdb_file(path) || path.extension() == ".vdb";
}

std::string_view find_source_format(std::string const& input, SourceFileOptions const& options)
{
    switch (find_format(input, options)) {
    case InputFormat::dicom_series:
        return "dicom";
    case InputFormat::slices:
        return "slices";
    case InputFormat::openvdb_file:
        return "openvdb";
    default:
        return options.dims ? std::string_view("headerless") : find_reader(input).name;
    }
}

std::unique_ptr<VolumeSource> open_source_file(std::string const& input, SourceFileOptions const& options)
{
    auto source = apply_part_choice(open_unchecked(input, options), options.read.part);
    check_layer_memory(source->meta(), options.read.layer_bytes);
    return source;
}

} // namespace volpt
