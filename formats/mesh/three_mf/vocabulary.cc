#include "formats/mesh/three_mf/vocabulary.h"

#include "formats/mesh/text_scanner.h"
#include "libvolpt/sys/error.h"

#include <cmath>
#include <fmt/format.h>

namespace volpt {
namespace {

constexpr std::string_view kCoreNamespace = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02";
constexpr std::string_view kMaterialNamespace = "http://schemas.microsoft.com/3dmanufacturing/material/2015/02";
constexpr std::string_view kProductionNamespace = "http://schemas.microsoft.com/3dmanufacturing/production/2015/06";
constexpr std::string_view kTriangleSetNamespace = "http://schemas.microsoft.com/3dmanufacturing/trianglesets/2021/07";

} // namespace

Point3 ModelTransform::apply(Point3 const& p) const
{
    Point3 result{};
    for (std::size_t i = 0; i < 3; ++i) result[i] = p[0] * m[i] + p[1] * m[3 + i] + p[2] * m[6 + i] + m[9 + i];
    return result;
}

double ModelTransform::determinant() const
{
    return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) + m[2] * (m[3] * m[7] - m[4] * m[6]);
}

ModelTransform operator*(ModelTransform const& outer, ModelTransform const& inner)
{
    ModelTransform product;
    for (std::size_t row = 0; row < 4; ++row)
        for (std::size_t column = 0; column < 3; ++column) {
            double sum = row == 3 ? outer.m[9 + column] : 0;
            for (std::size_t k = 0; k < 3; ++k) sum += inner.m[3 * row + k] * outer.m[3 * k + column];
            product.m[3 * row + column] = sum;
        }
    return product;
}

ModelVocabulary::ModelVocabulary(pugi::xml_node model, std::string const& where) : where_(where)
{
    for (auto const attribute : model.attributes()) {
        std::string_view const name = attribute.name();
        if (name == "xmlns") namespaces_[""] = attribute.value();
        if (name.starts_with("xmlns:")) namespaces_[std::string(name.substr(6))] = attribute.value();
    }
    for (auto const& [prefix, uri] : namespaces_) {
        std::string const spelled = prefix.empty() ? "" : prefix + ":";
        if (uri == kCoreNamespace) core_ = spelled;
        if (uri == kMaterialNamespace) material_ = spelled;
    }
    std::string_view const name = model.name();
    std::size_t const colon = name.find(':');
    auto const found = namespaces_.find(colon == name.npos ? std::string_view() : name.substr(0, colon));
    bool const is_model = found != namespaces_.end() && found->second == kCoreNamespace &&
                          name.substr(colon == name.npos ? 0 : colon + 1) == "model";
    if (!is_model)
        fail_input(fmt::format("is no 3MF model: its root is <{}>", name.substr(0, 80)), where,
                   "<model> in the namespace of the core specification of 2015 is expected", "export it again");
    core_ = colon == name.npos ? "" : std::string(name.substr(0, colon + 1));
}

double ModelVocabulary::find_unit_mm(pugi::xml_node model) const
{
    std::string_view const unit = model.attribute("unit").as_string("millimeter");
    constexpr std::array<std::pair<std::string_view, double>, 6> kUnits{
        {{"micron", 1e-3}, {"millimeter", 1}, {"centimeter", 10}, {"inch", 25.4}, {"foot", 304.8}, {"meter", 1000}}};
    for (auto const& [name, mm] : kUnits)
        if (unit == name) return mm;
    fail_input(fmt::format("unit = '{}'", unit.substr(0, 40)), where_,
               "micron, millimeter, centimeter, inch, foot or meter is expected", "correct the file");
}

void ModelVocabulary::check_required(pugi::xml_node model)
{
    TextScanner words(model.attribute("requiredextensions").value());
    for (auto prefix = words.next(); !prefix.empty(); prefix = words.next()) {
        auto const found = namespaces_.find(prefix);
        std::string const uri = found == namespaces_.end() ? "" : found->second;
        requires_materials_ = requires_materials_ || uri == kMaterialNamespace;
        bool const is_known = uri == kMaterialNamespace || uri == kProductionNamespace || uri == kTriangleSetNamespace;
        if (!is_known)
            fail_input(fmt::format("requires the extension {} ({})", prefix.substr(0, 40),
                                   uri.empty() ? "not declared" : uri.substr(0, 200)),
                       where_, "it is not supported", "export without it");
    }
}

std::optional<std::string> ModelVocabulary::find_path(pugi::xml_node reference) const
{
    for (auto const& [prefix, uri] : namespaces_) {
        if (uri != kProductionNamespace) continue;
        if (auto const path = reference.attribute((prefix + ":path").c_str())) return path.value();
    }
    return std::nullopt;
}

void ModelVocabulary::refuse_if_materials_required(std::string const& element, std::string const& where) const
{
    if (requires_materials_)
        fail_input(
            fmt::format("its colours are of <{}>, and the file requires them", element.substr(0, 80)), where,
            "<basematerials>, <colorgroup>, <compositematerials>, <texture2dgroup>, and <multiproperties> with at "
            "most one picture, on top, are supported",
            "export it with colours of these kinds");
}

ModelTransform ModelVocabulary::parse_transform(pugi::xml_attribute attribute, std::string const& where) const
{
    ModelTransform transform;
    if (!attribute) return transform;
    TextScanner words(attribute.value());
    for (double& element : transform.m) {
        auto const number = parse_mesh_number(words.next());
        if (!number || !(std::abs(*number) < 1e30))
            fail_input(fmt::format("transform = '{}'", std::string_view(attribute.value()).substr(0, 100)), where,
                       "twelve numbers are expected", "correct the file");
        element = *number;
    }
    return transform;
}

std::uint32_t ModelVocabulary::parse_colour(pugi::xml_attribute attribute, std::string const& where)
{
    std::string_view const text = attribute.value();
    std::uint32_t value = 0;
    bool is_colour = (text.size() == 7 || text.size() == 9) && text[0] == '#';
    if (is_colour) {
        auto const [end, error] = std::from_chars(text.data() + 1, text.data() + text.size(), value, 16);
        is_colour = error == std::errc{} && end == text.data() + text.size();
    }
    if (!is_colour)
        fail_input(fmt::format("'{}' is no colour", text.substr(0, 40)), where, "#RRGGBB or #RRGGBBAA is expected",
                   "correct the file");
    if (text.size() == 7) return value;
    return value >> 8;
}

std::uint8_t ModelVocabulary::parse_opacity(pugi::xml_attribute attribute)
{
    std::string_view const text = attribute.value();
    std::uint8_t opacity = 255;
    if (text.size() == 9) std::from_chars(text.data() + 7, text.data() + 9, opacity, 16);
    return opacity;
}

} // namespace volpt
