// Which of several volumes and channels of a file is read: --volume and --channel.
#pragma once

#include "formats/reader.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace volpt {

/// Index of the volume to read among `count`; `names` are what the file calls them, or empty. Sets volume_count and
/// volume of `meta`, with a notice where none was chosen and the first is read. Error (input) lists them if there is no
/// such volume, or if one has to be chosen.
std::uint64_t choose_volume(PartChoice const& choice, std::uint64_t count, std::vector<std::string> const& names,
                            SourceMeta& meta);

/// Index of the channel to read among `names` (two or more): by its name, whatever the case, or by its number. Sets
/// channel_names and channel of `meta`; notice and Error as choose_volume.
std::size_t choose_channel(PartChoice const& choice, std::vector<std::string> names, SourceMeta& meta);

/// The numbers of a voxel by name: R, G, B, A for three and four, else numbers from 0.
std::vector<std::string> name_samples(int count);

/// A source whose voxels have other than one number (a density) or three (R G B): one of them by choose_channel. Others
/// as they are.
std::unique_ptr<VolumeSource> choose_channels(std::unique_ptr<VolumeSource> source, PartChoice const& choice);

/// The same for a source whose voxels have a number of each volume.
std::unique_ptr<VolumeSource> choose_interleaved_volume(std::unique_ptr<VolumeSource> source, PartChoice const& choice);

/// What the reader left to choose: one of the numbers of each voxel, if the choice names a channel and the reader chose
/// none. Error (input) if the choice names a volume or a channel that the source does not have.
std::unique_ptr<VolumeSource> apply_part_choice(std::unique_ptr<VolumeSource> source, PartChoice const& choice);

} // namespace volpt
