#include "libvolpt/volume/pack/label_histogram.h"

#include <cstring>

namespace volpt {

// Neighbours are mostly alike: eight equal ones cost one addition. Others go to four tables, as an addition to a
// counter waits for the last one to the same.
void count_labels(std::span<std::uint8_t const> labels, LabelHistogram& histogram)
{
    static_assert(kMaxMaterials == 256);
    std::array<std::array<std::uint64_t, 256>, 4> counts{};
    std::size_t const whole = labels.size() / 8 * 8;
    for (std::size_t i = 0; i < whole; i += 8) {
        std::uint64_t eight = 0;
        std::memcpy(&eight, labels.data() + i, sizeof eight);
        if (eight == (eight & 0xff) * 0x0101010101010101u) {
            counts[0][eight & 0xff] += 8;
            continue;
        }
        for (std::size_t j = 0; j < 8; ++j) ++counts[j % 4][labels[i + j]];
    }
    for (std::size_t i = whole; i < labels.size(); ++i) ++counts[0][labels[i]];
    for (auto const& table : counts)
        for (std::size_t label = 0; label < histogram.size(); ++label) histogram[label] += table[label];
}

} // namespace volpt
