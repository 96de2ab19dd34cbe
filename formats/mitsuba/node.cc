// Loads Mitsuba's XML with pugixml.
#include "formats/mitsuba/node.h"

#include "libvolpt/sys/error.h"
#include "libvolpt/sys/file_bytes.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <pugixml.hpp>
#include <span>

namespace volpt {
namespace {

/// Scenes written by hand or by exporters stay far below; the bounds keep bad files from costing time and stack.
constexpr std::uint64_t kMaxScene_bytes = std::uint64_t{64} << 20;
constexpr int kMaxDepth = 64;
constexpr int kMaxIncludes = 64;
constexpr std::size_t kMaxValueBytes = std::size_t{1} << 16;

/// sigmaT -> sigma_t, intIOR -> int_ior: the renaming that Mitsuba 2 made.
std::string to_snake_case(std::string_view name)
{
    std::string snake;
    for (std::size_t i = 0; i < name.size(); ++i) {
        auto const c = static_cast<unsigned char>(name[i]);
        if (std::isupper(c) && i > 0 && !std::isupper(static_cast<unsigned char>(name[i - 1])) && name[i - 1] != '_')
            snake += '_';
        snake += static_cast<char>(std::tolower(c));
    }
    return snake;
}

std::string read_text(std::filesystem::path const& path)
{
    FileBytes const file(path);
    if (file.size_bytes() > kMaxScene_bytes)
        fail_input(fmt::format("{} bytes are too many for a scene", file.size_bytes()), path.string(), {},
                   "give the scene's XML file");
    std::string text(static_cast<std::size_t>(file.size_bytes()), '\0');
    file.read_at(0, std::as_writable_bytes(std::span(text)));
    return text;
}

class Loader {
public:
    Loader(MitsubaTree& tree, std::map<std::string, std::string> definitions)
        : tree_(tree), values_(std::move(definitions)), fixed_(values_)
    {
    }

    void load(std::filesystem::path const& path, MitsubaNode& into, int depth)
    {
        if (++includes_ > kMaxIncludes)
            fail_input("more than 64 files are included", path.string(), "the scene includes itself",
                       "remove the circular include");
        std::string const text = read_text(path);
        pugi::xml_document document;
        auto const result = document.load_buffer(text.data(), text.size());
        if (!result)
            fail_input(fmt::format("is no XML: {}", result.description()),
                       fmt::format("{} at offset {}", path.string(), result.offset), {}, "correct it");
        auto const scene = document.child("scene");
        if (!scene) fail_input("has no <scene> element", path.string(), "it is no Mitsuba scene", "check the file");
        if (depth == 0) read_version(scene, path);
        add_children(scene, into, path, depth + 1);
    }

private:
    void read_version(pugi::xml_node scene, std::filesystem::path const& path)
    {
        std::string const version = scene.attribute("version").value();
        if (version.empty())
            tree_.notices.push_back(fmt::format("{}: <scene> names no version; 3 is assumed", path.string()));
        tree_.is_legacy = version.starts_with("0.");
        tree_.root->where = path.string();
        tree_.root->tag = "scene";
    }

    std::string substitute(std::string_view text, std::string const& where) const
    {
        std::string out;
        for (std::size_t i = 0; i < text.size();) {
            if (text[i] != '$') {
                out += text[i++];
                continue;
            }
            bool const braces = i + 1 < text.size() && text[i + 1] == '{';
            std::size_t const first = i + (braces ? 2 : 1);
            std::size_t last = first;
            while (last < text.size() && (std::isalnum(static_cast<unsigned char>(text[last])) || text[last] == '_'))
                ++last;
            std::string const name(text.substr(first, last - first));
            auto const value = values_.find(name);
            if (value == values_.end())
                fail_input(fmt::format("the parameter ${} has no value", name), where,
                           "neither <default> nor -D names it", fmt::format("give -D {}=VALUE", name));
            out += value->second;
            i = last + (braces ? 1 : 0);
            if (out.size() > kMaxValueBytes) fail_input("a value is longer than 64 KiB", where);
        }
        return out;
    }

