// Memory of a GPU, and times of launches by events.
#pragma once

#include <algorithm>
#include <cuda_runtime.h>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace volpt::bench {

inline void check_cuda(cudaError_t status, char const* what)
{
    if (status != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(status));
}

template <class T>
class DeviceArray {
public:
    explicit DeviceArray(std::size_t size) : size_(size)
    {
        check_cuda(cudaMalloc(&data_, std::max<std::size_t>(1, size) * sizeof(T)), "cudaMalloc");
    }
    explicit DeviceArray(std::vector<T> const& from) : DeviceArray(from.size())
    {
        check_cuda(cudaMemcpy(data_, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice), "copy to the GPU");
    }
    ~DeviceArray() { cudaFree(data_); }
    DeviceArray(DeviceArray const&) = delete;
    DeviceArray& operator=(DeviceArray const&) = delete;

    T* data() const { return data_; }
    std::vector<T> read() const
    {
        std::vector<T> values(size_);
        check_cuda(cudaMemcpy(values.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost), "copy from the GPU");
        return values;
    }

private:
    T* data_ = nullptr;
    std::size_t size_;
};

/// Best of some runs after a first one, by events.
inline double find_best_s(std::function<void()> const& launch)
{
    cudaEvent_t start, end;
    check_cuda(cudaEventCreate(&start), "event");
    check_cuda(cudaEventCreate(&end), "event");
    float best_ms = 1e30f;
    for (int i = 0; i < 6; ++i) {
        check_cuda(cudaEventRecord(start), "event");
        launch();
        check_cuda(cudaGetLastError(), "launch");
        check_cuda(cudaEventRecord(end), "event");
        check_cuda(cudaEventSynchronize(end), "kernel");
        float ms = 0;
        check_cuda(cudaEventElapsedTime(&ms, start, end), "event");
        if (i > 0) best_ms = std::min(best_ms, ms);
    }
    cudaEventDestroy(start);
    cudaEventDestroy(end);
    return 1e-3 * best_ms;
}

} // namespace volpt::bench
