#include "libvolpt/job/compare/compare_convergence.h"

#include "libvolpt/sys/error.h"

#include <fmt/format.h>

namespace volpt {
namespace {

/// `most` is count, or one more where --reference has its own number.
void check_count(std::string_view option, std::size_t given, std::size_t count, std::size_t most)
{
    if (given == 0 || (given >= count && given <= most)) return;
    fail_usage(fmt::format("{} has {} numbers for {} files", option, given, count),
               "give one for each, in the order of the files");
}

void prepare_sides(std::vector<Subject>& subjects, std::optional<Subject>& reference, CompareRequest const& request)
{
    std::vector<Subject*> sides;
    for (Subject& subject : subjects) sides.push_back(&subject);
    if (reference) sides.push_back(&*reference);
    choose_layers(sides, request.layers);
    for (Subject* const side : sides) {
        auto const transfer = reference && side == &*reference ? request.transfers.reference : request.transfers.test;
        prepare_subject(*side, side->film ? std::nullopt : transfer, request.channels);
    }
}

/// The rendering of place `i` among what the options state.
Rendering record_rendering(Subject subject, std::size_t i, CompareRequest const& request,
                           std::vector<std::string>& notices)
{
    RenderRecord stated;
    if (i < request.samples.size()) stated.samples = request.samples[i];
    if (i < request.seconds.size()) stated.seconds = request.seconds[i];
    for (std::string const& notice : subject.notices) notices.push_back(subject.name + ": " + notice);
    RenderRecord const record = find_render_record(subject, request.layers.prefix, stated, notices);
    return {std::move(subject), record};
}

} // namespace

void check_counts(std::size_t count, bool has_reference, CompareRequest const& request)
{
    if (count < (has_reference ? 2u : 3u))
        fail_usage(fmt::format("{} {} given", count, count == 1 ? "file is" : "files are"),
                   has_reference ? "give at least two besides --reference"
                                 : "give at least two, and one of more samples as the reference");
    check_count("--spp", request.samples.size(), count, count + (has_reference ? 1 : 0));
    check_count("--seconds", request.seconds.size(), count, count);
}

Convergence judge_convergence(std::vector<Subject> subjects, std::optional<Subject> reference,
                              CompareRequest const& request)
{
    std::size_t const count = subjects.size();
    check_counts(count, reference.has_value(), request);
    prepare_sides(subjects, reference, request);
    std::vector<std::string> notices;
    std::vector<Rendering> tests;
    for (std::size_t i = 0; i < count; ++i)
        tests.push_back(record_rendering(std::move(subjects[i]), i, request, notices));
    Rendering longest;
    if (reference) {
        longest = record_rendering(std::move(*reference), count, request, notices);
    } else {
        auto const place = tests.begin() + static_cast<std::ptrdiff_t>(find_longest(tests));
        longest = std::move(*place);
        tests.erase(place);
    }
    Convergence convergence = measure_convergence(std::move(tests), std::move(longest));
    convergence.notices.insert(convergence.notices.begin(), notices.begin(), notices.end());
    return convergence;
}

} // namespace volpt
