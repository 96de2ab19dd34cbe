#pragma once

#include "libvolpt/film/film_output.h"
#include "libvolpt/render/render_film.h"
#include "libvolpt/scene/light_image.h"
#include "libvolpt/scene/scene_hints.h"
#include "libvolpt/sys/error.h"
#include "tools/options/tool.h"
#include "tools/volrender/scene.h"

#include <filesystem>
#include <memory>
#include <optional>

namespace volpt {

/// What a program that renders without volrender holds in memory instead of files.
struct HeldInputs {
    std::shared_ptr<PackedVolume const> volume; ///< checked in full; its file is the command line's argument
    std::optional<Film> film;                   ///< to be resumed
};

/// What volrender renders, opened and checked: volume, light, scene, film, outputs and devices.
class RenderJob {
public:
    /// Only rank 0 checks the outputs; `ranks` is null outside an MPI job. Error for whatever is wrong.
    RenderJob(ToolRun const& run, VolrenderOptions const& options, Communicator const* ranks);
    /// Of a program: without outputs, which it makes of the film itself.
    RenderJob(ToolRun const& run, VolrenderOptions const& options, HeldInputs held);
    RenderJob(RenderJob const&) = delete;
    RenderJob& operator=(RenderJob const&) = delete;

    std::vector<std::filesystem::path> outputs; ///< films and pictures
    std::vector<std::filesystem::path> tally_outputs;
    std::vector<std::filesystem::path> detector_outputs;
    RenderOptions render; ///< devices and threads
    RenderScene const& scene() const { return *scene_; }
    std::uint64_t seed() const { return film->seed(); }
    /// What RenderScene::check_inputs throws; none if the volume is as it was.
    std::optional<Error> find_change() const;
    std::uint64_t default_samples = 0;         ///< per pixel
    std::optional<Film> film;                  ///< never absent; empty, or the one to be resumed
    std::unique_ptr<DetectorTables> detectors; ///< null if nothing is detected
    std::unique_ptr<TallySums> tally; ///< of particles, else null; without --tally, of detectors and energy alone
    PackedVolume const& volume() const { return *volume_; }
    VolumeMeta const& voxels() const { return volume_->meta(); }
    /// Of all kinds.
    std::vector<std::filesystem::path> list_outputs() const;
    /// For pictures of films of this scene; refers to the job. Error (usage) as choose_backdrop, before the render.
    DisplayFilm choose_display_film(std::optional<double> backdrop) const;

private:
    /// All but the outputs' names and the checks that need them. `film_name` is that of a film to be resumed.
    /// A notice if long steps that the user chose cost more than they save.
    void report_bank_forecast(SampleRange samples, NoticeSink const& notice) const;
    void open_scene(ToolRun const& run, VolrenderOptions const& options, Communicator const* ranks,
                    std::string const& film_name);
    void make_tally(VolrenderOptions const& options, SceneHints const& hints, std::vector<DetectorSpec> const& specs,
                    Communicator const* ranks);

    std::shared_ptr<PackedVolume const> volume_;
    std::optional<LightImage> light_;
    std::optional<RenderScene> scene_;
};

/// Every .vpf among `outputs`.
std::vector<std::filesystem::path> list_films(std::vector<std::filesystem::path> const& outputs);

} // namespace volpt
