// Tails and quantiles of the distributions that the statistical verdict needs.
#pragma once

namespace volpt {

/// Probability that a standard normal value is farther from 0 than z.
double two_sided_normal(double z);
/// The z for which two_sided_normal(z) is p, 0 < p < 1.
double two_sided_quantile(double p);
/// Probability that a chi-square value of so many degrees of freedom exceeds x >= 0.
double chi_squared_tail(double x, double degrees);
/// The standard normal value as far in the tail as t is in Student's distribution (Wallace 1959). It errs towards 0 at
/// very few degrees of freedom: by 8 % at 2, by less than 1 % from 10.
double normal_from_student(double t, double degrees);
/// The standard normal value as far in the upper tail as z >= 0 is in a distribution of mean 0, variance 1 and this
/// skewness >= 0 (Wilson and Hilferty 1931); never more than z.
double normal_from_skewed(double z, double skewness);

} // namespace volpt
