#include "tools/volview/session.h"

#include "libvolpt/film/film_patch.h"
#include "libvolpt/image/tone_map.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/json.h"
#include "tools/options/progress_line.h"
#include "tools/options/provenance_options.h"
#include "tools/render_setup/device_choice.h"
#include "tools/volview/film_files.h"
#include "tools/volview/volume_views.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace volpt {
namespace {

using Json = nlohmann::ordered_json;

// Of a request for a picture or a film: a slow device needs seconds for the first sample of all pixels.
constexpr double kFilmWait_s = 30;
// More gain little for pictures of a window's size.
constexpr int kEncodingThreads = 8;

LiveOptions choose_live_options(ToolRun const& run, ViewScene const& scene, DeviceOptions const& device,
                                ServeOptions const& options)
{
    LiveOptions live;
    live.render = choose_device(device, scene.scene().width, scene.scene().height, {});
    live.render.threads = run.common.threads;
    live.render.notice = run.detail;
    live.stop_at_de = options.stop_at_de;
    return live;
}

template <class Value>
Json or_null(std::optional<Value> const& value)
{
    return value ? Json(*value) : Json();
}

/// JSON has no infinity.
Json finite_or_null(std::optional<double> value)
{
    return value && std::isfinite(*value) ? Json(*value) : Json();
}

/// Of the file that the copied commands make.
std::string name_preview(std::string const& volume_path)
{
    return std::filesystem::path(volume_path).stem().string() + "_preview.vpk";
}

char const* name_tone(DisplayTone tone)
{
    return tone == DisplayTone::linear ? "linear" : "srgb";
}

/// The pixels whose centres are in the rectangle, at least one.
PixelRectangle find_pixels(PictureRectangle const& patch, std::uint32_t width, std::uint32_t height)
{
    auto const take = [](double low, double high, std::uint32_t count) {
        auto const first =
            static_cast<std::uint32_t>(std::clamp(std::ceil(low * count - 0.5), 0.0, static_cast<double>(count) - 1));
        auto const end = static_cast<std::uint32_t>(
            std::clamp(std::ceil(high * count - 0.5), static_cast<double>(first) + 1, static_cast<double>(count)));
        return std::pair(first, end);
    };
    auto const [x_first, x_end] = take(patch.x0, patch.x1, width);
    auto const [y_first, y_end] = take(patch.y0, patch.y1, height);
    return {x_first, y_first, x_end, y_end};
}

} // namespace

Session::Session(ToolRun const& run, SceneOptions const& scene, DeviceOptions const& device,
                 ServeOptions const& options)
    : run_(run), options_(options), scene_(run, scene, device, options.seed)
{
    if (options.target_picture) {
        if (scene_.scene().camera.kind != CameraKind::probe)
            fail_usage("--target-picture needs the film of a probe, but the scene has a camera",
                       "give --probe too, or leave the picture out");
        target_.emplace(*options.target_picture, run.notice);
    }
    live_.emplace(scene_.volume(), scene_.light(), scene_.scene(), scene_.seed(),
                  choose_live_options(run, scene_, device, options));
    frames_.emplace(FrameEncoder::Source{
                        [this](std::uint64_t after, double seconds) { return live_->wait_for_picture(after, seconds); },
                        [this] { return display(); },
                        [this](std::uint64_t pixels, double seconds) { live_->note_display(pixels, seconds); }},
                    std::min(run.common.threads, kEncodingThreads));
    if (options.tev)
        tev_.emplace(*options.tev, std::filesystem::path(run.arguments[0]).filename().string(),
                     TevClient::Source{[this](std::uint64_t after, double seconds) {
                                           return live_->wait_for_picture(after, seconds);
                                       },
                                       [this] { return display().illuminant; }},
                     run.notice, run.detail);
}

DisplaySettings Session::display() const
{
    std::lock_guard const lock(mutex_);
    return display_;
}

