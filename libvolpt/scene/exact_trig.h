// Trigonometry in double precision for the host (cameras, rotations, resampling) by IEEE operations and series: libm
// may differ between hosts in the last bit, and scenes must not.
#pragma once

namespace volpt {

inline constexpr double kPi = 3.14159265358979323846;

struct SineCosineDouble {
    double sine;
    double cosine;
};

/// Of an angle in degrees, |degrees| < 1e9; absolute error below 1e-15, exact at multiples of 90.
SineCosineDouble sine_cosine_of_degrees(double degrees);

/// Angle of (x, y) in (-pi, pi]; 0 for (0, 0). Error below 1e-15.
double arc_tangent2(double y, double x);

} // namespace volpt
