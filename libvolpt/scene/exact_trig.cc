#include "libvolpt/scene/exact_trig.h"

#include <cmath>

namespace volpt {
namespace {

/// Taylor series of the sine for |x| <= pi / 4: the next term is below 1e-18.
double sum_sine(double x)
{
    double const z = x * x;
    double term = x;
    double sum = x;
    for (int n = 1; n <= 8; ++n) {
        term = -term * z / static_cast<double>(2 * n * (2 * n + 1));
        sum += term;
    }
    return sum;
}

double sum_cosine(double x)
{
    double const z = x * x;
    double term = 1;
    double sum = 1;
    for (int n = 1; n <= 8; ++n) {
        term = -term * z / static_cast<double>((2 * n - 1) * 2 * n);
        sum += term;
    }
    return sum;
}

/// Arc tangent for 0 <= x <= tan(pi / 8), alternating series: 24 terms bring the remainder below 1e-19.
double sum_arc_tangent(double x)
{
    double const z = x * x;
    double sum = 0;
    for (int n = 23; n >= 0; --n) sum = 1.0 / static_cast<double>(2 * n + 1) - z * sum;
    return x * sum;
}

double arc_tangent_of_fraction(double x) // 0 <= x <= 1
{
    constexpr double kTanPi8 = 0.41421356237309504880;
    return x <= kTanPi8 ? sum_arc_tangent(x) : kPi / 4 - sum_arc_tangent((1 - x) / (1 + x));
}

} // namespace

SineCosineDouble sine_cosine_of_degrees(double degrees)
{
    double const quarter = std::floor(degrees / 90 + 0.5); // floor is exact on every host
    double const x = (degrees - 90 * quarter) * (kPi / 180);
    double const s = sum_sine(x);
    double const c = sum_cosine(x);
    switch (static_cast<long long>(quarter) & 3) {
    case 0:
        return {s, c};
    case 1:
        return {c, -s};
    case 2:
        return {-s, -c};
    default:
        return {-c, s};
    }
}

double arc_tangent2(double y, double x)
{
    double const ax = x < 0 ? -x : x;
    double const ay = y < 0 ? -y : y;
    if (ax == 0 && ay == 0) return 0;
    double const octant = ay <= ax ? arc_tangent_of_fraction(ay / ax) : kPi / 2 - arc_tangent_of_fraction(ax / ay);
    double const half = x < 0 ? kPi - octant : octant;
    return y < 0 ? -half : half;
}

} // namespace volpt