Json Session::describe_scene() const
{
    std::lock_guard const lock(mutex_);
    Scene const& scene = scene_.scene();
    bool const is_probe = scene.camera.kind == CameraKind::probe;
    Json answer = scene_.describe();
    answer["options"] = scene_.texts();
    answer["changeable"] = ViewScene::list_changeable();
    answer["display"] = {{"exposure", display_.exposure_stops},
                         {"tone", name_tone(display_.tone)},
                         {"illuminant", name_of(display_.illuminant)},
                         {"band", display_.band}};
    answer["bands"] = scene.bands;
    answer["wavelengths"] = scene.wavelengths_nm;
    answer["change"] = change_;
    answer["can_save"] = options_.out.has_value();
    answer["can_move"] = !is_probe;
    answer["has_light_image"] = scene_.light() != nullptr;
    answer["preview"] = describe_preview(preview_);
    answer["preview_lines"] = list_preview_lines();
    answer["target"] = target_.has_value();
    return answer;
}

Json Session::describe_statistics() const
{
    LiveStatistics const statistics = live_->statistics();
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
            {"stop_at_de", options_.stop_at_de},
            {"seconds_left", finite_or_null(statistics.seconds_left)},
            {"failure", statistics.failure}};
}

Json Session::describe_command(std::optional<std::uint64_t> wanted_samples) const
{
    auto const whole = live_->wait_for_whole(0);
    std::lock_guard const lock(mutex_);
    bool const is_shown = whole && whole->change == change_;
    std::uint64_t const samples = wanted_samples.value_or(is_shown ? std::max<std::uint64_t>(whole->samples, 1) : 1);
    if (preview_.is_empty()) return {{"lines", Json::array({scene_.make_command(samples)})}, {"samples", samples}};
    auto lines = list_preview_lines();
    // Lines that are all remarks make no volume.
    if (!lines.back().starts_with('#')) lines.push_back(scene_.make_command(samples, name_preview(run_.arguments[0])));
    return {{"lines", lines}, {"samples", samples}};
}

std::vector<std::string> Session::list_preview_lines() const
{
    return list_preview_commands(scene_.volume(), preview_, name_preview(run_.arguments[0]));
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
        shown = std::make_shared<PackedVolume>(make_preview(volume(), run_.arguments[0], wanted, run_.common.threads,
                                                            [](Progress const&) { return !is_interrupted(); }));
    std::lock_guard const lock(mutex_);
    if (!wanted.is_empty() || !preview_.is_empty()) change_ = live_->replace_volume(std::move(shown), scene_.scene());
    preview_ = std::move(wanted);
    ++scene_number_;
    return {{"change", change_}};
}

Json Session::change_options(OptionsCommand const& command)
{
    std::lock_guard const lock(mutex_);
    OptionChanges restored;
    for (auto const& [name, text] : command.texts) {
        auto const before = scene_.texts().find(name);
        restored[name] = before == scene_.texts().end() ? std::nullopt : std::optional(before->second);
    }
    Scene const& scene = scene_.change(command.texts);
    try {
        change_ = live_->show(scene, command.pace == CommandPace::moving ? LiveChange::moving : LiveChange::still);
    } catch (...) {
        scene_.change(restored);
        throw;
    }
    ++scene_number_;
    return {{"change", change_}};
}

