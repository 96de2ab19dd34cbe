#include "libvolpt/stats/report/convergence_report.h"
#include "libvolpt/stats/report/error_map.h"
#include "libvolpt/stats/report/verdict_report.h"
#include "libvolpt/sys/json.h"
#include "python/src/arrays.h"
#include "python/src/bind.h"
#include "python/src/interruptible.h"
#include "python/src/option_names.h"
#include "tools/volcompare/held_compare.h"

#include <memory>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <nlohmann/json.hpp>

namespace volpt::python {
namespace nb = nanobind;
namespace {

using PictureArray = nb::ndarray<float const, nb::shape<-1, -1, -1>, nb::c_contig, nb::device::cpu>;

/// A side of a comparison, which becomes a subject once the options say in which light.
struct Side {
    SubjectMaker make;
};

Side hold_film(std::string name, Film film)
{
    return {[name = std::move(name), film = std::make_shared<Film const>(std::move(film))](Illuminant illuminant) {
        return make_subject(name, *film, illuminant);
    }};
}

Side hold_file(std::filesystem::path path)
{
    return {[path = std::move(path)](Illuminant illuminant) { return read_subject(path, illuminant); }};
}

/// [y][x][channel], copied; `transfer` is "linear" or "srgb".
Side hold_array(std::string name, PictureArray const& values, std::vector<std::string> const& channels,
                std::string const& transfer)
{
    nb::gil_scoped_release const released;
    Subject subject;
    subject.name = std::move(name);
    subject.image = make_image(static_cast<int>(values.shape(1)), static_cast<int>(values.shape(0)),
                               transfer == "srgb" ? Transfer::srgb : Transfer::linear, channels);
    for (std::size_t channel = 0; channel < channels.size(); ++channel)
        for (std::size_t i = 0; i < subject.image.pixel_count(); ++i)
            subject.image.channels[channel].values[i] = values.data()[i * channels.size() + channel];
    return {[subject = std::make_shared<Subject const>(std::move(subject))](Illuminant) { return *subject; }};
}

nb::dict list_maps(HeldVerdict const& judged)
{
    nb::dict maps;
    auto const height = static_cast<std::size_t>(judged.height), width = static_cast<std::size_t>(judged.width);
    std::vector<std::string> names = judged.criteria.metrics;
    names.insert(names.end(), {"difference", "z", "blocks"});
    for (std::string const& name : names)
        if (auto map = find_error_map(judged.verdict, name))
            maps[name.c_str()] = make_array(std::move(map->values), {height, width});
    return maps;
}

/// Report (JSON), text and maps of the verdict.
nb::tuple compare(Side const& test, Side const& reference, std::vector<std::string> words)
{
    refuse_forked_process();
    HeldVerdict judged;
    {
        nb::gil_scoped_release const released;
        judged = compare_held(test.make, reference.make, std::move(words), [](std::string_view) {});
    }
    return nb::make_tuple(format_json(report_verdict(judged.verdict, judged.criteria)), format_verdict(judged.verdict),
                          list_maps(judged));
}

/// Report (JSON), text and plot (SVG).
nb::tuple converge(std::vector<Side> const& renderings, std::optional<Side> const& reference,
                   std::vector<std::string> words)
{
    refuse_forked_process();
    Convergence convergence;
    {
        nb::gil_scoped_release const released;
        std::vector<SubjectMaker> makers;
        for (Side const& side : renderings) makers.push_back(side.make);
        convergence = converge_held(makers, reference ? std::optional(reference->make) : std::nullopt, std::move(words),
                                    [](std::string_view) {});
    }
    return nb::make_tuple(format_json(report_convergence(convergence)), format_convergence(convergence),
                          plot_convergence(convergence));
}

} // namespace

void bind_compare(nb::module_& module)
{
    nb::class_<Side>(module, "Subject")
        .def_static("of_film", &hold_film, nb::arg("name"), nb::arg("film"), nb::call_guard<nb::gil_scoped_release>())
        .def_static("of_file", &hold_file, nb::arg("path"))
        .def_static("of_array", &hold_array, nb::arg("name"), nb::arg("values"), nb::arg("channels"),
                    nb::arg("transfer"));
    module.def("compare", &compare, nb::arg("test"), nb::arg("reference"), nb::arg("words"));
    module.def("converge", &converge, nb::arg("renderings"), nb::arg("reference").none(), nb::arg("words"));
    module.def("list_compare_options", [] {
        CompareOptions options;
        return list_option_names({&options});
    });
}

} // namespace volpt::python
