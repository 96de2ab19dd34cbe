// Words of core's enums of a volume.
#pragma once

#include "libvolpt/core/surface/bsdf_view.hd.h"
#include "libvolpt/core/volume_view.hd.h"
#include "libvolpt/sys/text/enum_words.h"

namespace volpt {

template <>
inline constexpr auto kWords<Encoding> = list_words<Encoding>(
    {{Encoding::u8, "u8"}, {Encoding::u16, "u16"}, {Encoding::f16, "f16"}, {Encoding::f32, "f32"}});

template <>
inline constexpr auto kWords<Filter> = list_words<Filter>({{Filter::trilinear, "trilinear"},
                                                           {Filter::nearest, "nearest"}});

template <>
inline constexpr auto kWords<AlbedoFilter> = list_words<AlbedoFilter>({{AlbedoFilter::of_scattering, "of scattering"},
                                                                       {AlbedoFilter::trilinear, "trilinear"},
                                                                       {AlbedoFilter::nearest, "nearest"}});

template <>
inline constexpr auto kWords<Source> =
    list_words<Source>({{Source::constant, "constant"}, {Source::plane, "plane"}, {Source::material, "material"}});

template <>
inline constexpr auto kWords<BsdfKind> = list_words<BsdfKind>({{BsdfKind::diffuse, "diffuse"},
                                                               {BsdfKind::phong, "phong"},
                                                               {BsdfKind::conductor, "conductor"},
                                                               {BsdfKind::dielectric, "dielectric"},
                                                               {BsdfKind::thin_dielectric, "thin_dielectric"},
                                                               {BsdfKind::null, "null"}});

} // namespace volpt
