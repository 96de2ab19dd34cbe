// Kubelka and Munk's two fluxes through a layer of mixed inks, and Saunderson's interface.
#include "libvolpt/print/ink_model.h"

#include "libvolpt/medium/labelled_volume.h"

#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cmath>

namespace volpt {
namespace {

/// x coth(x), 1 at 0.
double x_coth(double x)
{
    return x < 1e-4 ? 1 + x * x / 3 : x / std::tanh(x);
}

/// Kubelka 1948, written so that S = 0 and K = 0 are no exceptions.
double reflect_layer(double k, double s, double depth_mm, double behind)
{
    double const decay = std::sqrt(k * (k + 2 * s));
    double const slope = x_coth(decay * depth_mm) / depth_mm;
    return (s - behind * (s + k - slope)) / (s + k - behind * s + slope);
}

double reflect_fresnel(double cosine, double n)
{
    double const inside = std::sqrt(1 - (1 - cosine * cosine) / (n * n));
    double const s = (cosine - n * inside) / (cosine + n * inside);
    double const p = (n * cosine - inside) / (n * cosine + inside);
    return 0.5 * (s * s + p * p);
}

/// Of diffuse light from inside: 1 - (1 - outside) / n^2, the outside's by Simpson's rule over the squared sine.
double reflect_diffuse_inside(double n)
{
    if (n == 1) return 0;
    constexpr int kSteps = 1000;
    double sum = 0;
    for (int i = 0; i <= kSteps; ++i) {
        double const weight = i == 0 || i == kSteps ? 1 : i % 2 == 1 ? 4 : 2;
        sum += weight * reflect_fresnel(std::sqrt(1 - static_cast<double>(i) / kSteps), n);
    }
    return 1 - (1 - sum / (3 * kSteps)) / (n * n);
}

} // namespace

InkModel::InkModel(MaterialTable const& table, std::size_t core, double ink_depth_mm, double core_mm)
    : inks_(table.materials.size()), core_(core), ink_depth_mm_(ink_depth_mm)
{
    std::size_t const bands = table.bands();
    if (!have_colour(bands, table.wavelengths_nm))
        fail_usage("the material table's bands have no colours",
                   R"(say which they are: "bands": ["R", "G", "B"] or wavelengths in nm)");
    weights_ = make_band_weights(bands, table.wavelengths_nm, Illuminant::d65);
    double const n = table.ior.value_or(1);
    reflected_outside_ = reflect_fresnel(1, n);
    reflected_inside_ = reflect_diffuse_inside(n);
    for (std::size_t band = 0; band < bands; ++band) {
        for (Material const& material : table.materials) {
            auto const sigma_t = static_cast<double>(material.sigma_t[band]);
            double const sigma_a = sigma_t * static_cast<double>(material.one_minus_albedo[band]);
            absorption_.push_back(2 * sigma_a);
            scattering_.push_back(0.75 * (sigma_t - sigma_a) * (1 - static_cast<double>(material.g)) - 0.25 * sigma_a);
        }
        std::size_t const at = band * inks_ + core;
        behind_.push_back(reflect_layer(absorption_[at], std::max(0.0, scattering_[at]), core_mm, reflected_inside_));
    }
    std::vector<double> paper(inks_, 0);
    paper[core] = 1;
    paper_xyz_ = predict_xyz(paper);
}

Triple InkModel::predict_xyz(std::span<double const> fractions) const
{
    Triple xyz{};
    for (std::size_t band = 0; band < weights_.size(); ++band) {
        double k = 0, s = 0;
        for (std::size_t ink = 0; ink < inks_; ++ink) {
            k += fractions[ink] * absorption_[band * inks_ + ink];
            s += fractions[ink] * scattering_[band * inks_ + ink];
        }
        double const inside = reflect_layer(k, std::max(0.0, s), ink_depth_mm_, behind_[band]);
        double const seen = reflected_outside_ + (1 - reflected_outside_) * (1 - reflected_inside_) * inside /
                                                     (1 - reflected_inside_ * inside);
        for (std::size_t i = 0; i < 3; ++i) xyz[i] += weights_[band][i] * seen;
    }
    return xyz;
}

std::size_t choose_core_material(MaterialTable const& table, std::string const& name, double ink_depth_mm,
                                 double core_mm, std::string const& table_name)
{
    bool const has_white =
        std::ranges::any_of(table.materials, [](auto const& material) { return material.name == "W"; });
    if (!name.empty() || has_white) return find_core_material(table, name, table_name);
    std::size_t whitest = 0;
    double most = -1;
    for (std::size_t i = 0; i < table.materials.size(); ++i) {
        double const luminance = InkModel(table, i, ink_depth_mm, core_mm).paper_xyz()[1]; // at scale 1
        if (luminance > most) whitest = i;
        most = std::max(most, luminance);
    }
    return whitest;
}

} // namespace volpt
