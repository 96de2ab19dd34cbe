// Planes without noise beside a picture, for compositing and for other denoisers ("arbitrary output variables"): what
// rays meet that are cast straight through the pixels.
//
// Names as other programs read them: depth.Z is the depth of Nuke, N.X the normal of Arnold, Redshift and Karma.
// Albedo and normal are what Open Image Denoise takes beside a picture.
#pragma once

#include "libvolpt/colour/colour_space.h"
#include "libvolpt/image/image.h"
#include "libvolpt/scene/render_scene.h"
#include "libvolpt/sys/text/enum_words.h"

#include <span>
#include <string>
#include <vector>

namespace volpt {

enum class Aov { depth, normal, albedo, label };
template <>
inline constexpr auto kWords<Aov> =
    list_words<Aov>({{Aov::depth, "depth"}, {Aov::normal, "normal"}, {Aov::albedo, "albedo"}, {Aov::label, "label"}});

/// depth.Z where a ray meets nothing, as Blender's Cycles has it.
inline constexpr float kNoDepth_mm = 1e10f;
/// label.Y likewise.
inline constexpr float kNoLabel = -1;

/// Why a scene has no such plane, a clause; empty if it has.
std::string find_aov_problem(Aov aov, Scene const& scene, PackedVolume const& volume);

/// What make_aov_planes takes at most, its result included, and its part of the file before it is written.
std::uint64_t count_aov_bytes(std::span<Aov const> aovs, Scene const& scene);

/// Channels of the size of the scene's picture, for those that find_aov_problem allows, and what they are as text
/// attributes:
///   depth.Z         mm along the view, from the plane of the camera; by the ray through the pixel's centre, to the
///                   surface, or of an open medium to the expected first collision; kNoDepth_mm where there is nothing
///   N.X, .Y, .Z     unit normals of surfaces in the world, towards the ray; 0 where there is none
///   albedo.R, ..    of the surface, or of the first collision under it or in an open medium, by band and named like
///                   the picture's beauty: R, G, B of bands with wavelengths
///   label.Y         the number of the material that the ray through the pixel's centre meets first, or kNoLabel
/// Normals and albedos are means of four rays in a pixel, 0 for those that meet nothing. On up to `threads` threads
/// (sys/parallel.h); no bit depends on their number.
Image make_aov_planes(std::span<Aov const> aovs, RenderScene const& scene, PackedVolume const& volume,
                      Illuminant illuminant, int threads);

} // namespace volpt
