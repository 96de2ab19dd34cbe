// What triangles of a 3MF model part take their colours from: groups of colours, of mixtures, of points on a picture.
#pragma once

#include "formats/mesh/three_mf/vocabulary.h"
#include "libvolpt/surface/triangle_mesh.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace volpt {

struct ModelTexture {
    std::string path;                            ///< of the part that has the picture, as the file has it
    std::array<bool, 2> is_repeated{true, true}; ///< along u and v, beyond 0..1
};

struct PropertyGroup {
    std::vector<std::uint32_t> colours;          ///< 0xRRGGBB; of a picture empty
    std::vector<std::uint8_t> opacities;         ///< of the colours, 255: opaque; empty: all are
    std::vector<TextureCoordinates> coordinates; ///< of `texture`
    std::optional<ModelTexture> texture;
    bool is_on_colours = false; ///< the picture lies on layers of multiproperties, which would be seen through it
    bool is_material = false;   ///< what the body is of, below all other layers of multiproperties
    std::string unsupported;    ///< its name, if it is of another kind

    std::size_t size() const { return texture ? coordinates.size() : colours.size(); }
    /// Of a colour, 0 to 1.
    double find_opacity(std::size_t index) const { return opacities.empty() ? 1 : opacities[index] / 255.0; }
};

class PropertyGroups {
public:
    /// `words` and `where` have to outlive this object.
    PropertyGroups(ModelVocabulary& words, std::string const& where) : words_(words), where_(where) {}

    /// Whether `node` is a group or a texture, which is read. Error (input) if it is wrong or names others that do not
    /// stand before it.
    bool read(pugi::xml_node node, std::string const& id);
    /// Of a resource that is no group: told where a triangle names it.
    void add_unsupported(std::string const& id, std::string name) { groups_[id].unsupported = std::move(name); }

    PropertyGroup const* find(std::string_view id) const;

private:
    void read_colours(pugi::xml_node node, PropertyGroup& group, std::string const& element, char const* attribute,
                      std::string const& id);
    void read_mixtures(pugi::xml_node node, PropertyGroup& group, std::string const& id);
    void read_coordinates(pugi::xml_node node, PropertyGroup& group, std::string const& id);
    void read_texture(pugi::xml_node node, std::string const& id);
    PropertyGroup read_layers(pugi::xml_node node, std::string const& id) const;
    std::string describe(std::string const& id) const;

    ModelVocabulary& words_;
    std::string const& where_;
    std::map<std::string, PropertyGroup, std::less<>> groups_;
    std::map<std::string, ModelTexture, std::less<>> textures_;
};

/// A whole number from 0 on.
std::optional<std::size_t> parse_model_index(std::string_view text);

} // namespace volpt
