#include "formats/mesh/three_mf/property_groups.h"

#include "formats/mesh/builder.h"
#include "formats/mesh/text_scanner.h"
#include "libvolpt/colour/srgb.h"
#include "libvolpt/sys/error.h"

#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace volpt {
namespace {

using LinearColour = std::array<double, 3>;

void add_colour(LinearColour& sum, std::uint32_t colour, double share)
{
    for (std::size_t i = 0; i < 3; ++i) sum[i] += share * decode_srgb((colour >> (16 - 8 * i) & 0xffu) / 255.0);
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
    else
        return false;
    return true;
}

void PropertyGroups::read_colours(pugi::xml_node node, PropertyGroup& group, std::string const& element,
                                  char const* attribute, std::string const& id)
{
    for (auto const child : node.children(element.c_str()))
        group.colours.push_back(words_.parse_colour(child.attribute(attribute), describe(id)));
}

/// Shares of base materials, made to add up to 1; those that are not there are 0. Mixed in linear light.
void PropertyGroups::read_mixtures(pugi::xml_node node, PropertyGroup& group, std::string const& id)
{
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
        group.colours.push_back(
            pack_colour(encode_srgb(sum[0] / total), encode_srgb(sum[1] / total), encode_srgb(sum[2] / total)));
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

} // namespace volpt
