// Banks of outcomes for long steps, made on the device.
#pragma once

#include "kernels/host/device_memory.h"
#include "libvolpt/core/outcome.hd.h"

#include <cstdint>
#include <list>

namespace volpt {

/// Banks made at once: each level needs the outcomes of the level below, so one bank alone would leave most of the
/// device idle.
inline constexpr std::uint32_t kBanksAtOnce = 8;

/// Bytes that the banks of a scene take on the device; 0 without long steps.
std::size_t count_bank_bytes(SceneView const& scene);

/// Holds kBanksAtOnce consecutive banks, with the same bits as make_bank (libvolpt/cpu/outcomes/outcome_banks.h).
class DeviceBanks {
public:
    /// `scene` has long steps and device pointers.
    explicit DeviceBanks(SceneView const& scene);

    bool holds(std::uint32_t number) const { return made_ && number / kBanksAtOnce == group_; }
    /// Queues the making of bank `number` and its group on `stream`; nothing may read the banks held before by then.
    void make(std::uint32_t number, cudaStream_t stream);
    /// Makes `stream` wait until the banks are made.
    void delay(cudaStream_t stream) const { times_.back().end.delay(stream); }
    /// The outcomes of a bank that is held.
    Outcome const* find(std::uint32_t number) const;

    /// Waits; seconds on the device's clock that making all banks took.
    double measure_seconds() const;

private:
    struct Times {
        CudaEvent start;
        CudaEvent end;
    };

    SceneView const& scene_;
    std::size_t bank_size_;
    DeviceArray<Outcome> outcomes_;
    std::list<Times> times_;
    std::uint32_t group_ = 0;
    bool made_ = false;
};

} // namespace volpt
