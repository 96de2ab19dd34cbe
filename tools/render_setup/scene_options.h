// The words of a scene: light, bands, ground, boundary, medium, hints; all of a scene together.
#pragma once

#include "libvolpt/job/scene_request.h"
#include "tools/options/option_group.h"
#include "tools/options/tool.h"
#include "tools/render_setup/camera_options.h"

#include <vector>

namespace volpt {

class LightOptions final : public OptionGroup {
public:
    LightRequest request;

    std::string title() const override { return "Light"; }
    void declare(boost::program_options::options_description& options) override;
    void read(boost::program_options::variables_map const& values) override;
};

class BandOptions final : public OptionGroup {
public:
    PictureBands request = PictureBands::of_light;

    std::string title() const override { return "Bands"; }
    void declare(boost::program_options::options_description& options) override;
    void read(boost::program_options::variables_map const& values) override;
};

class GroundOptions final : public OptionGroup {
public:
    GroundRequest request;

    std::string title() const override { return "Ground"; }
    void declare(boost::program_options::options_description& options) override;
    void read(boost::program_options::variables_map const& values) override;
};

class BoundaryOptions final : public OptionGroup {
public:
    BoundaryRequest request;

    std::string title() const override { return "Boundary"; }
    void declare(boost::program_options::options_description& options) override;
    void read(boost::program_options::variables_map const& values) override;
};

class MediumOptions final : public OptionGroup {
public:
    MediumRequest request;

    std::string title() const override { return "Medium and transport"; }
    void declare(boost::program_options::options_description& options) override;
    void read(boost::program_options::variables_map const& values) override;
};

class HintOptions final : public OptionGroup {
public:
    HintUse request = HintUse::on;

    std::string title() const override { return "Scene hints"; }
    void declare(boost::program_options::options_description& options) override;
    void read(boost::program_options::variables_map const& values) override;
};

class PresetOptions final : public OptionGroup {
public:
    std::string request;
    bool lists = false; ///< the scenes that are built in are to be listed

    std::string title() const override { return "Scene"; }
    void declare(boost::program_options::options_description& options) override;
    void read(boost::program_options::variables_map const& values) override;
};

/// Prints the scenes that are built in.
ExitStatus list_scenes(AnswerForm form);

/// The options of a scene that every tool that renders has.
struct SceneOptions {
    PresetOptions preset;
    CameraOptions camera;
    ProbeOptions probe;
    LightOptions light;
    BandOptions bands;
    GroundOptions ground;
    BoundaryOptions boundary;
    MediumOptions medium;
    HintOptions hints;

    /// In the order of --help.
    std::vector<OptionGroup*> list_groups()
    {
        return {&preset, &camera, &probe, &light, &bands, &ground, &boundary, &medium, &hints};
    }
    /// What they have read; emitters, which only volrender has words for, are not given.
    SceneRequest make_request() const;
};

} // namespace volpt
