// What a pile of plane plates reflects and transmits.
#pragma once

#include <cmath>
#include <vector>

namespace volpt::test {

/// Unpolarised.
inline double reflect_fresnel(double n_before, double n_behind, double sine_in_air)
{
    double const a = std::sqrt(1 - std::pow(sine_in_air / n_before, 2));
    double const b = std::sqrt(1 - std::pow(sine_in_air / n_behind, 2));
    double const s = (n_before * a - n_behind * b) / (n_before * a + n_behind * b);
    double const p = (n_behind * a - n_before * b) / (n_behind * a + n_before * b);
    return (s * s + p * p) / 2;
}

/// A plate.
struct Layer {
    float ior;
    float mu_a; ///< 1/mm
    double thickness_mm = 0.2;
};

struct ReflectedShares {
    double reflected, transmitted;
};

/// G. G. Stokes, On the intensity of the light reflected from or transmitted through a pile of plates (1862): from the
/// last face to the first, all orders of reflection.
inline ReflectedShares sum_pile(std::vector<Layer> const& layers, double sine_in_air)
{
    ReflectedShares behind{0, 1};
    for (std::size_t i = layers.size() + 1; i-- > 0;) {
        double const before = i == 0 ? 1 : static_cast<double>(layers[i - 1].ior);
        double const after = i == layers.size() ? 1 : static_cast<double>(layers[i].ior);
        double const r = reflect_fresnel(before, after, sine_in_air);
        ReflectedShares all{r + (1 - r) * (1 - r) * behind.reflected / (1 - r * behind.reflected),
                            (1 - r) * behind.transmitted / (1 - r * behind.reflected)};
        if (i > 0) {
            double const cosine = std::sqrt(1 - std::pow(sine_in_air / before, 2));
            double const passes =
                std::exp(-static_cast<double>(layers[i - 1].mu_a) * layers[i - 1].thickness_mm / cosine);
            all = {all.reflected * passes * passes, all.transmitted * passes};
        }
        behind = all;
    }
    return behind;
}

} // namespace volpt::test
