// The albedo of a collision that is interpolated by itself, against the weights of its filter.
#include "libvolpt/core/scatter.hd.h"
#include "tests/support/make_volume.h"

#include <cmath>
#include <gtest/gtest.h>

namespace volpt::test {
namespace {

constexpr int kEdge = 3;

float one_minus_albedo_at(int x, int y, int z)
{
    return static_cast<float>((x * 5 + y * 3 + z * 7) % 8) / 8.0f;
}

/// The trilinear mean of `value(x, y, z)` about a point, in voxels; voxels beyond the volume repeat the last ones.
template <class Value>
double interpolate(Vec3 at, Value&& value)
{
    double sum = 0;
    for (int corner = 0; corner < 8; ++corner) {
        double weight = 1;
        int voxel[3];
        for (int axis = 0; axis < 3; ++axis) {
            double const p = static_cast<double>(get_axis(at, axis)) - 0.5;
            double const low = std::floor(p);
            bool const is_upper = (corner >> axis & 1) != 0;
            weight *= is_upper ? p - low : 1 - (p - low);
            voxel[axis] = std::clamp(static_cast<int>(low) + (is_upper ? 1 : 0), 0, kEdge - 1);
        }
        sum += weight * static_cast<double>(value(voxel[0], voxel[1], voxel[2]));
    }
    return sum;
}

class AlbedoLookup : public testing::Test {
protected:
    using Any = Medium<1, Extinction::any, MajorantGrid::any>;

    AlbedoLookup()
    {
        VolumeMeta meta = density_meta({kEdge, kEdge, kEdge});
        meta.albedo = Source::plane;
        meta.albedo_encoding = Encoding::f32;
        volume_.emplace(make_volume(
            meta, {.density = [](int, int, int) { return 1.0f; },
                   .one_minus_albedo = [](int x, int y, int z, int) { return one_minus_albedo_at(x, y, z); }}));
        VolumeView const view = volume_->view();
        MediumView& medium = scene_.medium;
        std::copy(std::begin(view.brick_counts), std::end(view.brick_counts), medium.brick_counts);
        set_size(medium, {kEdge, kEdge, kEdge});
        medium.extinction = Extinction::density;
        medium.albedo = Source::plane;
        medium.one_minus_albedo = make_plane_reader(view.one_minus_albedo);
        scene_.roulette = make_roulette(0);
    }

    PathState<1> collide(Vec3 at, VoxelRef voxel, std::uint32_t sample) const
    {
        PathState<1> path{};
        path.position = at;
        path.direction = {0, 0, 1};
        path.throughput[0] = 1;
        path.stage = Stage::inside;
        path.rng = seed_rng(7, 0, sample, 0);
        scatter<Any>(scene_, voxel, path);
        return path;
    }

    std::optional<PackedVolume> volume_;
    SceneView scene_;
};

TEST_F(AlbedoLookup, ItsMeanIsTheInterpolatedAlbedoWhateverVoxelCollided)
{
    scene_.albedo_lookup = {1u, 0x1p-11f};
    constexpr std::uint32_t kPaths = 40000;
    for (Vec3 const at : {Vec3{1.2f, 1.9f, 0.7f}, Vec3{0.1f, 2.9f, 1.5f}, Vec3{2.4f, 0.6f, 2.2f}}) {
        double const truth = 1 - interpolate(at, one_minus_albedo_at);
        for (VoxelRef const voxel : {make_voxel_ref(scene_.medium, 0, 0, 0), make_voxel_ref(scene_.medium, 1, 1, 0)}) {
            double sum = 0;
            for (std::uint32_t i = 0; i < kPaths; ++i) sum += static_cast<double>(collide(at, voxel, i).throughput[0]);
            // One path has an albedo of 0 to 1: half is the largest standard deviation.
            EXPECT_NEAR(sum / kPaths, truth, 5 * 0.5 / std::sqrt(static_cast<double>(kPaths)));
        }
    }
}

TEST_F(AlbedoLookup, OfTheNearestVoxelIsThatOfTheVoxelAtThePoint)
{
    scene_.albedo_lookup = {1u, 0.0f};
    EXPECT_EQ(collide({1.9f, 0.2f, 2.5f}, {}, 1).throughput[0], 1 - one_minus_albedo_at(1, 0, 2));
}

TEST_F(AlbedoLookup, OffItTakesTheVoxelThatCollidedAndDrawsNothing)
{
    PathState<1> const path = collide({1.2f, 1.9f, 0.7f}, make_voxel_ref(scene_.medium, 2, 1, 0), 3);
    EXPECT_EQ(path.throughput[0], 1 - one_minus_albedo_at(2, 1, 0));
    Rng rng = seed_rng(7, 0, 3, 0);
    rng.draw();
    rng.draw();
    Rng after = path.rng;
    EXPECT_EQ(after.draw(), rng.draw());
}

} // namespace
} // namespace volpt::test
