// A Mitsuba scene file as a tree: includes spliced in, defaults substituted, names in one spelling.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace volpt {

/// One element. `tag`, property names and ids are those of the file, but camelCase is snake_case: sigmaT is sigma_t.
struct MitsubaNode {
    std::string tag;                               ///< "medium", "float", "lookat"
    std::string type;                              ///< attribute `type`
    std::string name;                              ///< attribute `name`, snake_case
    std::string id;                                ///< attribute `id`
    std::map<std::string, std::string> attributes; ///< the others, substituted
    std::string where;                             ///< "scene.xml at offset 123"
    std::vector<std::unique_ptr<MitsubaNode>> children;
    mutable bool is_used = false; ///< read by an interpreter; notices list the rest

    /// The child that is the property `wanted`, marked as used; nullptr if there is none.
    MitsubaNode const* find(std::string_view wanted) const;
    /// "medium heterogeneous 'smoke'", for messages.
    std::string describe() const;
    void mark_all_used() const;
};

struct MitsubaTree {
    std::filesystem::path path;
    std::vector<std::filesystem::path> folders;      ///< searched for files, in order
    std::unique_ptr<MitsubaNode> root;               ///< <scene>
    std::map<std::string, MitsubaNode const*> by_id; ///< aliases included
    bool is_legacy = false;                          ///< version below 2: Mitsuba 0.5 and 0.6
    std::vector<std::string> notices;

    /// The object that `node` is, or that it refers to. Error (input) if nothing has that id.
    MitsubaNode const& resolve(MitsubaNode const& node) const;
    /// The file that a scene names, searched for in `folders`; if it is nowhere, its path in the folder of the scene.
    std::filesystem::path find_file(std::string const& name) const;
};

/// `definitions` (-D name=value) go before the file's own <default>s. Error (input) with file and offset: no XML, no
/// scene, nested too deeply, an include that is missing or includes itself, a $name without value.
MitsubaTree load_mitsuba_tree(std::filesystem::path const& path, std::map<std::string, std::string> definitions);

} // namespace volpt
