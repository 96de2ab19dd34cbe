// Whether a volume without a material table looks like one of labels, whose numbers are no quantity.
#pragma once

#include "libvolpt/volume/source/distinct_values.h"
#include "libvolpt/volume/source/volume_source.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace volpt {

/// What is known of a volume's numbers.
struct NumberTraits {
    std::uint64_t voxels = 0;
    std::size_t distinct = 0; ///< 0: too many to be labels
    double minimum = 0, maximum = 0;
    bool are_integers = false;
};

/// Of numbers that are all integers.
NumberTraits find_integer_traits(DistinctValues const& values, std::uint64_t voxels);

/// Adds numbers, which are not NaN, run by run.
void add_runs(std::span<float const> numbers, DistinctValues& values);

/// True for one number per voxel, stored as integers, if the file's own keys name segments, or if none is negative and
/// two to 64 different numbers occur, each on average in at least 64 voxels. Pictures are none: their numbers are
/// samples.
bool look_like_labels(SourceMeta const& source, NumberTraits const& numbers);

/// "1 = bone" of each segment that the file's own keys name: SegmentN_Name and SegmentN_LabelValue of 3D Slicer.
std::vector<std::string> list_segment_names(SourceMeta const& source);

/// What the user is told of such a volume: that --materials TABLE makes the numbers materials.
std::string advise_materials(SourceMeta const& source, NumberTraits const& numbers);

} // namespace volpt
