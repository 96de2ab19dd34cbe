// Foreign volumes of measured numbers as density and albedo: window, curve, transfer table and the choice of encodings.
#pragma once

#include "libvolpt/medium/curves/piecewise_curve.h"
#include "libvolpt/medium/curves/transfer_table.h"
#include "libvolpt/volume/source/volume_source.h"
#include "libvolpt/volume/voxel_stream.h"

#include <optional>
#include <string>
#include <vector>

namespace volpt {

/// density (or albedo) = (value - low) / (high - low), clamped to 0..1.
struct Window {
    double low = 0;
    double high = 1;
};

/// Whether a volume keeps the file's numbers in a plane of their own where its densities do not have them all.
enum class KeepValues { no, yes };

struct MeasuredOptions {
    std::optional<std::array<double, 3>> pitch_mm; ///< replaces the file's own
    std::optional<Window> window;                  ///< absent: the file's numbers are the density
    std::optional<PiecewiseCurve> opacity;         ///< density of the file's numbers, instead of a window
    std::optional<TransferTable> transfer;
    std::optional<TransferTable> albedo_curve; ///< of the file's numbers instead of densities; not beside `transfer`
    std::optional<Encoding> encoding;          ///< absent: lossless where the source allows it
    std::vector<double> albedo{0.9};           ///< by band, without table and curve
    float scale = 1;
    float g = 0;
    Filter filter = Filter::trilinear;
    KeepValues keep_values = KeepValues::no;
    /// How many numbers of the source are at the window's ends because they were clamped to them before.
    std::array<std::uint64_t, 2> clamped_before = {};
    std::vector<std::string> notices = {}; ///< of who opened the source, before the source's own
};

/// Sources of several numbers per voxel go to make_albedo_volume. Error (usage) if `options` has both window and curve.
/// A curve replaces the source's own window, too. Without window and curve, the source's range is read
/// beforehand if the requested encoding needs it (u8 or u16 of numbers that are not stored so). Error (input) names
/// voxel and value of the first number that is negative, infinite or NaN.
std::unique_ptr<VoxelStream> make_measured_volume(std::unique_ptr<VolumeSource> source, MeasuredOptions options);

/// How densities are stored.
struct DensityCode {
    Encoding encoding = Encoding::f32;
    float value_scale = 1;      ///< density = code * value_scale, for u8 and u16
    bool needs_maximum = false; ///< value_scale is not known yet: it is the largest density / 255 or / 65535
    bool counts_steps = false;  ///< windowed integers: code = value - low, exactly
};

/// True if numbers of this type that are densities without a window can be read from their codes again, to the bit.
bool keeps_numbers(ElementType element, DensityCode const& code);

/// Lossless where possible: integers of 8 and 16 bits keep their codes; windowed integers count steps from an integer
/// low; wider integers and floats are f32. `wanted` overrides the encoding.
DensityCode choose_density_code(ElementType element, std::optional<Window> const& window,
                                std::optional<Encoding> wanted);

/// Densities of a curve are f32, or `wanted`; the largest code is the curve's largest density.
DensityCode choose_density_code(PiecewiseCurve const& curve, std::optional<Encoding> wanted);

/// The notice on values outside a window.
std::string describe_clamped(std::uint64_t below, std::uint64_t above);

} // namespace volpt
