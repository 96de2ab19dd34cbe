#include "libvolpt/film/film_output.h"

#include "libvolpt/film/film_colour.h"
#include "libvolpt/film/film_image.h"
#include "libvolpt/film/film_report.h"
#include "libvolpt/image/codecs/codecs.h"
#include "libvolpt/scene/camera_view.h"
#include "libvolpt/sys/atomic_file.h"
#include "libvolpt/sys/error.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <optional>
#include <set>

namespace volpt {
namespace {

std::string extension_of(std::filesystem::path const& path)
{
    std::string extension = path.extension().string();
    for (char& letter : extension) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    return extension;
}

bool is_film(std::filesystem::path const& path)
{
    return extension_of(path) == ".vpf";
}

/// What of the film a picture shows: all layers, the linear beauty, or the beauty for the eye.
enum class PictureKind { layers, linear, display };
PictureKind kind_of(std::filesystem::path const& path)
{
    if (extension_of(path) == ".exr") return PictureKind::layers;
    return is_display_image(path) ? PictureKind::display : PictureKind::linear;
}

/// `image` has the text attributes of the files.
void write_picture(std::filesystem::path const& path, Image image, FilmOutputOptions const& options)
{
    // The others have no alpha: what is transparent is black.
    if (extension_of(path) != ".exr" && extension_of(path) != ".png")
        std::erase_if(image.channels, [](Channel const& channel) { return channel.name == "A"; });
    if (!is_display_image(path)) {
        write_image(path, image, options.threads);
        return;
    }
    float exposure = options.exposure;
    if (options.exposure_choice == Exposure::of_picture) exposure = find_exposure(image, options.tone);
    if (options.exposure_choice != Exposure::given) {
        image.metadata.emplace_back(kExposureAttribute, fmt::format("{}", exposure));
    }
    if (options.tone != Tone::srgb) image.metadata.emplace_back(kToneAttribute, to_word(options.tone));
    write_image(path, tone_map(image, exposure, options.threads, options.tone), options.threads);
}

std::vector<std::pair<std::string, std::string>> list_picture_attributes(Film const& film,
                                                                         FilmOutputOptions const& options)
{
    auto attributes = list_film_attributes(film, options.keep_provenance);
    if (shows_material_colour(film.scene())) {
        attributes.emplace_back("illuminant", to_word(options.illuminant));
        attributes.emplace_back("observer", kObserverName);
    }
    return attributes;
}

/// Without text attributes, of a film that is not denoised.
Image make_picture(Film const& film, PictureKind kind, FilmOutputOptions const& options)
{
    auto const to_image = kind == PictureKind::layers ? film_to_image : film_to_beauty;
    return to_image(film, options.illuminant, options.threads);
}

void add_layers(Film const& film, FilmOutputOptions const& options, Image& image)
{
    if (auto const camera = make_camera_matrices(film.scene())) {
        image.metadata.emplace_back("worldToCamera", fmt::format("{}", fmt::join(camera->world_to_camera, ",")));
        image.metadata.emplace_back("worldToNDC", fmt::format("{}", fmt::join(camera->world_to_ndc, ",")));
    }
    if (!options.make_layers) return;
    Image layers = options.make_layers(film);
    std::ranges::move(layers.channels, std::back_inserter(image.channels));
    std::ranges::move(layers.metadata, std::back_inserter(image.metadata));
}

Image keep_beauty(Image image)
{
    std::erase_if(image.channels,
                  [](Channel const& channel) { return channel.name.find_first_of("._") != std::string::npos; });
    return image;
}

} // namespace

void check_film_outputs(std::span<std::filesystem::path const> outputs, std::uint32_t bands,
                        std::span<float const> wavelengths_nm)
{
    std::set<std::filesystem::path> names;
    for (std::filesystem::path const& output : outputs) {
        if (!names.insert(output.lexically_normal()).second)
            fail_usage(fmt::format("the output '{}' is named twice", output.string()));
        if (is_film(output)) continue;
        if (!is_writable_image(output))
            fail_usage(fmt::format("the format of the output '{}' is not known", output.string()),
                       fmt::format("use one of .vpf {}", list_image_extensions(ImageAccess::write)));
        if (!have_colour(bands, wavelengths_nm) && extension_of(output) != ".exr")
            fail_usage(fmt::format("'{}' cannot hold {} bands, only 1 or 3, or the colour of bands with wavelengths",
                                   output.string(), bands),
                       "write .exr");
    }
    // Found now, not after hours of rendering.
    for (std::filesystem::path const& output : outputs) AtomicFile const probe(output);
}

void check_denoised_outputs(std::span<std::filesystem::path const> outputs)
{
    for (std::filesystem::path const& output : outputs)
        if (!is_film(output) && extension_of(output) != ".png" && extension_of(output) != ".exr")
            fail_usage(fmt::format("'{}' cannot say that its picture is denoised, so that it may be taken for a render",
                                   output.string()),
                       "write .png or .exr, or leave out --denoise");
}

void write_film_outputs(Film const& film, std::span<std::filesystem::path const> outputs,
                        FilmOutputOptions const& options)
{
    check_film_outputs(outputs, film.bands(), film.scene().wavelengths_nm);
    for (std::filesystem::path const& output : outputs)
        if (is_film(output)) write_film(output, film, options.keep_provenance);
    if (std::ranges::all_of(outputs, is_film)) return;

    auto const attributes = list_picture_attributes(film, options);
    std::optional<Image> denoised; // of the film itself: one for all kinds of pictures
    auto const denoise = [&](bool differs, PictureKind kind) {
        if (!differs && !denoised) denoised = options.make_denoised(film);
        Image image = differs ? options.make_denoised(options.display_film.make(film)) : *denoised;
        return kind == PictureKind::layers ? image : keep_beauty(std::move(image));
    };
    for (PictureKind const kind : {PictureKind::layers, PictureKind::linear, PictureKind::display}) {
        std::vector<std::filesystem::path> pictures;
        std::ranges::copy_if(outputs, std::back_inserter(pictures), [&](std::filesystem::path const& output) {
            return !is_film(output) && kind_of(output) == kind;
        });
        if (pictures.empty()) continue;
        DisplayFilm const& display = options.display_film;
        bool const differs = kind == PictureKind::display && display.make;
        Image image = options.make_denoised ? denoise(differs, kind)
                      : differs             ? make_picture(display.make(film), kind, options)
                                            : make_picture(film, kind, options);
        image.metadata = attributes;
        if (options.make_denoised) image.metadata.emplace_back(kDenoisedAttribute, "regression");
        if (kind == PictureKind::layers) add_layers(film, options, image);
        if (differs) image.metadata.emplace_back(kBackdropAttribute, fmt::format("{}", display.backdrop));
        for (std::filesystem::path const& picture : pictures) write_picture(picture, image, options);
    }
}

} // namespace volpt
