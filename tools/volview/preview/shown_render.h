// The render that is shown: of the volume, or of a preview in its place.
#pragma once

#include "libvolpt/render/live/live_render.h"

#include <condition_variable>
#include <memory>
#include <mutex>

namespace volpt {

/// A LiveRender whose volume can be replaced; numbers of pictures and changes go on ascending then. All calls from any
/// thread.
class ShownRender {
public:
    /// As LiveRender's.
    ShownRender(PackedVolume const& volume, LightImage const* light, Scene const& scene, std::uint64_t seed,
                LiveOptions const& options);

    /// Renders `scene` of another volume, or of the first one again if it is null, with this light, which outlives
    /// it; returns the change's number. The old render ends, with its memory of the devices, before the new one starts:
    /// in between there are no pictures. Error as RenderScene's, and what was shown stays; if the new render cannot
    /// start otherwise, the old volume is rendered anew. Not at the same time as show(). Scenes name the first volume
    /// (volume_checksum) here and there; films name the one that is shown.
    std::uint64_t replace_volume(std::shared_ptr<PackedVolume const> volume, LightImage const* light,
                                 Scene const& scene);

    // As LiveRender's; Error (system) from show() if not even the old volume could be rendered anew.
    std::uint64_t show(Scene const& scene, LiveChange change);
    std::shared_ptr<LivePicture const> wait_for_picture(std::uint64_t after, double seconds) const;
    std::shared_ptr<LivePicture const> wait_for_whole(double seconds) const;
    void note_display(std::uint64_t pixels, double seconds);
    LiveStatistics statistics() const;
    std::optional<Vec3d> find_point(double x, double y) const;
    /// LivePicture::view with its volume: replace_volume waits until nobody has it any more. Null: the volume has been
    /// replaced.
    std::shared_ptr<SceneView const> find_view(LivePicture const& picture) const;

private:
    struct Render;
    /// The newest render; waits for one at most so long. Null: there is none yet.
    std::shared_ptr<Render> current(double seconds) const;
    void start(std::shared_ptr<PackedVolume const> volume, Scene const& scene);
    /// Ends the render, and returns its volume.
    std::shared_ptr<PackedVolume const> end();
    void restart(std::shared_ptr<PackedVolume const> const& volume, LightImage const* light);

    PackedVolume const& own_volume_;
    LightImage const* light_; ///< of the render that was started last
    std::uint64_t seed_;
    LiveOptions options_;
    std::uint64_t change_;
    Scene scene_;              ///< shown last
    mutable std::mutex mutex_; ///< of what follows
    mutable std::condition_variable started_;
    std::shared_ptr<Render> render_; ///< null while it is replaced
    LiveStatistics last_statistics_; ///< while there is none
};

} // namespace volpt
