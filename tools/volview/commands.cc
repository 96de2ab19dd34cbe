#include "tools/volview/commands.h"

#include "libvolpt/scene/scene_fields.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/json.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <vector>

namespace volpt {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kMostStops = 40;
constexpr NumberRange kShare = NumberRange::closed(0, 1);
constexpr std::size_t kMostOptions = 64;
constexpr std::size_t kLongestText = 1024; // of an option
constexpr std::size_t kLongestShown = 64;  // of what a client sent, in a message

/// Text of a client inside a sentence.
std::string quote(std::string_view text)
{
    return fmt::format("\"{}\"{}", text.substr(0, kLongestShown), text.size() > kLongestShown ? ".." : "");
}

/// The shortest text that is read back as the same number.
std::string print_exactly(double value)
{
    return fmt::format("{}", value);
}

std::string print_exactly(std::array<double, 3> const& values)
{
    return fmt::format("{},{},{}", values[0], values[1], values[2]);
}

double check_number(Json const& value, std::string const& name, NumberRange range)
{
    if (!value.is_number()) fail_usage(name + " is not a number");
    double const number = value.get<double>();
    if (!range.contains(number)) fail_usage(fmt::format("{} is not a number from {}", name, describe_range(range)));
    return number;
}

} // namespace

Json parse_command(std::string_view body)
{
    Json command = parse_json(body);
    if (command.is_discarded()) fail_usage("the body is not valid JSON");
    if (!command.is_object()) fail_usage("the body is not a JSON object");
    return command;
}

Json finite_or_null(std::optional<double> value)
{
    return value && std::isfinite(*value) ? Json(*value) : Json();
}

void refuse_other_keys(Json const& object, std::initializer_list<std::string_view> known)
{
    for (auto const& [key, value] : object.items())
        if (std::find(known.begin(), known.end(), std::string_view(key)) == known.end())
            fail_usage(fmt::format("{} is not a known key; known are: {}", quote(key), fmt::join(known, ", ")));
}

std::optional<double> take_number(Json const& object, char const* key, NumberRange range)
{
    auto const found = object.find(key);
    if (found == object.end() || found->is_null()) return std::nullopt;
    return check_number(*found, quote(key), range);
}

std::array<double, 3> take_triple(Json const& object, char const* key, NumberRange range)
{
    auto const found = object.find(key);
    if (found == object.end() || !found->is_array() || found->size() != 3)
        fail_usage(fmt::format("{} is not a list of three numbers", quote(key)));
    std::array<double, 3> values{};
    for (std::size_t i = 0; i < 3; ++i)
        values[i] = check_number((*found)[i], fmt::format("a number of {}", quote(key)), range);
    return values;
}

std::optional<std::string> take_choice(Json const& object, char const* key, std::vector<std::string> const& choices)
{
    auto const found = object.find(key);
    if (found == object.end()) return std::nullopt;
    std::string const text = found->is_string() ? found->get<std::string>() : std::string();
    if (std::find(choices.begin(), choices.end(), text) == choices.end())
        fail_usage(fmt::format("{} is not one of: {}", quote(key), fmt::join(choices, ", ")));
    return text;
}

CommandPace take_pace(Json const& object)
{
    auto const found = object.find("moving");
    if (found == object.end()) return CommandPace::single;
    if (!found->is_boolean()) fail_usage("\"moving\" is not true or false");
    return found->get<bool>() ? CommandPace::moving : CommandPace::single;
}

OptionsCommand parse_camera_command(Json const& command)
{
    refuse_other_keys(command, {"origin", "target", "up", "fov", "ortho", "moving"});
    OptionsCommand result;
    result.texts["from"] = std::nullopt;
    for (char const* const key : {"origin", "target", "up"})
        result.texts[key] = print_exactly(take_triple(command, key, scene_range("camera.origin_world")));
    auto const fov_deg = take_number(command, "fov", scene_range("camera.fov_x_deg")),
               width_mm = take_number(command, "ortho", scene_range("camera.ortho_width_mm"));
    if (fov_deg && width_mm) fail_usage("\"fov\" and \"ortho\" contradict each other");
    if (fov_deg || width_mm) {
        result.texts["fov"] = fov_deg ? std::optional(print_exactly(*fov_deg)) : std::nullopt;
        result.texts["ortho"] = width_mm ? std::optional(print_exactly(*width_mm)) : std::nullopt;
    }
    result.pace = take_pace(command);
    return result;
}

