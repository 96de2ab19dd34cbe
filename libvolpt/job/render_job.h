#pragma once

#include "libvolpt/job/job_sinks.h"
#include "libvolpt/job/render_request.h"
#include "libvolpt/render/render_film.h"
#include "libvolpt/scene/light_image.h"
#include "libvolpt/sys/error.h"

#include <filesystem>
#include <memory>
#include <optional>

namespace volpt {

/// What a request renders, opened and checked: volume, light, scene, film, outputs and devices.
class RenderJob {
public:
    /// Only rank 0 checks the outputs; `ranks` is null outside an MPI job. Error for whatever is wrong.
    explicit RenderJob(RenderRequest request, JobSinks const& sinks = {}, Communicator const* ranks = nullptr);
    RenderJob(RenderJob const&) = delete;
    RenderJob& operator=(RenderJob const&) = delete;

    /// Without its volume and its film, which are the job's.
    RenderRequest const& request() const { return request_; }
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
    std::unique_ptr<TallySums> tally; ///< of particles, else null; without a tally, of detectors and energy alone
    /// Frees the sums. The job is not rendered again.
    void release_tally();
    PackedVolume const& volume() const { return *volume_; }
    VolumeMeta const& voxels() const { return volume_->meta(); }
    /// Of all kinds.
    std::vector<std::filesystem::path> list_outputs() const;
    /// For pictures of films of this scene; refers to the job. Error (usage) as choose_backdrop, before the render.
    DisplayFilm choose_display_film(std::optional<double> backdrop) const;
    /// Those that were asked for in all, also where ranks of one machine divide them.
    int count_threads() const;

private:
    void open_files(int threads);
    /// What the options of the scene change: the film's scene, or the volume's.
    Scene choose_base(SceneHints const& hints, LightImage const* light) const;
    void open_scene(JobSinks const& sinks, Communicator const* ranks, int threads);
    /// The light image, and the bands in which the volume is rendered.
    void open_light(SceneHints const& hints, NoticeSink const& notice, int threads);
    void make_tally(SceneHints const& hints, std::vector<DetectorSpec> const& specs, Communicator const* ranks);
    /// A notice if long steps that the user chose cost more than they save.
    void report_bank_forecast(SampleRange samples, NoticeSink const& notice) const;

    RenderRequest request_;
    std::shared_ptr<PackedVolume const> volume_;
    std::optional<LightImage> light_;
    std::optional<RenderScene> scene_;
};

/// Every .vpf among `outputs`.
std::vector<std::filesystem::path> list_films(std::vector<std::filesystem::path> const& outputs);

} // namespace volpt
