#include "tools/volprep/source_names.h"

#include "libvolpt/sys/json.h"

#include <nlohmann/json.hpp>

namespace volpt {
namespace {
namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// Of MetaImage, NRRD and stacks of pictures.
constexpr char const* kFileKeys[] = {"ElementDataFile", "data file", "datafile", "first_slice", "last_slice"};

class NamedStream final : public VoxelStream {
public:
    NamedStream(std::unique_ptr<VoxelStream> stream, std::string metadata_json, std::string hints_json)
        : stream_(std::move(stream))
    {
        meta_ = stream_->meta();
        materials_ = stream_->materials();
        source_metadata_json_ = std::move(metadata_json);
        surface_ = stream_->surface();
        surroundings_ = stream_->surroundings();
        emitters_ = stream_->emitters();
        scene_hints_json_ = std::move(hints_json);
    }

    void use_threads(int threads) override { stream_->use_threads(threads); }
    int layers_at_a_time() const override { return stream_->layers_at_a_time(); }
    VoxelSlab read_slab(int z_first, int z_count) override { return stream_->read_slab(z_first, z_count); }
    std::vector<std::string> list_notices() const override { return stream_->list_notices(); }
    std::vector<std::string> list_facts() const override { return stream_->list_facts(); }
    std::string report_json() const override { return stream_->report_json(); }
    std::optional<SourceValues> source_values() const override { return stream_->source_values(); }

private:
    std::unique_ptr<VoxelStream> stream_;
};

/// A folder that cannot be reached from the other one stays absolute; there is none on one file system.
std::string place_folder(fs::path const& folder, ProvenanceDetail detail, fs::path const& output)
{
    std::error_code error;
    fs::path const whole = fs::weakly_canonical(folder.empty() ? "." : folder, error);
    if (error) return folder.string();
    if (detail == ProvenanceDetail::full) return (whole / "").string();
    fs::path const home = fs::weakly_canonical(output.has_parent_path() ? output.parent_path() : ".", error);
    return error ? folder.string() : (whole.lexically_relative(home) / "").string();
}

void name_light(Json& light, fs::path const& base, ProvenanceDetail detail, fs::path const& output)
{
    auto const folder = light.find("folder"), file = light.find("image_file");
    if (folder == light.end() || !folder->is_string() || file == light.end() || !file->is_string()) return;
    fs::path const named = file->get<std::string>();
    if (detail == ProvenanceDetail::full || !named.is_absolute()) {
        *folder = place_folder(base / folder->get<std::string>(), detail, output);
    } else {
        *folder = place_folder(named.parent_path(), detail, output);
        *file = named.filename().string();
    }
}

std::string name_in_hints(std::string const& text, fs::path const& base, ProvenanceDetail detail,
                          fs::path const& output)
{
    Json hints = parse_json(text);
    if (!hints.is_object()) return text;
    auto const source = hints.find("source");
    if (source != hints.end() && source->is_string() && detail != ProvenanceDetail::full)
        *source = fs::path(source->get<std::string>()).filename().string();
    auto const light = hints.find("environment");
    if (light != hints.end() && light->is_object()) name_light(*light, base, detail, output);
    return format_json(hints);
}

std::string name_in_metadata(std::string const& text, ProvenanceDetail detail)
{
    Json metadata = parse_json(text);
    if (!metadata.is_object() || detail == ProvenanceDetail::full) return text;
    for (char const* const key : kFileKeys) metadata.erase(key);
    return format_json(metadata);
}

} // namespace

std::unique_ptr<VoxelStream> name_sources(std::unique_ptr<VoxelStream> stream, fs::path const& base,
                                          ProvenanceDetail detail, fs::path const& output)
{
    std::string metadata = name_in_metadata(stream->source_metadata_json(), detail);
    std::string hints = name_in_hints(stream->scene_hints_json(), base, detail, output);
    return std::make_unique<NamedStream>(std::move(stream), std::move(metadata), std::move(hints));
}

} // namespace volpt
