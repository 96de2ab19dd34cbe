// What a print looks like that its user did not mean.
#pragma once

#include "libvolpt/surface/triangle_mesh.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace volpt {

/// Of a Stratasys J750, where no printer is named.
inline constexpr std::array<double, 3> kUsualTray_mm{490, 390, 200};

struct PrintExtent {
    std::array<double, 3> size_mm{}, pitch_mm{};
    std::array<double, 3> tray_mm = kUsualTray_mm;
    std::string_view of = "the mesh"; ///< what has the size
};

/// Nothing, or a question: of a print that has fewer than 20 voxels along its longest side, or fits the tray in no
/// orientation, with the option that would mend it. `scale_option`, such as "--mesh-scale", takes a factor; without one
/// the question names `size_option`.
std::optional<std::string> ask_about_size(PrintExtent const& print, std::string_view scale_option,
                                          std::string_view size_option);

/// Nothing, or how much light the colours of corners take from the pictures of a mesh.
std::optional<std::string> describe_factors(TriangleMesh const& mesh);

/// Triangles with a picture have its colours alone.
void drop_factors(TriangleMesh& mesh);

} // namespace volpt
