// Paths per second in a white cube and in meshes, one thread: bench_object_paths [VOXELS [SIGMA_T_L [KERNEL]]] renders
// the box and each mesh in turn, and prints the best of three as JSON lines. bench_object_paths steps [VOXELS
// [SIGMA_T_L [KERNEL]]] does so for a cube and an icosphere of albedo .999 without and with long steps, whose bank is
// not timed.
#include "libvolpt/core/extend_path.hd.h"
#include "libvolpt/cpu/cpu_backend.h"
#include "libvolpt/cpu/outcomes/outcome_banks.h"
#include "libvolpt/scene/long_steps_tables.h"
#include "libvolpt/scene/surfaces/solid_surface.h"
#include "libvolpt/surface/make_mesh.h"
#include "libvolpt/sys/stopwatch.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace volpt {
namespace {

constexpr std::uint32_t kPictureEdge = 64;

/// A unit cube, seen from above over its whole face, in constant light.
class Cube {
public:
    Cube(std::int32_t voxels, float sigma_t)
    {
        MediumView& medium = view.medium;
        auto const edge = static_cast<float>(voxels);
        set_size(medium, {edge, edge, edge});
        medium.inv_pitch = {edge, edge, edge};
        std::size_t bricks = 1;
        for (std::int32_t& count : medium.brick_counts) {
            count = (voxels + kBrickEdge - 1) / kBrickEdge;
            bricks *= static_cast<std::size_t>(count);
        }
        medium.scale = sigma_t;
        medium.band[0].majorant = sigma_t;
        medium.band[0].mean_free_path_voxels = (1.0f / sigma_t) * medium.inv_pitch;
        majorants_.assign(bricks, 1.0f);
        medium.local_majorants = majorants_.data();
        for (std::size_t brick = 0; brick < bricks; ++brick) {
            table_.push_back(kConstantBrick);
            table_.push_back(std::bit_cast<std::uint32_t>(1.0f));
        }
        PlaneView density;
        density.encoding = Encoding::f32;
        density.channels = 1;
        density.record_elements = 1;
        density.table = table_.data();
        density.table_stride = 2;
        density.words = table_.data();
        medium.density = make_plane_reader(density);
        view.bands = 1;
        view.width = view.height = kPictureEdge;
        view.inv_width = view.inv_height = 1.0f / kPictureEdge;
        view.camera.parallel = 1;
        view.camera.origin = {edge / 2, edge / 2, 2 * edge};
        view.camera.forward = {0, 0, -1};
        view.camera.right = {edge / 2, 0, 0};
        view.camera.up = {0, edge / 2, 0};
        view.environment.above[0] = 1;
        view.sum_scale = 0x1p20f;
        view.seed = 5;
    }

    SceneView view;

private:
    std::vector<float> majorants_;
    std::vector<std::uint32_t> table_;
};

struct Case {
    std::string name;
    SceneView view;
    double best_s = 1e30;
    PathCounts counts;
};

void measure(std::vector<Case>& cases, CpuKernel const& kernel)
{
    constexpr std::uint32_t kSamples = 48;
    for (int repeat = 0; repeat < 3; ++repeat)
        for (Case& one : cases) {
            TileSums sums(std::size_t{kPictureEdge} * kPictureEdge);
            PathCounts counts;
            double const start_s = read_steady_clock_s();
            kernel.render(one.view, {0, 0, kPictureEdge, kPictureEdge, 0, kSamples}, sums.view(), counts, {});
            one.best_s = std::min(one.best_s, read_steady_clock_s() - start_s);
            one.counts = counts;
        }
    for (Case const& one : cases) {
        auto const paths = static_cast<double>(one.counts.paths);
        std::printf("{\"case\": \"%s\", \"paths_per_s\": %.0f, \"extensions_per_path\": %.2f, \"lost_paths\": %.0f, "
                    "\"strayed_paths\": %.0f, \"of_box\": %.3f, \"of_box_local\": %.3f}\n",
                    one.name.c_str(), paths / one.best_s, static_cast<double>(one.counts.extensions) / paths,
                    static_cast<double>(one.counts.lost_paths), static_cast<double>(one.counts.strayed_paths),
                    cases[0].best_s / one.best_s, cases[1].best_s / one.best_s);
    }
}

CpuKernel find_kernel(char const* name)
{
    for (CpuKernel const& kernel : list_cpu_kernels())
        if (name == nullptr || kernel.name == name) return kernel;
    throw std::invalid_argument(std::string("this processor has no kernel ") + name);
}

/// Renders `plain` without and with long steps, in turn.
void compare_steps(std::string const& name, SceneView const& plain, CpuKernel const& kernel)
{
    VolumeView volume;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        volume.dims[axis] = static_cast<int>(plain.medium.size_voxels.x);
        volume.pitch_mm[axis] = 1.0f / plain.medium.inv_pitch.x;
        volume.brick_counts[axis] = plain.medium.brick_counts[axis];
    }
    SceneView stepped = plain;
    LongStepsTables tables;
    tables.fill(volume, Steps::spheres, stepped);
    std::vector<Outcome> const outcomes = make_bank(stepped, 0, 2);
    stepped.long_steps.bank.outcomes = outcomes.data();
    double best_s[2] = {1e30, 1e30};
    PathCounts counts[2];
    std::uint32_t const samples = plain.medium.band[0].majorant > 300 ? 2 : 12;
    for (int repeat = 0; repeat < 3; ++repeat)
        for (int steps = 0; steps < 2; ++steps) {
            TileSums sums(std::size_t{kPictureEdge} * kPictureEdge);
            counts[steps] = {};
            double const start_s = read_steady_clock_s();
            kernel.render(steps == 0 ? plain : stepped, {0, 0, kPictureEdge, kPictureEdge, 0, samples}, sums.view(),
                          counts[steps], {});
            best_s[steps] = std::min(best_s[steps], read_steady_clock_s() - start_s);
        }
    auto const paths = static_cast<double>(counts[0].paths);
    auto const per_path = [&](std::uint64_t count) { return static_cast<double>(count) / paths; };
    std::printf("{\"case\": \"%s\", \"paths_per_s\": %.0f, \"paths_per_s_long_steps\": %.0f, \"gain\": %.3f, "
                "\"flights_per_path\": %.1f, \"flights_per_path_long_steps\": %.1f, \"long_steps_per_path\": %.1f, "
                "\"lost_paths\": %.0f}\n",
                name.c_str(), paths / best_s[0], paths / best_s[1], best_s[0] / best_s[1],
                per_path(counts[0].tentative_collisions), per_path(counts[1].tentative_collisions),
                per_path(counts[1].long_steps), static_cast<double>(counts[1].lost_paths));
}

