// Opens whatever holds a volume's numbers: files of the registry, folders and patterns of slices, headerless files.
#pragma once

#include "formats/dicom/reader.h"
#include "formats/openvdb/reader.h"
#include "formats/reader.h"

#include <optional>
#include <string>

namespace volpt {

struct SourceFileOptions {
    std::optional<std::array<int, 3>> dims; ///< of a headerless file, with `type`
    std::optional<StoredType> type;
    ReadOptions read;
    VdbOptions vdb;
    DicomOptions dicom;
};

/// A folder, or a pattern of file names; is_dicom tells those with DICOM files.
bool is_slice_stack(std::string const& input);

/// True if the file starts like an OpenVDB file, or its name ends in .vdb: damaged files, and builds without OpenVDB,
/// then give an error that says so. Error (input) if the file cannot be read.
bool is_openvdb(std::filesystem::path const& path);

/// "slices", "dicom", "headerless", or a name of list_readers: how open_source_file reads the input. Error as there.
std::string_view find_source_format(std::string const& input, SourceFileOptions const& options);

/// Error (usage) if only one of dims and type is given; Error (input) if nothing reads the input, or if eight of its
/// layers take more memory than options.read.layer_bytes.
std::unique_ptr<VolumeSource> open_source_file(std::string const& input, SourceFileOptions const& options);

} // namespace volpt
