#include "formats/mesh/transfer.h"

#include "libvolpt/sys/error.h"
#include "libvolpt/sys/json.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace volpt {
namespace {

enum MeshMessage : std::uint32_t {
    kMeshNotices = 1,  ///< JSON: an array of strings
    kMeshCounts = 2,   ///< MeshCounts
    kMeshPart = 3,     ///< elements of one list; the lists follow each other in the order of MeshCounts
    kMeshPictures = 4, ///< JSON, after the notices: an array of names; then for each a PictureHead, and its bytes
};

struct MeshCounts {
    std::uint64_t positions = 0;
    std::uint64_t triangles = 0;
    std::uint64_t normals = 0; ///< this and the next: as many as triangles, or 0
    std::uint64_t texture_coordinates = 0;
    std::uint64_t colours = 0;
    std::uint64_t pictures = 0;
    std::uint64_t has_pictures = 0; ///< MeshFile::has_pictures, 0 or 1
};

struct PictureHead {
    std::uint64_t size_bytes = 0;
    std::uint64_t alpha = 0; ///< a PictureAlpha
};

constexpr std::size_t kPartBytes = std::size_t{1} << 20;

template <typename Element>
void send_list(SandboxPort& port, std::vector<Element> const& list)
{
    auto bytes = std::as_bytes(std::span(list));
    while (!bytes.empty()) {
        auto const part = bytes.first(std::min(bytes.size(), kPartBytes / sizeof(Element) * sizeof(Element)));
        port.send(kMeshPart, part);
        bytes = bytes.subspan(part.size());
    }
}

void send_strings(SandboxPort& port, std::uint32_t kind, std::vector<std::string> texts)
{
    if (texts.size() > 100) texts.resize(100);
    for (std::string& text : texts) text.resize(std::min<std::size_t>(text.size(), 1000));
    std::string const json = format_json_strings(texts);
    port.send(kind, std::as_bytes(std::span(json)));
}

void send_pictures(SandboxPort& port, std::vector<MeshPicture> const& pictures)
{
    std::vector<std::string> names;
    for (MeshPicture const& picture : pictures) names.push_back(picture.name);
    send_strings(port, kMeshPictures, names);
    for (MeshPicture const& picture : pictures) {
        PictureHead const head{picture.bytes.size(), static_cast<std::uint64_t>(picture.alpha)};
        port.send(kMeshPictures, std::as_bytes(std::span(&head, 1)));
        send_list(port, picture.bytes);
    }
}

void send_mesh(SandboxPort& port, MeshFile const& file)
{
    send_strings(port, kMeshNotices, file.notices);
    send_pictures(port, file.pictures);
    TriangleMesh const& mesh = file.mesh;
    MeshCounts const counts{
        mesh.positions_mm.size(), mesh.triangles.size(), mesh.normals.size(), mesh.texture_coordinates.size(),
        mesh.colours.size(),      mesh.pictures.size(),  file.has_pictures};
    port.send(kMeshCounts, std::as_bytes(std::span(&counts, 1)));
    send_list(port, mesh.positions_mm);
    send_list(port, mesh.triangles);
    send_list(port, mesh.normals);
    send_list(port, mesh.texture_coordinates);
    send_list(port, mesh.colours);
    send_list(port, mesh.pictures);
}

/// The process that read the file may be under the control of a malicious one: nothing that it sends is trusted.
class MeshReceiver {
public:
    MeshReceiver(Sandbox& sandbox, std::filesystem::path const& path, SandboxLimits limits)
        : sandbox_(sandbox), path_(path), limits_(limits)
    {
    }

