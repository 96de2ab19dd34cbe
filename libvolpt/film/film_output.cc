#include "libvolpt/film/film_output.h"

#include "libvolpt/film/film_colour.h"
#include "libvolpt/film/film_image.h"
#include "libvolpt/film/film_report.h"
#include "libvolpt/image/codecs/codecs.h"
#include "libvolpt/image/tone_map.h"
#include "libvolpt/sys/atomic_file.h"
#include "libvolpt/sys/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
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

/// R, G, B of a film with wavelengths, else all bands.
Image keep_beauty(Image const& image, Scene const& scene)
{
    Image beauty;
    beauty.width = image.width;
    beauty.height = image.height;
    beauty.channels.assign(image.channels.begin(),
                           image.channels.begin() + (scene.wavelengths_nm.empty() ? scene.bands : 3));
    beauty.metadata = image.metadata;
    return beauty;
}

void write_picture(std::filesystem::path const& path, Image const& image, Scene const& scene,
                   FilmOutputOptions const& options)
{
    if (extension_of(path) == ".exr")
        write_image(path, image);
    else if (extension_of(path) == ".png")
        write_image(path, tone_map(image, options.exposure));
    else
        write_image(path, keep_beauty(image, scene));
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
                       fmt::format("use one of .vpf {}", list_image_extensions()));
        if (!have_colour(bands, wavelengths_nm) && extension_of(output) != ".exr")
            fail_usage(fmt::format("'{}' cannot hold {} bands, only 1 or 3, or the colour of bands with wavelengths",
                                   output.string(), bands),
                       "write .exr");
    }
    // Found now, not after hours of rendering.
    for (std::filesystem::path const& output : outputs) AtomicFile const probe(output);
}

void write_film_outputs(Film const& film, std::span<std::filesystem::path const> outputs,
                        FilmOutputOptions const& options)
{
    check_film_outputs(outputs, film.bands(), film.scene().wavelengths_nm);
    for (std::filesystem::path const& output : outputs)
        if (is_film(output)) write_film(output, film, options.keep_provenance);
    if (std::ranges::all_of(outputs, is_film)) return;

    Image image = film_to_image(film, options.illuminant);
    image.metadata = list_film_attributes(film, options.keep_provenance);
    if (shows_material_colour(film.scene())) {
        image.metadata.emplace_back("illuminant", name_of(options.illuminant));
        image.metadata.emplace_back("observer", kObserverName);
    }
    for (std::filesystem::path const& output : outputs)
        if (!is_film(output)) write_picture(output, image, film.scene(), options);
}

} // namespace volpt
