// A volume that a sandboxed process reads: slabs of layers in shared memory, one ahead of the packer.
#pragma once

#include "libvolpt/sys/sandbox.h"
#include "libvolpt/volume/source/volume_source.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace volpt {

/// A request for layers. They go to `first_byte` of the shared memory as floats: channels fastest, then x, y, z.
struct SlabRequest {
    std::int32_t z_first;
    std::int32_t z_count;
    std::uint64_t first_byte;
};

/// Two slabs in shared memory: while volprep packs one, the process that reads fills the other.
class SandboxedSource : public VolumeSource {
public:
    void use_threads(int threads) override { threads_ = threads; }
    void read_slab(int z_first, int z_count, std::span<float> values) override;

protected:
    /// `memory` was made before the sandbox's process, which answers by serve_slabs.
    SandboxedSource(SourceMeta source, std::unique_ptr<SharedMemory> memory, std::unique_ptr<Sandbox> sandbox);

    /// Returns once the layers asked for lie in the shared memory. Error (input) if they do not come.
    virtual void await_slab(Sandbox& sandbox) = 0;

private:
    void ask(int z_first, int z_count, std::uint64_t first_byte);
    std::uint64_t fetch(int z_first, int z_count);
    void wait();

    std::unique_ptr<SharedMemory> memory_;
    std::unique_ptr<Sandbox> sandbox_;
    std::uint64_t layer_bytes_ = 0;
    int slab_layers_ = 0;
    int threads_ = 1;
    std::optional<SlabRequest> asked_;
};

/// In the child: answers requests, each by a message of kind `end`, until the connection ends. `fill` puts the layers
/// of a request, of `layer_floats` numbers each, into the span.
void serve_slabs(SandboxPort& port, SharedMemory& memory, std::size_t layer_floats, std::uint32_t end,
                 std::function<void(SlabRequest const&, std::span<float>)> const& fill);

/// Limits for a process that reads several files in turn: memory for the largest, time for all of them.
SandboxLimits find_sandbox_limits(std::vector<std::string> const& paths);

} // namespace volpt
