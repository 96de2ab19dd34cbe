#include "tools/volprep/made_source.h"

#include "formats/input_format.h"
#include "libvolpt/image/codecs/codecs.h"
#include "libvolpt/scene/scene_hints.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/volume/packed_stream.h"
#include "tools/volprep/mesh/mesh_source.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace volpt {
namespace {

constexpr std::uint64_t kBandBytes = 3 * sizeof(float); ///< of a voxel of a textured slab

std::array<int, 3> require_dims(VolprepOptions const& options)
{
    if (!options.volume.dims) fail_usage("--dims is missing", "give for example --dims 64,64,64");
    return *options.volume.dims;
}

std::array<float, 3> find_pitch(VolumeOptions const& volume, std::array<int, 3> dims)
{
    if (volume.pitch_mm.has_value() == volume.size_mm.has_value())
        fail_usage("a synthetic volume needs either --size or --pitch", "give for example --size 10mm,10mm,10mm");
    std::array<float, 3> pitch_mm{};
    for (std::size_t i = 0; i < 3; ++i)
        pitch_mm[i] = static_cast<float>(volume.pitch_mm ? (*volume.pitch_mm)[i] : (*volume.size_mm)[i] / dims[i]);
    return pitch_mm;
}

/// Tells and stores what the table says of the one material that is left in it.
void use_origin(MakeOptions& make, ToolRun const& run, MaterialTable const& table)
{
    std::string const& name = table.materials.front().name;
    auto const found = table.origins.find(name);
    if (found == table.origins.end()) return;
    auto const& [source, uncertainty, is_estimated] = found->second;
    nlohmann::ordered_json metadata{{"material", name}};
    if (!source.empty()) metadata["material.source"] = source;
    if (!uncertainty.empty()) metadata["material.uncertainty"] = uncertainty;
    if (is_estimated) metadata["material.estimated"] = "true";
    make.source_metadata_json = metadata.dump();
    run.notice(fmt::format("{} {}: {}{}{}", name, is_estimated ? "is estimated, not measured" : "as published", source,
                           uncertainty.empty() ? "" : "; uncertainty: ", uncertainty));
}

void fill_with_material(MakeOptions& make, ToolRun const& run, VolprepOptions const& options)
{
    std::string const& name = *options.volume.materials;
    MaterialTable const whole = open_material_table(name);
    if (!options.synthetic.material_name)
        fail_usage("--material is missing", "name the material of the table that fills the volume");
    std::string const where = name == kSolidsTable ? name + " (--materials names another table)" : name;
    std::size_t const index = find_material(whole, *options.synthetic.material_name, where);
    // Materials of the solids' table never meet in one volume; those of others may, and say so if they cannot.
    MaterialTable const table = whole.origins.empty() ? whole : keep_material(whole, index);
    Material const& material = table.materials[whole.origins.empty() ? index : 0];
    use_origin(make, run, table);
    make.sigma_t.assign(material.sigma_t.begin(), material.sigma_t.end());
    make.one_minus_albedo.assign(material.one_minus_albedo.begin(), material.one_minus_albedo.end());
    make.wavelengths_nm = table.wavelengths_nm;
    make.scene_hints_json = make_material_hints(table, name);
    if (!options.volume.g) make.g = material.g;
}

/// Sets extinction, albedo, g and what comes with a material.
void fill_with_medium(MakeOptions& make, ToolRun const& run, VolprepOptions const& options)
{
    make.sigma_t = options.synthetic.sigma_t.value_or(make.sigma_t);
    if (options.volume.albedo) {
        make.one_minus_albedo = *options.volume.albedo;
        for (double& value : make.one_minus_albedo) value = 1 - value;
    }
    make.g = static_cast<float>(options.volume.g.value_or(0));
    if (options.volume.materials) fill_with_material(make, run, options);
}

/// Of media that --sigma-t and --albedo give.
void tell_assumed_medium(ToolRun const& run, VolprepOptions const& options)
{
    if (options.volume.materials) return;
    std::vector<AssumedValue> assumed;
    if (!options.synthetic.sigma_t) assumed.push_back({"--sigma-t", "extinction 1/mm"});
    if (!options.volume.albedo) assumed.push_back({"--albedo", "albedo 0.9"});
    if (!assumed.empty()) run.notice(describe_assumed(assumed));
}

} // namespace

std::string describe_assumed(std::vector<AssumedValue> const& assumed)
{
    char const* const is = assumed.size() > 1 ? "are" : "is";
    std::string options, values;
    for (auto const& [option, value] : assumed) {
        char const* const joint = options.empty() ? "" : " and ";
        options += joint + std::string(option);
        values += joint + value;
    }
    return fmt::format("{} {} not given: {} {} assumed", options, is, values, is);
}

MakeOptions choose_filling(ToolRun const& run, VolprepOptions const& options)
{
    tell_assumed_medium(run, options);
    MakeOptions make;
    fill_with_medium(make, run, options);
    return make;
}

std::unique_ptr<VoxelStream> make_synthetic(ToolRun const& run, VolprepOptions const& options)
{
    tell_assumed_medium(run, options);
    MakeOptions make;
    make.shape = *options.synthetic.shape;
    bool const homogeneous = make.shape == MadeShape::cube || make.shape == MadeShape::slab;
    make.dims = homogeneous ? options.volume.dims.value_or(std::array<int, 3>{1, 1, 1}) : require_dims(options);
    make.pitch_mm = find_pitch(options.volume, make.dims);
    make.filter = options.volume.filter.value_or(Filter::trilinear);
    make.encoding = options.output.encoding.value_or(Encoding::u8);
    if (options.volume.materials && !homogeneous)
        fail_usage("--material fills a whole volume", "use --make cube or slab");
    fill_with_medium(make, run, options);
    return make_volume(std::move(make));
}

std::unique_ptr<VoxelStream> open_mesh(ToolRun const& run, VolprepOptions const& options)
{
    if (auto const& path = options.mesh.medium_path) {
        if (!is_packed_volume(*path))
            fail_usage(fmt::format("--medium {} is no packed volume", *path), "pack it with volprep first");
        return open_mesh_in_volume(run, run.arguments[0], options.mesh.place,
                                   make_packed_stream(PackedVolume::open(*path, VerifyLevel::full), {}), *path);
    }
    return open_mesh_volume(run, run.arguments[0], options.mesh.place, make_volume(choose_filling(run, options)));
}

std::unique_ptr<VoxelStream> make_textured_slab(ToolRun const& run, VolprepOptions const& options)
{
    auto const& sigma_t = options.synthetic.sigma_t;
    if (!sigma_t) run.notice(describe_assumed({{"--sigma-t", "extinction 1/mm"}}));
    if (sigma_t && sigma_t->size() != 1)
        fail_usage("--sigma-t of a textured slab is one number", "for inks by band, use --print or --materials");
    PrintOptions slab = options.slab.slab;
    slab.dims = require_dims(options);
    slab.pitch_mm = find_pitch(options.volume, slab.dims);
    slab.sigma_t = sigma_t ? sigma_t->front() : 1;
    slab.albedo_encoding = options.output.encoding;
    slab.g = static_cast<float>(options.volume.g.value_or(0));
    slab.filter = options.volume.filter.value_or(Filter::trilinear);
    // The texture is resampled to the side before the first layer.
    check_layer_memory(slab.dims, kBandBytes, options.output.layer_bytes, *options.slab.texture_path);
    return make_print_slab(read_stored_image(*options.slab.texture_path), std::move(slab));
}

} // namespace volpt
