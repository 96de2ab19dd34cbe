// Planes by MPI_Reduce a piece at a time, everything else by letter.
#include "libvolpt/render/ranks/gather_films.h"

#include <algorithm>

namespace volpt {
namespace {

constexpr std::size_t kPieceValues = std::size_t{1} << 20; // what rank 0 needs beside its film

} // namespace

void put_ranges(MessageWriter& message, std::vector<SampleRanges> const& ranges)
{
    message.put(static_cast<std::uint64_t>(ranges.size()));
    for (std::size_t first = 0; first < ranges.size();) { // most tiles have what their neighbours have
        std::size_t last = first;
        while (last < ranges.size() && ranges[last] == ranges[first]) ++last;
        message.put(static_cast<std::uint64_t>(last - first)).put_list(ranges[first]);
        first = last;
    }
}

std::vector<SampleRanges> get_ranges(MessageReader& message)
{
    std::vector<SampleRanges> ranges;
    auto const size = message.get<std::uint64_t>();
    while (ranges.size() < size) {
        auto const alike = std::min(message.get<std::uint64_t>(), size - ranges.size());
        ranges.insert(ranges.end(), alike, message.get_list<SampleRange>());
    }
    return ranges;
}

void give_film(FilmSink& sink, Communicator& ranks)
{
    FilmDelta delta = sink.take_all();
    for (auto* const plane : {&delta.sums, &delta.squares})
        for (std::span<std::uint64_t> left = *plane; !left.empty();
             left = left.subspan(std::min(left.size(), kPieceValues)))
            ranks.sum_to_first(left.first(std::min(left.size(), kPieceValues)));
    MessageWriter message(MessageKind::delta);
    message.put(delta.totals.counts).put(static_cast<std::uint64_t>(delta.totals.bank_sums.size()));
    for (auto const& [bank, sums] : delta.totals.bank_sums) message.put(bank).put_list(sums);
    put_ranges(message, delta.totals.tile_ranges);
    ranks.send(0, message.bytes());
}

void add_planes(FilmSink& sink, Communicator& ranks)
{
    std::vector<std::uint64_t> piece;
    for (FilmPlane const plane : {FilmPlane::sums, FilmPlane::squares})
        for (std::size_t first = 0; first < sink.plane_size(); first += kPieceValues) {
            piece.assign(std::min(kPieceValues, sink.plane_size() - first), 0);
            ranks.sum_to_first(piece);
            sink.add_values(plane, first, piece);
        }
}

void add_totals(FilmSink& sink, MessageReader& message)
{
    FilmTotals totals;
    totals.counts = message.get<PathCounts>();
    for (auto left = message.get<std::uint64_t>(); left > 0; --left) {
        auto const bank = message.get<std::uint32_t>();
        totals.bank_sums[bank] = message.get_list<Wide>();
    }
    totals.tile_ranges = get_ranges(message);
    sink.add_totals(totals);
}

} // namespace volpt
