// Rays per second on the CPU, for bench/rays.py; beside Embree where that is installed.
#include "bench/embree_rays.h"
#include "bench/ray_meshes.h"
#include "bench/trace_rays.h"
#include "libvolpt/sys/json.h"
#include "libvolpt/sys/parallel.h"
#include "libvolpt/sys/stopwatch.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

namespace volpt::bench {
namespace {

double find_best_s(int repeats, std::function<void()> const& work)
{
    double best_s = 1e30;
    for (int i = 0; i < repeats; ++i) {
        double const start_s = read_steady_clock_s();
        work();
        best_s = std::min(best_s, read_steady_clock_s() - start_s);
    }
    return best_s;
}

/// Pictures of 640 x 480 pixels on all threads, as the reports have them.
nlohmann::ordered_json measure_pictures(RayTracer const& tracer, RayMesh const& mesh, int threads)
{
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    RayScene const scene = mesh.view(kPicture);
    for (Bounce const bounce : {Bounce::none, Bounce::mirror, Bounce::diffuse})
        for (std::uint32_t const samples : {1u, 4u, 16u, 64u}) {
            std::uint32_t const paths = scene.width * scene.height * samples;
            constexpr std::uint32_t kPiecePaths = 4096;
            std::vector<PathSums> sums((paths + kPiecePaths - 1) / kPiecePaths);
            double const best_s = find_best_s(samples == 1 ? 5 : 1, [&] {
                parallel_for(threads, sums.size(), [&](std::size_t piece) {
                    auto const first = static_cast<std::uint32_t>(piece) * kPiecePaths;
                    sums[piece] = tracer.trace_paths(scene, bounce, first, std::min(first + kPiecePaths, paths));
                });
            });
            PathSums total;
            for (PathSums const& piece : sums) {
                total.checksum += piece.checksum;
                total.rays += piece.rays;
            }
            rows.push_back({{"mesh", mesh.name()},
                            {"bounce", name_bounce(bounce)},
                            {"samples", samples},
                            {"rays", total.rays},
                            {"seconds", best_s},
                            {"checksum", std::to_string(total.checksum)}});
            if (best_s > 4) break; // more samples take the same time each
        }
    return rows;
}

struct StoredRays {
    std::vector<WorldRay> primary;
    std::vector<WorldRay> secondary;
};

StoredRays store_rays(RayScene const& scene)
{
    StoredRays stored;
    for (std::uint32_t number = 0; number < scene.width * scene.height; ++number) {
        WorldRay const ray = make_primary_ray(scene, number);
        stored.primary.push_back(ray);
        SurfaceHit const hit = trace_ray(scene, ray);
        if (hit.triangle != kNoTriangle)
            stored.secondary.push_back(make_secondary_ray(scene, ray, hit, Bounce::diffuse, number));
    }
    return stored;
}

/// The same rays by our traversal and by Embree in turn, on this thread. Secondary rays begin a little above their
/// triangle, since Embree would meet that again.
nlohmann::ordered_json compare_with_embree(RayTracer const& tracer, RayMesh const& mesh)
{
    constexpr float kFirst_mm = 1e-3f;
    RayScene const scene = mesh.view(kFilled);
    StoredRays const stored = store_rays(scene);
    EmbreeMesh const fast(mesh.mesh(), EmbreeQuality::fast);
    EmbreeMesh const robust(mesh.mesh(), EmbreeQuality::robust);
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (bool const is_primary : {true, false}) {
        std::span<WorldRay const> const rays = is_primary ? stored.primary : stored.secondary;
        float const t_min_mm = is_primary ? 0.0f : kFirst_mm;
        std::vector<SurfaceHit> ours(rays.size());
        std::vector<EmbreeHit> theirs(rays.size());
        double own_s = 1e30, fast_s = 1e30, robust_s = 1e30;
        for (int i = 0; i < 7; ++i) {
            own_s = std::min(own_s, find_best_s(1, [&] { tracer.find_hits(scene.bvh, rays, t_min_mm, ours.data()); }));
            if (!kHaveEmbree) continue;
            fast_s = std::min(fast_s, find_best_s(1, [&] { fast.find_hits(rays, t_min_mm, theirs.data()); }));
            robust_s = std::min(robust_s, find_best_s(1, [&] { robust.find_hits(rays, t_min_mm, theirs.data()); }));
        }
        auto const count = static_cast<double>(rays.size());
        std::size_t hits = 0, equal = 0, near = 0;
        for (std::size_t i = 0; i < rays.size(); ++i) {
            hits += ours[i].triangle != kNoTriangle ? 1 : 0;
            if (!kHaveEmbree) continue;
            bool const is_equal = ours[i].triangle == theirs[i].triangle;
            equal += is_equal ? 1 : 0;
            near += is_equal || std::abs(ours[i].t - theirs[i].t) <= 1e-4f * ours[i].t ? 1 : 0;
        }
        nlohmann::ordered_json row{
            {"mesh", mesh.name()},
            {"rays", is_primary ? "primary" : "diffuse"},
            {"number", rays.size()},
            {"checksum",
             std::to_string(
                 tracer.trace_paths(scene, is_primary ? Bounce::none : Bounce::diffuse, 0, scene.width * scene.height)
                     .checksum)},
            {"hit_fraction", static_cast<double>(hits) / count},
            {"rays_per_s", count / own_s}};
        if (kHaveEmbree) {
            row["embree_rays_per_s"] = count / fast_s;
            row["embree_robust_rays_per_s"] = count / robust_s;
            row["of_embree"] = fast_s / own_s;
            row["of_embree_robust"] = robust_s / own_s;
            row["equal_triangles"] = static_cast<double>(equal) / count;
            row["equal_triangles_or_t"] = static_cast<double>(near) / count;
        }
        rows.push_back(row);
    }
    return rows;
}

void run(bool draws_pictures, int threads)
{
    RayTracer const tracer = choose_ray_tracer();
    nlohmann::ordered_json answer{{"isa", tracer.isa}, {"threads", threads}, {"embree", get_embree_version()}};
    for (std::uint32_t const divisions : kMeshDivisions) {
        RayMesh const mesh(divisions, BvhNodeOrder::pre_order, threads);
        if (draws_pictures)
            for (auto const& row : measure_pictures(tracer, mesh, threads)) answer["pictures"].push_back(row);
        for (auto const& row : compare_with_embree(tracer, mesh)) answer["one_thread"].push_back(row);
    }
    std::printf("%s\n", format_json(answer, 1).c_str());
}

} // namespace
} // namespace volpt::bench

int main(int argument_count, char** arguments)
{
    // bench_rays [pictures | compare [THREADS]]
    std::string const what = argument_count > 1 ? arguments[1] : "pictures";
    int const threads = argument_count > 2 ? std::atoi(arguments[2])
                                           : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    if ((what != "pictures" && what != "compare") || threads < 1) {
        std::fprintf(stderr, "bench_rays: usage: bench_rays [pictures|compare [THREADS]]\n");
        return 2;
    }
    try {
        volpt::bench::run(what == "pictures", threads);
        return 0;
    } catch (std::exception const& error) {
        std::fprintf(stderr, "bench_rays: %s\n", error.what());
        return 3;
    }
}
