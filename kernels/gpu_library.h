// The one symbol of libvolpt_cuda.so.
#pragma once

namespace volpt {

class Backend;

inline constexpr char kOpenGpuLibrary[] = "volpt_open_gpu_library";

/// The backend of the GPUs; null if the caller's headers are not those of the library. `interface` is the caller's
/// kGpuInterface: both sides share C++ objects, so both must have been compiled from the same headers.
using OpenGpuLibrary = Backend const*(char const* interface);

} // namespace volpt
