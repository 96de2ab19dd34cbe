// What assimp 5.2.5 does not check of glTF: it ignores extensions that it does not know, reads coordinates that are not
// of type float wrongly, and drops triangles whose indices are out of range.
#include "formats/mesh/assimp/gltf_check.h"

#include "formats/mesh/assimp/folder.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/file_bytes.h"
#include "libvolpt/sys/json.h"
#include "libvolpt/sys/text/json_text.h"

#include <algorithm>
#include <array>
#include <assimp/IOStream.hpp>
#include <cstring>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
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

struct GltfText {
    std::string json;
    std::optional<std::uint64_t> binary_bytes; ///< of a .glb: how many its chunk BIN has, 0 without one
    std::vector<std::byte> padded;             ///< as GltfFacts
};

struct BinaryHead {
    std::uint32_t size_bytes;
    std::array<char, 4> kind;
};

/// The head of a chunk BIN at `first`, if there is one.
std::optional<BinaryHead> find_binary_head(FileBytes const& file, std::uint64_t first)
{
    BinaryHead head{};
    if (first > file.size_bytes() || file.size_bytes() - first < sizeof head) return std::nullopt;
    file.read_at(first, std::as_writable_bytes(std::span(&head, 1)));
    if (std::string_view(head.kind.data(), 3) != "BIN") return std::nullopt;
    return head;
}

/// The bytes of a .glb with `spaces` behind its JSON, which ends at `json_end`.
std::vector<std::byte> pad_json(FileBytes const& file, GlbHead head, std::uint64_t json_end, std::uint64_t spaces)
{
    std::vector<std::byte> bytes(file.size_bytes() + spaces, std::byte{' '});
    file.read_at(0, std::span(bytes).first(json_end));
    file.read_at(json_end, std::span(bytes).subspan(json_end + spaces));
    head.json_bytes += static_cast<std::uint32_t>(spaces);
    head.size_bytes = static_cast<std::uint32_t>(bytes.size());
    std::memcpy(bytes.data(), &head, sizeof head);
    return bytes;
}

/// Chunk BIN of a .glb, whose JSON ends at `json_end`: at the next multiple of 4, or, in files of programs that do not
/// pad, right there.
void read_binary_chunk(FileBytes const& file, GlbHead const& head, std::uint64_t json_end, std::string const& where,
                       GltfText& text)
{
    text.binary_bytes = 0;
    std::uint64_t first = (json_end + 3) / 4 * 4;
    auto binary = find_binary_head(file, first);
    if (!binary && first != json_end) {
        binary = find_binary_head(file, json_end);
        if (binary) text.padded = pad_json(file, head, json_end, first - json_end);
        first = json_end;
    }
    if (!binary) return;
    std::uint64_t const left = file.size_bytes() - first - sizeof(BinaryHead);
    if (binary->size_bytes > left)
        fail_input(fmt::format("its chunk BIN announces {} bytes, the file has {}", binary->size_bytes, left), where,
                   {}, "get a complete copy");
    text.binary_bytes = binary->size_bytes;
}

GltfText read_gltf_text(FileBytes const& file, std::string const& where)
{
    GlbHead head{};
    GltfText text;
    std::uint64_t first = 0, size = file.size_bytes();
    if (file.size_bytes() >= sizeof head) file.read_at(0, std::as_writable_bytes(std::span(&head, 1)));
    if (std::string_view(head.magic.data(), 4) == "glTF") {
        first = sizeof head;
        size = head.json_bytes;
        if (head.version != 2)
            fail_input(fmt::format("is glTF of version {}", head.version), where, "version 2 is read", "convert it");
        if (head.size_bytes > file.size_bytes() || size > file.size_bytes() - first)
            fail_input(fmt::format("{} bytes are announced, the file has {}", head.size_bytes, file.size_bytes()),
                       where, {}, "get a complete copy");
        if (std::string_view(head.json_kind.data(), 4) != "JSON")
            fail_input("its first chunk is no JSON", where, {}, "get a complete copy");
        read_binary_chunk(file, head, first + size, where, text);
    }
    text.json.resize(size);
    file.read_at(first, std::as_writable_bytes(std::span(text.json)));
    return text;
}

/// The most bytes that a data URI holds.
std::uint64_t bound_data_bytes(std::string_view uri)
{
    std::size_t const comma = std::min(uri.find(','), uri.size());
    std::uint64_t const letters = uri.size() - comma;
    bool const is_base64 = uri.substr(0, comma).find(";base64") != std::string_view::npos;
    return is_base64 ? letters / 4 * 3 + 3 : letters;
}

class GltfCheck {
public:
    GltfCheck(GltfJson const& json, std::filesystem::path const& path, std::string const& where)
        : json_(json), path_(path), where_(where)
    {
    }

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

