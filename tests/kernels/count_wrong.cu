#include "tests/kernels/count_wrong.h"

#include "kernels/host/device_memory.h"
#include "kernels/schedule/launch_params.h"
#include "libvolpt/core/rng.hd.h"

namespace volpt::test {
namespace {

constexpr std::uint32_t kThreads = 256;
constexpr std::uint64_t kArguments = std::uint64_t{1} << 31;

/// A number of random sign and mantissa, from 2^-37 to 2^37.
__device__ float make_float(std::uint32_t bits, std::uint32_t exponent_bits)
{
    return float_from_bits((bits & 0x807fffffu) | ((90u + exponent_bits % 74u) << 23));
}

template <Rounded function>
__global__ void count_wrong(DeviceCount* wrong)
{
    std::uint64_t const index = std::uint64_t{blockIdx.x} * kThreads + threadIdx.x;
    bool differs = false;
    if constexpr (function == Rounded::divide) {
        Words4 const random = hash_philox(
            {{static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32), 0u, 0u}}, 71u, 0u);
        float const a = make_float(random.word[0], random.word[2]), b = make_float(random.word[1], random.word[3]);
        differs = bits_from_float(exact::divide(a, b)) != bits_from_float(__fdiv_rn(a, b));
    } else {
        float const x = float_from_bits(bits_from_float(0x1p-100f) + static_cast<std::uint32_t>(index));
        if (!(x >= 0x1p-100f && x <= 0x1p100f)) return; // the last ones are no numbers, or negative
        if constexpr (function == Rounded::sqrt)
            differs = bits_from_float(exact::sqrt(x)) != bits_from_float(__fsqrt_rn(x));
        else
            differs = bits_from_float(exact::reciprocal(x)) != bits_from_float(__frcp_rn(x)) ||
                      bits_from_float(exact::reciprocal(-x)) != bits_from_float(__frcp_rn(-x));
    }
    if (differs) atomicAdd(wrong, DeviceCount{1});
}

template <Rounded function>
std::uint64_t run_count()
{
    DeviceArray<DeviceCount> wrong(1);
    check_cuda(cudaMemset(wrong.data(), 0, sizeof(DeviceCount)), "clearing memory");
    count_wrong<function><<<static_cast<unsigned>(kArguments / kThreads), kThreads>>>(wrong.data());
    check_cuda(cudaGetLastError(), "launching a test");
    DeviceCount count = 0;
    check_cuda(cudaMemcpy(&count, wrong.data(), sizeof count, cudaMemcpyDeviceToHost), "copying out");
    return count;
}

} // namespace

std::uint64_t count_wrong_on_gpu(Rounded function)
{
    if (function == Rounded::sqrt) return run_count<Rounded::sqrt>();
    if (function == Rounded::reciprocal) return run_count<Rounded::reciprocal>();
    return run_count<Rounded::divide>();
}

} // namespace volpt::test
