// Marks functions that run on host and device, and the one difference between the two that core needs.
#pragma once

#include <cstdint>

// Always inlined on the host: the CPU backend compiles core several times with different instruction sets, and a shared
// out-of-line copy would let the linker pick one that the machine lacks.
#if defined(__CUDACC__)
#define VOLPT_HD __host__ __device__ __forceinline__
#else
#define VOLPT_HD [[gnu::always_inline]] inline
#endif

#if defined(__CUDA_ARCH__)
#define VOLPT_ON_DEVICE 1
#else
#define VOLPT_ON_DEVICE 0
#endif
