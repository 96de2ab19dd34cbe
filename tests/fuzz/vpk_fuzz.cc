// Fuzz target of .vpk: raw bytes against the container, and edits of a good volume's sections behind fresh checksums.
//
// Whatever opens is walked voxel by voxel through core's own lookup, which trusts every index.
#include "libvolpt/core/lookup.hd.h"
#include "libvolpt/sys/container/container_layout.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/volume/volume_report.h"
#include "tests/support/make_volume.h"

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

/// All three planes, constant and other bricks.
std::vector<Section> make_good_sections()
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
    auto const file = SectionedFile::open(folder / "v", kVolumeFile, VerifyLevel::full);
    std::vector<Section> sections;
    for (SectionInfo const& info : file.sections()) {
        auto const bytes = file.section(info.name);
        sections.push_back({info.name, {bytes.begin(), bytes.end()}});
    }
    return sections;
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

std::vector<std::byte> make_container(std::vector<Section> const& sections)
{
    container::HeaderPage page{};
    page.magic = kVolumeFile.magic;
    page.version = kVolumeFile.version;
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
                if (view.local_majorants) sum += view.local_majorants[voxel.brick];
            }
        }
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
            float const volatile sum = walk_voxels(volume);
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
    static std::vector<volpt::Section> const good = volpt::make_good_sections();
    if (size > 0 && data[0] == 'V') {
        auto const* const bytes = reinterpret_cast<std::byte const*>(data);
        volpt::try_file({bytes, bytes + size});
    } else {
        std::vector<volpt::Section> edited = good;
        volpt::apply_edits(edited, {data, size});
        volpt::try_file(volpt::make_container(edited));
    }
    return 0;
}
