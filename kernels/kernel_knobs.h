// The knobs of each kernel as a struct of its own, which its device code reads.
#pragma once

#include "libvolpt/backend/kernel_choice.h"

#include <utility>

namespace volpt {

enum class KernelId {
#define VOLPT_KERNEL(name, ...) name,
#include "kernels/kernels.def"
};

/// A member for each knob of the kernel, with its standard value; for a choice also <knob>_values, the compiled ones.
template <KernelId kernel>
struct KernelKnobs;

#define VOLPT_KNOB(knob, standard, least, most, help) int knob = standard;
#define VOLPT_SWITCH(knob, standard, help) int knob = standard;
#define VOLPT_CHOICE(knob, standard, help, ...)                                                                        \
    int knob = standard;                                                                                               \
    using knob##_values = std::integer_sequence<int, __VA_ARGS__>;
#define VOLPT_KERNEL(name, description, knobs)                                                                         \
    template <>                                                                                                        \
    struct KernelKnobs<KernelId::name> {                                                                               \
        knobs                                                                                                          \
    };
#include "kernels/kernels.def"

/// Whether the automatic tuning tries the kernel for paths that escape. Those alone are compiled for layers
/// (Steps::layers), because each is more instances of a kernel.
constexpr bool is_tuning_candidate(KernelId kernel)
{
    bool is_candidate = false;
#define VOLPT_CANDIDATE(name, ...) is_candidate = is_candidate || kernel == KernelId::name;
#include "kernels/kernels.def"
    return is_candidate;
}

/// Whether the automatic tuning tries the kernel for scenes with emitters.
constexpr bool is_emitters_candidate(KernelId kernel)
{
    bool is_candidate = is_tuning_candidate(kernel);
#define VOLPT_EMITTERS_CANDIDATE(name, ...) is_candidate = is_candidate || kernel == KernelId::name;
#include "kernels/kernels.def"
    return is_candidate;
}

/// Whether the kernel is compiled for meshes (Surfaces::triangles and Surfaces::surroundings).
constexpr bool takes_meshes(KernelId kernel)
{
    bool takes = false;
#define VOLPT_MESHES(name) takes = takes || kernel == KernelId::name;
#include "kernels/kernels.def"
    return takes;
}

/// Whether the kernel is compiled for long steps in meshes.
constexpr bool takes_mesh_steps(KernelId kernel)
{
    return takes_meshes(kernel) && is_tuning_candidate(kernel);
}

/// The instances of a kernel that are compiled together. In one unit with the rest, nvcc no longer inlined what was
/// called once without these: scenes with emitters ran at a third of their rate, FluenceMedium at .97 of its own.
enum class KernelPart {
    main,          ///< paths that escape
    emitters,      ///< of kernels with VOLPT_EMITTERS: scenes with emitters
    nested_solids, ///< of the same: solids that lie in others
    clear_flights, ///< of kernels with VOLPT_CLEAR_FLIGHTS: FluenceMedium
    bidirectional, ///< of kernels with VOLPT_BIDIRECTIONAL: bidirectional paths
    metropolis,    ///< of kernels with VOLPT_METROPOLIS: paths that Markov chains propose
};

constexpr bool has_part(KernelId kernel, KernelPart part)
{
    bool has = part == KernelPart::main;
#define VOLPT_EMITTERS(name)                                                                                           \
    has = has || (kernel == KernelId::name && (part == KernelPart::emitters || part == KernelPart::nested_solids));
#define VOLPT_CLEAR_FLIGHTS(name) has = has || (kernel == KernelId::name && part == KernelPart::clear_flights);
#define VOLPT_BIDIRECTIONAL(name) has = has || (kernel == KernelId::name && part == KernelPart::bidirectional);
#define VOLPT_METROPOLIS(name) has = has || (kernel == KernelId::name && part == KernelPart::metropolis);
#include "kernels/kernels.def"
    return has;
}

/// Whether the part is in this build: all are with VOLPT_BUILD_STUDY, otherwise those that the automatic tuning can
/// choose. kernels/CMakeLists.txt decides the same of the units; where it does not, the program cannot be linked.
constexpr bool is_built(KernelId kernel, KernelPart part)
{
#ifdef VOLPT_BUILD_STUDY
    return has_part(kernel, part);
#else
    switch (part) {
    case KernelPart::main:
        return is_tuning_candidate(kernel);
    case KernelPart::emitters:
    case KernelPart::nested_solids:
        return has_part(kernel, part) && is_emitters_candidate(kernel);
    default:
        return has_part(kernel, part);
    }
#endif
}

inline int find_knob(KnobValues const& values, std::string_view knob, int standard)
{
    auto const found = values.find(knob);
    return found == values.end() ? standard : found->second;
}

/// The knobs of a kernel from values that find_kernel has checked.
template <KernelId kernel>
KernelKnobs<kernel> read_knobs(KnobValues const& values);

#define VOLPT_KNOB(knob, ...) read.knob = find_knob(values, #knob, read.knob);
#define VOLPT_SWITCH(knob, ...) read.knob = find_knob(values, #knob, read.knob);
#define VOLPT_CHOICE(knob, ...) read.knob = find_knob(values, #knob, read.knob);
#define VOLPT_KERNEL(name, description, knobs)                                                                         \
    template <>                                                                                                        \
    inline KernelKnobs<KernelId::name> read_knobs<KernelId::name>(KnobValues const& values)                            \
    {                                                                                                                  \
        KernelKnobs<KernelId::name> read;                                                                              \
        knobs return read;                                                                                             \
    }
#include "kernels/kernels.def"

} // namespace volpt