OptionsCommand parse_options_command(Json const& command)
{
    refuse_other_keys(command, {"set", "moving"});
    auto const set = command.find("set");
    if (set == command.end() || !set->is_object()) fail_usage("\"set\" is not an object of options and their texts");
    if (set->size() > kMostOptions) fail_usage("\"set\" has too many options");
    OptionsCommand result;
    for (auto const& [name, text] : set->items()) {
        if (!text.is_null() && !text.is_string()) fail_usage(fmt::format("{} is neither a text nor null", quote(name)));
        if (text.is_null()) {
            result.texts[name] = std::nullopt;
            continue;
        }
        auto const& value = text.get_ref<std::string const&>();
        if (value.size() > kLongestText) fail_usage(fmt::format("{} is too long a text", quote(name)));
        auto const is_control = [](char letter) { return static_cast<unsigned char>(letter) < 0x20 || letter == 0x7f; };
        if (std::any_of(value.begin(), value.end(), is_control))
            fail_usage(fmt::format("the text of {} has control characters", quote(name)));
        result.texts[name] = value;
    }
    result.pace = take_pace(command);
    return result;
}

DisplaySettings parse_display_command(Json const& command, DisplaySettings now, std::uint32_t bands)
{
    refuse_other_keys(command, {"exposure", "tone", "illuminant", "band", "denoise"});
    if (auto const stops = take_number(command, "exposure", NumberRange::closed(-kMostStops, kMostStops)))
        now.exposure_stops = *stops;
    if (auto const tone = take_choice(command, "tone", spell_words<DisplayTone>()))
        now.tone = *find_word<DisplayTone>(*tone);
    if (auto const illuminant = take_choice(command, "illuminant", spell_words<Illuminant>()))
        now.illuminant = *find_word<Illuminant>(*illuminant);
    if (auto const denoise = take_choice(command, "denoise", spell_words<Denoise>()))
        now.denoise = *find_word<Denoise>(*denoise);
    if (auto const band = take_number(command, "band", NumberRange::closed(-1, static_cast<double>(bands) - 1))) {
        if (*band != std::floor(*band)) fail_usage("\"band\" is not a whole number");
        now.band = static_cast<int>(*band);
    }
    return now;
}

PicturePoint parse_pick_command(Json const& command)
{
    refuse_other_keys(command, {"x", "y"});
    auto const x = take_number(command, "x", kShare), y = take_number(command, "y", kShare);
    if (!x || !y) fail_usage("\"x\" or \"y\" is missing");
    return {*x, *y};
}

PictureRectangle parse_patch_command(Json const& command)
{
    refuse_other_keys(command, {"x0", "y0", "x1", "y1"});
    auto const x0 = take_number(command, "x0", kShare), y0 = take_number(command, "y0", kShare),
               x1 = take_number(command, "x1", kShare), y1 = take_number(command, "y1", kShare);
    if (!x0 || !y0 || !x1 || !y1) fail_usage("\"x0\", \"y0\", \"x1\" or \"y1\" is missing");
    return {std::min(*x0, *x1), std::min(*y0, *y1), std::max(*x0, *x1), std::max(*y0, *y1)};
}

std::string parse_save_command(Json const& command)
{
    refuse_other_keys(command, {"kind"});
    auto const kind = take_choice(command, "kind", {"vpf", "exr", "png"});
    if (!kind) fail_usage("\"kind\" is missing");
    return "." + *kind;
}

} // namespace volpt
