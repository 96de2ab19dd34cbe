#include "libvolpt/stats/report/error_map.h"
#include "libvolpt/stats/report/verdict_report.h"
#include "libvolpt/sys/json.h"
#include "python/src/arrays.h"
#include "python/src/bind.h"
#include "python/src/interruptible.h"
#include "tools/volcompare/held_compare.h"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <nlohmann/json.hpp>

namespace volpt::python {
namespace nb = nanobind;
namespace {

using PictureArray = nb::ndarray<float const, nb::shape<-1, -1, -1>, nb::c_contig, nb::device::cpu>;

/// [y][x][channel]; `transfer` is "linear" or "srgb".
Subject make_picture(std::string name, PictureArray const& values, std::vector<std::string> const& channels,
                     std::string const& transfer)
{
    Subject subject;
    subject.name = std::move(name);
    subject.image = make_image(static_cast<int>(values.shape(1)), static_cast<int>(values.shape(0)),
                               transfer == "srgb" ? Transfer::srgb : Transfer::linear, channels);
    for (std::size_t channel = 0; channel < channels.size(); ++channel)
        for (std::size_t i = 0; i < subject.image.pixel_count(); ++i)
            subject.image.channels[channel].values[i] = values.data()[i * channels.size() + channel];
    return subject;
}

nb::dict list_maps(Verdict const& verdict, Criteria const& criteria, Subject const& test)
{
    nb::dict maps;
    auto const height = static_cast<std::size_t>(test.image.height), width = static_cast<std::size_t>(test.image.width);
    std::vector<std::string> names = criteria.metrics;
    names.insert(names.end(), {"difference", "z", "blocks"});
    for (std::string const& name : names)
        if (auto map = find_error_map(verdict, name))
            maps[name.c_str()] = make_array(std::move(map->values), {height, width});
    return maps;
}

/// Report (JSON), text and maps of the verdict, and the Python exception that ended it early or None; the subjects are
/// copied.
nb::tuple compare(Subject test, Subject reference, std::vector<std::string> words, nb::object const& progress)
{
    refuse_forked_process();
    WorkControl control;
    HeldVerdict judged;
    nb::object const raised = run_interruptibly("compare", progress, control, [&] {
        judged = compare_held(test, reference, std::move(words), control.notice_sink());
    });
    return nb::make_tuple(format_json(report_verdict(judged.verdict, judged.criteria)), format_verdict(judged.verdict),
                          list_maps(judged.verdict, judged.criteria, test), raised);
}

} // namespace

void bind_compare(nb::module_& module)
{
    nb::class_<Subject>(module, "Subject")
        .def_static("of_film", [](std::string const& name, Film const& film) { return make_subject(name, film); })
        .def_static(
            "of_file", [](std::filesystem::path const& path) { return read_subject(path); },
            nb::call_guard<nb::gil_scoped_release>())
        .def_static("of_array", &make_picture);
    module.def("compare", &compare, nb::arg("test"), nb::arg("reference"), nb::arg("words"),
               nb::arg("progress").none());
}

} // namespace volpt::python
