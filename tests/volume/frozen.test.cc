// Frozen .vpk bytes, made by tests/frozen/make_tiny_vpk.py from the format's page alone, decode and encode forever.
#include "tests/support/data_paths.h"
#include "tests/volume/volume_samples.h"

namespace volpt {
namespace {

using namespace test;

std::filesystem::path frozen(char const* name)
{
    return test::tests_folder() / "frozen" / name;
}

Provenance script_provenance()
{
    Provenance provenance;
    provenance.set("tool", "make_tiny_vpk.py");
    return provenance;
}

/// Packs layer by layer with the hints that the script writes.
std::vector<std::byte> pack_again(VolumeMeta const& meta, VoxelSlab const& slab,
                                  std::vector<Material> const& materials = {})
{
    TempFolder const folder;
    VolumePacker packer(folder / "v.vpk", meta, materials);
    packer.set_scene_hints(R"({"camera":{"fov":40}})");
    packer.add_slab(slab);
    packer.finish(script_provenance());
    return read_bytes(folder / "v.vpk");
}

float tiny_density(int x, int y)
{
    return x < 8 ? 0.5f * static_cast<float>(10 * y + x) : 10.0f;
}

float tiny_albedo(int x, int y, int band)
{
    if (x == 8) return 0.5f + 0.25f * static_cast<float>(band);
    return band == 0 ? 0.25f : band == 1 ? static_cast<float>(x) / 16.0f : static_cast<float>(y) / 2.0f;
}

TEST(FrozenVolume, PlanesDecode)
{
    PackedVolume const volume = PackedVolume::open(frozen("tiny.vpk"), VerifyLevel::full);
    VolumeView const view = volume.view();
    for_each_voxel({9, 2, 1}, [&](int x, int y, int z) {
        EXPECT_EQ(read_stored(view.density, view, x, y, z), tiny_density(x, y));
        for (int band = 0; band < 3; ++band) {
            EXPECT_EQ(read_stored(view.one_minus_albedo, view, x, y, z, band), tiny_albedo(x, y, band));
        }
    });
    EXPECT_EQ(volume.meta().pitch_mm, (std::array<float, 3>{0.5f, 0.25f, 2.0f}));
    EXPECT_EQ(volume.meta().placement.origin_world_mm, (std::array<double, 3>{-1.0, 2.0, 0.5}));
    EXPECT_EQ(volume.meta().filter, Filter::trilinear);
    EXPECT_EQ(volume.meta().scale, 3.0f);
    EXPECT_EQ(volume.meta().g, 0.5f);
    EXPECT_EQ(view.global_majorant[2], 10.0f);
    EXPECT_EQ(*volume.provenance().find("tool"), "make_tiny_vpk.py");
    EXPECT_EQ(to_hex(volume.data_checksum()), "21220df513159318b7e162b2cdac5fac");
}

TEST(FrozenVolume, PlanesEncodeToTheSameBytes)
{
    PackedVolume const volume = PackedVolume::open(frozen("tiny.vpk"));
    std::vector<float> density;
    std::vector<float> albedo;
    for_each_voxel({9, 2, 1}, [&](int x, int y, int) {
        density.push_back(tiny_density(x, y));
        for (int band = 0; band < 3; ++band) albedo.push_back(tiny_albedo(x, y, band));
    });
    auto const bytes =
        pack_again(volume.meta(), {.z_first = 0, .z_count = 1, .density = density, .one_minus_albedo = albedo});
    EXPECT_EQ(bytes, read_bytes(frozen("tiny.vpk")));
}

int frozen_label(int x, int y, int z)
{
    return x >= 8 && z < 8 && (x + y + z) % 2 == 1 ? 1 : 0;
}

TEST(FrozenVolume, LabelsDecode)
{
    PackedVolume const volume = PackedVolume::open(frozen("tiny_labels.vpk"), VerifyLevel::full);
    VolumeView const view = volume.view();
    for_each_voxel({16, 8, 9}, [&](int x, int y, int z) {
        EXPECT_EQ(read_stored(view.label, view, x, y, z), static_cast<float>(frozen_label(x, y, z)));
    });
    ASSERT_EQ(volume.materials().size(), 2u);
    EXPECT_EQ(volume.materials()[1].name, "B");
    EXPECT_EQ(volume.materials()[1].sigma_t, (std::vector<float>{2.0f, 3.0f}));
    EXPECT_EQ(volume.materials()[1].g, -0.25f);
    EXPECT_EQ(view.majorant_bands, 2u);
    EXPECT_EQ(view.local_majorants[7], 4.0f);
    EXPECT_EQ(to_hex(volume.data_checksum()), "620c639c74e23cab6bb324f3530c41f8");
}

TEST(FrozenVolume, LabelsEncodeToTheSameBytes)
{
    PackedVolume const volume = PackedVolume::open(frozen("tiny_labels.vpk"));
    std::vector<std::uint8_t> label;
    for_each_voxel({16, 8, 9},
                   [&](int x, int y, int z) { label.push_back(static_cast<std::uint8_t>(frozen_label(x, y, z))); });
    auto const bytes = pack_again(volume.meta(), {.z_first = 0, .z_count = 9, .label = label}, volume.materials());
    EXPECT_EQ(bytes, read_bytes(frozen("tiny_labels.vpk")));
}

} // namespace
} // namespace volpt
