// The map from the numbers of the file that a volume was packed from to its densities, and where these numbers are
// kept, so that they can be mapped anew without that file.
#pragma once

#include "libvolpt/core/volume_view.hd.h"
#include "libvolpt/sys/text/enum_words.h"
#include "libvolpt/volume/element_type.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace volpt {

/// Where a volume keeps the numbers that it was packed from.
enum class ValueStore {
    none,    ///< nowhere: a density does not give its number exactly
    density, ///< they are the densities
    steps,   ///< low end of the window + the density's code, but for what the window clamped
    plane,   ///< in a plane of their own (VoxelSlab::source_values)
};
template <>
inline constexpr auto kWords<ValueStore> = list_words<ValueStore>({{ValueStore::none, "none"},
                                                                   {ValueStore::density, "density"},
                                                                   {ValueStore::steps, "steps"},
                                                                   {ValueStore::plane, "plane"}});

struct SourceValues {
    struct OpacityPoint {
        double value = 0;
        double density = 0; ///< 0 .. 1e30
    };
    struct AlbedoPoint {
        double density = 0;
        std::vector<double> albedo; ///< by band, 0..1
    };

    ElementType element = ElementType::u8; ///< of one number per voxel
    ValueStore store = ValueStore::none;
    /// Numbers that mean density 0 and 1; others are clamped. Without window and curve the numbers are the densities.
    std::optional<std::array<double, 2>> window = {};
    std::uint64_t below = 0; ///< how many numbers the window clamped to its low end
    std::uint64_t above = 0;
    std::vector<OpacityPoint> opacity = {}; ///< a curve instead of a window; values ascend
    std::vector<AlbedoPoint> transfer = {}; ///< albedo by density, where a table gave it; densities ascend
};

/// The range in which numbers are told apart. Where it ends, all numbers beyond count as the end.
struct ValueRange {
    std::optional<double> low;
    std::optional<double> high;
};
/// Of a volume whose store is not `none`.
ValueRange find_told_range(SourceValues const& values);

/// How numbers of this type are stored in a plane of their own: number = offset + code.
struct ValueCode {
    Encoding encoding = Encoding::f32;
    float offset = 0;
};
ValueCode choose_value_code(ElementType element);

/// A sentence about the first field that is invalid or contradicts another; empty if all are valid.
std::string find_contradiction(SourceValues const& values, std::uint32_t bands);

/// One JSON object (docs/formats/vpk.md).
std::string to_json(SourceValues const& values);
/// The inverse, whose result find_contradiction has not seen. None if a key that is needed is absent or of another
/// type.
std::optional<SourceValues> parse_source_values(std::string_view json);

/// "i16 from -1000 to 1000 as density 0 to 1, 12 below and 0 above clamped".
std::string describe_map(SourceValues const& values);
/// Whether and in which range another window or curve can be applied: "--window and --opacity map them anew".
std::string describe_store(SourceValues const& values);

} // namespace volpt
