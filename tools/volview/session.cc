#include "tools/volview/session.h"

#include "libvolpt/sys/error.h"
#include "libvolpt/sys/json.h"
#include "libvolpt/volume/bands/match_bands.h"
#include "tools/options/progress_line.h"
#include "tools/volview/volume_views.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace volpt {
namespace {

using Json = nlohmann::ordered_json;

// More gain little for pictures of a window's size.
constexpr int kFrameThreads = 8;
// A view moves until there was no change for so long.
constexpr auto kMovingPause = std::chrono::milliseconds(300);

LiveOptions choose_live_options(ToolRun const& run, ViewScene const& scene, DeviceRequest const& device,
                                ServeOptions const& options)
{
    LiveOptions live;
    live.render = choose_device(device, scene.scene(), {});
    live.render.threads = run.common.threads;
    live.render.notice = run.detail;
    live.stop_at_de = options.stop_at_de;
    return live;
}

std::filesystem::path choose_path(ToolRun const& run, std::filesystem::path packed)
{
    return packed.empty() && !run.arguments.empty() ? std::filesystem::path(run.arguments[0]) : packed;
}

/// Of the file that the copied commands make.
std::string name_preview(std::string const& volume_path)
{
    return std::filesystem::path(volume_path).stem().string() + "_preview.vpk";
}

} // namespace

Session::Session(ToolRun const& run, SceneRequest const& scene, DeviceRequest const& device,
                 ServeOptions const& options, std::filesystem::path packed)
    : run_(run), options_(options), packed_(choose_path(run, std::move(packed))),
      scene_(run, scene, device, options.seed, packed_)
{
    if (options.target_picture) {
        if (scene_.scene().camera.kind != CameraKind::probe)
            fail_usage("--target-picture needs the film of a probe, but the scene has a camera",
                       "give --probe too, or leave the picture out");
        target_.emplace(*options.target_picture, run.notice);
    }
    live_.emplace(*scene_.rendered_volume(), scene_.light(), scene_.scene(), scene_.seed(),
                  choose_live_options(run, scene_, device, options));
    description_ = prepare_description({});
    display_.denoise = options.denoise;
    denoiser_.emplace(make_denoiser_source(), options.denoise, run.common.threads);
    frames_.emplace(make_frame_source(), std::min(run.common.threads, kFrameThreads));
    if (options.tev)
        tev_.emplace(*options.tev, std::filesystem::path(run.arguments[0]).filename().string(),
                     TevClient::Source{[this](std::uint64_t after, double seconds) {
                                           return live_->wait_for_picture(after, seconds);
                                       },
                                       [this] { return display().illuminant; }},
                     run.notice, run.detail);
}

FilmDenoiser::Source Session::make_denoiser_source() const
{
    return {.wait_for_picture = [this](std::uint64_t after,
                                       double seconds) { return live_->wait_for_picture(after, seconds); },
            .find_view = [this](LivePicture const& picture) { return live_->find_view(picture); },
            .find_change =
                [this] {
                    std::lock_guard const lock(mutex_);
                    return change_;
                },
            .is_moving = [this] { return is_moving(); },
            .has_ended = [this] { return !live_->statistics().failure.empty(); }};
}

FrameEncoder::Source Session::make_frame_source()
{
    return {.wait_for_picture = [this](std::uint64_t after,
                                       double seconds) { return live_->wait_for_picture(after, seconds); },
            .display = [this] { return display(); },
            .note_display = [this](std::uint64_t pixels, double seconds) { live_->note_display(pixels, seconds); },
            .find_denoised = [this] { return denoiser_->newest(); },
            .is_expected = [this](LivePicture const& picture) { return denoiser_->is_expected(picture); },
            .is_moving = [this] { return is_moving(); }};
}

bool Session::is_moving() const
{
    std::lock_guard const lock(mutex_);
    return std::chrono::steady_clock::now() - moved_at_ < kMovingPause;
}

DisplaySettings Session::display() const
{
    std::lock_guard const lock(mutex_);
    return display_;
}

