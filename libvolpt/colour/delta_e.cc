// The loops over floats are free of branches and calls, so that they become vector code.
#include "libvolpt/colour/delta_e.h"

#include <numbers>

namespace volpt {
namespace {

constexpr double kDegree = std::numbers::pi / 180;
constexpr float kDegreeFloat = 3.14159265f / 180;

struct Direction {
    float cosine, sine;
};

[[gnu::always_inline]] inline Direction turn(Direction by, Direction from)
{
    return {by.cosine * from.cosine - by.sine * from.sine, by.cosine * from.sine + by.sine * from.cosine};
}

/// sin(x) for 0 <= x <= 60 degrees, by its series: error below 1e-7.
[[gnu::always_inline]] inline float small_sine(float x)
{
    float const x2 = x * x;
    return x * (1 + x2 * (-1.66666667e-1f + x2 * (8.33333333e-3f + x2 * (-1.98412698e-4f + x2 * 2.75573192e-6f))));
}

// The terms of CIEDE2000 (Sharma, Wu & Dalal 2005), for the difference in float and for its differential in double.

/// sqrt(c^7 / (c^7 + 25^7))
template <class Real>
[[gnu::always_inline]] inline Real chroma_share(Real c)
{
    Real const c2 = c * c, c7 = c2 * c2 * c2 * c;
    return std::sqrt(c7 / (c7 + Real(6103515625)));
}

/// 1 + G, the factor of a*, of the mean chroma of two colours (equations 4 and 5).
template <class Real>
[[gnu::always_inline]] inline Real stretch_of(Real chroma)
{
    return 1 + Real(0.5) * (1 - chroma_share(chroma));
}

/// T, from the cosines of the mean hue h: cos(h - 30), cos(2 h), cos(3 h + 6) and cos(4 h - 63) degrees (equation 15).
template <class Real>
[[gnu::always_inline]] inline Real hue_weight(Real once, Real twice, Real thrice, Real four_times)
{
    return 1 - Real(0.17) * once + Real(0.24) * twice + Real(0.32) * thrice - Real(0.20) * four_times;
}

/// S_L, S_C and S_H, by which differences of lightness, chroma and hue are divided (equations 18 to 20).
template <class Real>
struct Scales {
    Real lightness, chroma, hue;
};
template <class Real>
[[gnu::always_inline]] inline Scales<Real> scales_of(Real lightness, Real chroma, Real hue_weight)
{
    Real const square = (lightness - 50) * (lightness - 50);
    return {1 + Real(0.015) * square / std::sqrt(20 + square), 1 + Real(0.045) * chroma,
            1 + Real(0.015) * chroma * hue_weight};
}

/// The mean hue's distance from 275 degrees, in units of 25 degrees (equation 16).
template <class Real>
[[gnu::always_inline]] inline Real distance_from_blue(Real hue_degrees)
{
    return ((hue_degrees < 0 ? hue_degrees + 360 : hue_degrees) - 275) / 25;
}

[[gnu::always_inline]] inline float half_upwards(Direction hue)
{
    return hue.sine > 0 || (hue.sine == 0 && hue.cosine > 0) ? 1.0f : 0.0f;
}

/// The mean hue of the paper's equation 14: the bisector of the shorter arc; for opposite hues, a quarter turn onwards
/// from the lower one.
[[gnu::always_inline]] inline Direction bisect(Direction one, Direction two)
{
    float const cosine = one.cosine + two.cosine, sine = one.sine + two.sine;
    float const length = std::sqrt(cosine * cosine + sine * sine);
    // The normal of the difference has the same direction, and is more exact where the sum is short.
    float const across = two.sine - one.sine, up = one.cosine - two.cosine;
    float const side = cosine * across + sine * up < 0 ? -1.0f : 1.0f;
    bool const wide = length < 1;
    float const x = wide ? side * across : cosine, y = wide ? side * up : sine;
    bool const opposite = length < 1e-6f;
    float const lower = half_upwards(one);
    Direction const low{lower > 0 ? one.cosine : two.cosine, lower > 0 ? one.sine : two.sine};
    float const size = std::sqrt(x * x + y * y);
    float const scale = 1 / (size > 0 ? size : 1.0f);
    return {opposite ? -low.sine : x * scale, opposite ? low.cosine : y * scale};
}

/// Equations 2 to 22, with hues as unit vectors instead of angles.
[[gnu::always_inline]] inline float measure_one_de2000(Colour one, Colour two)
{
    float const chroma1 = std::sqrt(one[1] * one[1] + one[2] * one[2]);
    float const chroma2 = std::sqrt(two[1] * two[1] + two[2] * two[2]);
    float const stretch = stretch_of(0.5f * (chroma1 + chroma2));
    float const a1 = stretch * one[1], a2 = stretch * two[1];
    float const c1 = std::sqrt(a1 * a1 + one[2] * one[2]), c2 = std::sqrt(a2 * a2 + two[2] * two[2]);
    float const inverse1 = 1 / (c1 > 0 ? c1 : 1.0f), inverse2 = 1 / (c2 > 0 ? c2 : 1.0f);
    Direction const hue1{a1 * inverse1, one[2] * inverse1}, hue2{a2 * inverse2, two[2] * inverse2};

    // |2 sin(half the angle)| is the chord between the unit vectors; the turn from one to two gives the sign.
    float const across = hue2.cosine - hue1.cosine, up = hue2.sine - hue1.sine;
    float const chord = std::sqrt(across * across + up * up);
    float const cross = hue1.cosine * hue2.sine - hue1.sine * hue2.cosine;
    float const grey = c1 * c2 > 0 ? 1.0f : 0.0f;
    float const hue_distance = grey * std::sqrt(c1 * c2) * (cross < 0 ? -chord : chord);

    Direction const sum{hue1.cosine + hue2.cosine, hue1.sine + hue2.sine}; // one is 0 if a colour is grey
    Direction const middle = bisect(hue1, hue2);
    Direction const mean{grey > 0 ? middle.cosine : sum.cosine, grey > 0 ? middle.sine : sum.sine};
    Direction const twice = turn(mean, mean), thrice = turn(mean, twice), four_times = turn(twice, twice);
    // cos(n h + d) as the cosine of a turned direction. Two greys have no hue; it counts as 0, as its weight is 0.
    float const weight = hue_weight(turn({0.866025404f, -0.5f}, mean).cosine, twice.cosine,
                                    turn({0.994521895f, 0.104528463f}, thrice).cosine,
                                    turn({0.453990500f, -0.891006524f}, four_times).cosine);

    float const chroma = 0.5f * (c1 + c2);
    Scales<float> const scales = scales_of(0.5f * (one[0] + two[0]), chroma, weight);
    float const off_blue = distance_from_blue(fast::atan2(mean.sine, mean.cosine) * (1 / kDegreeFloat));
    float const rotation = 60 * kDegreeFloat * fast::exp2(-1.44269504f * off_blue * off_blue);
    float const twist = -2 * chroma_share(chroma) * small_sine(rotation);

    float const l = (two[0] - one[0]) / scales.lightness, c = (c2 - c1) / scales.chroma, h = hue_distance / scales.hue;
    float const square = l * l + c * c + h * h + twist * c * h;
    return std::sqrt(square < 0 ? 0.0f : square); // only rounding makes it negative; NaN stays NaN
}

} // namespace

void measure_de76(ColourRow test, ColourRow reference, std::size_t count, float* distance)
{
    for (std::size_t i = 0; i < count; ++i) {
        Colour const t = colour_at(test, i), r = colour_at(reference, i);
        float const l = t[0] - r[0], a = t[1] - r[1], b = t[2] - r[2];
        distance[i] = std::sqrt(l * l + a * a + b * b);
    }
}

void measure_de94(ColourRow test, ColourRow reference, std::size_t count, float* distance)
{
    for (std::size_t i = 0; i < count; ++i) {
        Colour const t = colour_at(test, i), r = colour_at(reference, i);
        float const l = t[0] - r[0], a = t[1] - r[1], b = t[2] - r[2];
        float const standard = std::sqrt(r[1] * r[1] + r[2] * r[2]);
        float const c = std::sqrt(t[1] * t[1] + t[2] * t[2]) - standard;
        float const h2 = a * a + b * b - c * c;
        float const scale_c = 1 + 0.045f * standard, scale_h = 1 + 0.015f * standard;
        float const c_scaled = c / scale_c;
        distance[i] = std::sqrt(l * l + c_scaled * c_scaled + (h2 < 0 ? 0.0f : h2) / (scale_h * scale_h));
    }
}

VOLPT_VECTOR_CLONES void measure_de2000(ColourRow test, ColourRow reference, std::size_t count, float* distance)
{
    for (std::size_t i = 0; i < count; ++i)
        distance[i] = measure_one_de2000(colour_at(test, i), colour_at(reference, i));
}

Matrix3 differentiate_de2000(Triple const& lab)
{
    double const chroma_ab = std::hypot(lab[1], lab[2]);
    // Both colours of a pair are stretched by the same factor, so its derivative has no effect.
    double const stretch = stretch_of(chroma_ab);
    double const a = stretch * lab[1], b = lab[2];
    double const chroma = std::hypot(a, b), hue = std::atan2(b, a) / kDegree;
    double const weight = hue_weight(std::cos((hue - 30) * kDegree), std::cos(2 * hue * kDegree),
                                     std::cos((3 * hue + 6) * kDegree), std::cos((4 * hue - 63) * kDegree));
    Scales<double> const scales = scales_of(lab[0], chroma, weight);
    double const off_blue = distance_from_blue(hue);
    double const twist = -2 * chroma_share(chroma) * std::sin(60 * kDegree * std::exp(-off_blue * off_blue));
    // Steps of chroma and hue per step of a* and b*. A grey has no hue: any direction gives the same result.
    double const cosine = chroma > 0 ? a / chroma : 1, sine = chroma > 0 ? b / chroma : 0;
    Triple const to_c{0, stretch * cosine / scales.chroma, sine / scales.chroma},
        to_h{0, -stretch * sine / scales.hue, cosine / scales.hue};
    Matrix3 metric{};
    metric[0][0] = 1 / (scales.lightness * scales.lightness);
    for (std::size_t i = 1; i < 3; ++i)
        for (std::size_t j = 1; j < 3; ++j)
            metric[i][j] =
                to_c[i] * to_c[j] + to_h[i] * to_h[j] + 0.5 * twist * (to_c[i] * to_h[j] + to_h[i] * to_c[j]);
    return metric;
}

} // namespace volpt
