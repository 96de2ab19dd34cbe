#include "libvolpt/film/passes/pass_totals.h"

#include "libvolpt/film/film_image.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace volpt {

double measure_pass_variance(Film const& film, std::size_t band)
{
    PassTotals const& passes = list_pass_totals(film);
    auto const known = static_cast<double>(passes.size());
    if (known < 2) return std::numeric_limits<double>::quiet_NaN();
    double const pixels = static_cast<double>(film.width()) * static_cast<double>(film.height());
    std::vector<double> means;
    for (auto const& [pass, totals] : passes)
        means.push_back(std::ldexp(static_cast<double>(totals[band]) / pixels, -film.sum_log2()));
    double sum = 0, squares = 0;
    for (double const mean : means) sum += mean;
    for (double const mean : means) squares += (mean - sum / known) * (mean - sum / known);
    // Passes without a total are like those that have one.
    return squares / (known - 1) / static_cast<double>(std::ranges::max(count_tile_samples(film)));
}

std::map<std::string, double> list_mean_variances(Film const& film)
{
    std::map<std::string, double> variances;
    if (list_pass_totals(film).size() < 2) return variances;
    std::vector<std::string> const names = name_bands(film.scene());
    for (std::size_t band = 0; band < names.size(); ++band) variances[names[band]] = measure_pass_variance(film, band);
    return variances;
}

} // namespace volpt
