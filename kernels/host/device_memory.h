// Owners of device memory, pinned memory, streams and events; errors of CUDA calls.
#pragma once

#include "libvolpt/sys/error.h"

#include <cstddef>
#include <cuda_runtime_api.h>
#include <memory>
#include <string>
#include <utility>

namespace volpt {

/// Error (system) that names what was being done if a CUDA call failed.
inline void check_cuda(cudaError_t status, std::string_view doing)
{
    if (status == cudaSuccess) return;
    fail_system(std::string(cudaGetErrorString(status)), "GPU, " + std::string(doing),
                "--device cpu gives the same picture");
}

/// An array of T, allocated and released by D.
template <class T, class D>
class CudaArray {
public:
    CudaArray() = default;
    explicit CudaArray(std::size_t size) : size_(size)
    {
        void* data = nullptr;
        if (size > 0) check_cuda(D::allocate(&data, size * sizeof(T)), "allocating memory");
        data_.reset(static_cast<T*>(data));
    }
    T* data() const { return data_.get(); }
    std::size_t size() const { return size_; }
    std::size_t size_bytes() const { return size_ * sizeof(T); }

private:
    struct Free {
        void operator()(T* data) const { D::release(data); }
    };
    std::unique_ptr<T, Free> data_;
    std::size_t size_ = 0;
};

struct OnDevice {
    static cudaError_t allocate(void** data, std::size_t size_bytes) { return cudaMalloc(data, size_bytes); }
    static void release(void* data) { cudaFree(data); }
};

/// Host memory that the device reads and writes over the bus, at the same address on both sides.
struct MappedOnHost {
    static cudaError_t allocate(void** data, std::size_t size_bytes)
    {
        return cudaHostAlloc(data, size_bytes, cudaHostAllocMapped | cudaHostAllocPortable);
    }
    static void release(void* data) { cudaFreeHost(data); }
};

template <class T>
using DeviceArray = CudaArray<T, OnDevice>;
template <class T>
using MappedArray = CudaArray<T, MappedOnHost>;

class CudaStream {
public:
    CudaStream() { check_cuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "making a stream"); }
    ~CudaStream() { cudaStreamDestroy(stream_); }
    CudaStream(CudaStream const&) = delete;
    CudaStream& operator=(CudaStream const&) = delete;
    operator cudaStream_t() const { return stream_; }

private:
    cudaStream_t stream_ = nullptr;
};

class CudaEvent {
public:
    CudaEvent() { check_cuda(cudaEventCreateWithFlags(&event_, cudaEventBlockingSync), "making an event"); }
    ~CudaEvent() { cudaEventDestroy(event_); }
    CudaEvent(CudaEvent const&) = delete;
    CudaEvent& operator=(CudaEvent const&) = delete;

    void record(cudaStream_t stream) { check_cuda(cudaEventRecord(event_, stream), "recording an event"); }
    void wait() const { check_cuda(cudaEventSynchronize(event_), "rendering"); }
    void delay(cudaStream_t stream) const { check_cuda(cudaStreamWaitEvent(stream, event_, 0), "ordering streams"); }
    double seconds_since(CudaEvent const& start) const
    {
        float milliseconds = 0;
        check_cuda(cudaEventElapsedTime(&milliseconds, start.event_, event_), "reading the device's clock");
        return milliseconds * 1e-3;
    }

private:
    cudaEvent_t event_ = nullptr;
};

} // namespace volpt
