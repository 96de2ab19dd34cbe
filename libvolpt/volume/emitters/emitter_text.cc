// std::from_chars throughout: it ignores the locale.
#include "libvolpt/volume/emitters/emitter_text.h"

#include "libvolpt/sys/error.h"
#include "libvolpt/sys/text/nearest_name.h"
#include "libvolpt/sys/text/take_word.h"
#include "libvolpt/volume/emitters/check_emitter.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <span>

namespace volpt {
namespace {

using Triple = std::array<double, 3>;

/// Lumens of a watt that the eye weighs with 1: the luminous efficacy of the SI.
constexpr double kLumensPerWatt = 683;

/// A word for an amount, and what it is multiplied with to be in EmitterUnit's.
struct AmountWord {
    std::string_view key;
    EmitterUnit unit;
    double factor = 1;
    bool is_photometric = false;
};

constexpr AmountWord kAmounts[] = {{"power", EmitterUnit::power},
                                   {"radiance", EmitterUnit::radiance},
                                   {"intensity", EmitterUnit::intensity},
                                   {"irradiance", EmitterUnit::irradiance},
                                   {"lumen", EmitterUnit::power, 1 / kLumensPerWatt, true},
                                   {"candela", EmitterUnit::intensity, 1 / kLumensPerWatt, true},
                                   {"lux", EmitterUnit::irradiance, 1e-6 / kLumensPerWatt, true}, // of m^2 and mm^2
                                   {"nit", EmitterUnit::radiance, 1e-6 / kLumensPerWatt, true}};

/// What every kind takes.
constexpr std::string_view kTemperature = "temperature";

/// Of a spot that names none: as Mitsuba's beam_width.
constexpr double kInnerOfAngle = 0.75;

struct Word {
    std::string_view key;
    std::string_view value;
};

/// What one kind takes; `needed` keys have no default, and one of `amounts` is given.
struct KindText {
    std::string_view name;
    std::vector<std::string_view> needed;
    std::vector<std::string_view> optional;
    std::vector<std::string_view> amounts;
    std::string_view example;
};

std::vector<KindText> const& list_kinds()
{
    static std::vector<KindText> const kinds{
        {"point", {"origin"}, {}, {"power", "intensity", "lumen", "candela"}, "point origin=0,0,20 power=1"},
        {"spot",
         {"origin", "direction", "angle"},
         {"inner"},
         {"power", "intensity", "lumen", "candela"},
         "spot origin=0,0,20 direction=0,0,-1 angle=20 inner=15 power=1"},
        {"sun",
         {"direction"},
         {"angle"},
         {"irradiance", "radiance", "lux", "nit"},
         "sun direction=0,0,-1 angle=0.53 irradiance=1"},
        {"area",
         {"origin"},
         {"u", "v", "direction", "radius"},
         {"power", "radiance", "lumen", "nit"},
         "area origin=0,0,20 u=0,5,0 v=5,0,0 radiance=1 (a rectangle), area origin=0,0,20 direction=0,0,-1 radius=5mm "
         "radiance=1 (a disk)"},
        {"sphere",
         {"origin", "radius"},
         {},
         {"power", "radiance", "lumen", "nit"},
         "sphere center=1,2,20 radius=0.3mm power=10"},
        {"beam",
         {"origin", "direction"},
         {"radius", "profile", "u", "v"},
         {"power", "lumen"},
         "beam origin=0,0,5 direction=0,0,-1 radius=1mm profile=gaussian power=1, beam origin=0,0,5 direction=0,0,-1 "
         "u=2mm,0,0 "
         "v=0,1mm,0 power=1 (a rectangle)"},
        {"slit",
         {"origin", "direction", "u"},
         {},
         {"power", "lumen"},
         "slit origin=0,0,5 direction=0,0,-1 u=2mm,0,0 power=1"}};
    return kinds;
}

/// One text of an option, for messages.
class Reader {
public:
    Reader(std::string_view text, std::string const& where) : text_(text), where_(where) {}