    MeshFile receive()
    {
        MeshFile file;
        file.notices = receive_strings(kMeshNotices);
        file.pictures = receive_pictures();
        MeshCounts counts;
        auto const& message = receive(kMeshCounts);
        if (message.bytes.size() != sizeof counts) fail();
        std::memcpy(&counts, message.bytes.data(), sizeof counts);
        check(counts);
        file.has_pictures = counts.has_pictures != 0;
        TriangleMesh& mesh = file.mesh;
        receive_list(counts.positions, mesh.positions_mm);
        receive_list(counts.triangles, mesh.triangles);
        receive_list(counts.normals, mesh.normals);
        receive_list(counts.texture_coordinates, mesh.texture_coordinates);
        receive_list(counts.colours, mesh.colours);
        receive_list(counts.pictures, mesh.pictures);
        for (std::uint16_t const picture : mesh.pictures)
            if (picture >= file.pictures.size() && picture != TriangleMesh::kNoPicture) fail();
        for (auto const& triangle : mesh.triangles)
            for (std::uint32_t const index : triangle)
                if (index >= mesh.positions_mm.size()) fail();
        return file;
    }

private:
    [[noreturn]] void fail() const
    {
        fail_input("the mesh that was read from it is not sound", path_.string(), {}, "the file is damaged");
    }

    SandboxMessage const& receive(std::uint32_t kind)
    {
        SandboxMessage const& message = sandbox_.receive();
        if (message.kind != kind) fail();
        return message;
    }

    std::vector<std::string> receive_strings(std::uint32_t kind)
    {
        auto const& text = receive(kind);
        auto strings = parse_json_strings({reinterpret_cast<char const*>(text.bytes.data()), text.bytes.size()});
        if (!strings) fail();
        return std::move(*strings);
    }

    std::vector<MeshPicture> receive_pictures()
    {
        auto names = receive_strings(kMeshPictures);
        if (names.size() > kMaxMeshPictures) fail();
        std::vector<MeshPicture> pictures;
        std::uint64_t left_bytes = std::min(kMaxMeshPictureBytes, limits_.memory_bytes);
        for (std::string& name : names) {
            PictureHead head;
            auto const& message = receive(kMeshPictures);
            if (message.bytes.size() != sizeof head) fail();
            std::memcpy(&head, message.bytes.data(), sizeof head);
            if (head.size_bytes > left_bytes) fail();
            left_bytes -= head.size_bytes;
            MeshPicture& picture = pictures.emplace_back(MeshPicture{std::move(name)});
            picture.alpha = head.alpha == 0 ? PictureAlpha::blended : PictureAlpha::ignored;
            receive_list(head.size_bytes, picture.bytes);
        }
        return pictures;
    }

    void check(MeshCounts const& counts) const
    {
        auto const is_whole = [&](std::uint64_t count) { return count == 0 || count == counts.triangles; };
        if (counts.positions > 0xffffffffu || counts.triangles > std::uint64_t{1} << 31 || !is_whole(counts.normals) ||
            !is_whole(counts.texture_coordinates) || !is_whole(counts.colours) || !is_whole(counts.pictures))
            fail();
        // What the reading process could hold, this one can take.
        std::uint64_t const size_bytes = 12 * (counts.positions + counts.triangles + counts.colours) +
                                         36 * counts.normals + 24 * counts.texture_coordinates + 2 * counts.pictures;
        if (size_bytes > limits_.memory_bytes) fail();
    }

    template <typename Element>
    void receive_list(std::uint64_t count, std::vector<Element>& list)
    {
        list.reserve(count);
        while (list.size() < count) {
            auto const& bytes = receive(kMeshPart).bytes;
            std::size_t const elements = bytes.size() / sizeof(Element);
            if (elements == 0 || bytes.size() % sizeof(Element) != 0 || elements > count - list.size()) fail();
            list.resize(list.size() + elements);
            std::memcpy(list.data() + (list.size() - elements), bytes.data(), bytes.size());
        }
    }

    Sandbox& sandbox_;
    std::filesystem::path const& path_;
    SandboxLimits limits_;
};

} // namespace

MeshFile read_mesh_in_sandbox(std::filesystem::path const& path, MeshReadOptions const& options,
                              std::function<MeshFile()> const& read)
{
    SandboxLimits const limits = options.limits ? *options.limits : find_sandbox_limits(path);
    Sandbox sandbox(path, limits, [&](SandboxPort& port) { send_mesh(port, read()); });
    return MeshReceiver(sandbox, path, limits).receive();
}

} // namespace volpt
