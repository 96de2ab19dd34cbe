#include "kernels/host/device_memory.h"
#include "kernels/host/gpu_device.h"

namespace volpt {
namespace {

constexpr unsigned kJoinThreads = 256;

__global__ void __launch_bounds__(kJoinThreads)
    add_words(DeviceCount* others, DeviceCount const* half, std::size_t words)
{
    std::size_t const i = std::size_t{blockIdx.x} * kJoinThreads + threadIdx.x;
    if (i < words) others[i] += half[i];
}

} // namespace

void join_half(DeviceCount* others, DeviceCount const* half, std::size_t words, cudaStream_t stream)
{
    if (words == 0) return;
    add_words<<<static_cast<unsigned>((words - 1) / kJoinThreads + 1), kJoinThreads, 0, stream>>>(others, half, words);
    check_cuda(cudaGetLastError(), "adding the half's sums");
}

} // namespace volpt
