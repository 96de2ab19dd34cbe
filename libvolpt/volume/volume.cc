#include "libvolpt/volume/volume.h"

#include "libvolpt/sys/error.h"
#include "libvolpt/sys/json.h"
#include "libvolpt/sys/parallel.h"
#include "libvolpt/volume/bands/widen_planes.h"
#include "libvolpt/volume/checked_sections.h"
#include "libvolpt/volume/emitters/emitter_section.h"
#include "libvolpt/volume/mesh/mesh_sections.h"
#include "libvolpt/volume/meta.h"
#include "libvolpt/volume/surroundings/surrounding_sections.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>

namespace volpt {
namespace {

constexpr std::uint64_t kSmallSection_bytes = std::uint64_t{16} << 20;
constexpr std::uint32_t kFirstEmissionMajor = 6;
constexpr std::uint32_t kFirstAlbedoFilterMajor = 8;

} // namespace

struct PackedVolume::Impl {
    explicit Impl(SectionedFile opened)
        : shared_file(std::make_shared<SectionedFile const>(std::move(opened))), file(*shared_file)
    {
    }
    /// Of the same file.
    Impl(Impl const&) = default;

    void read_meta();
    void read_materials();
    void read_source_values();
    void read_statistics();
    void read_texts();
    void hash_data();
    void verify_small_sections() const;
    void verify_large_sections() const;
    void check_contents(VolumeView const& view, int threads) const;
    void widen(int threads);

