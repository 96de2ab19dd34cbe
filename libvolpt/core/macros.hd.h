// VOLPT_HD marks functions that run on host and device, VOLPT_HD_CALLED those that are not inlined on the device;
// VOLPT_ON_DEVICE is 1 where device code is compiled.
#pragma once

#include <cstdint>

// Always inlined on the host: the CPU backend compiles core for several instruction sets, and of shared out-of-line
// copies the linker could keep one that the machine cannot execute. Two kinds of units leave inlining to the compiler:
// those that name their instruction set in all symbols (VOLPT_ABI_TAG), and all of sanitizer builds, which have one
// instruction set: with all checks inlined, tests of core took 676 s to compile, and take 13.
#if defined(__CUDACC__)
#define VOLPT_HD __host__ __device__ __forceinline__
#define VOLPT_HD_CALLED __host__ __device__ __noinline__
#elif defined(VOLPT_ABI_TAG)
#define VOLPT_HD [[gnu::abi_tag(VOLPT_ABI_TAG)]] inline
#define VOLPT_HD_CALLED VOLPT_HD
#elif defined(VOLPT_ONE_INSTRUCTION_SET)
#define VOLPT_HD inline
#define VOLPT_HD_CALLED inline
#else
#define VOLPT_HD [[gnu::always_inline]] inline
#define VOLPT_HD_CALLED VOLPT_HD
#endif

#if defined(__CUDA_ARCH__)
#define VOLPT_ON_DEVICE 1
#else
#define VOLPT_ON_DEVICE 0
#endif
