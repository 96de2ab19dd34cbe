#include "libvolpt/scene/light/tally_volume.h"
#include "libvolpt/sys/error.h"

#include <cmath>
#include <gtest/gtest.h>

namespace volpt {
namespace {

/// 4 x 2 x 1 voxels of 0.5 mm, a majorant of 8/mm.
SceneView make_tallied_scene(std::uint32_t bands = 1)
{
    SceneView scene;
    set_size(scene.medium, {4, 2, 1});
    scene.medium.inv_pitch = {2, 2, 2};
    scene.bands = bands;
    for (std::uint32_t b = 0; b < bands; ++b) scene.medium.band[b].majorant = 8;
    return scene;
}

void add_energy(TallySums const& sums, std::uint32_t part, EnergyKind kind, std::uint32_t band, double weight)
{
    TallyView const& view = sums.view();
    std::size_t const at = (std::size_t{part} * kEnergyKinds + static_cast<std::size_t>(kind)) * sums.bands() + band;
    // In two's complement, as core adds what is negative.
    view.energy_sums[at] += static_cast<std::uint64_t>(std::llround(weight * static_cast<double>(view.energy_scale)));
}

void add_to_cell(TallySums const& sums, std::uint32_t group, std::uint32_t gate, std::uint32_t band, std::size_t cell,
                 double weight)
{
    TallyView const& view = sums.view();
    std::size_t const row = (std::size_t{group} * view.gates + gate) * sums.bands() + band;
    view.sums[row * count_tally_cells(view) + cell] +=
        static_cast<std::uint64_t>(std::llround(weight * static_cast<double>(view.scale)));
}

TallySpec tally_of_voxels(TallyKind kind)
{
    TallySpec spec;
    spec.kind = kind;
    return spec;
}

GroupCounts equal_groups(std::uint64_t particles)
{
    GroupCounts counts;
    counts.fill(particles);
    return counts;
}

ExitStatus status_of_tally(std::string_view text)
{
    try {
        parse_tally("--tally", text);
    } catch (Error const& error) {
        return error.status();
    }
    return ExitStatus::done;
}

TEST(TallySpec, ReadsItsWords)
{
    EXPECT_EQ(parse_tally("--tally", "absorbed"), tally_of_voxels(TallyKind::absorbed));
    TallySpec const spec = parse_tally("--tally", "fluence:gates=50,ns=0.1,index=1.37,grid=64x32x1");
    EXPECT_EQ(spec.kind, TallyKind::fluence);
    EXPECT_EQ(spec.gates, 50u);
    EXPECT_DOUBLE_EQ(spec.gate_ns, 0.1);
    EXPECT_EQ(spec.index, 1.37);
    EXPECT_FALSE(parse_tally("--tally", "fluence").index);
    EXPECT_EQ(spec.grid, (std::array<int, 3>{64, 32, 1}));
    EXPECT_EQ(parse_tally("--tally", "fluence:ns=2").gates, 1u);
    EXPECT_EQ(parse_tally("--tally", "fluence:estimator=length").estimator, FluenceEstimator::length);
    EXPECT_EQ(parse_tally("--tally", "fluence:estimator=collision").estimator, FluenceEstimator::collision);
}

TEST(TallySpec, RefusesWhatItCannotMean)
{
    for (char const* text : {"",
                             "dose",
                             "absorbed:",
                             "absorbed:gates=0,ns=1",
                             "absorbed:gates=4",
                             "absorbed:gates=4,ns=0",
                             "fluence:gates=4,ns=-1",
                             "fluence:ns=nan",
                             "fluence:ns=inf",
                             "fluence:ns=",
                             "fluence:grid=4x4",
                             "fluence:grid=4x4x4x4",
                             "fluence:grid=0x1x1",
                             "fluence:grid=4,4,4",
                             "fluence:gate=4",
                             "fluence:gates=4x,ns=1",
                             "fluence:gates=4,ns=1,",
                             "fluence:index=0",
                             "fluence:index=n",
                             "fluence:estimator=track",
                             "absorbed:estimator=length"})
        EXPECT_EQ(status_of_tally(text), ExitStatus::usage) << text;
}

TEST(TallySums, CellsAreVoxelsOrTheGrid)
{
    TallySums const voxels(tally_of_voxels(TallyKind::absorbed), make_tallied_scene(), {});
    EXPECT_EQ(count_tally_cells(voxels.view()), 8u);
    EXPECT_DOUBLE_EQ(voxels.cell_volume_mm3(), 0.125);
    TallySums const grid(parse_tally("--tally", "absorbed:grid=2x1x4"), make_tallied_scene(), {});
    EXPECT_EQ(count_tally_cells(grid.view()), 8u);
    EXPECT_EQ(grid.view().cells_per_voxel.x, 0.5f);
    EXPECT_EQ(grid.view().cells_per_voxel.y, 0.5f);
    EXPECT_EQ(grid.view().cells_per_voxel.z, 4.0f);
    EXPECT_DOUBLE_EQ(grid.cell_volume_mm3(), 0.125);
}

TEST(TallySums, FluenceIsSummedByLengthWhereCollisionsAreRare)
{
    SceneView scene = make_tallied_scene();
    scene.medium.extinction = Extinction::bare;
    auto const estimator = [&](float majorant, char const* tally) {
        for (BandMedium& band : scene.medium.band) band.majorant = majorant;
        return TallySums(parse_tally("--tally", tally), scene, {}).view().fluence;
    };
    // Voxels of 0.5 mm.
    EXPECT_EQ(estimator(4, "fluence"), FluenceEstimator::collision);
    EXPECT_EQ(estimator(1, "fluence"), FluenceEstimator::length);
    EXPECT_EQ(estimator(4, "fluence:estimator=length"), FluenceEstimator::length);
    EXPECT_EQ(estimator(1, "fluence:estimator=collision"), FluenceEstimator::collision);
    EXPECT_EQ(estimator(1, "fluence:grid=1x1x1"), FluenceEstimator::collision) << "cells of 1 mm";
    // A brick of air among dense ones.
    float const majorants[] = {8, 0.1f};
    scene.medium.extinction = Extinction::density;
    scene.medium.grid = MajorantGrid::local;
    scene.medium.local_majorants = majorants;
    scene.medium.brick_counts[0] = 2;
    scene.medium.brick_counts[1] = scene.medium.brick_counts[2] = 1;
    EXPECT_EQ(estimator(8, "fluence"), FluenceEstimator::length);
}

TEST(TallySums, GatesAreOpticalPaths)
{
    TallySums const sums(parse_tally("--tally", "fluence:gates=3,ns=2"), make_tallied_scene(), {1.4, 1.1});
    EXPECT_EQ(sums.view().gates, 3u);
    EXPECT_FLOAT_EQ(sums.view().gate_optical_mm, 599.584916f);
    EXPECT_EQ(sums.view().index_inside, 1.4f);
    EXPECT_EQ(sums.view().index_outside, 1.1f);
    TallySums const endless(tally_of_voxels(TallyKind::fluence), make_tallied_scene(), {});
    EXPECT_EQ(endless.view().gate_optical_mm, 0.0f);
}

TEST(TallySums, ScalesArePowersOfTwoWithRoomForOneAddition)
{
    for (TallyKind const kind : {TallyKind::absorbed, TallyKind::fluence}) {
        TallySpec spec = tally_of_voxels(kind);
        spec.estimator = FluenceEstimator::collision;
        TallySums const sums(spec, make_tallied_scene(), {});
        int exponent = 0;
        EXPECT_EQ(std::frexp(sums.view().scale, &exponent), 0.5f);
        // An unweakened particle: all its energy, or a mean free path.
        float const addition = sums.view().scale * (kind == TallyKind::fluence ? 1.0f / 8 : 1.0f);
        EXPECT_GE(addition, 0x1p11f);
        EXPECT_LE(addition, 0x1p30f);
    }
}

TEST(TallySums, AGridPastTheMemoryIsRefusedWithStatus4)
{
    try {
        TallySums const sums(parse_tally("--tally", "absorbed:grid=65535x65535x65535"), make_tallied_scene(), {});
        FAIL() << "accepted";
    } catch (Error const& error) {
        EXPECT_EQ(error.status(), ExitStatus::system);
        EXPECT_NE(std::string(error.what()).find("65535"), std::string::npos);
    }
}

TEST(TallySums, EnergySharesAddUpToOne)
{
    TallySums sums(TallySpec{}, make_tallied_scene(2), {});
    EXPECT_EQ(sums.view().kind, TallyKind::none);
    add_energy(sums, 0, EnergyKind::launched, 0, 3);
    add_energy(sums, kEnergyParts - 1, EnergyKind::launched, 0, 1);
    add_energy(sums, 7, EnergyKind::reflected, 0, 1);
    add_energy(sums, 8, EnergyKind::transmitted, 0, 0.5);
    add_energy(sums, 9, EnergyKind::absorbed, 0, 2.5);
    add_energy(sums, 10, EnergyKind::absorbed, 0, -0.5);
    add_energy(sums, 9, EnergyKind::cut, 0, 0.25);
    add_energy(sums, 9, EnergyKind::roulette_lost, 0, 0.375);
    add_energy(sums, 9, EnergyKind::roulette_gained, 0, 0.125);
    add_energy(sums, 3, EnergyKind::launched, 1, 12);
    add_energy(sums, 3, EnergyKind::transmitted, 1, 12);
    std::vector<EnergyShares> const bands = sums.measure_energy();
    EXPECT_DOUBLE_EQ(bands[0].reflected, 0.25);
    EXPECT_DOUBLE_EQ(bands[0].transmitted, 0.125);
    EXPECT_DOUBLE_EQ(bands[0].absorbed, 0.5);
    EXPECT_DOUBLE_EQ(bands[0].cut, 0.0625);
    EXPECT_DOUBLE_EQ(bands[0].roulette, 0.0625);
    EXPECT_DOUBLE_EQ(bands[1].transmitted, 1);
    EnergyShares const all = sums.measure_total_energy();
    EXPECT_DOUBLE_EQ(all.transmitted, (0.5 + 12) / 16);
    EXPECT_DOUBLE_EQ(all.reflected + all.transmitted + all.absorbed + all.cut + all.roulette, 1);
    sums.clear();
    EXPECT_DOUBLE_EQ(sums.measure_total_energy().transmitted, 0);
    EXPECT_DOUBLE_EQ(sums.measure_launched()[1], 0);
}

TEST(TallyVolume, ValuesArePerLaunchedWattAndVolume)
{
    TallySums const sums(parse_tally("--tally", "absorbed:gates=2,ns=1"), make_tallied_scene(2), {});
    add_energy(sums, 0, EnergyKind::launched, 0, 32);
    add_energy(sums, 0, EnergyKind::launched, 1, 16);
    for (std::uint32_t group = 0; group < kTallyGroups; ++group) add_to_cell(sums, group, 1, 0, 5, 0.5);
    add_to_cell(sums, 3, 0, 1, 2, 4);
    TallyVolume const volume = make_tally_volume(sums, equal_groups(2));
    ASSERT_EQ(volume.values.size(), 2u * 2u * 8u);
    // 8 of 32 in a cell of 1/8 mm^3, in gate 1 of band 0.
    EXPECT_FLOAT_EQ(volume.values[(2 * 1 + 0) * 8 + 5], 2);
    EXPECT_EQ(volume.standard_errors[(2 * 1 + 0) * 8 + 5], 0.0f);
    EXPECT_FLOAT_EQ(volume.values[(2 * 0 + 1) * 8 + 2], 2);
    // All of it came from one of 16 equal groups: the mean m of 16 numbers of which 15 are 0 has the error m.
    EXPECT_FLOAT_EQ(volume.standard_errors[(2 * 0 + 1) * 8 + 2], 2);
    double whole = 0;
    for (float const value : volume.values) whole += static_cast<double>(value);
    EXPECT_DOUBLE_EQ(whole, 4);
}

TEST(TallyVolume, FluenceIsPathLengthPerVolume)
{
    TallySums const sums(tally_of_voxels(TallyKind::fluence), make_tallied_scene(), {});
    add_energy(sums, 0, EnergyKind::launched, 0, 10);
    // Ten particles cross a voxel along its edge of 0.5 mm: 10 / 0.25 mm^2 over 10 W.
    add_to_cell(sums, 0, 0, 0, 0, 5);
    EXPECT_FLOAT_EQ(make_tally_volume(sums, equal_groups(1)).values[0], 4);
}

TEST(TallyVolume, GroupsWeighByTheirParticles)
{
    // Group 0 has three particles, group 1 one: each of them leaves the same, so that the groups agree.
    TallySums const sums(tally_of_voxels(TallyKind::absorbed), make_tallied_scene(), {});
    add_energy(sums, 0, EnergyKind::launched, 0, 4);
    add_to_cell(sums, 0, 0, 0, 0, 0.75);
    add_to_cell(sums, 1, 0, 0, 0, 0.25);
    GroupCounts counts{3, 1};
    TallyVolume const volume = make_tally_volume(sums, counts);
    EXPECT_FLOAT_EQ(volume.values[0], 2);
    EXPECT_NEAR(volume.standard_errors[0], 0, 1e-6);
    counts = {4};
    EXPECT_TRUE(std::isnan(make_tally_volume(sums, counts).standard_errors[0]));
}

TEST(TallyVolume, NothingLaunchedIsZeroWithoutError)
{
    TallySums const sums(tally_of_voxels(TallyKind::absorbed), make_tallied_scene(), {});
    TallyVolume const volume = make_tally_volume(sums, {});
    EXPECT_EQ(volume.values[0], 0.0f);
}

} // namespace
} // namespace volpt
