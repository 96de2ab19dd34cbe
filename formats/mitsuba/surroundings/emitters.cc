#include "formats/mitsuba/surroundings/emitters.h"

#include "libvolpt/sys/error.h"
#include "libvolpt/volume/emitters/check_emitter.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace volpt {
namespace {

void read_position(MitsubaNode const& node, Emitter& emitter)
{
    Matrix4 const to_world = read_to_world(node);
    emitter.origin_world = transform_point(to_world, read_point(node, "position", {0, 0, 0}));
}

/// Mitsuba's lights look along +z.
void read_direction(MitsubaNode const& node, Emitter& emitter)
{
    emitter.direction_world = transform_vector(read_to_world(node), read_point(node, "direction", {0, 0, 1}));
}

void read_cone(MitsubaNode const& node, Emitter& emitter, std::vector<std::string>& notices)
{
    emitter.angle_deg = read_number(node, "cutoff_angle", 20);
    emitter.inner_angle_deg = read_number(node, "beam_width", 0.75 * emitter.angle_deg);
    if (emitter.inner_angle_deg < emitter.angle_deg)
        notices.push_back(fmt::format("the {} fades smoothly in the cosine from its beam_width to its cutoff_angle, "
                                      "where Mitsuba's fades linearly in the angle",
                                      node.describe()));
}

/// False for a type that is not known.
bool read_emitter(MitsubaNode const& node, Emitter& emitter, std::vector<std::string>& notices)
{
    if (node.type == "point") {
        emitter.kind = EmitterKind::point;
        emitter.unit = EmitterUnit::intensity;
        read_position(node, emitter);
    } else if (node.type == "spot") {
        emitter.kind = EmitterKind::spot;
        emitter.unit = EmitterUnit::intensity;
        read_position(node, emitter);
        read_direction(node, emitter);
        read_cone(node, emitter, notices);
    } else if (node.type == "directional") {
        emitter.kind = EmitterKind::sun;
        emitter.unit = EmitterUnit::irradiance;
        read_direction(node, emitter);
    } else if (node.type == "collimated") {
        emitter.kind = EmitterKind::beam;
        emitter.unit = EmitterUnit::power;
        read_position(node, emitter);
        read_direction(node, emitter);
    } else {
        return false;
    }
    return true;
}

} // namespace

std::vector<float> read_mitsuba_light(MitsubaNode const& emitter, std::string_view name)
{
    auto const* node = emitter.find(name);
    if (node == nullptr) return {1.0f};
    std::vector<float> amount;
    for (double const value : parse_colour(*node)) {
        if (!(value >= 0 && value <= 1e9))
            fail_input(fmt::format("{} is {}", name, value), node->where, "it lies between 0 and 1e9", "correct it");
        amount.push_back(static_cast<float>(value));
    }
    return amount;
}

bool sends_light(MitsubaNode const& emitter, std::span<float const> amount, std::vector<std::string>& notices)
{
    if (std::ranges::any_of(amount, [](float value) { return value > 0; })) return true;
    notices.push_back(fmt::format("the {} sends out nothing and is left out", emitter.describe()));
    return false;
}

std::vector<Emitter> read_mitsuba_emitters(MitsubaTree const& tree, std::vector<std::string>& notices)
{
    std::vector<Emitter> emitters;
    for (auto const& child : tree.root->children) {
        if (child->tag != "emitter") continue;
        Emitter emitter;
        if (!read_emitter(*child, emitter, notices)) continue;
        child->is_used = true;
        emitter.amount = read_mitsuba_light(*child, to_word(emitter.unit));
        if (!sends_light(*child, emitter.amount, notices)) continue;
        if (std::string const problem = find_emitter_problem(emitter); !problem.empty())
            fail_input(fmt::format("the {}: {}", child->describe(), problem), child->where,
                       "no light can start from it", "correct it");
        emitters.push_back(std::move(emitter));
    }
    return emitters;
}

} // namespace volpt
