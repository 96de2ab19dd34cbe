// Written for vector loops: no branches, no calls.
#include "libvolpt/colour/delta_e.h"

#include "libvolpt/colour/vector_clones.h"

namespace volpt {
namespace {

constexpr float kDegree = 3.14159265f / 180;

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

/// sqrt(c^7 / (c^7 + 25^7))
[[gnu::always_inline]] inline float chroma_share(float c)
{
    float const c2 = c * c, c7 = c2 * c2 * c2 * c;
    return std::sqrt(c7 / (c7 + 6103515625.0f));
}

[[gnu::always_inline]] inline float half_upwards(Direction hue)
{
    return hue.sine > 0 || (hue.sine == 0 && hue.cosine > 0) ? 1.0f : 0.0f;
}

/// The mean hue of the paper's equation 14 is the bisector of the shorter arc; of two opposite hues, a quarter turn
/// onwards from the lower one.
[[gnu::always_inline]] inline Direction bisect(Direction one, Direction two)
{
    float const cosine = one.cosine + two.cosine, sine = one.sine + two.sine;
    float const length = std::sqrt(cosine * cosine + sine * sine);
    // Where the sum is short, the normal of the difference is the more exact of two ways to the same direction.
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

/// Sharma, Wu & Dalal 2005, equations 2 to 22; hues as unit vectors instead of angles.
[[gnu::always_inline]] inline float measure_one_de2000(Colour one, Colour two)
{
    float const chroma1 = std::sqrt(one[1] * one[1] + one[2] * one[2]);
    float const chroma2 = std::sqrt(two[1] * two[1] + two[2] * two[2]);
    float const stretch = 1 + 0.5f * (1 - chroma_share(0.5f * (chroma1 + chroma2)));
    float const a1 = stretch * one[1], a2 = stretch * two[1];
    float const c1 = std::sqrt(a1 * a1 + one[2] * one[2]), c2 = std::sqrt(a2 * a2 + two[2] * two[2]);
    float const inverse1 = 1 / (c1 > 0 ? c1 : 1.0f), inverse2 = 1 / (c2 > 0 ? c2 : 1.0f);
    Direction const hue1{a1 * inverse1, one[2] * inverse1}, hue2{a2 * inverse2, two[2] * inverse2};

    // |2 sin(half the angle)| is the chord between the unit vectors; its sign that of the turn from one to two.
    float const across = hue2.cosine - hue1.cosine, up = hue2.sine - hue1.sine;
    float const chord = std::sqrt(across * across + up * up);
    float const cross = hue1.cosine * hue2.sine - hue1.sine * hue2.cosine;
    float const grey = c1 * c2 > 0 ? 1.0f : 0.0f;
    float const hue_distance = grey * std::sqrt(c1 * c2) * (cross < 0 ? -chord : chord);

    Direction const sum{hue1.cosine + hue2.cosine, hue1.sine + hue2.sine}; // one is 0 if a colour is grey
    Direction const middle = bisect(hue1, hue2);
    Direction const mean{grey > 0 ? middle.cosine : sum.cosine, grey > 0 ? middle.sine : sum.sine};
    Direction const twice = turn(mean, mean), thrice = turn(mean, twice), four_times = turn(twice, twice);
    // cos(n h + d) as the cosine of a turned direction; no hue at all (two greys) counts as hue 0, where its weight is
    // 0.
    float const weight = 1 - 0.17f * turn({0.866025404f, -0.5f}, mean).cosine + 0.24f * twice.cosine +
                         0.32f * turn({0.994521895f, 0.104528463f}, thrice).cosine -
                         0.20f * turn({0.453990500f, -0.891006524f}, four_times).cosine;

    float const lightness = 0.5f * (one[0] + two[0]) - 50, lightness2 = lightness * lightness;
    float const chroma = 0.5f * (c1 + c2);
    float const scale_l = 1 + 0.015f * lightness2 / std::sqrt(20 + lightness2);
    float const scale_c = 1 + 0.045f * chroma, scale_h = 1 + 0.015f * chroma * weight;
    float const angle = fast::atan2(mean.sine, mean.cosine) * (1 / kDegree);
    float const off_blue = ((angle < 0 ? angle + 360 : angle) - 275) / 25;
    float const rotation = 60 * kDegree * fast::exp2(-1.44269504f * off_blue * off_blue);
    float const twist = -2 * chroma_share(chroma) * small_sine(rotation);

    float const l = (two[0] - one[0]) / scale_l, c = (c2 - c1) / scale_c, h = hue_distance / scale_h;
    float const square = l * l + c * c + h * h + twist * c * h;
    return std::sqrt(square < 0 ? 0.0f : square); // rounding alone makes it negative; NaN stays
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

} // namespace volpt
