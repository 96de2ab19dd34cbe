// The words of a 3MF model: names with their prefixes, units, transforms, colours, and which extensions it requires.
#pragma once

#include "formats/mesh/polygon.h"

#include <map>
#include <optional>
#include <pugixml.hpp>
#include <string>
#include <string_view>

namespace volpt {

/// Rows of a matrix of 4 x 3 that acts on row vectors, as the attribute has them.
struct ModelTransform {
    std::array<double, 12> m{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};

    Point3 apply(Point3 const& p) const;
    double determinant() const;
};
/// First `inner`, then `outer`.
ModelTransform operator*(ModelTransform const& outer, ModelTransform const& inner);

class ModelVocabulary {
public:
    /// Error (input) unless `model` is the root of a 3MF model. Prefixes are those that it declares.
    ModelVocabulary(pugi::xml_node model, std::string const& where);

    /// The name of an element of the core specification as this file spells it.
    std::string core(char const* name) const { return core_ + name; }
    /// The prefix of the materials extension with its colon; empty if the file does not use it.
    std::string const& material() const noexcept { return material_; }

    double find_unit_mm(pugi::xml_node model) const;
    /// Error (input) if the file requires an extension that is not supported.
    void check_required(pugi::xml_node model);
    /// Another part of the package of which a component or item names an object (production extension), if it does.
    std::optional<std::string> find_path(pugi::xml_node reference) const;
    /// Error (input) if the materials extension, to which `element` belongs, is required.
    void refuse_if_materials_required(std::string const& element, std::string const& where) const;

    /// Absent: identity.
    ModelTransform parse_transform(pugi::xml_attribute attribute, std::string const& where) const;
    /// "#RRGGBB" or "#RRGGBBAA" to 0xRRGGBB.
    static std::uint32_t parse_colour(pugi::xml_attribute attribute, std::string const& where);
    /// The last two digits of such a colour, 255 if it has none.
    static std::uint8_t parse_opacity(pugi::xml_attribute attribute);

private:
    std::string const& where_;
    std::map<std::string, std::string, std::less<>> namespaces_; ///< by prefix
    std::string core_, material_;
    bool requires_materials_ = false;
};

} // namespace volpt
