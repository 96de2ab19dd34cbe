// Clear flights among interfaces: the bits of the walk from voxel to voxel, without it.
#include "libvolpt/core/light/transports.hd.h"
#include "libvolpt/scene/light/emitter_records.h"
#include "libvolpt/scene/light/tally_sums.h"
#include "tests/statistical/measure.h"

namespace volpt::test {
namespace {

/// A ball, a slab of another label with the ball's index, and a clear corner, in a box that no brick fits; bricks of
/// one label and of several.
PackedVolume make_ball_in_box()
{
    std::vector<Material> const media{{"box", {0.9f}, {0.02f}, 0.1f},
                                      {"ball", {6.0f}, {0.01f}, 0.9f},
                                      {"slab", {2.0f}, {0.1f}, -0.3f},
                                      {"clear", {0.0f}, {0.0f}, 0.0f}};
    auto const label = [](int x, int y, int z) {
        int const dx = x - 14, dy = y - 13, dz = z - 15;
        if (dx * dx + dy * dy + dz * dz <= 64) return 1;
        return z < 4 ? 2 : x > 20 && y > 20 ? 3 : 0;
    };
    VolumeMeta meta;
    meta.dims = {30, 27, 33};
    meta.pitch_mm = {0.5f, 0.6f, 0.4f};
    meta.filter = Filter::nearest;
    meta.extinction = meta.albedo = meta.anisotropy = Source::material;
    return make_volume(meta, {.label = label}, media);
}

/// A disc down through the ball.
Scene light_with_a_beam(PackedVolume const& volume)
{
    Emitter beam;
    beam.kind = EmitterKind::beam;
    beam.profile = BeamProfile::disc;
    beam.radius_mm = 5;
    beam.origin_world = {7.2, 8, 20};
    beam.direction_world = {0, 0, -1};
    beam.amount = {1};
    Scene scene = make_scene(volume, 1, 1);
    scene.environment.radiance = {0};
    scene.emitters = to_emitter_records({&beam, 1});
    scene.integrator = Integrator::light;
    scene.particle_film = ParticleFilm::none;
    scene.roulette_w_min = 0.5;
    scene.depth_limit = 200;
    scene.material_ior = {1.37f, 1.0f, 1.0f, 1.5f};
    scene.boundary.kind = BoundaryKind::smooth;
    return scene;
}

struct FollowedParticles {
    std::vector<std::uint64_t> tally, energy;
    PathCounts counts;
    std::uint64_t clear = 0, others = 0; ///< flights
};

/// By extend_path.
template <class M>
void follow_particle(SceneView const& scene, PathOf<M> path, FollowedParticles& into)
{
    while (path.stage != Stage::ended) extend_path<M>(scene, path, into.counts);
}

/// As regen_pool does.
template <>
void follow_particle<FluenceMedium>(SceneView const& scene, PathOf<FluenceMedium> path, FollowedParticles& into)
{
    using M = FluenceMedium;
    BlockPlace place{0, 0, 0, -1, 0};
    while (path.stage != Stage::ended) {
        if (path.stage != Stage::inside) {
            extend_at_face<M>(scene, path, into.counts);
            continue;
        }
        if (place.label < 0) place = find_block_ahead(scene.medium, path.position, path.direction);
        if (fly_once_if_clear<M>(scene, place, path, into.counts)) {
            into.clear += 1;
        } else {
            fly_once_to_face<M>(scene, path, into.counts);
            place.label = -1;
            into.others += 1;
        }
    }
}

template <class M>
FollowedParticles follow_particles(Scene const& wanted, PackedVolume const& volume, std::uint32_t gates)
{
    RenderScene scene(wanted, volume, nullptr, 7);
    TallySpec const spec{
        .kind = TallyKind::fluence, .gates = gates, .gate_ns = 0.5 / gates, .estimator = FluenceEstimator::collision};
    TallySums const sums(spec, scene.view(), {wanted.boundary.int_ior, wanted.boundary.ext_ior});
    scene.attach_tally(sums.view());
    SceneView const& view = scene.view();
    EXPECT_TRUE(fits_fluence_medium(view));
    FollowedParticles followed;
    for (std::uint32_t sample = 0; sample < 3000 / kHaste; ++sample)
        follow_particle<M>(
            view, start_path_in<EmitterMedium<1, Surfaces::box, Transport::tallies>>(view, {0, 0, sample, 0, 0}),
            followed);
    followed.tally.assign(view.tally.sums, view.tally.sums + count_tally_sums(view.tally, 1));
    followed.energy.assign(view.tally.energy_sums, view.tally.energy_sums + count_energy_sums(1));
    return followed;
}

TEST(ClearFlights, HaveTheBitsOfTheWalk)
{
    PackedVolume const volume = make_ball_in_box();
    Scene const scene = light_with_a_beam(volume);
    for (std::uint32_t const gates : {1u, 3u}) {
        auto const walked = follow_particles<EmitterMedium<1, Surfaces::box, Transport::tallies>>(scene, volume, gates);
        auto const told = follow_particles<FluenceMedium>(scene, volume, gates);
        ASSERT_EQ(told.tally, walked.tally) << gates << " gates";
        ASSERT_EQ(told.energy, walked.energy);
        EXPECT_EQ(told.counts.extensions, walked.counts.extensions);
        EXPECT_EQ(told.counts.tentative_collisions, walked.counts.tentative_collisions);
        EXPECT_EQ(told.counts.cut_paths, walked.counts.cut_paths);
        EXPECT_GT(told.clear, 2 * told.others);
        EXPECT_GT(told.others, 1000u / kHaste);
    }
}

TEST(ClearFlights, BlocksHaveOneLabel)
{
    PackedVolume const volume = make_ball_in_box();
    RenderScene const scene(light_with_a_beam(volume), volume, nullptr, 7);
    MediumView const& medium = scene.view().medium;
    int counts[4] = {};
    for (int z = 0; z < 33; ++z)
        for (int y = 0; y < 27; ++y)
            for (int x = 0; x < 30; ++x) {
                BlockPlace const block = find_block(medium, x, y, z);
                ++counts[block.shift];
                int const edge = 1 << block.shift;
                auto const end = [&](int at, int size) { return std::min((at / edge + 1) * edge, size); };
                for (int k = z / edge * edge; k < end(z, 33); ++k)
                    for (int j = y / edge * edge; j < end(y, 27); ++j)
                        for (int i = x / edge * edge; i < end(x, 30); ++i)
                            ASSERT_EQ(read_label(medium.label, make_voxel_ref(medium, i, j, k)), block.label);
            }
    EXPECT_GT(counts[0], 100);
    EXPECT_GT(counts[1], 100);
    EXPECT_EQ(counts[2], 0);
    EXPECT_GT(counts[3], 100);
}

} // namespace
} // namespace volpt::test
