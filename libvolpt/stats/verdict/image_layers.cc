#include "libvolpt/stats/verdict/image_layers.h"

#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
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

std::string list_layers(Subject const& subject)
{
    std::set<std::string> names;
    for (Channel const& channel : subject.image.channels)
        if (auto const dot = channel.name.rfind('.'); dot != std::string::npos)
            names.insert(channel.name.substr(0, dot));
    std::string list;
    for (std::string const& name : names) list += (list.empty() ? "'" : ", '") + name + "'";
    return list.empty() ? "none" : list;
}

void check_layer(Subject const& test, Subject const& reference, std::string const& name)
{
    if (has_layer(test, name) || has_layer(reference, name)) return;
    fail_input(fmt::format("no side has a layer '{}'", name), test.name + ", " + reference.name, {},
               fmt::format("the test has {}, the reference {}", list_layers(test), list_layers(reference)));
}

std::vector<float> make_errors(std::vector<float> const& noise, NoiseLayer const& layer)
{
    auto const scale = static_cast<float>(1 / std::sqrt(layer.samples));
    std::vector<float> errors;
    errors.reserve(noise.size());
    for (float const value : noise)
        errors.push_back(scale * (layer.kind == NoiseKind::variance ? std::sqrt(value) : std::abs(value)));
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

void choose_layer(Subject& subject, LayerChoice const& choice)
{
    std::vector<Channel> const channels = std::exchange(subject.image.channels, {});
    bool const selects = !choice.prefix.empty() && std::ranges::any_of(channels, [&](Channel const& channel) {
        return find_part(channel.name, choice.prefix).has_value();
    });
    for (Channel const& channel : channels) {
        auto const part = selects ? find_part(channel.name, choice.prefix) : std::optional(channel.name);
        if (part) subject.image.channels.push_back({*part, channel.values});
    }
    if (selects) subject.has_own_colours = false;
    if (!choice.noise) return;
    std::vector<Channel> errors;
    for (Channel const& channel : subject.image.channels) {
        if (channel.name.find('.') != std::string::npos || channel.name == "A") continue;
        if (Channel const* const noise = find_noise(channels, choice.noise->name, channel.name))
            errors.push_back({"standard_error." + channel.name, make_errors(noise->values, *choice.noise)});
    }
    if (errors.empty()) return;
    bool const is_variance = choice.noise->kind == NoiseKind::variance;
    subject.notices.push_back(fmt::format(
        "'{}' is taken as the {} of {}", choice.noise->name, is_variance ? "variance" : "standard deviation",
        choice.noise->samples == 1 ? std::string("each pixel")
                                   : fmt::format("single samples, {:g} per pixel", choice.noise->samples)));
    std::ranges::move(errors, std::back_inserter(subject.image.channels));
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
    if (!choice.prefix.empty()) check_layer(test, reference, choice.prefix);
    if (choice.noise) check_layer(test, reference, choice.noise->name);
    for (Subject* const subject : {&test, &reference})
        if (!subject->film) choose_layer(*subject, choice);
}

} // namespace volpt
