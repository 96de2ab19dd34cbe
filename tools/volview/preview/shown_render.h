// The render that is shown: of the volume, or of a preview in its place.
#pragma once

#include "libvolpt/render/live/live_render.h"

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

    /// Renders `scene` of another volume, or of the first one again if it is null; returns the change's number. Error
    /// as RenderScene's, and what was shown stays. Not at the same time as show(). Scenes name the first volume
    /// (volume_checksum) here and there; films name the one that is shown.
    std::uint64_t replace_volume(std::shared_ptr<PackedVolume const> volume, Scene const& scene);

    // As LiveRender's.
    std::uint64_t show(Scene const& scene, LiveChange change);
    std::shared_ptr<LivePicture const> wait_for_picture(std::uint64_t after, double seconds) const;
    std::shared_ptr<LivePicture const> wait_for_whole(double seconds) const;
    void note_display(std::uint64_t pixels, double seconds);
    LiveStatistics statistics() const;
    std::optional<Vec3d> find_point(double x, double y) const;

private:
    struct Render;
    std::shared_ptr<Render> current() const;
    void start(std::shared_ptr<PackedVolume const> volume, Scene const& scene);

    PackedVolume const& own_volume_;
    LightImage const* light_;
    std::uint64_t seed_;
    LiveOptions options_;
    std::uint64_t change_ = 0;
    mutable std::mutex mutex_; ///< of render_
    std::shared_ptr<Render> render_;
};

} // namespace volpt
