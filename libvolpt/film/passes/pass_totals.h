// Totals of the passes of a film of mlt: their spread is the error of the film's mean.
//
// Pixels share what chains find, so that this error does not follow from those of the pixels.
#pragma once

#include "libvolpt/film/film.h"

#include <span>
#include <string>

namespace volpt {

/// By pass, the sums over all pixels: one for each band, in units of 2^-sum_log2.
using PassTotals = std::map<std::uint32_t, std::vector<Wide>>;

/// Of a film of mlt; not those of passes from programs that did not note them. They lie where films with long steps
/// have the sums of banks, which no film of mlt has.
inline PassTotals const& list_pass_totals(Film const& film)
{
    static PassTotals const none;
    return film.scene().integrator == Integrator::mlt ? film.long_steps.bank_sums : none;
}

/// Unbiased variance of the mean over all pixels of a band. NaN unless two passes have totals.
double measure_pass_variance(Film const& film, std::size_t band);

/// The same for each band by its name as a layer (name_bands). Empty unless two passes have totals.
std::map<std::string, double> list_mean_variances(Film const& film);

} // namespace volpt
