// Colour profiles for tests, made by Little CMS.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <lcms2.h>
#include <memory>
#include <stdexcept>
#include <vector>

namespace volpt::test {

struct CloseMadeProfile {
    void operator()(cmsHPROFILE profile) const { cmsCloseProfile(profile); }
};
using MadeProfile = std::unique_ptr<void, CloseMadeProfile>;
using ToneCurve = std::unique_ptr<cmsToneCurve, decltype(&cmsFreeToneCurve)>;

inline std::vector<std::byte> save_profile(MadeProfile const& profile)
{
    cmsUInt32Number size_bytes = 0;
    if (!profile || !cmsSaveProfileToMem(profile.get(), nullptr, &size_bytes)) throw std::runtime_error("no profile");
    std::vector<std::byte> bytes(size_bytes);
    cmsSaveProfileToMem(profile.get(), bytes.data(), &size_bytes);
    return bytes;
}

inline ToneCurve make_curve(double gamma)
{
    return {cmsBuildGamma(nullptr, gamma), cmsFreeToneCurve};
}

inline ToneCurve make_srgb_curve()
{
    std::array<double, 5> const parameters{2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045};
    return {cmsBuildParametricToneCurve(nullptr, 4, parameters.data()), cmsFreeToneCurve};
}

/// R G B with the white of D65; chromaticities x, y of red, green, blue.
inline std::vector<std::byte> make_rgb_profile(std::array<double, 6> const& xy, ToneCurve const& curve)
{
    cmsCIExyY const white{0.3127, 0.3290, 1};
    cmsCIExyYTRIPLE const primaries{{xy[0], xy[1], 1}, {xy[2], xy[3], 1}, {xy[4], xy[5], 1}};
    std::array<cmsToneCurve*, 3> const curves{curve.get(), curve.get(), curve.get()};
    return save_profile(MadeProfile(cmsCreateRGBProfile(&white, &primaries, curves.data())));
}

constexpr std::array<double, 6> kSrgbXy{.64, .33, .30, .60, .15, .06};
constexpr std::array<double, 6> kDisplayP3Xy{.680, .320, .265, .690, .150, .060};
constexpr std::array<double, 6> kAdobeRgbXy{.64, .33, .21, .71, .15, .06};

inline std::vector<std::byte> make_grey_profile(double gamma)
{
    ToneCurve const curve = make_curve(gamma);
    return save_profile(MadeProfile(cmsCreateGrayProfile(cmsD50_xyY(), curve.get())));
}

/// L*a*b* of ink amounts 0 to 1 in the press that make_cmyk_profile describes. Linear, so that a table of two nodes
/// along each axis holds it exactly but for the rounding of its entries.
inline cmsCIELab find_press_colour(double c, double m, double y, double k)
{
    return {100 - 30 * c - 25 * m - 5 * y - 35 * k, -40 * c + 60 * m - 5 * y, -40 * c - 5 * m + 70 * y};
}

inline cmsInt32Number sample_press(cmsUInt16Number const in[], cmsUInt16Number out[], void*)
{
    std::array<double, 4> ink{};
    for (std::size_t i = 0; i < 4; ++i) ink[i] = in[i] / 65535.0;
    cmsCIELab const lab = find_press_colour(ink[0], ink[1], ink[2], ink[3]);
    cmsFloat2LabEncoded(out, &lab);
    return 1;
}

/// An output profile with a table from C M Y K to L*a*b* alone.
inline std::vector<std::byte> make_cmyk_profile()
{
    MadeProfile const profile(cmsCreateProfilePlaceholder(nullptr));
    cmsSetProfileVersion(profile.get(), 4.3);
    cmsSetDeviceClass(profile.get(), cmsSigOutputClass);
    cmsSetColorSpace(profile.get(), cmsSigCmykData);
    cmsSetPCS(profile.get(), cmsSigLabData);
    std::unique_ptr<cmsPipeline, decltype(&cmsPipelineFree)> const table(cmsPipelineAlloc(nullptr, 4, 3),
                                                                         cmsPipelineFree);
    cmsStage* const nodes = cmsStageAllocCLut16bit(nullptr, 2, 4, 3, nullptr);
    cmsStageSampleCLut16bit(nodes, sample_press, nullptr, 0);
    cmsPipelineInsertStage(table.get(), cmsAT_BEGIN, cmsStageAllocToneCurves(nullptr, 4, nullptr));
    cmsPipelineInsertStage(table.get(), cmsAT_END, nodes);
    cmsPipelineInsertStage(table.get(), cmsAT_END, cmsStageAllocToneCurves(nullptr, 3, nullptr));
    cmsWriteTag(profile.get(), cmsSigAToB1Tag, table.get());
    cmsWriteTag(profile.get(), cmsSigAToB0Tag, table.get());
    return save_profile(profile);
}

/// Linear sRGB of L*a*b* under D50 (Bradford-adapted; IEC 61966-2-1), by arithmetic of its own.
inline std::array<double, 3> find_linear_srgb(cmsCIELab const& lab)
{
    auto const inverse = [](double t) { return t > 6.0 / 29 ? t * t * t : (t - 4.0 / 29) * 108 / 841; };
    double const fy = (lab.L + 16) / 116;
    double const x = 0.9642 * inverse(fy + lab.a / 500), y = inverse(fy), z = 0.8249 * inverse(fy - lab.b / 200);
    return {3.1338561 * x - 1.6168667 * y - 0.4906146 * z, -0.9787684 * x + 1.9161415 * y + 0.0334540 * z,
            0.0719453 * x - 0.2289914 * y + 1.4052427 * z};
}

} // namespace volpt::test
