#include "libvolpt/film/film.h"

#include "libvolpt/film/film_colour.h"
#include "libvolpt/film/film_image.h"
#include "libvolpt/film/film_io.h"
#include "libvolpt/film/film_merge.h"
#include "libvolpt/film/film_output.h"
#include "libvolpt/film/film_report.h"
#include "libvolpt/film/values/film_values.h"
#include "libvolpt/image/codecs/codecs.h"
#include "libvolpt/image/tone_map.h"
#include "libvolpt/scene/scene.h"
#include "libvolpt/sys/json.h"
#include "python/src/arrays.h"
#include "python/src/bind.h"
#include "python/src/interruptible.h"
#include "tools/options/output_options.h"
#include "tools/volrender/held_render.h"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <nlohmann/json.hpp>

namespace volpt::python {
namespace nb = nanobind;
namespace {

using FloatArray = nb::ndarray<nb::numpy, float>;

/// [y][x][band] of what `list` gives of the film.
FloatArray make_band_array(Film const& film, std::vector<float> (*list)(Film const&))
{
    std::vector<float> values;
    {
        nb::gil_scoped_release const released;
        values = list(film);
    }
    return make_array(std::move(values), {film.height(), film.width(), film.bands()});
}

nb::dict list_layers(Film const& film, std::string const& illuminant)
{
    refuse_forked_process();
    Image image;
    {
        nb::gil_scoped_release const released;
        image = film_to_image(film, parse_illuminant(illuminant), count_cores());
    }
    nb::dict layers;
    for (Channel& layer : image.channels)
        layers[layer.name.c_str()] = make_array(std::move(layer.values), {film.height(), film.width()});
    return layers;
}

FloatArray make_lab_array(Film const& film, std::string const& illuminant)
{
    refuse_forked_process();
    std::vector<float> values;
    {
        nb::gil_scoped_release const released;
        values = list_lab(film, parse_illuminant(illuminant), count_cores());
    }
    return make_array(std::move(values), {film.height(), film.width(), 3});
}

nb::ndarray<nb::numpy, std::uint64_t> make_sample_array(Film const& film)
{
    return make_array(list_samples(film), {film.height(), film.width()});
}

DisplayFilm choose_display_film(RenderedJob const* rendered, std::optional<double> backdrop)
{
    return volpt::choose_display_film(rendered != nullptr ? rendered->job : nullptr, backdrop);
}

/// `rendered` is null for a film that was read.
nb::bytes encode_png(Film const& film, RenderedJob const* rendered)
{
    refuse_forked_process();
    std::vector<std::byte> file;
    {
        nb::gil_scoped_release const released;
        DisplayFilm const display = choose_display_film(rendered, {});
        file =
            encode_image(make_displayable(film_to_beauty(display.make ? display.make(film) : film), {0, 0, 0}), ".png");
    }
    return nb::bytes(file.data(), file.size());
}

Film merge(std::vector<Film const*> const& films)
{
    Film merged = merge_held_films(films);
    merged.provenance = make_plain_provenance("volpt.merge", {});
    return merged;
}

void save(Film const& film, RenderedJob const* rendered, std::vector<std::filesystem::path> const& outputs,
          double exposure, std::optional<double> backdrop, std::string const& illuminant, bool keeps_provenance)
{
    refuse_forked_process();
    nb::gil_scoped_release const released;
    float const factor = check_exposure(exposure);
    check_film_outputs(outputs, film.bands(), film.scene().wavelengths_nm);
    write_film_outputs(film, outputs,
                       {factor, parse_illuminant(illuminant),
                        keeps_provenance ? KeepProvenance::yes : KeepProvenance::no, count_cores(),
                        choose_display_film(rendered, backdrop)});
}

std::string describe(Film const& film)
{
    return format_json(report_film_with_scene(film));
}

} // namespace

void bind_film(nb::module_& module)
{
    nb::class_<Film>(module, "Film")
        .def_static(
            "read", [](std::filesystem::path const& path) { return read_film(path); }, nb::arg("path"),
            nb::call_guard<nb::gil_scoped_release>())
        .def_static("merge", &merge, nb::arg("films"), nb::call_guard<nb::gil_scoped_release>())
        .def_prop_ro("width", &Film::width)
        .def_prop_ro("height", &Film::height)
        .def_prop_ro("bands", &Film::bands)
        .def_prop_ro("seed", &Film::seed)
        .def_prop_ro("band_names", [](Film const& film) { return name_bands(film.scene()); })
        .def_prop_ro("has_colour", [](Film const& film) { return has_colour(film.scene()); })
        .def("scene_hash", [](Film const& film) { return to_hex(film.scene_hash()); })
        .def(
            "film_hash", [](Film const& film) { return to_hex(hash_film(film)); },
            nb::call_guard<nb::gil_scoped_release>())
        .def("mean", [](Film const& film) { return make_band_array(film, &list_means); })
        .def("standard_error", [](Film const& film) { return make_band_array(film, &list_standard_errors); })
        .def("samples", &make_sample_array)
        .def("lab", &make_lab_array, nb::arg("illuminant"))
        .def("layers", &list_layers, nb::arg("illuminant"))
        .def("describe", &describe, nb::call_guard<nb::gil_scoped_release>())
        .def("encode_png", &encode_png, nb::arg("job").none())
        .def("save", &save, nb::arg("job").none(), nb::arg("outputs"), nb::arg("exposure"), nb::arg("backdrop").none(),
             nb::arg("illuminant"), nb::arg("keeps_provenance"));
}

} // namespace volpt::python
