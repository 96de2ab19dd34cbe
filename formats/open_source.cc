#include "formats/open_source.h"

#include "formats/common/part_choice.h"
#include "formats/raw/reader.h"
#include "formats/slices/dicom_files.h"
#include "formats/slices/stack.h"
#include "libvolpt/sys/error.h"

namespace volpt {
namespace {

/// Nothing is allocated by the size of its layers before that is checked.
std::unique_ptr<VolumeSource> open_unchecked(std::string const& input, SourceFileOptions const& options)
{
    if (options.dims.has_value() != options.type.has_value())
        fail_usage("--dims and --type belong together", "give both for a headerless file, none for others");
    if (!options.dims && is_dicom(input)) {
        DicomOptions dicom = options.dicom;
        dicom.part = options.read.part;
        return open_dicom(input, dicom);
    }
    if (is_slice_stack(input)) return open_slice_stack(input, options.read.alpha, options.read.part);
    if (options.dims) return open_raw(input, *options.dims, *options.type);
    if (is_openvdb(input)) return open_openvdb(input, options.vdb);
    return open_volume_source(input, options.read);
}

} // namespace

bool is_slice_stack(std::string const& input)
{
    std::error_code ignored;
    return std::filesystem::is_directory(input, ignored) || is_slice_pattern(input);
}

bool is_openvdb(std::filesystem::path const& path)
{
    return is_openvdb_file(path) || path.extension() == ".vdb";
}

std::string_view find_source_format(std::string const& input, SourceFileOptions const& options)
{
    if (!options.dims && is_dicom(input)) return "dicom";
    if (is_slice_stack(input)) return "slices";
    if (options.dims) return "headerless";
    return is_openvdb(input) ? "openvdb" : find_reader(input).name;
}

std::unique_ptr<VolumeSource> open_source_file(std::string const& input, SourceFileOptions const& options)
{
    auto source = apply_part_choice(open_unchecked(input, options), options.read.part);
    check_layer_memory(source->meta(), options.read.layer_bytes);
    return source;
}

} // namespace volpt
