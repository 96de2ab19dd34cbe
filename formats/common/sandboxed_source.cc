#include "formats/common/sandboxed_source.h"

#include "libvolpt/sys/parallel.h"

#include <algorithm>
#include <cstring>

namespace volpt {
namespace {

constexpr std::uint64_t kSlabBytes = std::uint64_t{256} << 20;

} // namespace

SandboxedSource::SandboxedSource(SourceMeta source, std::unique_ptr<SharedMemory> memory,
                                 std::unique_ptr<Sandbox> sandbox)
    : VolumeSource(std::move(source)), memory_(std::move(memory)), sandbox_(std::move(sandbox))
{
    layer_bytes_ = sizeof(float) * static_cast<std::uint64_t>(meta().channels) *
                   static_cast<std::uint64_t>(meta().dims[0]) * static_cast<std::uint64_t>(meta().dims[1]);
    slab_layers_ = static_cast<int>(std::clamp<std::uint64_t>(kSlabBytes / layer_bytes_, 1, 8));
}

void SandboxedSource::read_slab(int z_first, int z_count, std::span<float> values)
{
    auto const layer = static_cast<std::size_t>(layer_bytes_ / sizeof(float));
    for (int z = 0; z < z_count; z += slab_layers_) {
        int const count = std::min(slab_layers_, z_count - z);
        std::uint64_t const first_byte = fetch(z_first + z, count);
        int const next = z_first + z + count;
        // Callers ascend in z by equal steps.
        int const next_count = std::min(count, meta().dims[2] - next);
        if (next_count > 0) ask(next, next_count, first_byte == 0 ? memory_->bytes().size() / 2 : 0);
        // A copy: the other process can still change the shared one.
        parallel_for_joined(threads_, static_cast<std::size_t>(count), [&](std::size_t i, int) {
            auto const to = values.subspan((static_cast<std::size_t>(z) + i) * layer, layer);
            std::memcpy(to.data(), memory_->bytes().data() + first_byte + i * layer_bytes_, layer_bytes_);
        });
    }
}

void SandboxedSource::ask(int z_first, int z_count, std::uint64_t first_byte)
{
    // Not before: callers judge the size of the layers first.
    if (memory_->bytes().empty()) memory_->create(2 * static_cast<std::uint64_t>(slab_layers_) * layer_bytes_);
    asked_ = SlabRequest{z_first, z_count, first_byte};
    sandbox_->send(std::as_bytes(std::span(&*asked_, 1)));
}

/// Where in the shared memory the layers are.
std::uint64_t SandboxedSource::fetch(int z_first, int z_count)
{
    bool const is_asked = asked_ && asked_->z_first == z_first && asked_->z_count == z_count;
    if (!is_asked) {
        if (asked_) wait();
        ask(z_first, z_count, 0);
    }
    std::uint64_t const first_byte = asked_->first_byte;
    wait();
    return first_byte;
}

void SandboxedSource::wait()
{
    asked_.reset();
    await_slab(*sandbox_);
}

void serve_slabs(SandboxPort& port, SharedMemory& memory, std::size_t layer_floats, std::uint32_t end,
                 std::function<void(SlabRequest const&, std::span<float>)> const& fill)
{
    SlabRequest request{};
    while (port.receive(std::as_writable_bytes(std::span(&request, 1)))) {
        if (memory.bytes().empty()) {
            port.allow_more_memory(memory.size_bytes());
            memory.map();
        }
        auto const slab = memory.bytes().subspan(
            request.first_byte, layer_floats * static_cast<std::size_t>(request.z_count) * sizeof(float));
        fill(request, {reinterpret_cast<float*>(slab.data()), slab.size() / sizeof(float)});
        port.send(end, {});
    }
}

SandboxLimits find_sandbox_limits(std::vector<std::string> const& paths)
{
    SandboxLimits all{0, 60};
    for (auto const& path : paths) {
        SandboxLimits const one = find_sandbox_limits(std::filesystem::path(path));
        all.memory_bytes = std::max(all.memory_bytes, one.memory_bytes);
        all.cpu_seconds += one.cpu_seconds - 60;
    }
    all.cpu_seconds += paths.size() / 100;
    return all;
}

} // namespace volpt
