// 3MF: a zip archive (Open Packaging Conventions, ECMA-376 part 2) with a model in XML, read in a sandboxed process.
//
// Not read by assimp 5.2.5, which knows neither its colours nor its units.
#include "formats/common/text.h"
#include "formats/mesh/three_mf/model.h"
#include "formats/mesh/transfer.h"
#include "formats/zip/archive.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/file_bytes.h"

#include <optional>
#include <pugixml.hpp>

namespace volpt {
namespace {

constexpr std::uint64_t kMaxModel_bytes = std::uint64_t{8} << 30;
constexpr std::size_t kMaxRelations_bytes = std::size_t{1} << 20;
constexpr std::string_view kModelRelation = "http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel";

class ThreeMfPackage {
public:
    explicit ThreeMfPackage(std::filesystem::path const& path)
        : archive_(path, kMaxModel_bytes), entries_(archive_.list())
    {
    }

    MeshFile read(MeshPictures pictures) const
    {
        auto const read_part = [&](std::string const& name, std::string const& where, std::uint64_t max_bytes) {
            auto const index = find_entry(name);
            if (!index)
                fail_input("has no part " + name.substr(0, 300), archive_.path(), "its model needs it",
                           "get a complete copy");
            return archive_.read(*index, where, max_bytes);
        };
        return parse_three_mf_model(read_part, find_model(), archive_.path(), pictures);
    }

private:
    /// Names of parts are equal whatever their case.
    std::optional<std::uint64_t> find_entry(std::string_view name) const
    {
        for (auto const& [entry, index] : entries_)
            if (to_lower(entry) == to_lower(name)) return index;
        return std::nullopt;
    }

    std::string find_model() const
    {
        std::string const where = archive_.path() + ": _rels/.rels";
        auto const index = find_entry("_rels/.rels");
        if (!index) fail_input("has no part _rels/.rels", archive_.path(), "it is no 3MF file", "give a 3MF file");
        auto const text = archive_.read(*index, where, kMaxRelations_bytes);
        pugi::xml_document document;
        auto const result = document.load_buffer(text.data(), text.size());
        if (!result) fail_input(std::string("is no XML: ") + result.description(), where, {}, "get a complete copy");
        for (auto const relation : document.child("Relationships").children("Relationship")) {
            if (relation.attribute("Type").value() != kModelRelation) continue;
            std::string_view target = relation.attribute("Target").value();
            if (target.starts_with('/')) target.remove_prefix(1);
            return std::string(target);
        }
        fail_input("names no 3D model", where, "it is another kind of package", "give a 3MF file");
    }

    ZipArchive archive_;
    std::map<std::string, std::uint64_t> entries_;
};

MeshFile read_three_mf(std::filesystem::path const& path, MeshReadOptions const& options)
{
    FileBytes const must_be_regular(path);
    return read_mesh_in_sandbox(path, options, [&] { return ThreeMfPackage(path).read(options.pictures); });
}

bool is_three_mf(std::string_view head, std::uint64_t)
{
    return head.starts_with("PK\3\4");
}

} // namespace

extern MeshReader const three_mf_mesh_reader;
MeshReader const three_mf_mesh_reader{is_three_mf, read_three_mf};

} // namespace volpt
