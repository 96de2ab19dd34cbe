// One model part of a 3MF file.
#pragma once

#include "formats/mesh/three_mf/property_groups.h"

#include <cstddef>
#include <fmt/format.h>
#include <set>
#include <span>

namespace volpt {

/// Text of a file as messages show it.
inline std::string_view cut_text(char const* text, std::size_t most = 40)
{
    return std::string_view(text).substr(0, most);
}

/// Changes `xml`, which has to stay as long as the document. Error (input) at `where` if it is no XML.
pugi::xml_node parse_model_xml(pugi::xml_document& document, std::span<std::byte> xml, std::string const& where);

struct ModelPart;

struct ModelObject {
    pugi::xml_node node;
    ModelPart* part = nullptr;
    std::uint64_t parts = 1; ///< triangles and objects in it, so that many empty ones count too
    int depth = 0;           ///< of components inside each other
    bool is_part_of_print = true;
};

/// A model in XML, with the resources that it defines.
struct ModelPart {
    ModelPart(std::string name_in, std::vector<std::byte> xml_in, std::string where_in)
        : name(std::move(name_in)), where(std::move(where_in)), xml(std::move(xml_in)),
          model(parse_model_xml(document, xml, where)), words(model, where), groups(words, where),
          unit_mm(words.find_unit_mm(model))
    {
        words.check_required(model);
    }
    ModelPart(ModelPart const&) = delete; // members point to each other
    ModelPart& operator=(ModelPart const&) = delete;

    std::string describe(pugi::xml_node object) const
    {
        return fmt::format("{}: object {}", where, cut_text(object.attribute("id").value()));
    }

    std::string name, where;
    std::vector<std::byte> xml;
    pugi::xml_document document;
    pugi::xml_node model;
    ModelVocabulary words;
    PropertyGroups groups;
    double unit_mm;
    std::map<std::string, ModelObject, std::less<>> objects;
    std::set<std::string> ids;
    // Ranges of children keep a pointer to the name.
    std::string item = words.core("item");
    std::string component = words.core("component");
    std::string vertex = words.core("vertex");
    std::string triangle = words.core("triangle");
};

} // namespace volpt
