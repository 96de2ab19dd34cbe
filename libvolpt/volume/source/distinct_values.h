// The different numbers of a volume and how often each occurs, as long as they are few.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace volpt {

class DistinctValues {
public:
    static constexpr std::size_t kMost = 256;

    /// `value`, which is not NaN, `count` times, at least once; -0 counts as 0.
    void add(float value, std::uint64_t count = 1);

    /// More than kMost numbers were added: their counts are not known.
    bool are_too_many() const { return used_ > kMost; }
    /// 0 .. kMost, unless there are too many.
    std::size_t size() const { return used_; }
    /// Ascending, each with how often it was added. Empty if there are too many.
    std::vector<std::pair<float, std::uint64_t>> sort() const;

private:
    static constexpr std::size_t kSlots = 4 * kMost; ///< of a hash table with open addressing
    struct Slot {
        float value = 0;
        std::uint64_t count = 0; ///< 0: free
    };
    std::array<Slot, kSlots> slots_;
    std::size_t used_ = 0;
};

} // namespace volpt
