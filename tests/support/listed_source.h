// A source whose numbers are given.
#pragma once

#include "libvolpt/volume/source/volume_source.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace volpt::test {

inline SourceMeta describe_listed(std::array<int, 3> dims, int channels = 1)
{
    SourceMeta meta;
    meta.path = "listed";
    meta.dims = dims;
    meta.channels = channels;
    return meta;
}

class ListedSource final : public VolumeSource {
public:
    ListedSource(SourceMeta meta, std::vector<float> values) : VolumeSource(std::move(meta)), values_(std::move(values))
    {
    }
    void read_slab(int z_first, int z_count, std::span<float> values) override
    {
        auto const layer = static_cast<std::size_t>(meta().dims[0] * meta().dims[1] * meta().channels);
        ASSERT_EQ(values.size(), layer * static_cast<std::size_t>(z_count));
        std::copy_n(values_.begin() + static_cast<std::ptrdiff_t>(layer) * z_first, values.size(), values.begin());
    }

private:
    std::vector<float> values_;
};

} // namespace volpt::test
