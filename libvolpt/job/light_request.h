// The light of a scene and the ground under it, as far as the caller says. `apply` changes only what is given.
#pragma once

#include "libvolpt/scene/light/cube_image.h"
#include "libvolpt/scene/render_scene.h"

#include <filesystem>
#include <optional>
#include <vector>

namespace volpt {

struct LightRequest {
    std::optional<std::filesystem::path> image_path; ///< of the environment
    LightLayout layout = LightLayout::automatic;     ///< of that image
    std::optional<std::vector<float>> radiance;      ///< by band or one for all, instead of an image
    std::optional<std::vector<float>> below;         ///< from the lower hemisphere
    std::optional<std::uint32_t> up_axis;            ///< 0 to 5: +x -x +y -y +z -z
    std::optional<double> rotate_deg;
    bool hides_background = false;
    std::optional<double> backdrop; ///< of pictures (choose_backdrop), not of the scene

    /// True if a field of the environment is given.
    bool names_light() const { return image_path || radiance || below || up_axis || rotate_deg; }
    /// Error (usage) for fields that contradict each other.
    void check() const;
    /// `image` is the resampled content of `image_path`, or null. Error (usage) if the background of a probe is hidden,
    /// and as `check`.
    void apply(Scene& scene, LightImage const* image) const;
};

struct GroundRequest {
    std::optional<GroundKind> kind;
    std::optional<std::vector<float>> albedo, other_albedo; ///< by band, or one for all
    std::optional<double> check_mm;                         ///< side of a square; else a quarter of the longest side
    std::optional<std::uint32_t> up_axis;

    /// Error (usage) if `up_axis` is given without a ground, or a ground for a probe.
    void apply(Scene& scene, VolumeMeta const& meta) const;
};

} // namespace volpt
