#include "libvolpt/stats/convergence/measured_squares.h"

#include "libvolpt/colour/srgb.h"
#include "libvolpt/image/displayed.h"
#include "libvolpt/stats/convergence/stored_rounding.h"
#include "libvolpt/stats/verdict/compare_films.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>

namespace volpt {
namespace {

constexpr int kBlocks = 8; ///< of the jackknife, along each side

bool is_part(Film const& film, Film const& whole)
{
    for (std::size_t tile = 0; tile < film.tile_ranges.size(); ++tile)
        for (SampleRange const& range : film.tile_ranges[tile])
            if (!missing_ranges(whole.tile_ranges[tile], range).empty()) return false;
    return film.seed() == whole.seed();
}

NoiseRelation relate_films(Subject const& test, Subject const& reference)
{
    FilmComparison const films = compare_films(*test.film, *reference.film);
    if (films.relation == FilmRelation::other_scene)
        fail_input("is not of the reference's scene: " + films.differences.front(), test.name,
                   "convergence is measured on films of one scene", "leave it out");
    bool const part = is_part(*test.film, *reference.film);
    if (films.shared_noise == SharedNoise::samples && !part)
        fail_input("shares only some of its samples with the reference", test.name,
                   "the films must share all samples or none", "render it with another --seed");
    return part ? NoiseRelation::part : NoiseRelation::independent;
}

NoiseRelation relate(Subject const& test, Subject const& reference)
{
    if (test.film && reference.film) return relate_films(test, reference);
    auto const shared = find_shared_noise(test, reference);
    if (!shared || shared == SharedNoise::random_numbers) return NoiseRelation::unknown;
    return shared == SharedNoise::samples ? NoiseRelation::part : NoiseRelation::independent;
}

/// The channels that are compared.
std::vector<std::string> list_channels(std::vector<Rendering> const& tests, Rendering const& reference)
{
    bool const films = reference.subject.film &&
                       std::ranges::all_of(tests, [](Rendering const& test) { return test.subject.film.has_value(); });
    Image const& image = reference.subject.image;
    std::vector<std::string> names;
    for (Channel const& channel : image.channels)
        if (films ? image.find("standard_error." + channel.name) != nullptr : is_picture_channel(channel))
            names.push_back(channel.name);
    if (names.empty())
        fail_input("has no channel of a picture", reference.subject.name, "nothing can be compared",
                   "name one of its layers with --layer");
    return names;
}

void check_shape(Subject const& test, Subject const& reference, std::vector<std::string> const& channels)
{
    if (test.image.width != reference.image.width || test.image.height != reference.image.height)
        fail_input(fmt::format("has {} x {} pixels, the reference {} x {}", test.image.width, test.image.height,
                               reference.image.width, reference.image.height),
                   test.name, "convergence is measured on renderings of one view", "leave it out");
    std::vector<std::string> own;
    for (Channel const& channel : test.image.channels)
        if (is_picture_channel(channel)) own.push_back(channel.name);
    bool const has_all =
        std::ranges::all_of(channels, [&](std::string const& name) { return test.image.find(name) != nullptr; });
    if (!has_all || (!test.film && own.size() != channels.size()))
        fail_input(fmt::format("has the channels {}, the reference {}", fmt::join(own, " "), fmt::join(channels, " ")),
                   test.name, "renderings of one view have the same", "name them with --channels or --layer");
}

/// By pixel: whether it counts. Appends a notice on values that are NaN or infinite; true if there are any.
bool leave_out_non_finite(std::vector<Subject const*> const& sides, std::vector<std::string> const& channels,
                          std::vector<char>& counted, std::vector<std::string>& notices)
{
    bool found = false;
    for (Subject const* const side : sides) {
        std::size_t count = 0, first = 0;
        for (std::string const& name : channels) {
            std::vector<float> const& values = side->image.find(name)->values;
            for (std::size_t i = 0; i < values.size(); ++i) {
                if (std::isfinite(values[i])) continue;
                if (++count == 1) first = i;
                counted[i] = 0;
            }
        }
        if (count == 0) continue;
        found = true;
        auto const width = static_cast<std::size_t>(side->image.width);
        notices.push_back(fmt::format("{}: {} values are NaN or infinite, the first in pixel {},{}: these pixels are "
                                      "left out of all, and the verdict is negative",
                                      side->name, count, first % width, first / width));
    }
    if (std::ranges::find(counted, 1) == counted.end())
        fail_input("no pixel is finite in all renderings", sides.front()->name, "no error can be measured",
                   "render them again");
    return found;
}

/// Sums a value of each pixel that counts, by block of the picture.
template <class Value>
std::vector<double> sum_blocks(Image const& image, std::vector<char> const& counted, Value const& value)
{
    std::vector<double> sums(std::size_t{kBlocks} * kBlocks);
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x) {
            std::size_t const i =
                static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) + static_cast<std::size_t>(x);
            std::int64_t const block =
                std::int64_t{y} * kBlocks / image.height * kBlocks + std::int64_t{x} * kBlocks / image.width;
            if (counted[i] != 0) sums[static_cast<std::size_t>(block)] += value(i);
        }
    return sums;
}