    void add_children(pugi::xml_node from, MitsubaNode& into, std::filesystem::path const& path, int depth)
    {
        for (auto const xml : from.children()) {
            if (xml.type() != pugi::node_element) continue;
            std::string const where = fmt::format("{} at offset {}", path.string(), xml.offset_debug());
            if (depth > kMaxDepth) fail_input("elements are nested more than 64 deep", where);
            std::string const tag = to_snake_case(xml.name());
            if (tag == "default") {
                std::string const name = xml.attribute("name").value();
                if (!fixed_.contains(name)) values_[name] = substitute(xml.attribute("value").value(), where);
            } else if (tag == "include") {
                include(substitute(xml.attribute("filename").value(), where), into, path, depth);
            } else if (tag == "path") {
                tree_.folders.push_back(tree_.path.parent_path() / substitute(xml.attribute("value").value(), where));
            } else if (tag == "alias") {
                aliases_.emplace_back(xml.attribute("id").value(), xml.attribute("as").value());
            } else {
                add_element(xml, tag, where, into, path, depth);
            }
        }
    }

    void include(std::string const& name, MitsubaNode& into, std::filesystem::path const& path, int depth)
    {
        auto found = tree_.find_file(name);
        std::error_code ignored;
        if (!std::filesystem::exists(found, ignored)) found = path.parent_path() / name;
        load(found, into, depth);
    }

    void add_element(pugi::xml_node xml, std::string const& tag, std::string const& where, MitsubaNode& into,
                     std::filesystem::path const& path, int depth)
    {
        auto node = std::make_unique<MitsubaNode>();
        node->tag = tag;
        node->where = where;
        for (auto const attribute : xml.attributes()) {
            std::string const key = to_snake_case(attribute.name());
            std::string value = substitute(attribute.value(), where);
            if (key == "type")
                node->type = std::move(value);
            else if (key == "name")
                node->name = to_snake_case(value);
            else if (key == "id")
                node->id = std::move(value);
            else
                node->attributes[key] = std::move(value);
        }
        add_children(xml, *node, path, depth + 1);
        if (!node->id.empty() && tag != "ref") tree_.by_id[node->id] = node.get();
        for (auto const& [id, as] : aliases_)
            if (tree_.by_id.contains(id)) tree_.by_id[as] = tree_.by_id[id];
        aliases_.clear();
        into.children.push_back(std::move(node));
    }

    MitsubaTree& tree_;
    std::map<std::string, std::string> values_;
    std::map<std::string, std::string> const fixed_;
    std::vector<std::pair<std::string, std::string>> aliases_;
    int includes_ = 0;
};

} // namespace

MitsubaNode const* MitsubaNode::find(std::string_view wanted) const
{
    for (auto const& child : children) {
        if (child->name != wanted) continue;
        child->is_used = true;
        return child.get();
    }
    return nullptr;
}

std::string MitsubaNode::describe() const
{
    std::string text = tag;
    if (!type.empty()) text += " " + type;
    if (!id.empty()) text += " '" + id + "'";
    return text;
}

void MitsubaNode::mark_all_used() const
{
    is_used = true;
    for (auto const& child : children) child->mark_all_used();
}

MitsubaNode const& MitsubaTree::resolve(MitsubaNode const& node) const
{
    node.is_used = true;
    if (node.tag != "ref") return node;
    auto const found = by_id.find(node.id);
    if (found == by_id.end())
        fail_input(fmt::format("refers to '{}', which is not there", node.id), node.where, {}, "correct the id");
    found->second->is_used = true;
    return *found->second;
}

std::filesystem::path MitsubaTree::find_file(std::string const& name) const
{
    std::error_code ignored;
    for (auto const& folder : folders)
        if (std::filesystem::exists(folder / name, ignored)) return folder / name;
    return path.parent_path() / name;
}

MitsubaTree load_mitsuba_tree(std::filesystem::path const& path, std::map<std::string, std::string> definitions)
{
    MitsubaTree tree;
    tree.path = path;
    tree.folders = {path.parent_path()};
    tree.root = std::make_unique<MitsubaNode>();
    Loader(tree, std::move(definitions)).load(path, *tree.root, 0);
    return tree;
}

} // namespace volpt
