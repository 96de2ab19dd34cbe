// Marks functions whose loops are compiled twice: for AVX2 and for any processor; which one runs is chosen at the
// start.
//
// The bits are equal, as contraction is off. Left out where the loader's choice and sanitizers do not get along.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) &&               \
    !defined(__SANITIZE_THREAD__)
#define VOLPT_VECTOR_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define VOLPT_VECTOR_CLONES
#endif
