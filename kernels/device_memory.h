// Owners of device memory, and errors of CUDA calls as sentences.
#pragma once

#include "libvolpt/sys/error.h"

#include <cstddef>
#include <cuda_runtime_api.h>
#include <span>
#include <string>

namespace volpt {

/// Error (system) naming what was being done if a CUDA call failed.
inline void check_cuda(cudaError_t status, std::string_view doing)
{
    if (status == cudaSuccess) return;
    fail_system(std::string(cudaGetErrorString(status)), "GPU, " + std::string(doing), "use --device cpu");
}

/// An array of T on the device.
template <class T>
class DeviceArray {
public:
    DeviceArray() = default;
    explicit DeviceArray(std::size_t size) : size_(size)
    {
        if (size > 0) check_cuda(cudaMalloc(reinterpret_cast<void**>(&data_), size * sizeof(T)), "allocating memory");
    }
    explicit DeviceArray(std::span<T const> host) : DeviceArray(host.size())
    {
        if (!host.empty()) check_cuda(cudaMemcpy(data_, host.data(), host.size_bytes(), cudaMemcpyHostToDevice), "copying in");
    }
    ~DeviceArray() { cudaFree(data_); }
    DeviceArray(DeviceArray&& other) noexcept : data_(other.data_), size_(other.size_) { other.data_ = nullptr; }
    DeviceArray& operator=(DeviceArray&& other) noexcept
    {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        return *this;
    }

    T* data() const { return data_; }
    std::size_t size() const { return size_; }

    void copy_out(std::span<T> host) const
    {
        check_cuda(cudaMemcpy(host.data(), data_, host.size_bytes(), cudaMemcpyDeviceToHost), "copying out");
    }
    void clear() { check_cuda(cudaMemset(data_, 0, size_ * sizeof(T)), "clearing memory"); }

private:
    T* data_ = nullptr;
    std::size_t size_ = 0;
};

} // namespace volpt
