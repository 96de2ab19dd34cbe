// Which options of volprep have a meaning for which input: a table, and its check.
#pragma once

#include "libvolpt/sys/progress.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace volpt {

/// What a volume is made from. A file, a stack of slices, a mesh or a synthetic volume also has one kind for its
/// medium.
enum class InputKind : std::uint32_t {
    synthetic = 1 << 0,       ///< --make
    textured_slab = 1 << 1,   ///< --slab
    printed_picture = 1 << 2, ///< --print
    packed_volume = 1 << 3,   ///< .vpk
    mitsuba_scene = 1 << 4,
    openvdb_file = 1 << 5,
    slices = 1 << 6,
    other_file = 1 << 7,
    triangle_mesh = 1 << 8,
    one_material = 1 << 9,       ///< medium of --make or a mesh with --materials
    labelled = 1 << 10,          ///< medium of a file with --materials
    without_materials = 1 << 11, ///< medium of a file, mesh or synthetic volume without --materials
    in_volume = 1 << 12,         ///< medium of a mesh with --medium
    printed_mesh = 1 << 14,      ///< a mesh with --print-mesh
    mcx_input = 1 << 15,         ///< MCX's .json
    dicom_series = 1 << 16,
    lithophane = 1 << 17, ///< --lithophane
    not_packed = 1 << 13, ///< --export, --list-grids, --check-mesh and --list-materials
};

/// A set of kinds.
struct InputKinds {
    std::uint32_t bits = 0;

    constexpr InputKinds() = default;
    constexpr InputKinds(InputKind kind) : bits(static_cast<std::uint32_t>(kind)) {} // NOLINT: a kind is a set of one
    constexpr bool contains(InputKind kind) const { return (bits & static_cast<std::uint32_t>(kind)) != 0; }
};

constexpr InputKinds operator|(InputKinds a, InputKinds b)
{
    a.bits |= b.bits;
    return a;
}

constexpr InputKinds operator|(InputKind a, InputKind b)
{
    return InputKinds(a) | InputKinds(b);
}

constexpr InputKinds operator&(InputKinds a, InputKinds b)
{
    a.bits &= b.bits;
    return a;
}

/// Every kind with its name in messages: "a synthetic volume".
struct NamedInputKind {
    InputKind kind;
    char const* name;
};
std::span<NamedInputKind const> list_input_kinds();

/// For every kind, an option is used, ignored (with a notice) or refused.
struct OptionRule {
    struct Refusal {
        InputKinds kinds;
        char const* advice; ///< what to do instead, or why the option has no meaning
    };

    char const* option; ///< long name, without "--"
    InputKinds used;
    InputKinds ignored;
    std::vector<Refusal> refused;
};

/// A rule for each option of volprep.
std::span<OptionRule const> list_option_rules();

/// Error (usage) for the first option that one of `kinds` refuses; a notice for each option that one of them ignores.
/// Options without a rule, which are those of every tool, are passed over.
void check_options(std::span<std::string const> given_options, InputKinds kinds, NoticeSink const& notice);

} // namespace volpt
