// DICOM: series of slices in a folder, and single files of one frame or many.
//
// DICOM PS3.3 2024, C.7.6.2 (Image Plane), C.7.6.16 (Multi-frame Functional Groups), C.11.1 (Modality LUT); PS3.10.
// GDCM reads the files in a sandboxed process, which answers requests for layers (messages.h).
#pragma once

#include "formats/reader.h"
#include "libvolpt/sys/sandbox.h"
#include "libvolpt/volume/source/volume_source.h"

#include <memory>
#include <optional>
#include <string>

namespace volpt {

struct DicomOptions {
    std::string series; ///< UID, number, or part of the description; empty: the only one, or as part.missing says
    std::optional<SandboxLimits> limits; ///< of the process that reads; absent: by the files' sizes
    PartChoice part = {};                ///< a volume is a time, an echo or whatever tells slices at one place apart
};

/// The slices of one series, sorted along their normal; numbers are those of the modality (rescaled). Error (input) for
/// several series or volumes without a choice, for slices that make no volume (other kinds of objects, several at one
/// place that nothing tells apart, missing ones, a tilted gantry), and for what GDCM cannot decode.
std::unique_ptr<VolumeSource> open_dicom(std::string const& input, DicomOptions const& options = {});

} // namespace volpt
