// How large the stages are in which a picture converges: each ends with a picture to be shown.
#pragma once

#include "libvolpt/core/path_counts.hd.h"
#include "libvolpt/render/live/live_render.h"

#include <atomic>

namespace volpt {

std::uint64_t count_pixels(Scene const& scene);

/// Plans each stage from the duration of the last one. A stage has a fixed cost beside that of its samples, so that
/// this is right for one that lasts as long, and a sequence of stages comes near its goal. One thread but for
/// note_display.
class StagePlanner {
public:
    explicit StagePlanner(double moving_frame_s) : moving_frame_s_(moving_frame_s) {}

    /// The scene, or one with so few pixels that a sample of each fits into a frame of a moving view; of a still one,
    /// if it would take long otherwise. Never fewer than 320 x 180; never of a probe.
    Scene choose_size(Scene const& full, LiveChange change) const;

    /// What is there of the picture whose next stage is asked for.
    struct PictureState {
        std::uint64_t pixels = 0;
        bool is_reduced = false;
        std::uint64_t samples = 0; ///< per pixel
        std::uint64_t stages = 0;
    };
    struct Stage {
        std::uint64_t samples; ///< per pixel, at least 1
        bool is_interruptible; ///< by a change: its predicted duration is long, or there is a picture of the view
    };
    Stage choose_stage(PictureState const& picture, LiveChange change) const;

    /// As LiveRender::note_display. From any thread.
    void note_display(std::uint64_t pixels, double seconds);

    /// A stage has ended: samples times pixels.
    void note_stage(std::uint64_t work, double seconds);
    /// Counts of a stage, ended or given up, for the rates.
    void note_counts(PathCounts const& counts, double seconds);
    /// Over the last 0.3 s or more; 0 before the first stage.
    double paths_per_s() const { return paths_per_s_; }
    double extensions_per_s() const { return extensions_per_s_; }

private:
    double predict_work(double seconds) const;

    double moving_frame_s_;
    double last_work_ = 0, last_s_ = 0;
    std::atomic<double> display_s_per_pixel_ = 0;
    double paths_ = 0, extensions_ = 0, seconds_ = 0; ///< of the rates to come
    double paths_per_s_ = 0, extensions_per_s_ = 0;
};

} // namespace volpt