    /// Each node may be the child of one other; assimp makes as many of it as there are ways to it.
    void check_nodes() const
    {
        if (!json_.contains("nodes")) return;
        auto const& nodes = json_.at("nodes");
        constexpr std::uint64_t kOpen = UINT64_MAX;
        std::uint64_t const most = std::max<std::uint64_t>(std::uint64_t{1} << 20, nodes.size());
        std::vector<std::uint64_t> shown(nodes.size(), 0); // by a node and all below; kOpen while they are counted
        struct Step {
            std::size_t node, next_child;
        };
        std::vector<Step> open;
        for (std::size_t root = 0; root < nodes.size(); ++root) {
            if (shown[root] == 0) open.push_back({root, 0});
            while (!open.empty()) {
                auto& [number, next] = open.back();
                auto const& node = nodes.at(number);
                std::size_t const children = node.contains("children") ? node.at("children").size() : 0;
                if (next == 0) shown[number] = kOpen;
                if (next < children) {
                    auto const child = node.at("children").at(next++).get<std::size_t>();
                    if (child >= nodes.size() || shown[child] == kOpen)
                        fail_input(fmt::format("node {} has the child {}, which {}", number, child,
                                               child < nodes.size() ? "it lies in" : "is not there"),
                                   where_, "nodes of glTF are trees", "export it again");
                    if (shown[child] == 0) open.push_back({child, 0});
                    continue;
                }
                std::uint64_t sum = 1;
                for (std::size_t i = 0; i < children; ++i)
                    sum = std::min(sum + shown[node.at("children").at(i).get<std::size_t>()], most + 1);
                shown[number] = sum;
                if (sum > most)
                    fail_input(fmt::format("node {} stands for more than {} nodes", number, most), where_,
                               "nodes are children of several others, and multiply", "export it without shared nodes");
                open.pop_back();
            }
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

    /// `binary_bytes`: of a .glb, its chunk BIN, which assimp takes for buffer 0.
    void check_buffers(std::optional<std::uint64_t> binary_bytes) const
    {
        if (!json_.contains("buffers")) return;
        std::size_t number = 0;
        for (auto const& buffer : json_.at("buffers")) {
            bool const is_chunk = binary_bytes && number == 0;
            auto const there = is_chunk ? binary_bytes : find_buffer_bytes(buffer);
            auto const announced = buffer.value("byteLength", std::uint64_t{0});
            if (there && announced > *there)
                fail_input(fmt::format("buffer {} announces {} bytes, {} are there", number, announced, *there), where_,
                           is_chunk ? "it is the chunk BIN" : "", "get a complete copy, or export it again");
            ++number;
        }
    }

    /// Pictures inside of buffers that check_buffers accepts, whose bytes assimp copies without a look at their bounds.
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
    /// At most. None where there are no bytes: assimp, which opens the same files, tells why.
    std::optional<std::uint64_t> find_buffer_bytes(GltfJson const& buffer) const
    {
        if (!buffer.contains("uri")) return std::nullopt;
        auto const& uri = buffer.at("uri").get_ref<std::string const&>();
        if (uri.starts_with("data:")) return bound_data_bytes(uri);
        MeshFolder folder(path_, {});
        auto* const file = folder.Open(uri.c_str(), "rb");
        if (file == nullptr) return std::nullopt;
        std::uint64_t const size_bytes = file->FileSize();
        folder.Close(file);
        return size_bytes;
    }

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
    std::filesystem::path const& path_;
    std::string const& where_;
};

} // namespace

GltfFacts check_gltf(std::filesystem::path const& path)
{
    std::string const where = path.string();
    GltfFacts facts;
    GltfText text = read_gltf_text(FileBytes(path), where);
    facts.is_binary = text.binary_bytes.has_value();
    facts.padded_glb = std::move(text.padded);
    GltfJson const json = parse_json(text.json);
    if (json.is_discarded()) fail_input("its JSON is not valid", where, {}, "get a complete copy");
    try {
        GltfCheck check(json, path, where);
        check.check_asset();
        check.check_nodes();
        check.check_buffers(text.binary_bytes);
        check.check_pictures();
        facts.triangles = check.count_triangles();
        if (json.contains("extensionsUsed"))
            for (auto const& item : json.at("extensionsUsed"))
                facts.has_texture_transforms =
                    facts.has_texture_transforms || item.get<std::string>() == "KHR_texture_transform";
    } catch (GltfJson::exception const& error) {
        fail_input("is no valid glTF: " + describe_json_error(error.what()), where, {},
                   "get a complete copy, or export it again");
    }
    return facts;
}

} // namespace volpt
