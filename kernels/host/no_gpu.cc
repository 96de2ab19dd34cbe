// The GPU backend of a build without CUDA: there is none, and it says so.
#include "kernels/host/gpu.h"

#include "libvolpt/sys/error.h"

namespace volpt {
namespace {

constexpr char kWhy[] = "this volpt was built without GPU code (VOLPT_CUDA)";

[[noreturn]] void refuse()
{
    fail_system(kWhy, "GPU", "--device cpu gives the same picture");
}

} // namespace

class GpuRenderer::Work {};
class BrickStore {};

std::shared_ptr<BrickStore> make_brick_store(std::function<BrickAccessCounts()>)
{
    return nullptr;
}

std::vector<GpuDevice> list_gpu_devices(std::string* why)
{
    if (why != nullptr) *why = kWhy;
    return {};
}

std::vector<GpuKernel> list_gpu_kernels()
{
    return {};
}
GpuMemoryPlan plan_gpu_memory(SceneView const&, std::uint32_t, GpuOptions const&)
{
    refuse();
}

GpuRenderer::GpuRenderer(SceneView const&, std::uint32_t, GpuOptions const&, std::shared_ptr<BrickStore>)
{
    refuse();
}
GpuRenderer::~GpuRenderer() = default;
void GpuRenderer::choose(GpuOptions const&)
{
    refuse();
}
void GpuRenderer::open(int, RenderTile const&)
{
    refuse();
}
void GpuRenderer::add_samples(int, std::uint32_t, std::uint32_t)
{
    refuse();
}
double GpuRenderer::time_samples(int, std::uint32_t, std::uint32_t)
{
    refuse();
}
std::uint32_t GpuRenderer::most_samples(RenderTile const&) const
{
    refuse();
}
std::uint32_t GpuRenderer::least_paths() const
{
    refuse();
}
void GpuRenderer::close(int)
{
    refuse();
}
GpuSums GpuRenderer::collect(int)
{
    refuse();
}
std::map<std::uint32_t, std::vector<std::uint64_t>> GpuRenderer::collect_banks(int) const
{
    refuse();
}
double GpuRenderer::measure_seconds()
{
    refuse();
}
double GpuRenderer::measure_bank_seconds() const
{
    refuse();
}
GpuMemoryPlan const& GpuRenderer::memory() const
{
    refuse();
}
GpuKernelFacts GpuRenderer::inspect() const
{
    refuse();
}
GpuDevice const& GpuRenderer::device() const
{
    refuse();
}

} // namespace volpt
