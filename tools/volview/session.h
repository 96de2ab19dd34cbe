// What all clients share: one scene, one render, one way to show it, and their commands.
#pragma once

#include "libvolpt/film/film_output.h"
#include "libvolpt/sys/mapped_file.h"
#include "tools/volview/commands.h"
#include "tools/volview/denoise/film_denoiser.h"
#include "tools/volview/frames.h"
#include "tools/volview/options.h"
#include "tools/volview/preview/preview.h"
#include "tools/volview/preview/shown_render.h"
#include "tools/volview/target_picture.h"
#include "tools/volview/tev/tev_client.h"
#include "tools/volview/view_scene.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>

namespace volpt {

/// A request that is well formed and cannot be fulfilled as things are now.
class Conflict : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// A request that would wait for what too many others wait for already.
class Busy : public Conflict {
public:
    using Conflict::Conflict;
};

/// Commands and answers are JSON (docs/tools/volview.md). Commands throw Error (usage) for what is malformed or out of
/// range, and Conflict; nothing has changed then. All calls from any thread.
class Session {
public:
    /// Opens the volume and starts to render. Error as ViewScene's, LiveRender's and TevClient's; Error (usage) if a
    /// target picture is given for a scene that is no probe. `packed` is as ViewScene's.
    Session(ToolRun const& run, SceneRequest const& scene, DeviceRequest const& device, ServeOptions const& options,
            std::filesystem::path packed = {});

    nlohmann::ordered_json describe_scene() const;
    nlohmann::ordered_json describe_statistics() const;
    /// volpt::describe_volume of the volume, never of a preview.
    nlohmann::ordered_json describe_volume() const;
    /// The lines of volrender that make the picture that is shown; of volprep, too, for a preview.
    nlohmann::ordered_json describe_command(std::optional<std::uint64_t> wanted_samples) const;

    nlohmann::ordered_json move_camera(nlohmann::ordered_json const& command);
    nlohmann::ordered_json set_options(nlohmann::ordered_json const& command);
    nlohmann::ordered_json set_display(nlohmann::ordered_json const& command);
    nlohmann::ordered_json find_point(nlohmann::ordered_json const& command) const;
    nlohmann::ordered_json measure_patch(nlohmann::ordered_json const& command) const;
    nlohmann::ordered_json save(nlohmann::ordered_json const& command);
    /// Packs the preview and shows it, or ends it. Conflict while another one is being packed.
    nlohmann::ordered_json set_preview(nlohmann::ordered_json const& command);

    /// The volume itself, never a preview.
    PackedVolume const& volume() const { return scene_.volume(); }

    /// The newest picture as it is shown, denoised if that has been done for its view. Conflict if there is none yet.
    EncodedPicture encode_picture() const;
    /// The target picture with the film's size. Conflict if there is none.
    EncodedPicture encode_target() const;
    /// The film of the scene that is shown, in its full size, as volrender writes it to an output of this extension.
    /// Conflict while a preview is shown; Busy, as save(), if a few films are being made already.
    std::shared_ptr<MappedFile const> make_film_file(std::string const& extension) const;

    /// Counts changes of what describe_scene says.
    std::uint64_t scene_number() const { return scene_number_; }
    FrameEncoder& frames() { return *frames_; }
    /// Ends what waits for a picture, with Conflict.
    void stop() { stops_ = true; }

private:
    nlohmann::ordered_json change_options(OptionsCommand const& command);
    std::vector<std::string> list_preview_lines(RemapOptions const& preview) const;
    /// What describe_scene says of scene_ and `preview`.
    nlohmann::ordered_json prepare_description(RemapOptions const& preview) const;
    /// Makes known what is shown from this change on.
    void publish(std::uint64_t change, RemapOptions preview);
    enum class Picture { newest, whole };
    /// Conflict if none comes until then.
    std::shared_ptr<LivePicture const> wait_for(Picture which, std::chrono::steady_clock::time_point end) const;
    std::shared_ptr<LivePicture const> wait_for(Picture which) const;
    /// The film that is saved. Conflict while a preview is shown.
    std::shared_ptr<LivePicture const> wait_for_film() const;
    class FilmPlace;
    Film make_film(LivePicture const& whole) const;
    /// Of this picture.
    FilmOutputOptions choose_output(std::shared_ptr<LivePicture const> const& whole) const;
    DisplaySettings display() const;
    bool is_moving() const;
    void note_pace(CommandPace pace);
    FilmDenoiser::Source make_denoiser_source() const;
    FrameEncoder::Source make_frame_source();
    /// The options of volrender that make pictures as they are shown and saved.
    std::vector<std::string> list_picture_options() const;
    RemapOptions preview() const;
    /// What is shown: of the scene as it is now, the preview or the volume.
    std::shared_ptr<PackedVolume const> find_shown_volume() const;

    ToolRun const& run_;
    ServeOptions const& options_;
    std::filesystem::path packed_; ///< the .vpk
    // Held while the scene changes, which takes as long as its tables; taken before mutex_. Of scene_.
    mutable std::mutex scene_mutex_;
    ViewScene scene_;
    std::shared_ptr<PackedVolume const> preview_volume_; ///< null without a preview; of scene_mutex_, too
    mutable std::mutex mutex_;                           ///< never held for long; of what follows
    DisplaySettings display_;
    RemapOptions preview_;
    nlohmann::ordered_json description_; ///< describe_scene's, but for the display
    std::uint64_t change_ = 0;
    std::chrono::steady_clock::time_point moved_at_; ///< when more changes were announced last
    // These need none.
    std::atomic<std::uint64_t> scene_number_ = 1;
    std::atomic<bool> stops_ = false;
    mutable std::atomic<int> films_ = 0; ///< that are asked for
    mutable std::mutex file_mutex_;      ///< held while a film is written: one at a time
    std::optional<TargetPicture> target_;
    std::mutex preview_mutex_;               ///< held while one is packed: one at a time
    mutable std::once_flag counted_;         ///< of volume_description_
    mutable std::string volume_description_; ///< JSON
    std::optional<ShownRender> live_;
    mutable std::optional<FilmDenoiser> denoiser_;
    std::optional<FrameEncoder> frames_;
    std::optional<TevClient> tev_;
};

} // namespace volpt