    std::shared_ptr<SectionedFile const> shared_file;
    SectionedFile const& file;
    VolumeMeta meta;
    std::vector<Material> materials;
    std::array<float, kMaxBands> global_majorant{};
    ExtinctionBands distinct;
    CheckedPlane density;
    CheckedPlane albedo;
    CheckedPlane label;
    CheckedPlane emission;
    CheckedPlane values;
    std::span<float const> material_tables;
    std::span<float const> majorants;
    std::span<float const> clearance_mm;
    SurfaceMeshView surface;
    SurroundingShapes surroundings;
    std::vector<Emitter> emitters;
    PackStatistics statistics;
    Provenance provenance;
    std::string scene_hints = "{}";
    std::string source_metadata = "{}";
    std::optional<SourceValues> source_values;
    Hash128 data_checksum;
    // Of a volume that was widened, what its file does not have.
    std::vector<float> widened_tables;
    WidenedPlane widened_albedo, widened_emission;
};

// Materials are read before the metadata is checked: bands and labels are checked together.
void PackedVolume::Impl::read_meta()
{
    StoredMeta const stored = read_stored_meta(file);
    vpk::MetaRecord const& record = stored.record;
    meta = from_record(stored);
    if (file.has(vpk::kWavelengths)) {
        auto const wavelengths = read_array<float>(file, vpk::kWavelengths, meta.bands());
        meta.wavelengths_nm.assign(wavelengths.begin(), wavelengths.end());
    }
    if (file.has(vpk::kEmission.table)) {
        if (file.version() >> 16 < kFirstEmissionMajor)
            refuse_section(file, vpk::kEmission.table, 0,
                           "a file of version 5 has no emission: its readers would not render it");
        meta.has_emission = true;
    }
    if (meta.albedo_filter != AlbedoFilter::of_scattering && file.version() >> 16 < kFirstAlbedoFilterMajor)
        refuse_section(file, vpk::kMeta, offsetof(vpk::MetaRecord, albedo_filter),
                       "a file of version 7 has no albedo filter: its readers would not follow it");
    if (record.material_count > static_cast<std::uint32_t>(kMaxMaterials)) {
        refuse_section(file, vpk::kMeta, offsetof(vpk::MetaRecord, material_count),
                       fmt::format("{} materials; a label is one byte", record.material_count));
    }
    materials.resize(record.material_count);
    if (!materials.empty()) read_materials();
    if (std::string const found = find_contradiction(meta, materials); !found.empty()) {
        refuse_section(file, vpk::kMeta, 0, found);
    }
    global_majorant = stored.by_band.global_majorant;
    for (std::uint32_t band = 0; band < meta.bands(); ++band) {
        if (!(std::isfinite(global_majorant[band]) && global_majorant[band] >= 0.0f)) {
            refuse_section(file, band < vpk::kMetaBands ? vpk::kMeta : vpk::kMoreBands, 0,
                           fmt::format("the global majorant of band {} is {}", band, global_majorant[band]));
        }
    }
    distinct = find_distinct_bands(meta, materials);
}

void PackedVolume::Impl::read_materials()
{
    std::size_t const bands = meta.bands();
    std::size_t const plane = bands * kMaxMaterials;
    material_tables = read_array<float>(file, vpk::kMaterials, 2 * plane + kMaxMaterials);
    auto const text = file.section(vpk::kMaterialNames);
    auto const names = parse_json_strings({reinterpret_cast<char const*>(text.data()), text.size()});
    if (!names || names->size() != materials.size())
        refuse_section(file, vpk::kMaterialNames, 0,
                       fmt::format("this is not a JSON list of {} names", materials.size()));
    for (std::size_t m = 0; m < materials.size(); ++m) {
        Material& material = materials[m];
        material.name = (*names)[m];
        for (std::size_t band = 0; band < bands; ++band) {
            material.sigma_t.push_back(material_tables[band * kMaxMaterials + m]);
            material.one_minus_albedo.push_back(material_tables[plane + band * kMaxMaterials + m]);
        }
        material.g = material_tables[2 * plane + m];
    }
}

void PackedVolume::Impl::read_source_values()
{
    if (!file.has(vpk::kSourceValues)) return;
    auto const text = file.section(vpk::kSourceValues);
    source_values = parse_source_values({reinterpret_cast<char const*>(text.data()), text.size()});
    if (!source_values)
        refuse_section(file, vpk::kSourceValues, 0, "this is no JSON object that says where densities come from");
    ValueStore const store = source_values->store;
    std::string found = find_contradiction(*source_values, meta.bands());
    if (meta.extinction != Source::plane) found = "the volume has no densities";
    if (store == ValueStore::steps && meta.density_encoding != Encoding::u8 && meta.density_encoding != Encoding::u16)
        found = "the densities are no steps";
    if (!found.empty()) refuse_section(file, vpk::kSourceValues, 0, found);
    if (store == ValueStore::plane) meta.kept_values = source_values->element;
}

void PackedVolume::Impl::read_statistics()
{
    auto const r = read_record<vpk::StatisticsRecord>(file, vpk::kStatistics);
    for (double figure : {r.density_error_max, r.albedo_error_max, r.mean_majorant_ratio, r.mean_extinction_ratio}) {
        if (!(std::isfinite(figure) && figure >= 0.0))
            refuse_section(file, vpk::kStatistics, 0, "a figure is not finite");
    }
    if (r.bricks != count_bricks(meta) || r.constant_bricks > r.bricks) {
        refuse_section(file, vpk::kStatistics, 0,
                       fmt::format("{} bricks, {} of them constant, where the volume has {}", r.bricks,
                                   r.constant_bricks, count_bricks(meta)));
    }
    statistics = {r.bricks,           r.constant_bricks,     r.density_error_max,
                  r.albedo_error_max, r.mean_majorant_ratio, r.mean_extinction_ratio};
}

void PackedVolume::Impl::read_texts()
{
    auto const read_json = [&](std::string_view name) {
        auto const bytes = file.section(name);
        std::string text(reinterpret_cast<char const*>(bytes.data()), bytes.size());
        if (!is_valid_json(text))
            refuse_section(file, name, 0, fmt::format("this is not valid JSON, at most {} levels deep", kMaxJsonDepth));
        return text;
    };
    scene_hints = read_json(vpk::kSceneHints);
    source_metadata = read_json(vpk::kSourceMetadata);
    if (file.has(vpk::kProvenance)) {
        provenance = parse_provenance(read_json(vpk::kProvenance), file.path().string() + ": section 'provenance'");
    }
}

// From the section table: opening at `quick` reads no section for it.
void PackedVolume::Impl::hash_data()
{
    StreamHasher hasher;
    for (std::string_view name : vpk::kDataSections) {
        if (!file.has(name)) continue;
        Hash128 const checksum = file.checksum(name);
        hasher.add(std::as_bytes(std::span(name)));
        hasher.add(std::as_bytes(std::span(&checksum, 1)));
    }
    data_checksum = hasher.digest();
}

// Sections that decide about others come first, in order: a damaged one is reported as such, not by what follows from
// it.
void PackedVolume::Impl::verify_small_sections() const
{
    for (SectionInfo const& section : file.sections())
        if (section.size_bytes <= kSmallSection_bytes) file.verify(section.name);
}

void PackedVolume::Impl::verify_large_sections() const
{
    for (SectionInfo const& section : file.sections())
        if (section.size_bytes > kSmallSection_bytes) file.verify(section.name);
}

void PackedVolume::Impl::check_contents(VolumeView const& view, int threads) const
{
    auto const counts = count_bricks_by_axis(meta);
    for (CheckedPlane const* plane : {&density, &albedo, &label, &emission, &values})
        check_plane_contents(file, *plane, counts, threads);
    if (label.shape.channels > 0) check_labels(file, label, materials.size(), threads);
    check_majorants(file, majorants, view, threads);
    if (!clearance_mm.empty()) check_clearance(file, clearance_mm, view);
    if (!surface.is_empty()) check_mesh_contents(file, surface, meta, threads);
}

void PackedVolume::Impl::widen(int threads)
{
    constexpr std::size_t kBands = 3;
    auto const repeat = [](std::vector<float>& by_band) { by_band = std::vector<float>(kBands, by_band[0]); };
    meta.band_numbers = {0, 1, 2};
    repeat(meta.constant_extinction);
    repeat(meta.constant_one_minus_albedo);
    for (Material& material : materials) {
        repeat(material.sigma_t);
        repeat(material.one_minus_albedo);
    }
    if (!materials.empty()) material_tables = widened_tables = build_material_tables(kBands, materials);
    std::fill_n(global_majorant.begin(), kBands, global_majorant[0]);
    distinct = find_distinct_bands(meta, materials);
    surroundings = widen_shapes(std::move(surroundings));
    check_widened_memory(count_widened_bytes(albedo, albedo_shape(meta)) +
                             count_widened_bytes(emission, emission_shape(meta)),
                         file.path().string());
    widened_albedo = widen_plane(albedo, albedo_shape(meta), threads);
    albedo = widened_albedo.plane;
    widened_emission = widen_plane(emission, emission_shape(meta), threads);
    emission = widened_emission.plane;
}

PackedVolume PackedVolume::open(std::filesystem::path const& path, VerifyLevel level, int threads)
{
    auto impl = std::make_unique<Impl>(SectionedFile::open(path, kAlbedoFilterVolumeFile, VerifyLevel::quick));
    Impl& v = *impl;
    if (level == VerifyLevel::full) v.verify_small_sections();
    v.read_meta();
    auto const counts = count_bricks_by_axis(v.meta);
    v.density = check_plane(v.file, vpk::kDensity, density_shape(v.meta), counts);
    v.albedo = check_plane(v.file, vpk::kAlbedo, albedo_shape(v.meta), counts);
    v.label = check_plane(v.file, vpk::kLabel, label_shape(v.meta), counts);
    v.emission = check_plane(v.file, vpk::kEmission, emission_shape(v.meta), counts);
    v.read_source_values();
    v.values = check_plane(v.file, vpk::kValues, values_shape(v.meta), counts);
    if (v.meta.extinction != Source::constant) {
        std::size_t const distinct = v.distinct.representative.size();
        v.majorants = read_array<float>(v.file, vpk::kMajorants, distinct * count_bricks(v.meta));
    }
    if (v.file.has(vpk::kClearance)) v.clearance_mm = read_array<float>(v.file, vpk::kClearance, count_bricks(v.meta));
    v.surface = read_mesh_sections(v.file, v.meta, v.materials.size());
    v.surroundings = read_surrounding_sections(v.file, v.meta);
    v.emitters = read_emitter_section(v.file, v.meta, v.surroundings);
    v.read_statistics();
    v.read_texts();
    v.hash_data();
    PackedVolume volume(std::move(impl));
    if (level == VerifyLevel::full) {
        VolumeView const view = volume.view();
        // A section's checksum is one chain, so that it is a piece of its own. It is reported before what its bytes
        // say.
        parallel_for_joined(std::min(threads, 2), 2, [&](std::size_t piece, int) {
            if (piece == 0)
                v.verify_large_sections();
            else
                v.check_contents(view, threads);
        });
    }
    volume.check_unchanged();
    return volume;
}

PackedVolume PackedVolume::widen_to_rgb(int threads) const
{
    auto wide = std::make_unique<Impl>(*impl_);
    wide->widen(threads);
    return PackedVolume(std::move(wide));
}

PackedVolume::PackedVolume(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
PackedVolume::~PackedVolume() = default;
PackedVolume::PackedVolume(PackedVolume&&) noexcept = default;
PackedVolume& PackedVolume::operator=(PackedVolume&&) noexcept = default;

VolumeMeta const& PackedVolume::meta() const noexcept
{
    return impl_->meta;
}
std::vector<Material> const& PackedVolume::materials() const noexcept
{
    return impl_->materials;
}
PackStatistics const& PackedVolume::statistics() const noexcept
{
    return impl_->statistics;
}
Provenance const& PackedVolume::provenance() const noexcept
{
    return impl_->provenance;
}
SurroundingShapes const& PackedVolume::surroundings() const noexcept
{
    return impl_->surroundings;
}
std::vector<Emitter> const& PackedVolume::emitters() const noexcept
{
    return impl_->emitters;
}
std::string const& PackedVolume::scene_hints_json() const noexcept
{
    return impl_->scene_hints;
}
std::string const& PackedVolume::source_metadata_json() const noexcept
{
    return impl_->source_metadata;
}
std::optional<SourceValues> const& PackedVolume::source_values() const noexcept
{
    return impl_->source_values;
}
std::uint64_t PackedVolume::size_bytes() const noexcept
{
    return impl_->file.size_bytes();
}
Hash128 PackedVolume::data_checksum() const noexcept
{
    return impl_->data_checksum;
}

void PackedVolume::verify_contents() const
{
    SectionedFile const& file = impl_->file;
    for (std::string_view const name : vpk::kDataSections)
        if (file.has(name)) file.verify(name);
    for (std::string_view const name : vpk::kMeshTables)
        if (file.has(name)) file.verify(name);
    for (std::string_view const name : {vpk::kMaterialNames, vpk::kSourceMetadata})
        if (file.has(name)) file.verify(name);
}

void PackedVolume::check_unchanged() const
{
    impl_->file.check_unchanged();
}

SurfaceMeshView PackedVolume::surface() const
{
    return impl_->surface;
}

PlaneView PackedVolume::kept_values() const
{
    return impl_->values.view();
}

VolumeView PackedVolume::view() const
{
    Impl const& v = *impl_;
    VolumeView view;
    auto const counts = count_bricks_by_axis(v.meta);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        view.dims[axis] = v.meta.dims[axis];
        view.brick_counts[axis] = counts[axis];
        view.pitch_mm[axis] = v.meta.pitch_mm[axis];
    }
    view.bands = v.meta.bands();
    for (std::uint32_t band = 0; band < view.bands; ++band) {
        view.band_number[band] = v.meta.band_numbers[band];
        view.majorant_index[band] = v.distinct.index[band];
        view.global_majorant[band] = v.global_majorant[band];
        if (v.meta.extinction == Source::constant) view.constant_extinction[band] = v.meta.constant_extinction[band];
        if (v.meta.albedo == Source::constant) {
            view.constant_one_minus_albedo[band] = v.meta.constant_one_minus_albedo[band];
        }
    }
    view.majorant_bands = static_cast<std::uint32_t>(v.distinct.representative.size());
    view.grey_extinction = view.majorant_bands == 1;
    view.filter = v.meta.filter;
    view.albedo_filter = v.meta.albedo_filter;
    view.extinction = v.meta.extinction;
    view.albedo = v.meta.albedo;
    view.anisotropy = v.meta.anisotropy;
    view.density = v.density.view();
    view.one_minus_albedo = v.albedo.view();
    view.label = v.label.view();
    view.emission = v.emission.view();
    view.g = v.meta.g;
    view.scale = v.meta.scale;
    view.local_majorants = v.majorants.empty() ? nullptr : v.majorants.data();
    view.clearance_mm = v.clearance_mm.empty() ? nullptr : v.clearance_mm.data();
    view.material_count = static_cast<std::uint32_t>(v.materials.size());
    if (!v.materials.empty()) {
        std::size_t const plane = std::size_t{view.bands} * kMaxMaterials;
        view.material_extinction = v.material_tables.data();
        view.material_one_minus_albedo = v.material_tables.data() + plane;
        view.material_g = v.material_tables.data() + 2 * plane;
    }
    return view;
}

} // namespace volpt
