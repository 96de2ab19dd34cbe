// Options that change where a scene is seen from: camera, probe. `apply` changes only what the user gave.
#pragma once

#include "libvolpt/scene/scene.h"
#include "libvolpt/volume/volume.h"
#include "tools/options/option_group.h"

#include <cmath>
#include <optional>

namespace volpt {

/// What --lens names.
struct LensChoice {
    double radius_mm = 0;
    std::optional<double> focus_mm; ///< else that of the target
};

class CameraOptions final : public OptionGroup {
public:
    std::string title() const override { return "Camera"; }
    void declare(boost::program_options::options_description& options) override;
    void read(boost::program_options::variables_map const& values) override;
    void apply(Scene& scene, VolumeMeta const& meta) const;

    /// Later views are turned by so much: of --from its azimuth, else turn_camera.
    void turn(double degrees) { turn_deg_ = degrees; }
    /// True for --from at elevation 90 or -90, whose views are alike at every azimuth.
    bool is_at_pole() const { return from_deg_ && std::abs((*from_deg_)[1]) == 90; }

    std::optional<std::array<int, 2>> resolution;

    /// True if an option other than the resolution is given.
    bool names_view() const
    {
        return from_deg_ || origin_world_ || target_world_ || up_world_ || fov_x_deg_ || ortho_width_mm_ || lens_;
    }

private:
    void read_lens(std::string const& text);
    void apply_place(CameraSpec& camera, double aspect, VolumeMeta const& meta) const;
    void apply_lens(CameraSpec& camera) const;

    std::optional<LensChoice> lens_;
    std::optional<std::array<double, 2>> from_deg_; ///< azimuth and elevation
    double turn_deg_ = 0;
    std::optional<Vec3d> origin_world_, target_world_, up_world_;
    std::optional<double> fov_x_deg_, ortho_width_mm_;
};

class ProbeOptions final : public OptionGroup {
public:
    std::string title() const override { return "Probe"; }
    void declare(boost::program_options::options_description& options) override;
    void read(boost::program_options::variables_map const& values) override;
    /// A scene that becomes a probe gets its number of texels and, if it has none, a smooth boundary. Error (usage) if
    /// options of a probe are given without one.
    void apply(Scene& scene, VolumeMeta const& meta) const;

    std::optional<std::uint32_t> face;
    bool is_of_texture = false; ///< --probe uv

    bool names_texels() const { return dpi_.has_value(); }

private:
    std::optional<ProbeView> view_;
    std::optional<std::vector<double>> dpi_; ///< along the image's rows and columns, or one for both
    std::optional<Specular> specular_;
    std::optional<Backing> backing_;
    std::optional<Sides> sides_;
};

} // namespace volpt
