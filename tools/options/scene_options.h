// Options that change a scene: light, ground, boundary, medium. `apply` changes only what the user gave.
#pragma once

#include "libvolpt/scene/light/cube_image.h"
#include "libvolpt/scene/render_scene.h"
#include "tools/options/option_group.h"

#include <filesystem>
#include <optional>

namespace volpt {

class LightOptions final : public OptionGroup {
public:
    std::string title() const override { return "Light"; }
    void declare(boost::program_options::options_description& options) override;
    void read(boost::program_options::variables_map const& values) override;
    /// `image` is the resampled content of `image_path`, or null.
    void apply(Scene& scene, LightImage const* image) const;

    std::optional<std::filesystem::path> image_path; ///< --env named a file
    LightLayout layout = LightLayout::automatic;     ///< of that image
    std::optional<double> backdrop;                  ///< of pictures (choose_backdrop), not of the scene

    /// True if any of the options is given.
    bool names_light() const { return image_path || radiance_ || below_ || up_axis_ || rotate_deg_; }

private:
    std::optional<std::vector<float>> radiance_, below_;
    std::optional<std::uint32_t> up_axis_;
    std::optional<double> rotate_deg_;
    bool hides_background_ = false;
};

class GroundOptions final : public OptionGroup {
public:
    std::string title() const override { return "Ground"; }
    void declare(boost::program_options::options_description& options) override;
    void read(boost::program_options::variables_map const& values) override;
    /// Error (usage) if --ground-up is given without a ground, or a ground for a probe.
    void apply(Scene& scene, VolumeMeta const& meta) const;

private:
    std::optional<GroundKind> kind_;
    std::optional<std::vector<float>> albedo_, other_albedo_;
    std::optional<double> check_mm_;
    std::optional<std::uint32_t> up_axis_;
};

class BoundaryOptions final : public OptionGroup {
public:
    std::string title() const override { return "Boundary"; }
    void declare(boost::program_options::options_description& options) override;
    void read(boost::program_options::variables_map const& values) override;
    /// A boundary that becomes rough scatters light between its facets. Error (usage) if --microfacets is given for one
    /// without rough faces, --support-alpha for a scene without a boundary or a volume without faces under support, or
    /// --interfaces voxels for a scene without indices of materials.
    void apply(Scene& scene, SurfaceMeshView const& surface) const;
    bool names_index() const { return int_ior_.has_value(); }

private:
    std::optional<BoundaryKind> kind_;
    std::optional<double> int_ior_, ext_ior_, alpha_, support_alpha_;
    std::optional<Microfacets> microfacets_;
    std::optional<bool> has_interfaces_;

    void apply_interfaces(Scene& scene) const;
};

class MediumOptions final : public OptionGroup {
public:
    std::string title() const override { return "Medium and transport"; }
    void declare(boost::program_options::options_description& options) override;
    void read(boost::program_options::variables_map const& values) override;
    /// Leaves --long-steps auto to the caller, who has the volume.
    void apply(Scene& scene) const;

    bool picks_long_steps = false; ///< --long-steps auto

private:
    std::optional<float> scale_, g_, roulette_w_min_;
    std::optional<MajorantKind> majorant_;
    std::optional<LongSteps> long_steps_;
    std::optional<std::uint32_t> depth_limit_;
};

} // namespace volpt