double square(float value)
{
    return static_cast<double>(value) * static_cast<double>(value);
}

std::vector<double> sum_differences(Image const& test, Image const& reference, std::vector<std::string> const& channels,
                                    std::vector<char> const& counted)
{
    std::vector<double> sums(std::size_t{kBlocks} * kBlocks);
    for (std::string const& name : channels) {
        std::vector<float> const &values = test.find(name)->values, &truth = reference.find(name)->values;
        auto const of = sum_blocks(test, counted, [&](std::size_t i) {
            double const difference = static_cast<double>(values[i]) - static_cast<double>(truth[i]);
            return difference * difference;
        });
        std::ranges::transform(sums, of, sums.begin(), std::plus());
    }
    return sums;
}

/// Of the standard errors; empty if a channel has none, or an infinite one.
std::vector<double> sum_noise(Image const& reference, std::vector<std::string> const& channels,
                              std::vector<char> const& counted)
{
    std::vector<double> sums(std::size_t{kBlocks} * kBlocks);
    for (std::string const& name : channels) {
        Channel const* const errors = reference.find("standard_error." + name);
        if (errors == nullptr) return {};
        auto const of = sum_blocks(reference, counted, [&](std::size_t i) { return square(errors->values[i]); });
        std::ranges::transform(sums, of, sums.begin(), std::plus());
    }
    bool const finite = std::ranges::all_of(sums, [](double sum) { return std::isfinite(sum); });
    return finite ? sums : std::vector<double>{};
}

void add_rounding(Subject const& subject, Measurement& measured)
{
    auto const rounding = subject.film ? std::nullopt : find_stored_rounding(subject.image);
    if (!rounding) return;
    measured.rounding += rounding->variance;
    measured.rounding_form = rounding->form;
}

void decode(Image& image)
{
    AlphaForm const form = find_alpha_form(image);
    if (image.transfer == Transfer::srgb)
        for (Channel& channel : image.channels)
            if (is_picture_channel(channel))
                for (float& value : channel.values) value = static_cast<float>(decode_srgb(static_cast<double>(value)));
    image.transfer = Transfer::linear;
    set_alpha_form(image, form);
    if (!is_opaque(image)) premultiply(image);
}

/// Standard errors are those of premultiplied colours, and there is none of alpha.
void note_alpha(std::vector<Subject const*> const& sides, std::vector<std::string>& notices)
{
    if (std::ranges::any_of(sides, [](Subject const* side) { return !is_opaque(side->image); }))
        notices.emplace_back("pictures are not opaque: errors are those of colours over black");
}

} // namespace

Measurement measure_squares(std::vector<Rendering>& tests, Rendering& reference, std::vector<std::string>& notices)
{
    Measurement measured;
    std::vector<std::string> const channels = list_channels(tests, reference);
    add_rounding(tests.back().subject, measured);
    add_rounding(reference.subject, measured);
    std::vector<Subject const*> sides;
    for (Rendering& test : tests) {
        check_shape(test.subject, reference.subject, channels);
        decode(test.subject.image);
        sides.push_back(&test.subject);
    }
    decode(reference.subject.image);
    sides.push_back(&reference.subject);
    note_alpha(sides, notices);
    Image const& truth = reference.subject.image;
    std::vector<char> counted(truth.pixel_count(), 1);
    measured.has_non_finite = leave_out_non_finite(sides, channels, counted, notices);
    measured.squares.counts =
        sum_blocks(truth, counted, [&](std::size_t) { return static_cast<double>(channels.size()); });
    measured.squares.reference_noise = sum_noise(truth, channels, counted);
    measured.squares.reference_samples = reference.record.samples;
    for (Rendering const& test : tests)
        measured.squares.points.push_back({test.record.samples, test.record.seconds,
                                           relate(test.subject, reference.subject),
                                           sum_differences(test.subject.image, truth, channels, counted)});
    measured.knows_reference = !measured.squares.reference_noise.empty() || !std::isnan(reference.record.samples);
    return measured;
}

} // namespace volpt
