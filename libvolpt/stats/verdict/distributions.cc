// Boost.Math where the standard library has no function; Boost stays inside this file, as it is slow to compile.
#include "libvolpt/stats/verdict/distributions.h"

#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <numbers>

namespace volpt {
namespace {

/// long double would take twice the time and tell nothing more.
using Policy = boost::math::policies::policy<boost::math::policies::promote_double<false>>;

} // namespace

double two_sided_normal(double z)
{
    return std::erfc(std::abs(z) / std::numbers::sqrt2);
}

double two_sided_quantile(double p)
{
    return boost::math::erfc_inv(p, Policy()) * std::numbers::sqrt2;
}

double chi_squared_tail(double x, double degrees)
{
    if (std::isinf(x)) return 0;
    return boost::math::gamma_q(degrees / 2, x / 2, Policy());
}

double normal_from_student(double t, double degrees)
{
    double const size = std::sqrt(degrees * std::log1p(t * t / degrees)) * (8 * degrees + 1) / (8 * degrees + 3);
    return std::copysign(size, t);
}

double normal_from_skewed(double z, double skewness)
{
    if (skewness < 1e-6) return z;
    double const normal = 6 / skewness * (std::cbrt(1 + skewness * z / 2) - 1) + skewness / 6;
    return normal < z ? normal : z;
}

} // namespace volpt
