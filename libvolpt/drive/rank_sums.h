// How a rank's part of the film reaches rank 0.
#pragma once

#include "libvolpt/drive/film_sink.h"
#include "libvolpt/drive/rank_letters.h"
#include "libvolpt/ranks/ranks.h"

namespace volpt {

void put_ranges(LetterWriter& letter, std::vector<SampleRanges> const& ranges);
std::vector<SampleRanges> get_ranges(LetterReader& letter);

/// Empties the sink's film into the reduction, and writes the rest to rank 0. On every rank but that, while rank 0
/// calls add_planes.
void give_film(FilmSink& sink, Ranks& ranks);
/// Adds all ranks' planes to the sink's film; their letters, of kind delta, follow.
void add_planes(FilmSink& sink, Ranks& ranks);
/// Adds what such a letter holds.
void add_totals(FilmSink& sink, LetterReader& letter);

} // namespace volpt
