// How a rank's part of the film reaches rank 0.
#pragma once

#include "libvolpt/render/film_sink.h"
#include "libvolpt/render/ranks/communicator.h"
#include "libvolpt/render/ranks/messages.h"

namespace volpt {

void put_ranges(MessageWriter& message, std::vector<SampleRanges> const& ranges);
std::vector<SampleRanges> get_ranges(MessageReader& message);

/// Empties the sink's film into the reduction, and writes the rest to rank 0. On every rank but that, while rank 0
/// calls add_planes.
void give_film(FilmSink& sink, Communicator& ranks);
/// Adds all ranks' planes to the sink's film; their letters, of kind delta, follow.
void add_planes(FilmSink& sink, Communicator& ranks);
/// Adds what such a letter holds.
void add_totals(FilmSink& sink, MessageReader& message);

} // namespace volpt
