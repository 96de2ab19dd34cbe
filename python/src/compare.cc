#include "volpt/compare.h"

#include "python/src/arrays.h"
#include "python/src/bind.h"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace volpt::python {
namespace nb = nanobind;
namespace {

using PictureArray = nb::ndarray<float const, nb::shape<-1, -1, -1>, nb::c_contig, nb::device::cpu>;

/// A side of a comparison.
struct Side {
    Comparable value;
    PictureArray array = {}; ///< whose memory the value shows
};

/// [y][x][channel].
Side hold_array(PictureArray const& array, std::vector<std::string> channels, bool is_coded)
{
    PictureView const picture{{array.data(), array.size()},
                              array.shape(1),
                              array.shape(0),
                              std::move(channels),
                              is_coded ? Coding::srgb : Coding::linear};
    return {picture, array};
}

nb::dict list_maps(Verdict& verdict)
{
    nb::dict maps;
    for (Layer& map : verdict.maps)
        maps[map.name.c_str()] = make_array(std::move(map.values), {verdict.height, verdict.width});
    return maps;
}

/// Report (JSON), text and maps of the verdict.
nb::tuple judge(Side const& test, Side const& reference, OptionWords const& words)
{
    Options const options = list_given(words);
    Verdict verdict = run_released([&] { return compare(test.value, reference.value, options); });
    return nb::make_tuple(verdict.report, verdict.text, list_maps(verdict));
}

/// Report (JSON), text and plot (SVG).
nb::tuple measure(std::vector<Side> const& renderings, std::optional<Side> const& reference, OptionWords const& words)
{
    Options const options = list_given(words);
    std::vector<Comparable> sides;
    for (Side const& side : renderings) sides.push_back(side.value);
    auto const against = reference ? std::optional(reference->value) : std::nullopt;
    Convergence const found = run_released([&] { return convergence(sides, against, options); });
    return nb::make_tuple(found.report, found.text, found.plot);
}

} // namespace

void bind_compare(nb::module_& module)
{
    nb::class_<Side>(module, "Subject")
        .def_static(
            "of_film", [](Film const& film) { return Side{film}; }, nb::arg("film"))
        .def_static(
            "of_file", [](std::filesystem::path const& path) { return Side{path}; }, nb::arg("path"))
        .def_static("of_array", &hold_array, nb::arg("values"), nb::arg("channels"), nb::arg("is_coded"));
    module.def("compare", &judge, nb::arg("test"), nb::arg("reference"), nb::arg("options"));
    module.def("convergence", &measure, nb::arg("renderings"), nb::arg("reference").none(), nb::arg("options"));
}

} // namespace volpt::python
