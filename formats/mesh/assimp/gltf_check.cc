// What assimp 5.2.5 does not check of glTF: it ignores extensions that it does not know, reads coordinates that are not
// of type float wrongly, and drops triangles whose indices are out of range.
#include "formats/mesh/assimp/gltf_check.h"

#include "libvolpt/sys/error.h"
#include "libvolpt/sys/file_bytes.h"
#include "libvolpt/sys/json.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace volpt {
namespace {

using GltfJson = nlohmann::ordered_json;

struct GlbHead {
    std::array<char, 4> magic;
    std::uint32_t version;
    std::uint32_t size_bytes;
    std::uint32_t json_bytes;
    std::array<char, 4> json_kind;
};

std::string read_gltf_text(FileBytes const& file, std::string const& where, bool& is_binary)
{
    GlbHead head{};
    is_binary = false;
    std::uint64_t first = 0, size = file.size_bytes();
    if (file.size_bytes() >= sizeof head) {
        file.read_at(0, std::as_writable_bytes(std::span(&head, 1)));
        is_binary = std::string_view(head.magic.data(), 4) == "glTF";
    }
    if (is_binary) {
        first = sizeof head;
        size = head.json_bytes;
        if (head.version != 2)
            fail_input(fmt::format("is glTF of version {}", head.version), where, "version 2 is read", "convert it");
        if (head.size_bytes > file.size_bytes() || size > file.size_bytes() - first)
            fail_input(fmt::format("{} bytes are announced, the file has {}", head.size_bytes, file.size_bytes()),
                       where, {}, "get a complete copy");
        if (std::string_view(head.json_kind.data(), 4) != "JSON")
            fail_input("its first chunk is no JSON", where, {}, "get a complete copy");
    }
    std::string text(size, '\0');
    file.read_at(first, std::as_writable_bytes(std::span(text)));
    return text;
}

class GltfCheck {
public:
    GltfCheck(GltfJson const& json, std::string const& where) : json_(json), where_(where) {}

    void check_asset() const
    {
        std::string const version = json_.at("asset").at("version").get<std::string>();
        if (!version.starts_with("2."))
            fail_input(fmt::format("is glTF of version {}", version.substr(0, 20)), where_, "version 2 is read",
                       "convert it");
        if (!json_.contains("extensionsRequired")) return;
        for (auto const& item : json_.at("extensionsRequired")) {
            auto const name = item.get<std::string>();
            bool const is_harmless = name.starts_with("KHR_materials_") || name.starts_with("KHR_lights_") ||
                                     name.starts_with("KHR_texture_basisu") || name.starts_with("EXT_texture_");
            if (!is_harmless)
                fail_input(fmt::format("requires the extension {}", name.substr(0, 80)), where_, "it is not supported",
                           "export without compression, quantisation and the like");
        }
    }

    /// Of the meshes that the scene shows, each once.
    std::uint64_t count_triangles()
    {
        std::uint64_t triangles = 0;
        for (std::size_t const mesh : find_meshes())
            for (auto const& primitive : json_.at("meshes").at(mesh).at("primitives")) {
                auto const& position =
                    json_.at("accessors").at(primitive.at("attributes").at("POSITION").get<std::size_t>());
                if (position.at("componentType").get<int>() != 5126 || position.at("type").get<std::string>() != "VEC3")
                    fail_input(fmt::format("the positions of mesh {} are not three floats each", mesh), where_,
                               "quantised meshes are not supported", "export without quantisation");
                auto const& counted = primitive.contains("indices")
                                          ? json_.at("accessors").at(primitive.at("indices").get<std::size_t>())
                                          : position;
                auto const corners = counted.at("count").get<std::uint64_t>();
                int const mode = primitive.value("mode", 4);
                if (mode == 4) triangles += corners / 3;
                if (mode == 5 || mode == 6) triangles += corners < 3 ? 0 : corners - 2;
            }
        return triangles;
    }

    /// Pictures inside of buffers, whose bytes assimp copies without a look at their bounds.
    void check_pictures() const
    {
        if (!json_.contains("images")) return;
        std::size_t number = 0;
        for (auto const& image : json_.at("images")) {
            ++number;
            if (!image.contains("bufferView")) continue;
            auto const& view = json_.at("bufferViews").at(image.at("bufferView").get<std::size_t>());
            auto const& buffer = json_.at("buffers").at(view.at("buffer").get<std::size_t>());
            auto const size_bytes = buffer.at("byteLength").get<std::uint64_t>();
            auto const first = view.value("byteOffset", std::uint64_t{0});
            auto const bytes = view.at("byteLength").get<std::uint64_t>();
            if (first > size_bytes || bytes > size_bytes - first)
                fail_input(fmt::format("picture {} inside has the bytes {} to {} of a buffer of {}", number, first,
                                       first + bytes, size_bytes),
                           where_, "they lie outside", "get a complete copy, or export it again");
        }
    }

private:
    std::set<std::size_t> find_meshes() const
    {
        std::set<std::size_t> meshes, seen;
        if (!json_.contains("scenes")) return meshes;
        std::vector<std::size_t> open;
        auto const& scene = json_.at("scenes").at(json_.value("scene", std::size_t{0}));
        if (scene.contains("nodes")) open = scene.at("nodes").get<std::vector<std::size_t>>();
        while (!open.empty()) {
            std::size_t const index = open.back();
            open.pop_back();
            if (!seen.insert(index).second) continue;
            auto const& node = json_.at("nodes").at(index);
            if (node.contains("mesh")) meshes.insert(node.at("mesh").get<std::size_t>());
            if (!node.contains("children")) continue;
            for (auto const& child : node.at("children")) open.push_back(child.get<std::size_t>());
        }
        return meshes;
    }

    GltfJson const& json_;
    std::string const& where_;
};

} // namespace

GltfFacts check_gltf(std::filesystem::path const& path)
{
    std::string const where = path.string();
    GltfFacts facts;
    GltfJson const json = parse_json(read_gltf_text(FileBytes(path), where, facts.is_binary));
    if (json.is_discarded()) fail_input("its JSON is not valid", where, {}, "get a complete copy");
    try {
        GltfCheck check(json, where);
        check.check_asset();
        check.check_pictures();
        facts.triangles = check.count_triangles();
        if (json.contains("extensionsUsed"))
            for (auto const& item : json.at("extensionsUsed"))
                facts.has_texture_transforms =
                    facts.has_texture_transforms || item.get<std::string>() == "KHR_texture_transform";
    } catch (GltfJson::exception const& error) {
        fail_input("is no valid glTF", where, error.what(), "get a complete copy, or export it again");
    }
    return facts;
}

} // namespace volpt
