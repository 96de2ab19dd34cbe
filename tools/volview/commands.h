// Commands of clients, from JSON: every number finite and bounded, every key known. Errors (usage) are sentences for
// the client.
#pragma once

#include "libvolpt/sys/text/number_range.h"
#include "tools/volview/display.h"

#include <array>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace volpt {

/// New texts of options, by name, that volrender's command line takes; null: the option is not given any more.
using OptionChanges = std::map<std::string, std::optional<std::string>>;

/// Whether the client is about to send more of the same, as while a mouse button is held.
enum class CommandPace { single, moving };

struct OptionsCommand {
    OptionChanges texts;
    CommandPace pace = CommandPace::single;
};

/// x and y of the picture in 0..1, y downwards.
struct PicturePoint {
    double x = 0, y = 0;
};

/// A rectangle of the picture; x0 < x1, y0 < y1.
struct PictureRectangle {
    double x0 = 0, y0 = 0, x1 = 1, y1 = 1;
};

/// Of an answer: JSON has no infinity.
nlohmann::ordered_json finite_or_null(std::optional<double> value);

/// The object that a request's body is. Error (usage) for anything else.
nlohmann::ordered_json parse_command(std::string_view body);

/// {"origin":[3],"target":[3],"up":[3],"fov":deg,"ortho":mm,"moving":bool}, lengths in mm of the world: the texts of
/// the options from (null), origin, target and up, and of fov or ortho, whose other one is then null. The texts give
/// exactly the numbers back.
OptionsCommand parse_camera_command(nlohmann::ordered_json const& command);

/// {"set":{name:text or null, ..},"moving":bool}; which names and texts are valid is not known here.
OptionsCommand parse_options_command(nlohmann::ordered_json const& command);

/// {"exposure":stops,"tone":"srgb", "linear" or "filmic","illuminant":"D50" or "D65","band":-1 .. bands - 1,
/// "denoise":"on" or "off"}: `now` with what the command sets.
DisplaySettings parse_display_command(nlohmann::ordered_json const& command, DisplaySettings now, std::uint32_t bands);

/// {"x":number,"y":number}
PicturePoint parse_pick_command(nlohmann::ordered_json const& command);

/// {"x0":number,"y0":number,"x1":number,"y1":number}, corners in any order.
PictureRectangle parse_patch_command(nlohmann::ordered_json const& command);

/// {"kind":"vpf", "exr" or "png"}: the extension, with its dot.
std::string parse_save_command(nlohmann::ordered_json const& command);

/// The finite number of `object[key]` in the range, or none if the key is absent or null.
std::optional<double> take_number(nlohmann::ordered_json const& object, char const* key, NumberRange range);
/// Three of them. Error (usage) if the key is absent.
std::array<double, 3> take_triple(nlohmann::ordered_json const& object, char const* key, NumberRange range);
/// The text of `object[key]` if it is one of `choices`, or none if the key is absent.
std::optional<std::string> take_choice(nlohmann::ordered_json const& object, char const* key,
                                       std::vector<std::string> const& choices);
/// `object["moving"]`; single if it is absent.
CommandPace take_pace(nlohmann::ordered_json const& object);
/// Error (usage) names the first key that is not among `known`.
void refuse_other_keys(nlohmann::ordered_json const& object, std::initializer_list<std::string_view> known);

} // namespace volpt