    Emitter read()
    {
        find_words();
        Emitter emitter;
        std::string_view const name = kind_->name;
        read_amount(emitter);
        if (auto const* value = find("origin")) emitter.origin_world = read_lengths_mm("origin", *value);
        if (auto const* value = find("direction")) emitter.direction_world = read_triple("direction", *value);
        if (auto const* value = find("u")) emitter.u_axis_mm = read_lengths_mm("u", *value);
        if (auto const* value = find("v")) emitter.v_axis_mm = read_lengths_mm("v", *value);
        if (auto const* value = find("radius")) emitter.radius_mm = read_length_mm("radius", *value);
        if (auto const* value = find("angle")) emitter.angle_deg = read_number("angle", *value);
        emitter.inner_angle_deg = name == "spot" ? kInnerOfAngle * emitter.angle_deg : 0;
        if (auto const* value = find("inner")) emitter.inner_angle_deg = read_number("inner", *value);
        set_kind(emitter);
        if (std::string const problem = find_emitter_problem(emitter); !problem.empty()) refuse(problem);
        return emitter;
    }

private:
    [[noreturn]] void refuse(std::string const& what) const
    {
        std::string_view const example = kind_ ? kind_->example : list_kinds().front().example;
        fail_usage(fmt::format("{} '{}': {}", where_, text_, what), fmt::format("give for example '{}'", example));
    }

    /// The place and the direction have the names that suit each kind.
    static std::string_view unify(std::string_view key)
    {
        if (key == "center" || key == "position") return "origin";
        return key == "normal" ? "direction" : key;
    }

    std::string suggest(std::string_view word, std::vector<std::string_view> const& known) const
    {
        std::string_view const nearest = find_nearest_name(word, known);
        return nearest.empty() ? "" : fmt::format(" (did you mean '{}'?)", nearest);
    }

    void find_words()
    {
        std::string_view rest = text_;
        std::string_view const name = take_word(rest);
        std::vector<std::string_view> names;
        for (KindText const& kind : list_kinds()) names.push_back(kind.name);
        auto const found = std::ranges::find(names, name);
        if (found == names.end())
            refuse(fmt::format("'{}' is no kind of emitter{}; there are {}", name, suggest(name, names),
                               fmt::join(names, ", ")));
        kind_ = &list_kinds()[static_cast<std::size_t>(found - names.begin())];
        for (std::string_view word = take_word(rest); !word.empty(); word = take_word(rest)) add_word(word);
        for (std::string_view const key : kind_->needed)
            if (!find(key)) refuse(fmt::format("'{}' needs {}", name, key));
    }

    void add_word(std::string_view word)
    {
        auto const equals = word.find('=');
        if (equals == std::string_view::npos) refuse(fmt::format("'{}' is no key=value", word));
        std::string_view const spelled = word.substr(0, equals), key = unify(spelled);
        std::vector<std::string_view> known;
        for (auto const* keys : {&kind_->needed, &kind_->optional, &kind_->amounts})
            known.insert(known.end(), keys->begin(), keys->end());
        known.push_back(kTemperature);
        if (std::ranges::find(known, key) == known.end())
            refuse(fmt::format("emitter '{}' has no '{}'{}; it has {}", kind_->name, spelled, suggest(spelled, known),
                               fmt::join(known, ", ")));
        if (find(key)) refuse(fmt::format("'{}' is given twice", spelled));
        words_.push_back({key, word.substr(equals + 1)});
    }

    std::string_view const* find(std::string_view key) const
    {
        auto const word = std::ranges::find(words_, key, &Word::key);
        return word == words_.end() ? nullptr : &word->value;
    }

    [[noreturn]] void refuse_value(std::string_view key, std::string_view value, std::string_view expected) const
    {
        refuse(fmt::format("{}={} cannot be read as {}", key, value, expected));
    }

    /// The number that `text` starts with; `text` keeps the rest.
    static std::optional<double> take_number(std::string_view& text)
    {
        if (text.size() > 1 && text[0] == '+' && text[1] != '-' && text[1] != '+') text.remove_prefix(1);
        double number = 0;
        auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (error != std::errc{} || !std::isfinite(number)) return {};
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
        return number;
    }