RemapOptions Session::preview() const
{
    std::lock_guard const lock(mutex_);
    return preview_;
}

Json Session::prepare_description(RemapOptions const& preview) const
{
    Scene const& scene = scene_.scene();
    Json answer = scene_.describe();
    answer["options"] = scene_.texts();
    answer["changeable"] = ViewScene::list_changeable();
    answer["display"] = Json();
    answer["bands"] = scene.bands;
    answer["light_bands"] = scene_.light_bands();
    answer["wavelengths"] = scene.wavelengths_nm;
    answer["change"] = Json();
    answer["can_save"] = options_.out.has_value();
    answer["can_move"] = scene.camera.kind != CameraKind::probe;
    answer["has_light_image"] = scene_.light() != nullptr;
    answer["preview"] = describe_preview(preview);
    answer["preview_lines"] = list_preview_lines(preview);
    answer["target"] = target_.has_value();
    return answer;
}

void Session::publish(std::uint64_t change, RemapOptions preview)
{
    Json description = prepare_description(preview);
    std::lock_guard const lock(mutex_);
    change_ = change;
    preview_ = std::move(preview);
    if (display_.band >= description.at("bands").get<int>()) display_.band = -1;
    description_ = std::move(description);
    ++scene_number_;
}

Json Session::describe_scene() const
{
    std::lock_guard const lock(mutex_);
    Json answer = description_;
    answer["display"] = {{"exposure", display_.exposure_stops},
                         {"tone", to_word(display_.tone)},
                         {"illuminant", to_word(display_.illuminant)},
                         {"band", display_.band},
                         {"denoise", to_word(display_.denoise)}};
    answer["change"] = change_;
    return answer;
}

Json Session::describe_statistics() const
{
    LiveStatistics const statistics = live_->statistics();
    auto const denoised = denoiser_->newest();
    bool const is_denoised =
        denoised && denoised->change == statistics.change && denoised->is_reduced == statistics.is_reduced;
    return {{"change", statistics.change},
            {"width", statistics.width},
            {"height", statistics.height},
            {"reduced", statistics.is_reduced},
            {"samples", statistics.samples},
            {"paths", statistics.counts.paths},
            {"extensions", statistics.counts.extensions},
            {"lost_paths", statistics.counts.lost_paths},
            {"cut_paths", statistics.counts.cut_paths},
            {"seconds", statistics.seconds},
            {"paths_per_s", statistics.paths_per_s},
            {"extensions_per_s", statistics.extensions_per_s},
            {"device", statistics.device},
            {"kernel", statistics.kernel},
            {"relative_error", finite_or_null(statistics.relative_error)},
            {"de2000_p95", finite_or_null(statistics.de2000_p95)},
            {"de2000_kind", statistics.is_de2000_bound ? "at_most" : "expected"},
            {"stop_at_de", options_.stop_at_de},
            {"seconds_left", finite_or_null(statistics.seconds_left)},
            {"denoised_samples", is_denoised ? Json(denoised->samples) : Json()},
            {"denoise_refusal", denoiser_->describe_refusal(statistics.change)},
            {"failure", statistics.failure}};
}

Json Session::describe_command(std::optional<std::uint64_t> wanted_samples) const
{
    std::lock_guard const scene_lock(scene_mutex_);
    auto const whole = live_->wait_for_whole(0);
    RemapOptions preview;
    bool is_shown = false;
    {
        std::lock_guard const lock(mutex_);
        preview = preview_;
        is_shown = whole && whole->change == change_;
    }
    std::uint64_t const samples = wanted_samples.value_or(is_shown ? std::max<std::uint64_t>(whole->samples, 1) : 1);
    if (preview.is_empty())
        return {{"lines", Json::array({scene_.make_command(samples, list_picture_options())})}, {"samples", samples}};
    auto lines = list_preview_lines(preview);
    // Lines that are all remarks make no volume.
    if (!lines.back().starts_with('#'))
        lines.push_back(scene_.make_command(samples, list_picture_options(), name_preview(run_.arguments[0])));
    return {{"lines", lines}, {"samples", samples}};
}

