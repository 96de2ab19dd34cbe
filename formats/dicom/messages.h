// Messages between volprep and the sandboxed process that reads DICOM files.
#pragma once

#include "formats/common/sandboxed_source.h"
#include "formats/reader.h"

#include <string>
#include <vector>

namespace volpt {

/// Of kDicomFile, once all headers are read.
inline constexpr std::uint32_t kNoDicomFile = 0xffffffff;

enum DicomMessage : std::uint32_t {
    kDicomFile = 1,    ///< index of the path that is read from now on (std::uint32_t), so that errors can name it
    kDicomMeta = 2,    ///< JSON
    kDicomSlabEnd = 3, ///< the layers of the request lie in the shared memory
};

/// Copied to the child when it starts.
struct DicomTask {
    std::string where; ///< the file, folder or pattern
    std::vector<std::string> paths;
    std::string series; ///< of DicomOptions
    PartChoice part;
};

/// In the child: sends kDicomMeta, then answers requests until the connection ends.
void serve_dicom(DicomTask const& task, SharedMemory& memory, SandboxPort& port);

} // namespace volpt