    double read_number(std::string_view key, std::string_view value) const
    {
        std::string_view rest = value;
        auto const number = take_number(rest);
        if (!number || !rest.empty()) refuse_value(key, value, "a number");
        return *number;
    }

    double read_length_mm(std::string_view key, std::string_view value) const
    {
        std::string_view rest = value;
        auto const number = take_number(rest);
        if (number && (rest.empty() || rest == "mm")) return *number;
        if (number && rest == "um") return *number / 1000;
        if (number && rest == "nm") return *number / 1e6;
        if (number && rest == "cm") return *number * 10;
        if (number && rest == "m") return *number * 1000;
        refuse_value(key, value, "a length: a number of mm, or one with nm, um, mm, cm or m");
    }

    static std::vector<std::string_view> split(std::string_view value)
    {
        std::vector<std::string_view> pieces;
        for (;;) {
            auto const comma = value.find(',');
            pieces.push_back(value.substr(0, comma));
            if (comma == std::string_view::npos) return pieces;
            value.remove_prefix(comma + 1);
        }
    }

    Triple read_triple(std::string_view key, std::string_view value) const
    {
        auto const pieces = split(value);
        if (pieces.size() != 3) refuse_value(key, value, "three numbers x,y,z");
        return {read_number(key, pieces[0]), read_number(key, pieces[1]), read_number(key, pieces[2])};
    }

    Triple read_lengths_mm(std::string_view key, std::string_view value) const
    {
        auto const pieces = split(value);
        if (pieces.size() != 3) refuse_value(key, value, "three lengths x,y,z");
        return {read_length_mm(key, pieces[0]), read_length_mm(key, pieces[1]), read_length_mm(key, pieces[2])};
    }

    double read_kelvins(std::string_view value) const
    {
        std::string_view rest = value;
        auto const number = take_number(rest);
        if (!number || !(rest.empty() || rest == "K") || !(*number > 0)) refuse_value(kTemperature, value, "kelvins");
        return *number;
    }

    void read_amount(Emitter& emitter) const
    {
        emitter.amount.clear();
        for (AmountWord const& word : kAmounts) {
            auto const* value = find(word.key);
            if (!value) continue;
            if (!emitter.amount.empty())
                refuse(fmt::format("it has two amounts; give one of {}", fmt::join(kind_->amounts, ", ")));
            emitter.unit = word.unit;
            auto const pieces = split(*value);
            if (word.is_photometric && pieces.size() > 1)
                refuse(fmt::format("{} is one number, for all bands together; temperature=2700 gives it a colour",
                                   word.key));
            for (auto const piece : pieces) {
                double const amount = read_number(word.key, piece) * word.factor;
                if (!(amount >= 0 && amount <= 1e30)) refuse_value(word.key, *value, "amounts from 0 to 1e30");
                emitter.amount.push_back(static_cast<float>(amount));
            }
        }
        if (auto const* value = find(kTemperature)) emitter.temperature_k = read_kelvins(*value);
        if (emitter.amount.empty())
            refuse(fmt::format("'{}' needs its amount: {}", kind_->name, fmt::join(kind_->amounts, " or ")));
    }

    void set_kind(Emitter& emitter) const
    {
        std::string_view const name = kind_->name;
        if (name == "point") emitter.kind = EmitterKind::point;
        if (name == "spot") emitter.kind = EmitterKind::spot;
        if (name == "sun") emitter.kind = EmitterKind::sun;
        if (name == "sphere") emitter.kind = EmitterKind::sphere;
        if (name == "area") set_area_kind(emitter);
        if (name == "beam") set_beam_kind(emitter);
        if (name == "slit") {
            emitter.kind = EmitterKind::beam;
            emitter.profile = BeamProfile::slit;
        }
    }

    void set_area_kind(Emitter& emitter) const
    {
        bool const is_rectangle = find("u") && find("v") && !find("direction") && !find("radius");
        bool const is_disk = find("direction") && find("radius") && !find("u") && !find("v");
        if (!is_rectangle && !is_disk)
            refuse("an area has u and v, of a rectangle, or direction and radius, of a disk");
        emitter.kind = is_disk ? EmitterKind::disk : EmitterKind::rectangle;
    }