std::vector<std::string> Session::list_preview_lines(RemapOptions const& preview) const
{
    return list_preview_commands(scene_.volume(), preview, name_preview(run_.arguments[0]));
}

Json Session::describe_volume() const
{
    std::call_once(counted_, [&] {
        auto const name = std::filesystem::path(run_.arguments[0]).filename().string();
        volume_description_ = format_json(volpt::describe_volume(volume(), name, run_.common.threads));
    });
    return Json::parse(volume_description_);
}

Json Session::set_preview(Json const& command)
{
    RemapOptions wanted = parse_preview_command(command);
    std::unique_lock const packing(preview_mutex_, std::try_to_lock);
    if (!packing) throw Conflict("another preview is being made; ask again later");
    std::shared_ptr<PackedVolume const> shown;
    if (!wanted.is_empty())
        shown = std::make_shared<PackedVolume>(
            make_preview(volume(), packed_, wanted, run_.common.threads,
                         [this](Progress const&) { return !is_interrupted() && !stops_; }));
    std::lock_guard const scene_lock(scene_mutex_);
    if (!wanted.is_empty() || !preview().is_empty()) {
        FilmDenoiser::Pause const pause(*denoiser_);
        auto const before = std::exchange(preview_volume_, std::move(shown));
        std::uint64_t change = 0;
        try {
            change = live_->replace_volume(find_shown_volume(), scene_.light(), scene_.scene());
        } catch (...) {
            preview_volume_ = before;
            throw;
        }
        publish(change, std::move(wanted));
    }
    std::lock_guard const lock(mutex_);
    return {{"change", change_}};
}

std::shared_ptr<PackedVolume const> Session::find_shown_volume() const
{
    if (!preview_volume_) return scene_.rendered_volume();
    return match_bands(preview_volume_, scene_.scene().bands, run_.common.threads);
}

Json Session::change_options(OptionsCommand const& command)
{
    std::lock_guard const scene_lock(scene_mutex_);
    OptionChanges restored;
    for (auto const& [name, text] : command.texts) {
        auto const before = scene_.texts().find(name);
        restored[name] = before == scene_.texts().end() ? std::nullopt : std::optional(before->second);
    }
    std::uint32_t const bands_before = scene_.scene().bands;
    Scene const& scene = scene_.change(command.texts);
    std::uint64_t change = 0;
    try {
        if (scene.bands == bands_before) {
            note_pace(command.pace);
            change = live_->show(scene, command.pace == CommandPace::moving ? LiveChange::moving : LiveChange::still);
        } else {
            FilmDenoiser::Pause const pause(*denoiser_);
            change = live_->replace_volume(find_shown_volume(), scene_.light(), scene);
        }
    } catch (...) {
        scene_.change(restored);
        throw;
    }
    publish(change, preview());
    return {{"change", change}};
}

void Session::note_pace(CommandPace pace)
{
    std::lock_guard const lock(mutex_);
    moved_at_ =
        pace == CommandPace::moving ? std::chrono::steady_clock::now() : std::chrono::steady_clock::time_point();
}

Json Session::move_camera(Json const& command)
{
    OptionsCommand const parsed = parse_camera_command(command);
    {
        std::lock_guard const lock(mutex_);
        if (!description_.at("can_move").get<bool>()) throw Conflict("a probe has no camera that could be moved");
    }
    return change_options(parsed);
}

Json Session::set_options(Json const& command)
{
    return change_options(parse_options_command(command));
}

Json Session::set_display(Json const& command)
{
    std::lock_guard const lock(mutex_);
    display_ = parse_display_command(command, display_, description_.at("bands").get<std::uint32_t>());
    denoiser_->set(display_.denoise);
    ++scene_number_;
    return Json::object();
}

Json Session::find_point(Json const& command) const
{
    PicturePoint const place = parse_pick_command(command);
    auto const point = live_->find_point(place.x, place.y);
    return {{"point", point ? Json({(*point)[0], (*point)[1], (*point)[2]}) : Json()}};
}

} // namespace volpt
