// Functions that a processor with AVX2 and FMA runs in a version of its own.
#pragma once

#include <cstdlib> // defines __GLIBC__

/// Before a function: compiled twice, with all that it calls inline, and chosen when the program starts. Both have the
/// same bits: nothing is contracted or reordered, and core's fused operations are rounded once in either. Only g++ with
/// glibc; elsewhere the function is compiled once.
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__) &&  \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define VOLPT_VECTOR_CLONES __attribute__((target_clones("arch=x86-64-v3", "default"), flatten))
#else
#define VOLPT_VECTOR_CLONES
#endif