void run_steps(std::int32_t voxels, float sigma_t, char const* kernel_name)
{
    CpuKernel const kernel = find_kernel(kernel_name);
    auto const edge = static_cast<float>(voxels);
    std::vector<std::pair<std::string, TriangleMesh>> const meshes{
        {"cube", make_box({0, 0, 0}, {edge, edge, edge})},
        {"icosphere", move_mesh(make_icosphere(0.49999f * edge, 63), {edge / 2, edge / 2, edge / 2})}};
    Cube cube(voxels, sigma_t);
    cube.view.medium.band[0].constant_one_minus_albedo = 0.001f;
    cube.view.roulette = make_roulette(0.5f);
    for (auto const& [name, mesh] : meshes) {
        SolidSurface surface(mesh, cube.view.medium, 2);
        surface.set_clearance_mm(surface.compute_clearance_mm(2));
        for (float const g : {0.0f, 0.8f}) {
            SceneView view = cube.view;
            view.medium.g = g;
            view.medium.scattering = g == 0.0f ? Scattering::isotropic : Scattering::constant_g;
            view.surface = surface.view();
            compare_steps(name + (g == 0.0f ? ", g 0" : ", g .8"), view, kernel);
        }
    }
}

void run(std::int32_t voxels, float sigma_t, char const* kernel_name)
{
    Cube const cube(voxels, sigma_t);
    SceneView const& bare = cube.view;
    SceneView local = bare;
    local.medium.extinction = Extinction::density;
    local.medium.grid = MajorantGrid::local;
    auto const edge = static_cast<float>(voxels);
    Vec3 const centre{edge / 2, edge / 2, edge / 2};
    std::vector<TriangleMesh> const meshes{make_box({0, 0, 0}, {edge, edge, edge}),
                                           move_mesh(make_icosphere(0.49999f * edge, 63), centre),
                                           move_mesh(make_icosphere(0.49999f * edge, 223), centre)};
    std::vector<std::unique_ptr<SolidSurface>> surfaces;
    std::vector<Case> cases{{"box", bare, 1e30, {}}, {"box, local majorants", local, 1e30, {}}};
    for (TriangleMesh const& mesh : meshes) {
        auto& surface = surfaces.emplace_back(std::make_unique<SolidSurface>(mesh, bare.medium, 2));
        surface->set_clearance_mm(surface->compute_clearance_mm(2));
        for (SceneView const* const view : std::array<SceneView const*, 2>{&bare, &local}) {
            std::string const kind = view == &local ? ", local majorants" : "";
            Case& one =
                cases.emplace_back(Case{std::to_string(mesh.triangles.size()) + " triangles" + kind, *view, 1e30, {}});
            one.view.surface = surface->view();
        }
    }
    measure(cases, find_kernel(kernel_name));
}

} // namespace
} // namespace volpt

int main(int argument_count, char** arguments)
{
    try {
        bool const compares_steps = argument_count > 1 && std::string_view(arguments[1]) == "steps";
        int const first = compares_steps ? 2 : 1;
        auto* const run = compares_steps ? volpt::run_steps : volpt::run;
        run(argument_count > first ? std::atoi(arguments[first]) : 256,
            argument_count > first + 1 ? static_cast<float>(std::atof(arguments[first + 1])) : 100.0f,
            argument_count > first + 2 ? arguments[first + 2] : nullptr);
        return 0;
    } catch (std::exception const& error) {
        std::fprintf(stderr, "bench_object_paths: %s\n", error.what());
        return 3;
    }
}
