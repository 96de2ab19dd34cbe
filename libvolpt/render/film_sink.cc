// Adds deliveries to the film, a row of tiles at a time.
#include "libvolpt/render/film_sink.h"

#include <algorithm>

namespace volpt {

void FilmSink::deliver(RenderedTiles const& delivery)
{
    std::shared_lock whole(whole_, std::defer_lock);
    {
        std::scoped_lock const gate(gate_);
        whole.lock();
    }
    for (ConstTileSums const& part : delivery.parts) add_rows(part);
    std::scoped_lock const lock(totals_);
    for (std::size_t const tile : delivery.tiles)
        for (SampleRange const& range : delivery.samples) insert_range(film_.tile_ranges[tile], range);
    add_counts_and_banks(delivery.counts, delivery.bank_sums);
}

void FilmSink::add_counts_and_banks(PathCounts const& counts,
                                    std::map<std::uint32_t, std::vector<Wide>> const& bank_sums)
{
    add_counts(film_, counts);
    counts_.add(counts);
    for (auto const& [bank, sums] : bank_sums) {
        std::vector<Wide>& total = film_.long_steps.bank_sums[bank];
        total.resize(film_.bands());
        for (std::size_t band = 0; band < sums.size(); ++band) total[band] += sums[band];
    }
}

FilmDelta FilmSink::take_all()
{
    FilmDelta delta;
    delta.sums.resize(film_.sums.size());
    delta.squares.resize(film_.squares.size());
    delta.totals.tile_ranges.resize(film_.tile_ranges.size());
    auto const whole = lock_whole();
    delta.sums.swap(film_.sums);
    delta.squares.swap(film_.squares);
    delta.totals.tile_ranges.swap(film_.tile_ranges);
    delta.totals.counts = std::exchange(counts_, {});
    delta.totals.bank_sums = std::exchange(film_.long_steps, {}).bank_sums;
    film_.statistics = {};
    return delta;
}

void FilmSink::add_values(FilmPlane plane, std::size_t first, std::span<std::uint64_t const> values)
{
    auto const whole = lock_whole();
    std::vector<std::uint64_t>& target = plane == FilmPlane::sums ? film_.sums : film_.squares;
    for (std::size_t i = 0; i < values.size(); ++i) target[first + i] += values[i];
}

void FilmSink::add_totals(FilmTotals const& totals)
{
    auto const whole = lock_whole();
    for (std::size_t tile = 0; tile < totals.tile_ranges.size(); ++tile)
        insert_ranges(film_.tile_ranges[tile], totals.tile_ranges[tile]);
    add_counts_and_banks(totals.counts, totals.bank_sums);
}

PathCounts FilmSink::counts() const
{
    std::scoped_lock const lock(totals_);
    return counts_;
}

std::unique_lock<std::shared_mutex> FilmSink::lock_whole() const
{
    std::scoped_lock const gate(gate_);
    return std::unique_lock(whole_);
}

Film FilmSink::copy_film() const
{
    auto const whole = lock_whole();
    return film_;
}

/// Rows that another delivery is at come last: workers that end together would queue up behind each other.
void FilmSink::add_rows(ConstTileSums const& part)
{
    std::vector<std::uint32_t> busy;
    auto const add = [&](std::uint32_t row) {
        std::uint32_t const top = row * kFileTileEdge;
        add_part(film_, part, std::max(part.block.y0, top), std::min(part.block.y1, top + kFileTileEdge));
    };
    for (std::uint32_t row = part.block.y0 / kFileTileEdge; row * kFileTileEdge < part.block.y1; ++row) {
        std::unique_lock const lock(rows_[row], std::try_to_lock);
        lock.owns_lock() ? add(row) : busy.push_back(row);
    }
    for (std::uint32_t const row : busy) {
        std::scoped_lock const lock(rows_[row]);
        add(row);
    }
}

} // namespace volpt