Json Session::move_camera(Json const& command)
{
    OptionsCommand const parsed = parse_camera_command(command);
    {
        std::lock_guard const lock(mutex_);
        if (scene_.scene().camera.kind == CameraKind::probe)
            throw Conflict("a probe has no camera that could be moved");
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
    display_ = parse_display_command(command, display_, scene_.scene().bands);
    ++scene_number_;
    return Json::object();
}

Json Session::find_point(Json const& command) const
{
    PicturePoint const place = parse_pick_command(command);
    auto const point = live_->find_point(place.x, place.y);
    return {{"point", point ? Json({(*point)[0], (*point)[1], (*point)[2]}) : Json()}};
}

std::shared_ptr<LivePicture const> Session::wait_for(Picture which) const
{
    constexpr double kStep_s = 0.1;
    for (double waited_s = 0; waited_s < kFilmWait_s && !stops_; waited_s += kStep_s) {
        auto picture = which == Picture::whole ? live_->wait_for_whole(kStep_s) : live_->wait_for_picture(0, kStep_s);
        if (picture) return picture;
        if (auto const failure = live_->statistics().failure; !failure.empty())
            throw Conflict("the render does not go on: " + failure);
    }
    throw Conflict("no pixel has its first sample yet; ask again later");
}

Json Session::measure_patch(Json const& command) const
{
    PictureRectangle const patch = parse_patch_command(command);
    auto const whole = wait_for(Picture::whole);
    Film const& film = whole->film;
    PixelRectangle const pixels = find_pixels(patch, film.width(), film.height());
    Illuminant const illuminant = display().illuminant;
    NoisyColour const colour = volpt::measure_patch(film, pixels, illuminant);
    Json answer = {{"lab", colour.lab}, {"noise_de", finite_or_null(colour.de2000)}};
    if (target_) {
        Triple const lab = target_->measure(pixels, film.width(), film.height(), illuminant);
        answer["target_lab"] = lab;
        answer["de2000"] = finite_or_null(measure_difference(colour.lab, lab));
    } else {
        answer["target_lab"] = answer["de2000"] = Json();
    }
    answer["samples"] = whole->samples;
    return answer;
}

EncodedPicture Session::encode_picture() const
{
    auto const picture = wait_for(Picture::newest);
    int const threads = std::min(run_.common.threads, kEncodingThreads);
    return encode_png(make_display_picture(picture->film, display(), threads), threads);
}

EncodedPicture Session::encode_target() const
{
    if (!target_) throw Conflict("there is no target picture; volview --target-picture FILE gives one");
    std::uint32_t width = 0, height = 0;
    {
        std::lock_guard const lock(mutex_);
        width = scene_.scene().width;
        height = scene_.scene().height;
    }
    return encode_png(make_displayable(*target_->resample(width, height)), 1);
}

FilmOutputOptions Session::choose_output() const
{
    DisplaySettings const shown = display();
    FilmOutputOptions how;
    how.exposure = shown.exposure();
    how.illuminant = shown.illuminant;
    how.threads = run_.common.threads;
    return how;
}

std::shared_ptr<LivePicture const> Session::wait_for_film() const
{
    while (true) {
        auto whole = wait_for(Picture::whole);
        std::lock_guard const lock(mutex_);
        if (!preview_.is_empty())
            throw Conflict(
                "a preview has no film to be saved; make the volume by the copied commands, or end the preview");
        // Else it may be that of a preview that has just ended.
        if (whole->change == change_) return whole;
    }
}

Film Session::make_film(LivePicture const& whole) const
{
    LiveStatistics const statistics = live_->statistics();
    Film film = whole.film;
    film.provenance = describe_run(run_, "volview", ProvenanceDetail::plain);
    film.provenance.set("device", statistics.device);
    film.provenance.set("kernel", statistics.kernel);
    film.provenance.set("threads", std::to_string(run_.common.threads));
    return film;
}

std::shared_ptr<MappedFile const> Session::make_film_file(std::string const& extension) const
{
    std::lock_guard const lock(file_mutex_);
    return volpt::make_film_file(make_film(*wait_for_film()), extension, choose_output());
}

Json Session::save(Json const& command)
{
    std::string const extension = parse_save_command(command);
    if (!options_.out) throw Conflict("volview was started without --out FOLDER, so nothing is saved on its machine");
    std::lock_guard const lock(file_mutex_);
    auto const whole = wait_for_film();
    std::string const stem = std::filesystem::path(run_.arguments[0]).stem().string();
    return {{"file", save_film(make_film(*whole), *options_.out, stem, extension, choose_output())},
            {"samples", whole->samples}};
}

} // namespace volpt
