#include "volpt/compare.h"

#include "api/src/access.h"
#include "api/src/option_words.h"
#include "libvolpt/stats/report/convergence_report.h"
#include "libvolpt/stats/report/error_map.h"
#include "libvolpt/stats/report/verdict_report.h"
#include "libvolpt/sys/json.h"
#include "tools/volcompare/held_compare.h"

#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace volpt::v0 {
namespace {

constexpr std::size_t kLongestSide = 65535;

void check_picture(std::string const& name, PictureView const& picture)
{
    if (picture.width == 0 || picture.height == 0 || picture.channels.empty())
        fail_input("is no picture: it is empty", name);
    if (picture.width > kLongestSide || picture.height > kLongestSide)
        fail_input(fmt::format("is no picture of {}x{} pixels", picture.width, picture.height), name, {},
                   fmt::format("give sides of at most {} pixels", kLongestSide));
    std::size_t const count = picture.width * picture.height * picture.channels.size();
    if (picture.values.size() != count)
        fail_input(
            fmt::format("has {} values, and its width, height and channels make {}", picture.values.size(), count),
            name);
}

Subject make_picture_subject(std::string name, PictureView const& picture)
{
    check_picture(name, picture);
    Subject subject;
    subject.name = std::move(name);
    subject.image = make_image(static_cast<int>(picture.width), static_cast<int>(picture.height),
                               picture.coding == Coding::srgb ? Transfer::srgb : Transfer::linear, picture.channels);
    std::size_t const count = picture.channels.size();
    for (std::size_t channel = 0; channel < count; ++channel) {
        std::vector<float>& values = subject.image.channels[channel].values;
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = picture.values[i * count + channel];
    }
    return subject;
}

/// Holds a reference to `side`; a file is named by its path.
SubjectMaker make_side(std::string name, Comparable const& side)
{
    return [name = std::move(name), &side](Illuminant illuminant) {
        if (auto const* const film = std::get_if<Film>(&side)) return make_subject(name, Access::of(*film), illuminant);
        if (auto const* const path = std::get_if<std::filesystem::path>(&side)) return read_subject(*path, illuminant);
        return make_picture_subject(name, std::get<PictureView>(side));
    };
}

std::vector<Layer> list_maps(HeldVerdict const& judged)
{
    std::vector<std::string> names = judged.criteria.metrics;
    names.insert(names.end(), {"difference", "z", "blocks"});
    std::vector<Layer> maps;
    for (std::string const& name : names)
        if (auto map = find_error_map(judged.verdict, name)) maps.push_back({name, std::move(map->values)});
    return maps;
}

std::vector<Metric> list_metrics(volpt::Verdict const& verdict)
{
    std::vector<Metric> metrics;
    for (MetricValue const& value : verdict.image.values)
        metrics.push_back({value.name, std::isnan(value.value) ? std::nullopt : std::optional(value.value)});
    return metrics;
}

} // namespace

Verdict compare(Comparable const& test, Comparable const& reference, Options const& options)
{
    return translate_errors([&] {
        refuse_forked_process();
        HeldVerdict const judged =
            compare_held(make_side("test", test), make_side("reference", reference),
                         spell_words(Task::compare, "compare", options), [](std::string_view) {});
        volpt::Verdict const& verdict = judged.verdict;
        return Verdict{verdict.positive,
                       verdict.undecided,
                       verdict.equal_bits,
                       verdict.reasons,
                       verdict.notices,
                       list_metrics(verdict),
                       list_maps(judged),
                       static_cast<std::size_t>(judged.width),
                       static_cast<std::size_t>(judged.height),
                       format_verdict(verdict),
                       format_json(report_verdict(verdict, judged.criteria))};
    });
}

Convergence convergence(std::span<Comparable const> renderings, std::optional<Comparable> const& reference,
                        Options const& options)
{
    return translate_errors([&] {
        refuse_forked_process();
        std::vector<SubjectMaker> sides;
        for (Comparable const& rendering : renderings)
            sides.push_back(make_side(fmt::format("renderings[{}]", sides.size()), rendering));
        volpt::Convergence const found =
            converge_held(sides, reference ? std::optional(make_side("reference", *reference)) : std::nullopt,
                          spell_words(Task::convergence, "convergence", options), [](std::string_view) {});
        std::vector<ConvergencePoint> points;
        for (volpt::ConvergencePoint const& point : found.points) points.push_back({point.samples, point.error});
        return Convergence{found.as_expected,      found.slope_samples.value, std::move(points),
                           found.notices,          format_convergence(found), format_json(report_convergence(found)),
                           plot_convergence(found)};
    });
}

} // namespace volpt::v0
