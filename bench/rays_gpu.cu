// Rays per second on a GPU, for bench/rays.py: the paths of bench_rays, with checksums of their hits.
#include "bench/gpu_timing.h"
#include "bench/ray_meshes.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <thread>

namespace volpt::bench {
namespace {

/// Threads first .. first + count - 1 of a picture; `order` tells which path is a thread's.
struct PathRange {
    PixelOrder order;
    std::uint32_t first, count;
};

__device__ std::uint32_t find_thread()
{
    return blockIdx.x * blockDim.x + threadIdx.x;
}

/// Primary ray and bounce in one thread.
template <Bounce bounce>
__global__ void __launch_bounds__(512)
    trace_paths(RayScene const __grid_constant__ scene, PathRange range, std::uint32_t* hashes)
{
    std::uint32_t const thread = find_thread();
    if (thread >= range.count) return;
    std::uint32_t const number = find_path_number(scene, range.order, range.first + thread);
    WorldRay const primary = make_primary_ray(scene, number);
    SurfaceHit const hit = trace_ray(scene, primary);
    std::uint32_t hash = hash_hit(hit);
    if (bounce != Bounce::none && hit.triangle != kNoTriangle) {
        SurfaceHit const second = trace_ray(scene, make_secondary_ray(scene, primary, hit, bounce, number));
        hash = hash_number(hash) ^ hash_hit(second);
    }
    hashes[number] = hash;
}

__global__ void __launch_bounds__(512)
    trace_primary(RayScene const __grid_constant__ scene, PathRange range, SurfaceHit* hits, std::uint32_t* hashes)
{
    std::uint32_t const thread = find_thread();
    if (thread >= range.count) return;
    std::uint32_t const number = find_path_number(scene, range.order, range.first + thread);
    SurfaceHit const hit = trace_ray(scene, make_primary_ray(scene, number));
    hits[number] = hit;
    hashes[number] = hash_hit(hit);
}

/// From the hits of trace_primary; `numbers`, if not null, are those of the paths that have one.
template <Bounce bounce>
__global__ void __launch_bounds__(512)
    trace_secondary(RayScene const __grid_constant__ scene, PathRange range, std::uint32_t const* numbers,
                    SurfaceHit const* hits, std::uint32_t* hashes)
{
    std::uint32_t const thread = find_thread();
    if (thread >= range.count) return;
    std::uint32_t const number =
        numbers != nullptr ? numbers[thread] : find_path_number(scene, range.order, range.first + thread);
    SurfaceHit const hit = hits[number];
    if (hit.triangle == kNoTriangle) return;
    WorldRay const ray = make_secondary_ray(scene, make_primary_ray(scene, number), hit, bounce, number);
    hashes[number] = hash_number(hash_hit(hit)) ^ hash_hit(trace_ray(scene, ray));
}

__global__ void sum_hashes(std::uint32_t const* hashes, std::uint32_t count, unsigned long long* sum)
{
    std::uint32_t const number = find_thread();
    if (number < count) atomicAdd(sum, static_cast<unsigned long long>(weigh_hash(hashes[number], number)));
}

constexpr unsigned kBlockThreads = 128; // where nothing else is said

unsigned count_blocks(std::uint32_t threads, unsigned block)
{
    return (threads + block - 1) / block;
}

unsigned long long compute_checksum(DeviceArray<std::uint32_t> const& hashes, std::uint32_t count)
{
    DeviceArray<unsigned long long> const sum = copy_to_device(std::vector<unsigned long long>{0});
    sum_hashes<<<count_blocks(count, kBlockThreads), kBlockThreads>>>(hashes.data(), count, sum.data());
    check_cuda(cudaGetLastError(), "summing hashes");
    return copy_from_device(sum)[0];
}

/// A mesh on the GPU.
class GpuMesh {
public:
    explicit GpuMesh(RayMesh const& mesh)
        : nodes_(copy_to_device(mesh.bvh().nodes)), triangles_(copy_to_device(mesh.triangles())),
          places_(copy_to_device(mesh.places())), name_(mesh.name()), bounds_(mesh.bvh().bounds), root_(mesh.bvh().root)
    {
    }

