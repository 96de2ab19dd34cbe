// Decoding in both forms of samples: what is stored has the values of the floats, to the bit.
#pragma once

#include "libvolpt/image/stored_image.h"

#include <gtest/gtest.h>

namespace volpt::test {

/// decode(form) as floats, compared with decode(SampleForm::stored).
template <class Decode>
Image decode_in_both_forms(Decode const& decode)
{
    Image floats = to_floats(decode(SampleForm::floats));
    StoredImage const stored = decode(SampleForm::stored);
    EXPECT_EQ(stored.width(), floats.width);
    EXPECT_EQ(stored.height(), floats.height);
    EXPECT_EQ(stored.description.transfer, floats.transfer);
    EXPECT_EQ(stored.description.transfer_source, floats.transfer_source);
    EXPECT_EQ(stored.description.metadata, floats.metadata);
    EXPECT_EQ(stored.description.notices, floats.notices);
    EXPECT_EQ(stored.description.profile.has_value(), floats.profile.has_value());
    EXPECT_EQ(stored.channels.size(), floats.channels.size());
    std::vector<float> row(static_cast<std::size_t>(floats.width));
    for (Channel const& channel : floats.channels) {
        StoredChannel const* const other = stored.find(channel.name);
        EXPECT_NE(other, nullptr) << channel.name;
        if (other == nullptr) continue;
        for (std::size_t first = 0; first < floats.pixel_count(); first += row.size()) {
            other->read(first, row);
            EXPECT_TRUE(std::equal(row.begin(), row.end(), channel.values.begin() + static_cast<std::ptrdiff_t>(first)))
                << channel.name << ", pixels from " << first;
        }
    }
    return floats;
}

} // namespace volpt::test
