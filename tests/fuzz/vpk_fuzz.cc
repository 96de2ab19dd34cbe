// Fuzz target of .vpk: raw bytes against the container, and edits of the sections of a good volume, of one that a mesh
// bounds, of one of several solids or with faces under support, of one with surfaces around it, of one whose medium
// emits, or of one that keeps the numbers of its source, behind fresh checksums.
//
// Whatever opens is walked voxel by voxel through core's own lookup, which trusts every index, crossed by rays, and
// its surroundings meet paths.
#include "libvolpt/core/lookup.hd.h"
#include "libvolpt/core/surface/surroundings.hd.h"
#include "libvolpt/scene/surfaces/surroundings.h"
#include "libvolpt/sys/container/container_layout.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/volume/packed_layers.h"
#include "libvolpt/volume/volume_report.h"
#include "tests/support/make_solids.h"
#include "tests/support/make_volume.h"
#include "tests/volume/emitter_samples.h"
#include "tests/volume/mesh_samples.h"
#include "tests/volume/shape_samples.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/mman.h>
#include <unistd.h>

namespace volpt {
namespace {

struct Section {
    std::string name;
    std::vector<std::byte> bytes;
};

std::vector<Section> read_sections(std::filesystem::path const& path)
{
    auto const file = SectionedFile::open(path, kNestedVolumeFile, VerifyLevel::full);
    std::vector<Section> sections;
    for (SectionInfo const& info : file.sections()) {
        auto const bytes = file.section(info.name);
        sections.push_back({info.name, {bytes.begin(), bytes.end()}});
    }
    return sections;
}

/// All three planes, constant and other bricks.
std::vector<Section> make_plane_sections()
{
    VolumeMeta meta = test::density_meta({17, 9, 9}, Filter::trilinear, Encoding::u16);
    meta.density_value_scale = 0.01f;
    meta.band_numbers = {0, 1};
    meta.albedo = Source::plane;
    meta.anisotropy = Source::material;
    test::VoxelFunctions const voxels{
        .density = [](int x, int y, int z) { return x < 8 ? 1.0f : static_cast<float>(x * y + z) * 0.1f; },
        .one_minus_albedo = [](int x, int y, int,
                               int band) { return x < 8 ? 0.5f : static_cast<float>(y + band) / 16.0f; },
        .label = [](int x, int, int z) { return z < 8 ? 0 : x % 2; }};
    std::vector<Material> const materials{{"a", {1, 2}, {0, 0.5f}, 0.1f}, {"b", {3, 4}, {1, 0.25f}, -0.1f}};
    test::TempFolder const folder;
    Provenance provenance;
    provenance.set("tool", "fuzz");
    test::pack_volume(folder / "v", meta, voxels, materials, 8, provenance);
    return read_sections(folder / "v");
}

std::vector<Section> make_mesh_sections()
{
    test::TempFolder const folder;
    MeshPlaceOptions options;
    options.bricks = 3;
    test::pack_mesh(folder / "v", test::with_corner_values(make_icosphere(2, 2)), options);
    return read_sections(folder / "v");
}

std::vector<Section> make_surrounded_sections()
{
    test::TempFolder const folder;
    VolumeMeta meta;
    meta.dims = {4, 4, 4};
    VolumePacker packer(folder / "v", meta, {}, 1, {}, test::make_sample_shapes());
    packer.finish({});
    return read_sections(folder / "v");
}

std::vector<Section> make_lit_sections()
{
    test::TempFolder const folder;
    VolumeMeta meta;
    meta.dims = {4, 4, 4};
    VolumePacker packer(folder / "v", meta, {}, 1, {}, test::make_sample_shapes(), test::make_sample_emitters());
    packer.finish({});
    return read_sections(folder / "v");
}

/// A medium that emits: dark, constant and other bricks.
std::vector<Section> make_emitting_sections()
{
    VolumeMeta meta;
    meta.dims = {17, 9, 9};
    meta.has_emission = true;
    test::TempFolder const folder;
    auto const radiance = [](int x, int y, int z, int) {
        return x < 8 ? 0.0f : x < 16 ? 1.0f : 0.1f * static_cast<float>(y + z);
    };
    test::pack_volume(folder / "v", meta, {.emission = radiance});
    return read_sections(folder / "v");
}

/// Densities by a window, with the numbers that it clamped.
std::vector<Section> make_kept_sections()
{
    VolumeMeta meta = test::density_meta({17, 9, 9}, Filter::trilinear, Encoding::u8);
    meta.density_value_scale = 1.0f / 100.0f;
    meta.kept_values = ElementType::i16;
    std::vector<float> density, numbers;
    for (int i = 0; i < 17 * 9 * 9; ++i) {
        numbers.push_back(static_cast<float>(i % 17 < 8 ? -1000 : i % 300 - 100));
        density.push_back(std::clamp(numbers.back(), 0.0f, 100.0f) * meta.density_value_scale);
    }
    test::TempFolder const folder;
    VolumePacker packer(folder / "v", meta);
    packer.add_slab({.z_first = 0, .z_count = 9, .density = density, .source_values = numbers});
    packer.set_source_values({.element = ElementType::i16,
                              .store = ValueStore::plane,
                              .window = {{0, 100}},
                              .below = 3,
                              .above = 4,
                              .transfer = {{0, {0.5}}, {1, {0.25}}}});
    packer.finish({});
    return read_sections(folder / "v");
}

/// Two solids with boundaries of their own.
std::vector<Section> make_solid_sections()
{
    test::TempFolder const folder;
    test::MadeSolids stream({{make_icosphere(1, 2), {"a", {1.0f}, {0.5f}, 0.0f}, test::make_dielectric(1.5, 0.1)},
                             {make_box({2, 0, 0}, {3, 1, 1}), {"b", {2.0f}, {0.0f}, 0.5f}, {}}},
                            4);
    pack_volume(stream, folder / "v", {}, {});
    return read_sections(folder / "v");
}

/// A solid in another.
std::vector<Section> make_nested_sections()
{
    test::TempFolder const folder;
    test::MadeSolids stream(
        {{make_icosphere(2, 2), {"a", {1.0f}, {0.5f}, 0.0f}, test::make_dielectric(1.5)},
         {make_box({0, 0, 0}, {0.5f, 0.5f, 0.5f}), {"b", {2.0f}, {0.0f}, 0.5f}, test::make_dielectric(1.2, 0, 1.5)}},
        4);
    pack_volume(stream, folder / "v", {}, {});
    return read_sections(folder / "v");
}

std::vector<Section> make_supported_sections()
{
    test::TempFolder const folder;
    PlacedMesh placed = place_mesh(make_icosphere(1, 2), {.bricks = 2});
    placed.supported_triangles = 30;
    auto const stream = make_mesh_volume(std::make_unique<test::HomogeneousMedium>(), std::move(placed), "v");
    pack_volume(*stream, folder / "v", {}, {});
    return read_sections(folder / "v");
}

/// Six input bytes an edit: section, kind, offset, value. Kinds change a byte or a word, resize, or drop the section.
void apply_edits(std::vector<Section>& sections, std::span<std::uint8_t const> edits)
{
    for (; edits.size() >= 6; edits = edits.subspan(6)) {
        Section& section = sections[edits[0] % sections.size()];
        std::size_t const offset = edits[2] | edits[3] << 8;
        if (edits[1] % 4 == 0) {
            section.bytes.resize(offset);
        } else if (edits[1] % 4 == 1) {
            section.name = fmt::format("x{}", edits.size());
        } else if (offset + 4 <= section.bytes.size()) {
            std::uint32_t const word = edits[4] * 0x01010101u;
            std::memcpy(section.bytes.data() + offset, edits[1] % 4 == 2 ? &word : static_cast<void const*>(&edits[4]),
                        edits[1] % 4 == 2 ? 4 : 2);
        }
    }
}

std::vector<std::byte> make_container(std::vector<Section> const& sections, std::uint32_t version)
{
    container::HeaderPage page{};
    page.magic = kVolumeFile.magic;
    page.version = version;
    page.byte_order_mark = container::kByteOrderMark;
    page.header_bytes = sizeof page;
    std::vector<std::byte> bytes(sizeof page);
    for (Section const& section : sections) {
        container::SectionEntry& entry = page.sections[page.section_count++];
        std::memcpy(entry.name.data(), section.name.data(), std::min<std::size_t>(section.name.size(), 15));
        entry.offset_bytes = bytes.size();
        entry.size_bytes = section.bytes.size();
        entry.checksum = hash_bytes(section.bytes);
        bytes.insert(bytes.end(), section.bytes.begin(), section.bytes.end());
        bytes.resize(container::align_up(bytes.size()));
    }
    page.file_bytes = bytes.size() + sizeof(container::EndMarker);
    page.checksum = container::hash_header(page);
    container::EndMarker const end{page.magic, page.file_bytes, page.checksum};
    auto const tail = std::as_bytes(std::span(&end, 1));
    bytes.insert(bytes.end(), tail.begin(), tail.end());
    std::memcpy(bytes.data(), &page, sizeof page);
    return bytes;
}

float walk_voxels(PackedVolume const& volume)
{
    VolumeView const view = volume.view();
    MediumView medium;
    for (int axis = 0; axis < 3; ++axis) medium.brick_counts[axis] = view.brick_counts[axis];
    float sum = 0;
    int left = 20'000;
    for (int z = 0; z < view.dims[2]; ++z) {
        for (int y = 0; y < view.dims[1]; ++y) {
            for (int x = 0; x < view.dims[0] && left-- > 0; ++x) {
                VoxelRef const voxel = make_voxel_ref(medium, x, y, z);
                if (view.density.channels) sum += read_value(make_plane_reader(view.density), voxel, 0);
                for (std::uint32_t c = 0; c < view.one_minus_albedo.channels; ++c) {
                    sum += read_value(make_plane_reader(view.one_minus_albedo), voxel, c);
                }
                if (view.label.channels) sum += view.material_g[read_label(make_plane_reader(view.label), voxel)];
                for (std::uint32_t c = 0; c < view.emission.channels; ++c)
                    sum += read_value(make_plane_reader(view.emission), voxel, c);
                if (view.local_majorants) sum += view.local_majorants[voxel.brick];
            }
        }
    }
    return sum;
}

float walk_kept_values(PackedVolume const& volume)
{
    PlaneView const numbers = volume.kept_values();
    float sum = 0;
    if (numbers.channels == 0) return sum;
    auto const& dims = volume.meta().dims;
    for (int i = 0; i < 1000; ++i)
        sum += read_plane_voxel(volume.view(), numbers, {i % dims[0], i / dims[0] % dims[1], i * 7 % dims[2]});
    return sum;
}

float cross_mesh(SurfaceMeshView const& mesh)
{
    if (mesh.is_empty()) return 0;
    std::vector<LeafTriangle> leaves;
    for (std::uint32_t const number : mesh.bvh_order) {
        auto const& corners = mesh.triangles[number];
        leaves.push_back({mesh.vertices_voxels[corners[0]], number, mesh.vertices_voxels[corners[1]], 0,
                          mesh.vertices_voxels[corners[2]], 0});
    }
    BvhView const bvh{mesh.bvh_nodes.data(), leaves.data(), mesh.bounds_voxels, 0};
    float sum = 0;
    for (int i = 0; i < 50; ++i) {
        auto const at = static_cast<float>(i);
        BvhRay const ray = make_bvh_ray(bvh, {at, 0.5f * at, -1}, {0.3f, 0.1f * at - 2, 1});
        sum += find_triangle(bvh, ray, Facing::any, 0, 1e3f).t;
    }
    return sum;
}

/// Lets paths meet every surface from several sides.
float cross_surroundings(PackedVolume const& volume)
{
    if (volume.surroundings().is_empty()) return 0;
    Surroundings const around({}, volume.surroundings(), volume.meta(), {});
    SceneView scene;
    scene.bands = volume.meta().bands();
    scene.surroundings = around.view();
    auto const& pitch = volume.meta().pitch_mm;
    scene.surface.pitch_mm = {pitch[0], pitch[1], pitch[2]};
    scene.medium.inv_pitch = {1 / pitch[0], 1 / pitch[1], 1 / pitch[2]};
    float sum = 0;
    for (std::uint32_t i = 0; i < 30; ++i) {
        PathState<1> path{};
        path.throughput[0] = 1;
        path.rng = seed_rng(1, i, 0, 0);
        path.direction = sample_isotropic(path.rng.draw(), path.rng.draw());
        path.stage = Stage::entering;
        for (int event = 0; event < 8 && path.stage == Stage::entering; ++event) {
            OutsideHit const hit = find_outside_hit(scene, path, kFarAway_mm);
            if (hit.primitive.triangle == kNoTriangle) break;
            meet_surroundings(scene, hit, path);
        }
        sum += path.throughput[0];
    }
    return sum;
}

void try_file(std::vector<std::byte> const& bytes)
{
    int const descriptor = ::memfd_create("vpk", MFD_CLOEXEC);
    if (descriptor < 0 || ::write(descriptor, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()))
        std::abort();
    for (VerifyLevel level : {VerifyLevel::quick, VerifyLevel::full}) {
        try {
            PackedVolume const volume = PackedVolume::open(fmt::format("/proc/self/fd/{}", descriptor), level);
            float const volatile sum = walk_voxels(volume) + walk_kept_values(volume) + cross_mesh(volume.surface()) +
                                       cross_surroundings(volume);
            static_cast<void>(sum);
            report_volume(volume).dump();
        } catch (Error const& error) {
            if (error.status() != ExitStatus::input) std::abort();
        }
    }
    ::close(descriptor);
}

} // namespace
} // namespace volpt

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size)
{
    static std::vector<volpt::Section> const planes = volpt::make_plane_sections();
    static std::vector<volpt::Section> const mesh = volpt::make_mesh_sections();
    static std::vector<volpt::Section> const surrounded = volpt::make_surrounded_sections();
    static std::vector<volpt::Section> const solids = volpt::make_solid_sections();
    static std::vector<volpt::Section> const supported = volpt::make_supported_sections();
    static std::vector<volpt::Section> const lit = volpt::make_lit_sections();
    static std::vector<volpt::Section> const emitting = volpt::make_emitting_sections();
    static std::vector<volpt::Section> const nested = volpt::make_nested_sections();
    static std::vector<volpt::Section> const kept = volpt::make_kept_sections();
    if (size > 0 && data[0] == 'V') {
        auto const* const bytes = reinterpret_cast<std::byte const*>(data);
        volpt::try_file({bytes, bytes + size});
    } else {
        std::vector<volpt::Section> const* const sources[] = {&planes, &mesh,     &surrounded, &solids, &supported,
                                                              &lit,    &emitting, &nested,     &kept,   &planes};
        std::vector<volpt::Section> edited = *sources[size % 10];
        volpt::apply_edits(edited, {data, size});
        volpt::FileKind const kinds[] = {volpt::kVolumeFile,         volpt::kMeshVolumeFile,
                                         volpt::kMeshVolumeFile,     volpt::kSolidsVolumeFile,
                                         volpt::kSupportVolumeFile,  volpt::kEmittersVolumeFile,
                                         volpt::kEmissionVolumeFile, volpt::kNestedVolumeFile,
                                         volpt::kVolumeFile,         volpt::kAlbedoFilterVolumeFile};
        volpt::try_file(volpt::make_container(edited, kinds[size % 10].version));
    }
    return 0;
}