    RayScene view(PictureSize const& size) const
    {
        return make_scene({nodes_.data(), triangles_.data(), bounds_, root_}, places_.data(), size);
    }
    char const* name() const { return name_.c_str(); }

private:
    DeviceArray<BvhNode> nodes_;
    DeviceArray<LeafTriangle> triangles_;
    DeviceArray<std::uint32_t> places_;
    std::string name_;
    BoundingBox bounds_;
    std::uint32_t root_;
};

/// Buffers of as many paths as the largest picture has.
struct PathBuffers {
    explicit PathBuffers(std::uint32_t paths) : hits(paths), hashes(paths) {}
    DeviceArray<SurfaceHit> hits;
    DeviceArray<std::uint32_t> hashes;
};

void launch_paths(RayScene const& scene, Bounce bounce, PathRange const& range, unsigned block, std::uint32_t* hashes)
{
    unsigned const blocks = count_blocks(range.count, block);
    if (bounce == Bounce::none) trace_paths<Bounce::none><<<blocks, block>>>(scene, range, hashes);
    if (bounce == Bounce::mirror) trace_paths<Bounce::mirror><<<blocks, block>>>(scene, range, hashes);
    if (bounce == Bounce::diffuse) trace_paths<Bounce::diffuse><<<blocks, block>>>(scene, range, hashes);
}

/// One launch for primary rays, and one for the others.
void launch_by_bounce(RayScene const& scene, Bounce bounce, PathRange const& range, PathBuffers const& to)
{
    unsigned const blocks = count_blocks(range.count, kBlockThreads);
    trace_primary<<<blocks, kBlockThreads>>>(scene, range, to.hits.data(), to.hashes.data());
    if (bounce == Bounce::mirror)
        trace_secondary<Bounce::mirror>
            <<<blocks, kBlockThreads>>>(scene, range, nullptr, to.hits.data(), to.hashes.data());
    if (bounce == Bounce::diffuse)
        trace_secondary<Bounce::diffuse>
            <<<blocks, kBlockThreads>>>(scene, range, nullptr, to.hits.data(), to.hashes.data());
}

/// Numbers of the paths that have a hit, in the order of threads.
std::vector<std::uint32_t> list_hits(RayScene const& scene, std::uint32_t paths, PathBuffers const& buffers)
{
    launch_by_bounce(scene, Bounce::none, {PixelOrder::blocks, 0, paths}, buffers);
    std::vector<SurfaceHit> const hits = copy_from_device(buffers.hits);
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t thread = 0; thread < paths; ++thread) {
        std::uint32_t const number = find_path_number(scene, PixelOrder::blocks, thread);
        if (hits[number].triangle != kNoTriangle) numbers.push_back(number);
    }
    return numbers;
}

class RowPrinter {
public:
    explicit RowPrinter(char const* list) { std::printf(",\n \"%s\": [", list); }
    ~RowPrinter() { std::printf("]"); }
    char const* next() { return first_ ? (first_ = false, "\n  ") : ",\n  "; }

private:
    bool first_ = true;
};

/// Pictures of 640 x 480 pixels, in one launch, in a launch per bounce, and in such launches per sample.
void measure_pictures(RowPrinter& rows, GpuMesh const& mesh, std::uint32_t samples, PathBuffers const& buffers)
{
    RayScene const scene = mesh.view(kPicture);
    std::uint32_t const pixels = scene.width * scene.height;
    std::uint32_t const paths = pixels * samples;
    auto const hits = static_cast<std::uint32_t>(list_hits(scene, paths, buffers).size());
    for (Bounce const bounce : {Bounce::none, Bounce::mirror, Bounce::diffuse})
        for (char const* const launches : {"one", "per bounce", "per bounce and sample"}) {
            double const best_s = find_best_s([&] {
                PathRange range{PixelOrder::blocks, 0, paths};
                if (std::strcmp(launches, "one") == 0)
                    return launch_paths(scene, bounce, range, kBlockThreads, buffers.hashes.data());
                if (std::strcmp(launches, "per bounce") == 0) return launch_by_bounce(scene, bounce, range, buffers);
                range.count = pixels;
                for (std::uint32_t sample = 0; sample < samples; ++sample) {
                    range.first = sample * pixels;
                    launch_by_bounce(scene, bounce, range, buffers);
                }
            });
            std::printf("%s{\"mesh\": \"%s\", \"bounce\": \"%s\", \"launches\": \"%s\", \"samples\": %u, \"rays\": %u, "
                        "\"seconds\": %.3e, \"checksum\": \"%llu\"}",
                        rows.next(), mesh.name(), name_bounce(bounce), launches, samples,
                        paths + (bounce == Bounce::none ? 0u : hits), best_s, compute_checksum(buffers.hashes, paths));
        }
}

/// Blocks, order of nodes and order of pixels: primary and diffuse rays in one launch.
void measure_options(RowPrinter& rows, GpuMesh const& mesh, char const* node_order, PathBuffers const& buffers)
{
    constexpr std::uint32_t kSamples = 16;
    RayScene const scene = mesh.view(kPicture);
    std::uint32_t const paths = scene.width * scene.height * kSamples;
    auto const rays = static_cast<double>(paths) + static_cast<double>(list_hits(scene, paths, buffers).size());
    for (PixelOrder const order : {PixelOrder::rows, PixelOrder::blocks})
        for (unsigned const block : {64u, 128u, 512u}) {
            double const best_s = find_best_s([&] {
                launch_paths(scene, Bounce::diffuse, {order, 0, paths}, block, buffers.hashes.data());
            });
            std::printf("%s{\"mesh\": \"%s\", \"nodes\": \"%s\", \"pixels\": \"%s\", \"block\": %u, \"samples\": %u, "
                        "\"bounce\": \"diffuse\", \"rays_per_s\": %.4e, \"checksum\": \"%llu\"}",
                        rows.next(), mesh.name(), node_order, order == PixelOrder::rows ? "rows" : "8 x 8", block,
                        kSamples, rays / best_s, compute_checksum(buffers.hashes, paths));
        }
}

/// Rates of primary and of secondary rays apart, in a picture that the mesh fills. The checksum is that of the first
/// sample.
void measure_rates(RowPrinter& rows, GpuMesh const& mesh, PathBuffers const& buffers, std::uint32_t samples)
{
    RayScene const scene = mesh.view(kFilled);
    std::uint32_t const pixels = scene.width * scene.height;
    std::uint32_t const paths = pixels * samples;
    PathRange range{PixelOrder::blocks, 0, paths};
    std::vector<std::uint32_t> const numbers = list_hits(scene, paths, buffers);
    DeviceArray<std::uint32_t> const list = copy_to_device(numbers);
    double const fraction = static_cast<double>(numbers.size()) / paths;
    for (unsigned const block : {64u, 128u, 512u})
        for (bool const is_primary : {true, false}) {
            range.count = is_primary ? paths : static_cast<std::uint32_t>(numbers.size());
            unsigned const blocks = count_blocks(range.count, block);
            double const best_s = find_best_s([&] {
                if (is_primary)
                    trace_primary<<<blocks, block>>>(scene, range, buffers.hits.data(), buffers.hashes.data());
                else
                    trace_secondary<Bounce::diffuse>
                        <<<blocks, block>>>(scene, range, list.data(), buffers.hits.data(), buffers.hashes.data());
            });
            std::printf("%s{\"mesh\": \"%s\", \"rays\": \"%s\", \"block\": %u, \"number\": %u, \"hit_fraction\": %.4f, "
                        "\"rays_per_s\": %.4e, \"checksum\": \"%llu\"}",
                        rows.next(), mesh.name(), is_primary ? "primary" : "diffuse", block, range.count, fraction,
                        range.count / best_s, compute_checksum(buffers.hashes, pixels));
        }
}

void run()
{
    cudaDeviceProp properties{};
    if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess)
        throw std::runtime_error("no GPU that CUDA can use (see nvidia-smi)");
    int const threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    constexpr std::uint32_t kMostSamples = 64;
    constexpr std::uint32_t kFilledSamples = 16;
    PathBuffers const buffers(
        std::max(kPicture.width * kPicture.height * kMostSamples, kFilled.width * kFilled.height * kFilledSamples));
    std::printf("{\"device\": \"%s\"", properties.name);
    {
        RowPrinter rows("pictures");
        for (std::uint32_t const divisions : kMeshDivisions) {
            GpuMesh const mesh(RayMesh(divisions, BvhNodeOrder::pre_order, threads));
            for (std::uint32_t const samples : {1u, 4u, 16u, kMostSamples})
                measure_pictures(rows, mesh, samples, buffers);
        }
    }
    {
        RowPrinter rows("options");
        constexpr char const* kNames[] = {"pre-order", "in-order", "post-order"};
        for (BvhNodeOrder const order : {BvhNodeOrder::pre_order, BvhNodeOrder::in_order, BvhNodeOrder::post_order})
            measure_options(rows, GpuMesh(RayMesh(kMeshDivisions.back(), order, threads)),
                            kNames[static_cast<int>(order)], buffers);
    }
    {
        RowPrinter rows("rates");
        for (std::uint32_t const divisions : kMeshDivisions)
            measure_rates(rows, GpuMesh(RayMesh(divisions, BvhNodeOrder::pre_order, threads)), buffers, kFilledSamples);
    }
    std::printf("\n}\n");
}

} // namespace
} // namespace volpt::bench

int main()
{
    try {
        volpt::bench::run();
        return 0;
    } catch (std::exception const& error) {
        std::fprintf(stderr, "bench_rays_gpu: %s\n", error.what());
        return 3;
    }
}
