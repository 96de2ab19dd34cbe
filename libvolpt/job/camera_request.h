// Where a scene is seen from, as far as the caller says: camera, probe. `apply` changes only what is given.
#pragma once

#include "libvolpt/scene/scene.h"
#include "libvolpt/volume/volume.h"

#include <array>
#include <cmath>
#include <optional>
#include <vector>

namespace volpt {

/// A thin lens.
struct LensRequest {
    double radius_mm = 0;           ///< 0: a pinhole
    std::optional<double> focus_mm; ///< distance of the plane that is sharp; else that of the target
};

inline constexpr double kLeastZoom = 0.01, kMostZoom = 1000;

struct CameraRequest {
    std::optional<std::array<int, 2>> resolution;
    std::optional<LensRequest> lens;
    /// Azimuth and elevation from which the whole volume is in view.
    std::optional<std::array<double, 2>> from_deg;
    /// The view is turned by so much: that of `from_deg` from its azimuth, else by turn_camera.
    double turn_deg = 0;
    std::optional<Vec3d> origin_world, target_world, up_world;
    std::optional<double> fov_x_deg, ortho_width_mm;
    /// By how much larger things are in the picture than in that of the other fields: the field of view is narrower,
    /// and the camera stays where it is. From kLeastZoom to kMostZoom.
    std::optional<double> zoom;

    /// True if a field other than the resolution is given.
    bool names_view() const
    {
        return from_deg || origin_world || target_world || up_world || fov_x_deg || ortho_width_mm || lens || zoom;
    }
    /// True for an elevation of 90 or -90, whose views are alike at every azimuth.
    bool is_at_pole() const { return from_deg && std::abs((*from_deg)[1]) == 90; }
    /// Error (usage) for fields that contradict each other.
    void check() const;
    /// Error (usage) for a lens of a camera that has none, and as `check`.
    void apply(Scene& scene, VolumeMeta const& meta) const;

private:
    void apply_place(CameraSpec& camera, double aspect, VolumeMeta const& meta) const;
    void apply_lens(CameraSpec& camera) const;
    void apply_zoom(CameraSpec& camera) const;
};

struct ProbeRequest {
    std::optional<std::uint32_t> face; ///< of the box, 0 to 5: +x -x +y -y +z -z
    bool is_of_texture = false;        ///< the texels lie in the texture space of the mesh instead
    std::optional<ProbeView> view;
    std::optional<std::vector<double>> dpi; ///< along the image's rows and columns, or one for both
    std::optional<Specular> specular;
    std::optional<Backing> backing;
    std::optional<Sides> sides;

    bool is_given() const { return face || is_of_texture; }
    bool names_texels() const { return dpi.has_value(); }
    /// A scene that becomes a probe gets its number of texels and, if it has none, a smooth boundary. Error (usage) if
    /// fields of a probe are given without one.
    void apply(Scene& scene, VolumeMeta const& meta) const;
};

} // namespace volpt
