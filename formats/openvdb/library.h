#pragma once

#include <openvdb/openvdb.h>
#include <tbb/global_control.h>

namespace volpt {

/// OpenVDB in a sandboxed process: quiet, all grid types registered, one thread, as the address space of worker threads
/// would count against the limit.
class VdbLibrary {
public:
    VdbLibrary() : one_thread_(tbb::global_control::max_allowed_parallelism, 1)
    {
        openvdb::initialize();
        openvdb::logging::setLevel(openvdb::logging::Level::Fatal);
    }

private:
    tbb::global_control one_thread_;
};

} // namespace volpt
