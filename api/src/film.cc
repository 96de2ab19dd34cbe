#include "volpt/film.h"

#include "api/src/access.h"
#include "libvolpt/film/film_image.h"
#include "libvolpt/film/film_io.h"
#include "libvolpt/film/film_merge.h"
#include "libvolpt/film/film_output.h"
#include "libvolpt/film/film_report.h"
#include "libvolpt/film/values/film_values.h"
#include "libvolpt/image/codecs/codecs.h"
#include "libvolpt/image/tone_map.h"
#include "libvolpt/sys/json.h"
#include "tools/options/output_options.h"
#include "tools/options/units.h"
#include "tools/volrender/held_render.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace volpt::v0 {

Film::Film(std::shared_ptr<State const> state) : state_(std::move(state)) {}

Film Film::read(std::filesystem::path const& path)
{
    return translate_errors([&] { return Access::make(read_film(path)); });
}

int Film::width() const
{
    return static_cast<int>(state_->film.width());
}

int Film::height() const
{
    return static_cast<int>(state_->film.height());
}

std::vector<std::string> Film::band_names() const
{
    return translate_errors([&] { return name_bands(state_->film.scene()); });
}

std::uint64_t Film::seed() const
{
    return state_->film.seed();
}

std::string Film::scene_hash() const
{
    return translate_errors([&] { return to_hex(state_->film.scene_hash()); });
}

std::string Film::film_hash() const
{
    return translate_errors([&] { return to_hex(hash_film(state_->film)); });
}

std::vector<float> Film::mean() const
{
    return translate_errors([&] { return list_means(state_->film); });
}

std::vector<float> Film::standard_error() const
{
    return translate_errors([&] { return list_standard_errors(state_->film); });
}

std::vector<std::uint64_t> Film::samples() const
{
    return translate_errors([&] { return list_samples(state_->film); });
}

std::vector<float> Film::lab(std::string const& illuminant) const
{
    return translate_errors([&] {
        refuse_forked_process();
        return list_lab(state_->film, parse_illuminant(illuminant), count_threads());
    });
}

std::vector<Layer> Film::layers(std::string const& illuminant) const
{
    return translate_errors([&] {
        refuse_forked_process();
        Image image = film_to_image(state_->film, parse_illuminant(illuminant), count_threads());
        std::vector<Layer> layers;
        for (Channel& channel : image.channels) layers.push_back({std::move(channel.name), std::move(channel.values)});
        return layers;
    });
}

std::string Film::describe() const
{
    return translate_errors([&] { return format_json(report_film_with_scene(state_->film)); });
}

namespace {

/// As volrender's options of these names.
PictureRequest read_pictures(SaveOptions const& options)
{
    PictureRequest pictures;
    pictures.denoise = parse_word<Denoise>("--denoise", options.denoise);
    if (!options.aov.empty()) read_aovs("--aov", fmt::format("{}", fmt::join(options.aov, ",")), pictures);
    return pictures;
}

FilmOutputOptions choose_output(SaveOptions const& options)
{
    FilmOutputOptions how;
    how.exposure = check_exposure(options.exposure);
    if (options.finds_exposure) how.exposure_choice = Exposure::of_picture;
    how.tone = parse_tone(options.tone);
    how.illuminant = parse_illuminant(options.illuminant);
    how.keep_provenance = options.keeps_provenance ? KeepProvenance::yes : KeepProvenance::no;
    how.threads = count_threads();
    return how;
}

/// `job` is null if the film was read from a file.
void add_pictures_of(std::shared_ptr<RenderJob const> const& job, PictureRequest pictures,
                     std::span<std::filesystem::path const> outputs, volpt::Film const& film, FilmOutputOptions& how)
{
    if (pictures.denoise == Denoise::off && pictures.aovs.empty()) return;
    if (job == nullptr)
        fail_usage("a film that was read does not have its volume, which --denoise and --aov need",
                   "leave them out, or save what a render returns");
    check_pictures(pictures, outputs, *job, film, [](std::string_view) {});
    add_pictures(pictures, job, how);
}

} // namespace

void Film::save(std::filesystem::path const& output, SaveOptions const& options) const
{
    save({&output, 1}, options);
}

void Film::save(std::span<std::filesystem::path const> outputs, SaveOptions const& options) const
{
    translate_errors([&] {
        refuse_forked_process();
        if (outputs.empty()) fail_usage("no file is named", "give one of .vpf, .exr, .png, .jpg");
        volpt::Film const& film = state_->film;
        FilmOutputOptions how = choose_output(options);
        PictureRequest const pictures = read_pictures(options);
        check_film_outputs(outputs, film.bands(), film.scene().wavelengths_nm);
        add_pictures_of(state_->job, pictures, outputs, film, how);
        how.display_film = choose_display_film(state_->job, options.backdrop);
        write_film_outputs(film, outputs, how);
    });
}

std::vector<std::byte> Film::encode_png() const
{
    return translate_errors([&] {
        refuse_forked_process();
        DisplayFilm const display = choose_display_film(state_->job, {});
        Image const beauty = film_to_beauty(display.make ? display.make(state_->film) : state_->film);
        return encode_image(make_displayable(beauty, {0, 0, 0}), ".png");
    });
}

Film merge(std::span<Film const> films)
{
    return translate_errors([&] {
        if (films.empty()) fail_usage("there are no films to merge", "give one or more");
        std::vector<volpt::Film const*> held;
        for (Film const& film : films) held.push_back(&Access::of(film));
        volpt::Film merged = merge_held_films(held);
        merged.provenance = make_plain_provenance(spell_function("merge"), {});
        return Access::make(std::move(merged), Access::job_of(films.front()));
    });
}

} // namespace volpt::v0
