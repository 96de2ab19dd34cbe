// A picture that converges while somebody looks at it and changes its scene.
#pragma once

#include "libvolpt/core/path_counts.hd.h"
#include "libvolpt/core/scene_view.hd.h"
#include "libvolpt/film/film_colour.h"
#include "libvolpt/render/render_film.h"

#include <memory>
#include <optional>
#include <string>

namespace volpt {

struct LiveOptions {
    RenderOptions render;             ///< devices and threads; progress, time limit, ranks and checkpoints are not used
    double moving_frame_s = 1.0 / 40; ///< duration of a frame that is aimed at while the view changes
    double still_after_s = 0.2;       ///< without a change for so long, the picture gets its full size
    double stop_at_de = 0.5;          ///< noise in CIEDE2000 that LiveStatistics::seconds_left is about
    Illuminant illuminant = Illuminant::d65; ///< for that noise
    std::uint64_t first_change = 0;          ///< number of the first scene; show() counts on from it
    std::uint64_t first_picture = 1;         ///< number of the first picture
};

/// Whether more changes are likely to follow at once, as while a mouse button is held.
enum class LiveChange { moving, still };

/// What is shown: the sums of the samples so far. Does not change once it was made.
struct LivePicture {
    std::uint64_t number = 0;  ///< LiveOptions::first_picture and on
    std::uint64_t change = 0;  ///< what LiveRender::show returned for its scene, or LiveOptions::first_change
    Film film;                 ///< all pixels have samples 0 .. samples - 1
    std::uint64_t samples = 0; ///< per pixel
    bool is_reduced = false;   ///< it has fewer pixels than the scene
    /// What its paths saw, with host pointers, for casts beside the render. It keeps its tables; volume and light have
    /// to outlive its use.
    std::shared_ptr<SceneView const> view = {};
};

struct LiveStatistics {
    std::uint64_t change = 0; ///< of the scene that all this is about
    std::uint32_t width = 0, height = 0;
    bool is_reduced = false;
    std::uint64_t samples = 0;                    ///< per pixel
    PathCounts counts = {};                       ///< of these samples
    double seconds = 0;                           ///< that they took
    double paths_per_s = 0, extensions_per_s = 0; ///< recently
    std::string device = {}, kernel = {};
    std::optional<double> relative_error =
        {};                                ///< standard error of the film's mean over the mean; none below two samples
    std::optional<double> de2000_p95 = {}; ///< as NoiseEstimate has it, at the last power of two; none without colours
    bool is_de2000_bound = false;          ///< as NoiseEstimate::is_bound
    std::optional<double> seconds_left = {}; ///< predicted, until de2000_p95 is at most LiveOptions::stop_at_de
    std::string failure = {};                ///< why the render does not go on; empty: it does
};

/// Every picture is the film that render_film makes of the same scene, seed and samples, bit for bit. Frames of a scene
/// that moves have fewer pixels if the devices need them for LiveOptions::moving_frame_s, but not fewer than 320 x 180.
/// All calls from any thread.
class LiveRender {
public:
    /// Renders in a thread of its own until it is destroyed. `volume` and `light` outlive it. Error as RenderScene's.
    LiveRender(PackedVolume const& volume, LightImage const* light, Scene const& scene, std::uint64_t seed,
               LiveOptions const& options);
    ~LiveRender();

    /// Shows another scene of the same volume and light from sample 0 on; returns its number at once. Of
    /// scenes that come faster than frames, the newest is rendered. Error as RenderScene's, and the scene stays.
    std::uint64_t show(Scene const& scene, LiveChange change);

    /// Tells how long it took to show a picture of so many pixels, beside the render: frames of a moving view are made
    /// so small that this fits into LiveOptions::moving_frame_s, too.
    void note_display(std::uint64_t pixels, double seconds);

    /// The newest picture with a number above `after`; waits for one at most so long. Null: none came.
    std::shared_ptr<LivePicture const> wait_for_picture(std::uint64_t after, double seconds) const;
    /// The newest picture of the scene shown last in its full size; waits for one at most so long. Null: none came.
    std::shared_ptr<LivePicture const> wait_for_whole(double seconds) const;
    LiveStatistics statistics() const;
    /// Where, in mm of the world, a ray through this point of the picture meets matter first: a boundary, or the first
    /// collision of one of some paths. x and y in 0..1, y downwards. None: nothing is there, or a probe is shown.
    std::optional<Vec3d> find_point(double x, double y) const;

private:
    class Implementation;
    std::unique_ptr<Implementation> implementation_;
};

} // namespace volpt
