// What volinfo tells of a file that volprep reads: its header, its numbers, and the window that fits them.
#pragma once

#include "libvolpt/sys/progress.h"
#include "libvolpt/volume/source/value_statistics.h"
#include "libvolpt/volume/source/volume_source.h"

#include <array>
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace volpt {

/// "kind": "source", "file", "format", "dims", "pitch_mm" and "size_mm" (null if the file does not say), "type",
/// "channels", "placement" ("first_voxel_world_mm", null if the volume is to be centred, and "rotation", by rows),
/// "natural_window" and "display_window" if the format has them, "segments" if it names any, "source_metadata": the
/// file's own keys.
nlohmann::ordered_json describe_source(SourceMeta const& source, std::string_view format);

/// "voxels", "min", "max", "mean", "nan", "infinite", "distinct" (null: more than 256), "percentiles": {"0.1": number,
/// ..}. Numbers are null if none is finite.
nlohmann::ordered_json report_values(ChannelStatistics const& channel);

/// {"quantity": "value", "low", "bin_width", "counts"}.
nlohmann::ordered_json report_histogram(ValueHistogram const& histogram);

/// What the file says to show its numbers with; else from the percentile of 1 % to that of 99 %, or, if they are equal,
/// from the smallest to the largest number. None if all numbers are equal, for labels, and for several numbers per
/// voxel.
std::optional<std::array<double, 2>> suggest_window(SourceMeta const& source,
                                                    std::vector<ChannelStatistics> const& channels);

/// "--window -1000,400", with "--clamp" where numbers are NaN or infinite.
std::string spell_options(std::array<double, 2> const& window, std::vector<ChannelStatistics> const& channels);

/// Of a source that was read to its end: its own notices, and what volprep would refuse or is likely to be told
/// wrongly: NaN, infinite and, where no window of the format maps them, negative numbers, labels.
std::vector<std::string> list_source_notices(VolumeSource const& from, std::vector<ChannelStatistics> const& channels);

/// By colour, 0xRRGGBBAA.
using PixelCounts = std::map<std::uint32_t, std::uint64_t>;

/// Of u8 pixels of 1, 3 or 4 channels; all that are transparent count as 0. Error (input) as read_slab, and for more
/// than 65536 colours: those are pictures, no slices of materials. Error (system) if the sink asks to stop.
PixelCounts count_pixels(VolumeSource& source, ProgressSink const& progress);

/// {"layers", "layer_mm", "dpi": [x, y], "materials": [{"name", "colour", "voxels", "volume_ml"}], "whole_volume_ml",
/// "background": {"colour", "voxels", "volume_ml"}, "other_colours": [{"colour", "voxels"}]}: in the order of the
/// manifest, the last one by frequency and at most 16. Voxels are those of `counts`; if it is empty, what the manifest
/// says, and null where it says nothing. `source` has a job and a pitch.
nlohmann::ordered_json report_print_job(SourceMeta const& source, PixelCounts const& counts);

} // namespace volpt
