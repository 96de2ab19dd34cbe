// The emitters of a .vpk (docs/formats/vpk.md).
#pragma once

#include "libvolpt/sys/container/sectioned_file.h"
#include "libvolpt/volume/emitters/emitter.h"
#include "libvolpt/volume/meta.h"
#include "libvolpt/volume/surroundings/surrounding_shapes.h"

#include <span>

namespace volpt {

/// Leaves only these bands in the amounts that differ by band, and only the emitters that send out light in them. If
/// none does they all stay, and packing refuses them: a volume without emitters would be lit by another light.
void keep_bands(std::vector<Emitter>& emitters, std::span<std::size_t const> kept);

/// `emitters` are not empty. Error (input) if find_emitters_problem finds something.
void write_emitter_section(SectionedWriter& writer, std::span<Emitter const> emitters, VolumeMeta const& meta,
                           SurroundingShapes const& shapes);

/// The file's emitters, none if it has none; `shapes` are its own. Error (input) if a size does not fit or
/// find_emitters_problem finds something.
std::vector<Emitter> read_emitter_section(SectionedFile const& file, VolumeMeta const& meta,
                                          SurroundingShapes const& shapes);

} // namespace volpt
