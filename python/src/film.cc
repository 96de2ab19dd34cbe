#include "volpt/film.h"

#include "python/src/arrays.h"
#include "python/src/bind.h"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace volpt::python {
namespace nb = nanobind;
namespace {

std::size_t rows_of(Film const& film)
{
    return static_cast<std::size_t>(film.height());
}

std::size_t columns_of(Film const& film)
{
    return static_cast<std::size_t>(film.width());
}

/// [y][x][band] of what `list` gives of the film.
nb::ndarray<nb::numpy, float> make_band_array(Film const& film, std::vector<float> (Film::*list)() const)
{
    auto values = run_released([&] { return (film.*list)(); });
    std::size_t const rows = rows_of(film), columns = columns_of(film), bands = values.size() / (rows * columns);
    return make_array(std::move(values), {rows, columns, bands});
}

nb::dict list_layers(Film const& film, std::string const& illuminant)
{
    auto layers = run_released([&] { return film.layers(illuminant); });
    nb::dict arrays;
    for (Layer& layer : layers)
        arrays[layer.name.c_str()] = make_array(std::move(layer.values), {rows_of(film), columns_of(film)});
    return arrays;
}

nb::ndarray<nb::numpy, float> make_lab_array(Film const& film, std::string const& illuminant)
{
    auto values = run_released([&] { return film.lab(illuminant); });
    return make_array(std::move(values), {rows_of(film), columns_of(film), 3});
}

nb::bytes encode_png(Film const& film)
{
    auto const file = run_released([&] { return film.encode_png(); });
    return nb::bytes(file.data(), file.size());
}

/// Without an exposure each picture has its own.
void save(Film const& film, std::vector<std::filesystem::path> const& outputs, std::optional<double> exposure,
          std::optional<double> backdrop, std::string const& illuminant, bool keeps_provenance,
          std::string const& denoise, std::vector<std::string> const& aov, std::string const& tone)
{
    film.save(outputs, {.exposure = exposure.value_or(1),
                        .backdrop = backdrop,
                        .illuminant = illuminant,
                        .keeps_provenance = keeps_provenance,
                        .finds_exposure = !exposure,
                        .denoise = denoise,
                        .aov = aov,
                        .tone = tone});
}

} // namespace

void bind_film(nb::module_& module)
{
    nb::call_guard<nb::gil_scoped_release> const released;
    nb::class_<Film>(module, "Film")
        .def_static("read", &Film::read, nb::arg("path"), released)
        .def_static(
            "merge", [](std::vector<Film> const& films) { return merge(films); }, nb::arg("films"), released)
        .def_prop_ro("width", &Film::width)
        .def_prop_ro("height", &Film::height)
        .def_prop_ro("seed", &Film::seed)
        .def_prop_ro("band_names", &Film::band_names)
        .def("scene_hash", &Film::scene_hash)
        .def("film_hash", &Film::film_hash, released)
        .def("mean", [](Film const& film) { return make_band_array(film, &Film::mean); })
        .def("standard_error", [](Film const& film) { return make_band_array(film, &Film::standard_error); })
        .def("samples",
             [](Film const& film) {
                 return make_array(film.samples(), {rows_of(film), columns_of(film)});
             })
        .def("lab", &make_lab_array, nb::arg("illuminant"))
        .def("layers", &list_layers, nb::arg("illuminant"))
        .def("describe", &Film::describe, released)
        .def("encode_png", &encode_png)
        .def("save", &save, nb::arg("outputs"), nb::arg("exposure").none(), nb::arg("backdrop").none(),
             nb::arg("illuminant"), nb::arg("keeps_provenance"), nb::arg("denoise"), nb::arg("aov"), nb::arg("tone"),
             released);
}

} // namespace volpt::python
