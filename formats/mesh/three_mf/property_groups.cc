#include "formats/mesh/three_mf/property_groups.h"

#include "formats/mesh/builder.h"
#include "formats/mesh/text_scanner.h"
#include "libvolpt/colour/srgb.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <span>

namespace volpt {
namespace {

using LinearColour = std::array<double, 3>;

void add_colour(LinearColour& sum, std::uint32_t colour, double share)
{
    for (std::size_t i = 0; i < 3; ++i) sum[i] += share * decode_srgb((colour >> (16 - 8 * i) & 0xffu) / 255.0);
}

std::uint32_t encode_colour(LinearColour const& colour)
{
    return pack_colour(encode_srgb(colour[0]), encode_srgb(colour[1]), encode_srgb(colour[2]));
}

constexpr std::size_t kMostLayers = 32; // one material, one group of colours, and pictures

enum class Blending { mix, multiply };

/// A group of multiproperties, and how it is blended with those below it.
struct Layer {
    PropertyGroup const* group;
    Blending blending;

    /// Nothing below it is seen.
    bool hides() const { return blending == Blending::mix && !group->texture && is_opaque(); }
    /// What lies below it, together with it, is less opaque.
    bool thins() const { return blending == Blending::multiply && !is_opaque(); }

private:
    bool is_opaque() const
    {
        return std::ranges::all_of(group->opacities, [](std::uint8_t opacity) { return opacity == 255; });
    }
};

/// In linear light, the first layer opaque. What lies on a material starts anew, and is laid on it by the opacity that
/// it has together (3MF Materials and Properties Extension 1.2.1, chapter 5).
std::uint32_t blend_layers(std::span<Layer const> layers, std::span<std::size_t const> indices)
{
    bool const has_material = layers[0].group->is_material && layers.size() > 1;
    std::size_t const first = has_material ? 1 : 0;
    LinearColour sum{};
    add_colour(sum, layers[first].group->colours[indices[first]], 1);
    double opacity =
        has_material && layers[first].blending == Blending::mix ? layers[first].group->find_opacity(indices[first]) : 1;
    for (std::size_t i = first + 1; i < layers.size(); ++i) {
        LinearColour upper{};
        add_colour(upper, layers[i].group->colours[indices[i]], 1);
        double const share = layers[i].group->find_opacity(indices[i]);
        bool const mixes = layers[i].blending == Blending::mix;
        for (std::size_t band = 0; band < 3; ++band)
            sum[band] = mixes ? upper[band] * share + sum[band] * (1 - share) : upper[band] * sum[band];
        opacity = mixes ? share + opacity * (1 - share) : share * opacity;
    }
    if (!has_material) return encode_colour(sum);
    LinearColour result{};
    add_colour(result, layers[0].group->colours[indices[0]], 1 - opacity);
    for (std::size_t band = 0; band < 3; ++band) result[band] += opacity * sum[band];
    return encode_colour(result);
}

/// Of a point by layer; those that are left out are 0.
std::vector<std::size_t> read_layer_indices(pugi::xml_node point, std::span<Layer const> layers,
                                            std::string const& where)
{
    std::vector<std::size_t> indices;
    TextScanner words(point.attribute("pindices").value());
    for (Layer const& layer : layers) {
        std::string_view const word = words.next();
        auto const index = word.empty() ? 0 : parse_model_index(word);
        if (!index || *index >= layer.group->size())
            fail_input(
                fmt::format("'{}' in pindices is none of the {} of its layer", word.substr(0, 40), layer.group->size()),
                where, {}, "get a complete copy");
        indices.push_back(*index);
    }
    return indices;
}

} // namespace

std::optional<std::size_t> parse_model_index(std::string_view text)
{
    std::uint32_t index = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return index;
}

std::string PropertyGroups::describe(std::string const& id) const
{
    return fmt::format("{}: group {}", where_, id.substr(0, 40));
}

PropertyGroup const* PropertyGroups::find(std::string_view id) const
{
    auto const found = groups_.find(id);
    return found == groups_.end() ? nullptr : &found->second;
}

bool PropertyGroups::read(pugi::xml_node node, std::string const& id)
{
    std::string_view const name = node.name();
    if (name == words_.core("basematerials")) {
        read_colours(node, groups_[id], words_.core("base"), "displaycolor", id);
        groups_[id].is_material = true;
        return true;
    }
    std::string const& prefix = words_.material();
    if (prefix.empty() || !name.starts_with(prefix)) return false;
    std::string_view const kind = name.substr(prefix.size());
    if (kind == "colorgroup")
        read_colours(node, groups_[id], prefix + "color", "color", id);
    else if (kind == "compositematerials")
        read_mixtures(node, groups_[id], id);
    else if (kind == "texture2dgroup")
        read_coordinates(node, groups_[id], id);
    else if (kind == "texture2d")
        read_texture(node, id);
    else if (kind == "multiproperties")
        groups_.insert_or_assign(id, read_layers(node, id));
    else
        return false;
    return true;
}

void PropertyGroups::read_colours(pugi::xml_node node, PropertyGroup& group, std::string const& element,
                                  char const* attribute, std::string const& id)
{
    for (auto const child : node.children(element.c_str())) {
        group.colours.push_back(words_.parse_colour(child.attribute(attribute), describe(id)));
        group.opacities.push_back(words_.parse_opacity(child.attribute(attribute)));
    }
}

/// Shares of base materials, made to add up to 1; those that are not there are 0. Mixed in linear light.
void PropertyGroups::read_mixtures(pugi::xml_node node, PropertyGroup& group, std::string const& id)
{
    group.is_material = true;
    PropertyGroup const* const base = find(node.attribute("matid").value());
    if (base == nullptr || base == &group || base->colours.empty())
        fail_input(fmt::format("matid = '{}' names no materials before it",
                               std::string_view(node.attribute("matid").value()).substr(0, 40)),
                   describe(id), "their colours are mixed", "get a complete copy");
    std::vector<std::uint32_t> colours;
    TextScanner indices(node.attribute("matindices").value());
    for (auto word = indices.next(); !word.empty(); word = indices.next()) {
        auto const index = parse_model_index(word);
        if (!index || *index >= base->colours.size())
            fail_input(
                fmt::format("material '{}' is none of the {} that it mixes", word.substr(0, 40), base->colours.size()),
                describe(id), {}, "get a complete copy");
        colours.push_back(base->colours[*index]);
    }
    std::string const element = words_.material() + "composite";
    for (auto const child : node.children(element.c_str())) {
        TextScanner shares(child.attribute("values").value());
        LinearColour sum{};
        double total = 0;
        for (std::uint32_t const colour : colours) {
            std::string_view const word = shares.next();
            if (word.empty()) break;
            auto const share = parse_mesh_number(word);
            if (!share || !(*share >= 0 && *share < 1e30))
                fail_input(fmt::format("share '{}' of a mixture is no number from 0 on", word.substr(0, 40)),
                           describe(id), {}, "correct the file");
            add_colour(sum, colour, *share);
            total += *share;
        }
        if (!(total > 0))
            fail_input("a mixture has no shares", describe(id), "they say which colour it has", "correct the file");
        for (double& band : sum) band /= total;
        group.colours.push_back(encode_colour(sum));
    }
}

void PropertyGroups::read_coordinates(pugi::xml_node node, PropertyGroup& group, std::string const& id)
{
    auto const texture = textures_.find(std::string_view(node.attribute("texid").value()));
    if (texture == textures_.end())
        fail_input(fmt::format("texid = '{}' names no picture before it",
                               std::string_view(node.attribute("texid").value()).substr(0, 40)),
                   describe(id), "it has the colours", "get a complete copy");
    group.texture = texture->second;
    std::string const element = words_.material() + "tex2coord";
    for (auto const child : node.children(element.c_str())) {
        auto const u = parse_mesh_number(child.attribute("u").value());
        auto const v = parse_mesh_number(child.attribute("v").value());
        if (!u || !v)
            fail_input(fmt::format("u = '{}', v = '{}' of point {} are no numbers",
                                   std::string_view(child.attribute("u").value()).substr(0, 40),
                                   std::string_view(child.attribute("v").value()).substr(0, 40),
                                   group.coordinates.size()),
                       describe(id), {}, "get a complete copy");
        group.coordinates.push_back({static_cast<float>(*u), static_cast<float>(*v)});
    }
}

void PropertyGroups::read_texture(pugi::xml_node node, std::string const& id)
{
    ModelTexture texture;
    texture.path = node.attribute("path").value();
    if (texture.path.empty())
        fail_input("a picture has no path", fmt::format("{}: texture {}", where_, id.substr(0, 40)),
                   "it names the part of the file", "correct the file");
    auto const is_repeated = [&](char const* name) {
        return std::string_view(node.attribute(name).as_string("wrap")) == "wrap";
    };
    texture.is_repeated = {is_repeated("tilestyleu"), is_repeated("tilestylev")};
    textures_.emplace(id, std::move(texture));
}

/// Colours, or the points of the one picture that lies on top; unsupported if a picture is blended with others.
PropertyGroup PropertyGroups::read_layers(pugi::xml_node node, std::string const& id) const
{
    PropertyGroup result;
    std::vector<Layer> layers;
    TextScanner ids(node.attribute("pids").value()), methods(node.attribute("blendmethods").value());
    for (auto word = ids.next(); !word.empty(); word = ids.next()) {
        PropertyGroup const* const group = find(word);
        if (group == nullptr)
            fail_input(fmt::format("'{}' in pids names no group before it", word.substr(0, 40)), describe(id),
                       "it is one of the layers", "get a complete copy");
        if (!group->unsupported.empty()) return *group;
        std::string_view const method = layers.empty() ? "mix" : methods.next();
        if (!method.empty() && method != "mix" && method != "multiply")
            fail_input(fmt::format("blendmethods has '{}'", method.substr(0, 40)), describe(id),
                       "it says how layers are blended", "mix and multiply are known");
        layers.push_back({group, method == "multiply" ? Blending::multiply : Blending::mix});
    }
    if (layers.size() > kMostLayers)
        fail_input(fmt::format("it has {} layers", layers.size()), describe(id), {},
                   fmt::format("up to {} are read", kMostLayers));
    if (layers.empty()) fail_input("there are no pids", describe(id), "they name the layers", "get a complete copy");
    std::size_t lowest = layers.size() - 1; // that is seen
    // Opacities are multiplied, too: under a thin layer even what an opaque one hides is seen again.
    bool thins = false;
    while (lowest > 0 && (thins || !layers[lowest].hides())) thins = layers[lowest--].thins() || thins;
    std::span<Layer const> const seen = std::span(layers).subspan(lowest);
    auto const pictures =
        std::ranges::count_if(seen, [](Layer const& layer) { return layer.group->texture.has_value(); });
    // What is multiplied with a material alone begins anew.
    bool const begins = seen.size() == 2 && seen[0].group->is_material;
    bool const is_picture_on_top = seen.back().group->texture && (seen.back().blending == Blending::mix || begins);
    if (pictures > 1 || (pictures == 1 && !is_picture_on_top)) {
        result.unsupported = node.name();
        return result;
    }

    result.texture = seen.back().group->texture;
    result.is_on_colours = result.texture && seen.size() > 1;
    std::string const element = words_.material() + "multi";
    for (auto const child : node.children(element.c_str())) {
        std::vector<std::size_t> const indices = read_layer_indices(child, layers, describe(id));
        if (result.texture)
            result.coordinates.push_back(seen.back().group->coordinates[indices.back()]);
        else
            result.colours.push_back(blend_layers(seen, std::span(indices).subspan(lowest)));
    }
    return result;
}

} // namespace volpt
