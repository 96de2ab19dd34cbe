#include "libvolpt/stats/verdict/image_layers.h"

#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <set>
#include <utility>

namespace volpt {
namespace {

/// What follows "PREFIX." in the name, if it is a channel of this layer.
std::optional<std::string> find_part(std::string const& name, std::string const& prefix)
{
    if (!name.starts_with(prefix + ".")) return {};
    std::string part = name.substr(prefix.size() + 1);
    return part.find('.') == std::string::npos ? std::optional(part) : std::nullopt;
}

bool has_layer(Subject const& subject, std::string const& prefix)
{
    return !subject.film && std::ranges::any_of(subject.image.channels, [&](Channel const& channel) {
        return channel.name == prefix || find_part(channel.name, prefix).has_value();
    });
}

/// "has 'A', 'B'"
std::string describe_layers(Subject const& subject)
{
    if (subject.film) return "is a film, which has its own noise and no layers";
    std::set<std::string> names;
    for (Channel const& channel : subject.image.channels)
        if (auto const dot = channel.name.rfind('.'); dot != std::string::npos)
            names.insert(channel.name.substr(0, dot));
    return names.empty() ? "has none" : fmt::format("has '{}'", fmt::join(names, "', '"));
}

/// A side, and what messages call it.
struct NamedSide {
    std::string name;
    Subject* subject;
};

void check_layer(std::span<NamedSide const> sides, std::string const& name)
{
    std::vector<std::string> files, descriptions;
    for (NamedSide const& side : sides) {
        if (has_layer(*side.subject, name)) return;
        files.push_back(side.subject->name);
        descriptions.push_back(side.name + " " + describe_layers(*side.subject));
    }
    fail_input(fmt::format("no side has a layer '{}'", name), fmt::format("{}", fmt::join(files, ", ")), {},
               fmt::format("{}", fmt::join(descriptions, ", ")));
}

/// `where` names the file.
std::vector<float> make_errors(Channel const& noise, NoiseLayer const& layer, std::string const& where)
{
    auto const scale = static_cast<float>(1 / std::sqrt(layer.samples));
    std::vector<float> errors;
    errors.reserve(noise.values.size());
    for (float const value : noise.values) {
        if (layer.kind == NoiseKind::variance && value < 0)
            fail_input(fmt::format("'{}' has the variance {:g}", noise.name, value), where,
                       "a variance is not negative",
                       fmt::format("if it is a deviation, write {},deviation", layer.name));
        errors.push_back(scale * (layer.kind == NoiseKind::variance ? std::sqrt(value) : std::abs(value)));
    }
    return errors;
}

/// The layer's channel of the same name as `channel`, or its only one.
Channel const* find_noise(std::vector<Channel> const& channels, std::string const& layer, std::string const& channel)
{
    Channel const* only = nullptr;
    std::size_t count = 0;
    for (Channel const& candidate : channels) {
        auto const part = find_part(candidate.name, layer);
        if (part == channel) return &candidate;
        if (part || candidate.name == layer) only = &candidate, ++count;
    }
    return count == 1 ? only : nullptr;
}

/// Channels PREFIX.R, .. as R, .., else the one that is called PREFIX as Y. Empty if there is neither.
std::vector<Channel> select_layer(std::vector<Channel> const& channels, std::string const& prefix)
{
    std::vector<Channel> selected;
    if (prefix.empty()) return selected;
    for (Channel const& channel : channels)
        if (auto const part = find_part(channel.name, prefix)) selected.push_back({*part, channel.values});
    if (!selected.empty()) return selected;
    for (Channel const& channel : channels)
        if (channel.name == prefix) selected.push_back({"Y", channel.values});
    return selected;
}

/// The noise of channels that are compared, as standard_error.R, .. Empty if the image has no such layer. Error (input)
/// if the layer is of none of the channels.
std::vector<Channel> list_errors(Subject const& subject, std::vector<Channel> const& channels, NoiseLayer const& layer)
{
    std::vector<Channel> errors;
    std::vector<std::string> compared, noisy;
    for (Channel const& channel : subject.image.channels) {
        if (channel.name.find('.') != std::string::npos || channel.name == "A" || channel.name == "sample_count")
            continue;
        compared.push_back(channel.name);
        if (Channel const* const noise = find_noise(channels, layer.name, channel.name))
            errors.push_back({"standard_error." + channel.name, make_errors(*noise, layer, subject.name)});
    }
    for (Channel const& channel : channels)
        if (channel.name == layer.name || find_part(channel.name, layer.name)) noisy.push_back(channel.name);
    if (errors.empty() && !noisy.empty() && !compared.empty())
        fail_input(fmt::format("the noise layer '{}' has no channel of those that are compared", layer.name),
                   subject.name,
                   fmt::format("it has {}; {} would be compared without noise", fmt::join(noisy, ", "),
                               fmt::join(compared, ", ")),
                   "name a layer with channels of the same names, or with a single one");
    return errors;
}

void add_errors(Subject& subject, std::vector<Channel> const& channels, NoiseLayer const& layer)
{
    std::vector<Channel> errors = list_errors(subject, channels, layer);
    if (errors.empty()) return;
    bool const is_variance = layer.kind == NoiseKind::variance;
    subject.notices.push_back(fmt::format(
        "'{}' is taken as the {} of {}", layer.name, is_variance ? "variance" : "standard deviation",
        layer.samples == 1 ? std::string("each pixel") : fmt::format("single samples, {:g} per pixel", layer.samples)));
    std::erase_if(subject.image.channels, [&](Channel const& channel) {
        return std::ranges::find(errors, channel.name, &Channel::name) != errors.end();
    });
    std::ranges::move(errors, std::back_inserter(subject.image.channels));
}

void choose_layer(Subject& subject, LayerChoice const& choice)
{
    std::vector<Channel> const channels = subject.image.channels;
    // A noise layer of a single channel may have a name without a dot, as channels that are compared.
    if (choice.noise)
        std::erase_if(subject.image.channels, [&](Channel const& c) { return c.name == choice.noise->name; });
    if (auto selected = select_layer(subject.image.channels, choice.prefix); !selected.empty()) {
        subject.image.channels = std::move(selected);
        subject.has_own_colours = false;
    }
    if (choice.noise) add_errors(subject, channels, *choice.noise);
}

void choose_named(std::vector<NamedSide> const& sides, LayerChoice const& choice)
{
    if (!choice.prefix.empty()) check_layer(sides, choice.prefix);
    if (choice.noise) check_layer(sides, choice.noise->name);
    for (NamedSide const& side : sides)
        if (!side.subject->film) choose_layer(*side.subject, choice);
}

} // namespace

NoiseLayer parse_noise_layer(std::string const& text)
{
    auto const refuse = [&] {
        fail_usage(fmt::format("--noise-layer '{}' cannot be read", text),
                   "write NAME, NAME,variance or NAME,deviation, and ,samples=N for the noise of single samples");
    };
    NoiseLayer layer;
    bool has_kind = false;
    for (std::size_t at = 0; at <= text.size();) {
        std::size_t const end = std::min(text.find(',', at), text.size());
        std::string const part = text.substr(at, end - at);
        if (at == 0) {
            layer.name = part;
        } else if (part == "variance" || part == "deviation") {
            layer.kind = part == "variance" ? NoiseKind::variance : NoiseKind::standard_deviation;
            has_kind = true;
        } else if (part.starts_with("samples=")) {
            char const* const last = part.data() + part.size();
            auto const read = std::from_chars(part.data() + 8, last, layer.samples);
            if (read.ec != std::errc() || read.ptr != last || !(layer.samples >= 1 && layer.samples <= 1e15)) refuse();
        } else {
            refuse();
        }
        at = end + 1;
    }
    if (layer.name.empty()) refuse();
    std::string lower = layer.name;
    for (char& letter : lower) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    if (!has_kind && lower.find("variance") != std::string::npos) layer.kind = NoiseKind::variance;
    return layer;
}

void choose_layers(Subject& test, Subject& reference, LayerChoice const& choice)
{
    choose_named({{"the test", &test}, {"the reference", &reference}}, choice);
}

void choose_layers(std::span<Subject* const> sides, LayerChoice const& choice)
{
    std::vector<NamedSide> named;
    for (Subject* const side : sides) named.push_back({side->name, side});
    choose_named(named, choice);
}

} // namespace volpt
