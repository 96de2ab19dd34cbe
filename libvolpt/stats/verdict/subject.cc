#include "libvolpt/stats/verdict/subject.h"

#include "libvolpt/film/film_colour.h"
#include "libvolpt/film/film_image.h"
#include "libvolpt/film/film_io.h"
#include "libvolpt/film/film_stats.h"
#include "libvolpt/film/passes/pass_totals.h"
#include "libvolpt/image/codecs/codecs.h"
#include "libvolpt/image/displayed.h"
#include "libvolpt/image/resample_area.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/json.h"
#include "libvolpt/sys/mapped_file.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>

namespace volpt {
namespace {

/// By its magic number, or by its extension, so that an empty film is reported as a film.
bool is_film(std::filesystem::path const& path)
{
    MappedFile const file(path);
    bool const has_magic = file.bytes().size() >= kFilmFile.magic.size() &&
                           std::memcmp(file.bytes().data(), kFilmFile.magic.data(), kFilmFile.magic.size()) == 0;
    return has_magic || path.extension() == ".vpf";
}

/// "layer." if every name begins with it, else empty.
std::string find_prefix(std::vector<std::string> const& names)
{
    std::string const prefix = names.front().substr(0, names.front().rfind('.') + 1);
    bool const shared = std::ranges::all_of(names, [&](std::string const& name) {
        return name.starts_with(prefix) && name.find('.', prefix.size()) == std::string::npos;
    });
    return shared ? prefix : "";
}

void keep_channels(Subject& subject, std::vector<std::string> const& names)
{
    std::string const prefix = find_prefix(names);
    std::vector<Channel> kept;
    std::map<std::string, double> shared, means;
    for (std::string const& name : names) {
        auto const found = std::ranges::find(subject.image.channels, name, &Channel::name);
        if (found == subject.image.channels.end()) {
            std::string known;
            for (Channel const& channel : subject.image.channels) known += " " + channel.name;
            fail_input("has no channel " + name, subject.name, "--channels asks for it", "the image has" + known);
        }
        kept.push_back({name.substr(prefix.size()), found->values});
        if (auto const variance = subject.shared_variance.find(name); variance != subject.shared_variance.end())
            shared[kept.back().name] = variance->second;
        if (auto const variance = subject.mean_variance.find(name); variance != subject.mean_variance.end())
            means[kept.back().name] = variance->second;
        if (auto const* const error = subject.image.find("standard_error." + name))
            kept.push_back({"standard_error." + kept.back().name, error->values});
    }
    for (char const* const name : {"sample_count", kCoverageLayer})
        if (auto const* const layer = subject.image.find(name)) kept.push_back(*layer);
    subject.image.channels = std::move(kept);
    subject.shared_variance = std::move(shared);
    subject.mean_variance = std::move(means);
}

/// By channel, from an attribute that list_film_attributes writes; anything of another form is ignored.
std::map<std::string, double> find_variances(Image const& image, std::string_view attribute)
{
    std::map<std::string, double> variances;
    std::string const* const text = find_attribute(image, attribute);
    if (text == nullptr) return variances;
    auto const json = parse_json(*text);
    if (!json.is_object()) return variances;
    for (auto const& [channel, variance] : json.items())
        if (variance.is_number() && variance.get<double>() >= 0) variances[channel] = variance.get<double>();
    return variances;
}

/// From the attribute that list_film_attributes writes.
std::optional<double> find_variance_floor(Image const& image)
{
    for (auto const& [key, value] : image.metadata) {
        if (key != "rounding_variance") continue;
        auto const json = nlohmann::json::parse(value, nullptr, false);
        if (json.is_number() && json.get<double>() >= 0) return json.get<double>();
    }
    return std::nullopt;
}

/// By pixel, the part of its samples that hit a triangle; empty unless the subject was measured in texture space. An
/// image that hides its background has coverage too, and says so by an alpha channel.
std::vector<float> find_texture_coverage(Subject const& subject)
{
    std::vector<float> shares;
    if (subject.film) {
        if (!probes_texture(subject.film->scene())) return shares;
        Image const layers = film_to_image(*subject.film);
        return layers.find(kCoverageLayer)->values;
    }
    Channel const* const layer = subject.image.find(kCoverageLayer);
    if (layer != nullptr && subject.image.find("A") == nullptr) shares = layer->values;
    return shares;
}

} // namespace

void prepare_subject(Subject& subject, std::optional<Transfer> transfer, std::vector<std::string> const& channels)
{
    if (transfer) {
        AlphaForm const form = find_alpha_form(subject.image);
        subject.image.transfer = *transfer;
        if (subject.image.find("A") != nullptr) set_alpha_form(subject.image, form);
        subject.notices.clear();
    }
    if (channels.empty()) return;
    keep_channels(subject, channels);
    subject.has_own_colours = false;
}

Subject make_subject(std::string name, Film film, Illuminant illuminant)
{
    Image image = film_to_image(film, illuminant);
    double const floor = find_rounding_variance(film);
    std::map<std::string, double> shared = list_shared_variances(film), means = list_mean_variances(film);
    PixelNoise const noise =
        film.scene().integrator == Integrator::mlt ? PixelNoise::of_chains : PixelNoise::independent;
    return {.name = std::move(name),
            .film = std::move(film),
            .image = std::move(image),
            .sample_variance_floor = floor,
            .shared_variance = std::move(shared),
            .pixel_noise = noise,
            .mean_variance = std::move(means)};
}

void resample_subject(Subject& subject, int width, int height)
{
    if (subject.image.width == width && subject.image.height == height) return;
    if (subject.film)
        fail_usage(fmt::format("'{}' is a film: averaging its pixels would lose their noise", subject.name),
                   "render it at the other's size, or give a picture");
    subject.notices.push_back(fmt::format("averaged from {} x {} to {} x {} pixels, in linear light",
                                          subject.image.width, subject.image.height, width, height));
    subject.image = resample_area(subject.image, width, height);
}

void leave_out_uncovered(Subject& test, Subject& reference)
{
    std::vector<float> shares = find_texture_coverage(test);
    std::vector<float> const other = find_texture_coverage(reference);
    if (shares.empty() == other.empty()) return;
    Subject& measured = shares.empty() ? reference : test;
    if (shares.empty()) shares = other;
    if (test.image.pixel_count() != shares.size() || reference.image.pixel_count() != shares.size()) return;
    std::size_t left_out = 0;
    for (std::size_t i = 0; i < shares.size(); ++i) {
        if (shares[i] >= 1) continue;
        ++left_out;
        for (Image* const image : {&test.image, &reference.image})
            for (Channel& channel : image->channels)
                if (channel.name.find('.') == std::string::npos && channel.name != "sample_count")
                    channel.values[i] = std::numeric_limits<float>::quiet_NaN();
    }
    measured.notices.push_back(
        fmt::format("{:.3g} % of the texels are covered by no triangle, or not wholly: they are left out (as NaN)",
                    100 * double(left_out) / double(shares.size())));
}

std::vector<float> find_de2000_noise(Subject const& subject, Illuminant illuminant)
{
    if (!subject.has_own_colours) return {};
    if (subject.film)
        return has_colour(subject.film->scene()) ? measure_de2000_noise(*subject.film, illuminant)
                                                 : std::vector<float>{};
    Channel const* const layer = subject.image.find("noise.de2000");
    return layer ? layer->values : std::vector<float>{};
}

Subject read_subject(std::filesystem::path const& path, Illuminant illuminant)
{
    if (is_film(path)) return make_subject(path.string(), read_film(path), illuminant);
    Subject subject{.name = path.string(), .film = {}, .image = read_image(path)};
    subject.notices = subject.image.notices;
    if (subject.image.transfer_source == TransferSource::assumption)
        subject.notices.push_back("the file does not say how its values are coded; they are taken as sRGB-coded "
                                  "(--test-transfer and --reference-transfer change that)");
    if (subject.image.find("sample_count") == nullptr) return subject;
    subject.shared_variance = find_variances(subject.image, "shared_variance");
    subject.mean_variance = find_variances(subject.image, "mean_variance");
    if (std::string const* const integrator = find_attribute(subject.image, "scene.integrator");
        integrator != nullptr && *integrator == to_word(Integrator::mlt))
        subject.pixel_noise = PixelNoise::of_chains;
    if (auto const floor = find_variance_floor(subject.image)) {
        subject.sample_variance_floor = *floor;
        return subject;
    }
    float largest = 0;
    for (Channel const& channel : subject.image.channels)
        if (channel.name.find('.') == std::string::npos && channel.name != "sample_count")
            for (float const value : channel.values)
                largest = value > largest && std::isfinite(value) ? value : largest;
    subject.sample_variance_floor = std::ldexp(static_cast<double>(largest) * static_cast<double>(largest), -32);
    return subject;
}

std::string const* find_attribute(Image const& image, std::string_view name)
{
    auto const found = std::ranges::find(image.metadata, name, &std::pair<std::string, std::string>::first);
    return found == image.metadata.end() ? nullptr : &found->second;
}

} // namespace volpt
