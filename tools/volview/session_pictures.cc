// What a session gives of its pictures and films: images, colours and files.
#include "tools/volview/session.h"

#include "libvolpt/film/film_patch.h"
#include "libvolpt/image/tone_map.h"
#include "libvolpt/render/dim_background.h"
#include "tools/options/provenance_options.h"
#include "tools/volview/film_files.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <thread>

namespace volpt {
namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

// Of a request for a picture or a film: a slow device needs seconds for the first sample of all pixels.
constexpr auto kFilmWait = std::chrono::seconds(30);
// How often a change is looked for that is shown already, but not made known yet.
constexpr auto kChangePoll = std::chrono::milliseconds(5);
// Each keeps a thread of the server, and up to a film in memory.
constexpr int kMostFilms = 4;
// More gain little for pictures of a window's size.
constexpr int kEncodingThreads = 4;

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

std::shared_ptr<LivePicture const> Session::wait_for(Picture which, Clock::time_point end) const
{
    constexpr double kStep_s = 0.1;
    do {
        auto picture = which == Picture::whole ? live_->wait_for_whole(kStep_s) : live_->wait_for_picture(0, kStep_s);
        if (picture) return picture;
        if (auto const failure = live_->statistics().failure; !failure.empty())
            throw Conflict("the render does not go on: " + failure);
    } while (Clock::now() < end && !stops_);
    throw Conflict("no pixel has its first sample yet; ask again later");
}

std::shared_ptr<LivePicture const> Session::wait_for(Picture which) const
{
    return wait_for(which, Clock::now() + kFilmWait);
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
    auto const denoised = denoiser_->newest();
    bool const is_denoised =
        denoised && denoised->change == picture->change && denoised->is_reduced == picture->is_reduced;
    DisplaySettings const settings = display();
    Image shown = is_denoised ? make_display_picture(*denoised, settings, threads)
                              : make_display_picture(picture->film, settings, threads);
    shown.metadata.emplace_back("samples", std::to_string(is_denoised ? denoised->samples : picture->samples));
    return encode_png(shown, threads);
}

EncodedPicture Session::encode_target() const
{
    if (!target_) throw Conflict("there is no target picture; volview --target-picture FILE gives one");
    std::uint32_t width = 0, height = 0;
    {
        std::lock_guard const lock(scene_mutex_);
        width = scene_.scene().width;
        height = scene_.scene().height;
    }
    return encode_png(make_displayable(*target_->resample(width, height), {1, 1, 1}), 1);
}

std::vector<std::string> Session::list_picture_options() const
{
    DisplaySettings const shown = display();
    std::vector<std::string> words;
    if (shown.exposure() != 1 && static_cast<double>(shown.exposure()) <= kLargestExposure)
        words.insert(words.end(), {"--exposure", fmt::format("{}", shown.exposure())});
    if (shown.illuminant != Illuminant::d65)
        words.insert(words.end(), {"--illuminant", std::string(to_word(shown.illuminant))});
    if (shown.tone == DisplayTone::filmic)
        words.insert(words.end(), {"--tone", "filmic"}); // no picture is saved as linear
    // All light is shown, also what volrender would dim in pictures.
    if (!scene_.texts().contains("backdrop") && choose_backdrop(scene_.scene(), std::nullopt) != 1)
        words.insert(words.end(), {"--backdrop", "1"});
    if (shown.denoise == Denoise::on) words.insert(words.end(), {"--denoise", "on"});
    return words;
}

FilmOutputOptions Session::choose_output(std::shared_ptr<LivePicture const> const& whole) const
{
    DisplaySettings const shown = display();
    FilmOutputOptions how;
    how.exposure = shown.exposure();
    how.illuminant = shown.illuminant;
    if (shown.tone == DisplayTone::filmic) how.tone = Tone::filmic;
    how.threads = run_.common.threads;
    if (shown.denoise == Denoise::on)
        how.make_denoised = [this, whole, how](Film const& film) {
            if (estimate_denoising_bytes(film.scene()) > kMostDenoisingBytes)
                throw Conflict("the picture has too many pixels to be denoised; switch Denoise off");
            GoesOn const goes_on = [this] { return !stops_; };
            try {
                auto const guides = denoiser_->find_guides(*whole, goes_on);
                if (!guides) throw Conflict("the scene is changing; ask again later");
                return denoised_to_image(film, denoise_film(film, *guides, how.threads, goes_on), how.illuminant);
            } catch (Interruption const&) {
                throw Conflict("volview is ending");
            }
        };
    return how;
}

/// One of the requests that may wait for a film or write one.
class Session::FilmPlace {
public:
    explicit FilmPlace(std::atomic<int>& taken) : taken_(taken)
    {
        if (taken_.fetch_add(1) >= kMostFilms) {
            --taken_;
            throw Busy("other films are being made; ask again later");
        }
    }
    ~FilmPlace() { --taken_; }
    FilmPlace(FilmPlace const&) = delete;
    FilmPlace& operator=(FilmPlace const&) = delete;

private:
    std::atomic<int>& taken_;
};

std::shared_ptr<LivePicture const> Session::wait_for_film() const
{
    Clock::time_point const end = Clock::now() + kFilmWait;
    while (true) {
        auto whole = wait_for(Picture::whole, end);
        {
            std::lock_guard const lock(mutex_);
            if (!preview_.is_empty())
                throw Conflict(
                    "a preview has no film to be saved; make the volume by the copied commands, or end the preview");
            // Else it may be that of a preview that has just ended.
            if (whole->change == change_) return whole;
        }
        if (Clock::now() >= end || stops_) throw Conflict("the scene is changing; ask again later");
        std::this_thread::sleep_for(kChangePoll);
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
    FilmPlace const place(films_);
    auto const whole = wait_for_film();
    std::lock_guard const lock(file_mutex_);
    return volpt::make_film_file(make_film(*whole), extension, choose_output(whole));
}

Json Session::save(Json const& command)
{
    std::string const extension = parse_save_command(command);
    if (!options_.out) throw Conflict("volview was started without --out FOLDER, so nothing is saved on its machine");
    FilmPlace const place(films_);
    auto const whole = wait_for_film();
    std::string const stem = std::filesystem::path(run_.arguments[0]).stem().string();
    std::lock_guard const lock(file_mutex_);
    return {{"file", save_film(make_film(*whole), *options_.out, stem, extension, choose_output(whole))},
            {"samples", whole->samples}};
}

} // namespace volpt
