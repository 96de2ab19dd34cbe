// What volrender is to render, from its command line: volume, light, scene, film and devices.
#pragma once

#include "libvolpt/render/render_film.h"
#include "libvolpt/scene/light_image.h"
#include "tools/options/tool.h"
#include "tools/volrender/scene.h"

#include <filesystem>
#include <memory>

namespace volpt {

class RenderJob {
public:
    /// Reads and checks all that a render needs; outputs are checked by the first rank alone. Error as what is wrong.
    RenderJob(ToolRun const& run, RenderGroups const& groups, Communicator const* ranks);
    RenderJob(RenderJob const&) = delete;
    RenderJob& operator=(RenderJob const&) = delete;

    std::vector<std::filesystem::path> outputs;
    RenderOptions options; ///< devices and threads
    RenderScene const& scene() const { return *scene_; }
    std::uint64_t seed() const { return film->seed(); }
    std::uint64_t default_samples = 0; ///< per pixel
    std::optional<Film> film;          ///< empty, or the one to be resumed

private:
    std::optional<PackedVolume> volume_;
    std::optional<LightImage> light_;
    std::optional<RenderScene> scene_;
};

/// Every .vpf among `outputs`.
std::vector<std::filesystem::path> list_films(std::vector<std::filesystem::path> const& outputs);

} // namespace volpt
