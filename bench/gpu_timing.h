// Vectors to and from a GPU, and times of launches by events.
#pragma once

#include "kernels/host/device_memory.h"

#include <algorithm>
#include <functional>
#include <vector>

namespace volpt::bench {

template <class T>
DeviceArray<T> copy_to_device(std::vector<T> const& from)
{
    DeviceArray<T> to(from.size());
    check_cuda(cudaMemcpy(to.data(), from.data(), to.size_bytes(), cudaMemcpyHostToDevice), "copying in");
    return to;
}

template <class T>
std::vector<T> copy_from_device(DeviceArray<T> const& from)
{
    std::vector<T> to(from.size());
    check_cuda(cudaMemcpy(to.data(), from.data(), from.size_bytes(), cudaMemcpyDeviceToHost), "copying out");
    return to;
}

/// Best of five runs after a first one, of what `launch` puts into the default stream.
inline double find_best_s(std::function<void()> const& launch)
{
    CudaEvent start, end;
    double best_s = 1e30;
    for (int i = 0; i < 6; ++i) {
        start.record(nullptr);
        launch();
        check_cuda(cudaGetLastError(), "launching");
        end.record(nullptr);
        end.wait();
        if (i > 0) best_s = std::min(best_s, end.seconds_since(start));
    }
    return best_s;
}

} // namespace volpt::bench