    void set_beam_kind(Emitter& emitter) const
    {
        emitter.kind = EmitterKind::beam;
        if (find("u") || find("v")) {
            if (!find("u") || !find("v") || find("radius") || find("profile"))
                refuse("a rectangular beam has u and v, a round one a radius");
            emitter.profile = BeamProfile::rectangle;
            return;
        }
        emitter.profile = BeamProfile::disc;
        if (auto const* profile = find("profile")) {
            if (*profile == "gaussian")
                emitter.profile = BeamProfile::gaussian;
            else if (*profile != "disc")
                refuse_value("profile", *profile, "disc or gaussian");
        }
        if (find("profile") && !find("radius")) refuse("a beam with a profile needs a radius");
        if (emitter.radius_mm == 0) emitter.profile = BeamProfile::pencil;
    }

    std::string_view text_;
    std::string const& where_;
    KindText const* kind_ = nullptr;
    std::vector<Word> words_;
};

std::string describe_triple(std::string_view key, Triple const& v)
{
    return fmt::format(" {}={},{},{}", key, v[0], v[1], v[2]);
}

std::string describe_shape(Emitter const& emitter)
{
    std::string const origin = describe_triple("origin", emitter.origin_world);
    std::string const direction = describe_triple("direction", emitter.direction_world);
    std::string const radius = fmt::format(" radius={}mm", emitter.radius_mm);
    switch (emitter.kind) {
    case EmitterKind::point:
        return "point" + origin;
    case EmitterKind::spot:
        return fmt::format("spot{}{} angle={} inner={}", origin, direction, emitter.angle_deg, emitter.inner_angle_deg);
    case EmitterKind::sun:
        return fmt::format("sun{} angle={}", direction, emitter.angle_deg);
    case EmitterKind::rectangle:
        return "area" + origin + describe_triple("u", emitter.u_axis_mm) + describe_triple("v", emitter.v_axis_mm);
    case EmitterKind::disk:
        return "area" + origin + direction + radius;
    case EmitterKind::sphere:
        return "sphere" + origin + radius;
    case EmitterKind::mesh:
        return fmt::format("mesh first={} triangles={}", emitter.first_triangle, emitter.triangle_count);
    case EmitterKind::beam:
        break;
    }
    if (emitter.profile == BeamProfile::slit)
        return "slit" + origin + direction + describe_triple("u", emitter.u_axis_mm);
    if (emitter.profile == BeamProfile::rectangle)
        return "beam" + origin + direction + describe_triple("u", emitter.u_axis_mm) +
               describe_triple("v", emitter.v_axis_mm);
    if (emitter.profile == BeamProfile::pencil) return "beam" + origin + direction;
    return fmt::format("beam{}{}{} profile={}", origin, direction, radius,
                       emitter.profile == BeamProfile::disc ? "disc" : "gaussian");
}

} // namespace

std::vector<std::string> list_emitter_kinds()
{
    std::vector<std::string> names;
    for (KindText const& kind : list_kinds()) names.emplace_back(kind.name);
    return names;
}

Emitter parse_emitter(std::string_view text, std::string const& where)
{
    return Reader(text, where).read();
}

bool is_photometric(std::string_view text)
{
    for (std::string_view word = take_word(text); !word.empty(); word = take_word(text)) {
        auto const found = std::ranges::find(kAmounts, word.substr(0, word.find('=')), &AmountWord::key);
        if (found != std::end(kAmounts) && found->is_photometric) return true;
    }
    return false;
}

std::string describe_emitter(Emitter const& emitter)
{
    std::string text =
        fmt::format("{} {}={}", describe_shape(emitter), to_word(emitter.unit), fmt::join(emitter.amount, ","));
    if (emitter.temperature_k != 0) text += fmt::format(" {}={}", kTemperature, emitter.temperature_k);
    return text;
}

} // namespace volpt
