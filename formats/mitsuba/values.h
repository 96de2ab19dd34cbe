// Numbers, colours and transforms of a Mitsuba scene.
#pragma once

#include "formats/mitsuba/node.h"

#include <array>
#include <optional>

namespace volpt {

/// A point, a direction, or a colour.
using MitsubaVector = std::array<double, 3>;

/// Row-major 4 x 4; the last row is 0 0 0 1.
using Matrix4 = std::array<double, 16>;

inline constexpr Matrix4 kIdentity{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

Matrix4 multiply(Matrix4 const& left, Matrix4 const& right);
std::array<double, 3> transform_point(Matrix4 const& matrix, std::array<double, 3> const& point);
std::array<double, 3> transform_vector(Matrix4 const& matrix, std::array<double, 3> const& vector);
/// Of the linear part without row i and column j, with its sign.
double find_cofactor(Matrix4 const& matrix, std::size_t i, std::size_t j);
double find_determinant(Matrix4 const& matrix);
/// Error (input, names `where`) if it is singular.
Matrix4 invert_affine(Matrix4 const& matrix, std::string const& where);

/// Every number of "1, 2 3"; Error (input) names `where` unless there are `low` to `high` of them, all finite.
std::vector<double> parse_mitsuba_numbers(std::string const& text, std::size_t low, std::size_t high,
                                          std::string const& where);

/// The property `name` of `object`; `fallback` where it is absent. Error (input) if it is of another kind.
double read_number(MitsubaNode const& object, std::string_view name, double fallback);
std::string read_string(MitsubaNode const& object, std::string_view name, std::string fallback);
bool read_boolean(MitsubaNode const& object, std::string_view name, bool fallback);
/// "1, 2 3" or x, y and z; axes that are absent keep `fallback`.
std::array<double, 3> read_point(MitsubaNode const& object, std::string_view name,
                                 std::array<double, 3> const& fallback);

/// One value, or red, green and blue, of <float>, <rgb>, <srgb> (decoded) or a constant <spectrum>. Error (input) for
/// spectra by wavelength, black bodies and textures, which have to be given as rgb.
std::vector<double> parse_colour(MitsubaNode const& node);

/// The property `name`, identity where it is absent. Steps are applied in file order. Error (input) for a step that
/// is unknown, a projection, or a look-at without direction.
Matrix4 read_transform(MitsubaNode const& object, std::string_view name);
inline Matrix4 read_to_world(MitsubaNode const& object)
{
    return read_transform(object, "to_world");
}

/// Of the axis of a <rotate>, as it is given. Only the axis' direction counts in read_transform.
double find_axis_length(MitsubaNode const& rotation);

/// The unit cube after an affine matrix: sizes of its edges, directions, corner.
struct BoxFrame {
    std::array<double, 3> edges{1, 1, 1};
    std::array<double, 9> rotation{1, 0, 0, 0, 1, 0, 0, 0, 1}; ///< row-major, orthonormal, columns are the directions
    std::array<double, 3> corner{0, 0, 0};
};
/// Absent if the edges are not at right angles (to 1e-4) or have no length.
std::optional<BoxFrame> find_box_frame(Matrix4 const& matrix);

} // namespace volpt
