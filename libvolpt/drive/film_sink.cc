// Adds deliveries to the film, a row of tiles at a time.
#include "libvolpt/drive/film_sink.h"

#include <algorithm>

namespace volpt {

void FilmSink::deliver(Delivery const& delivery)
{
    std::shared_lock const whole(whole_);
    for (BlockSums const& part : delivery.parts) add_rows(part);
    std::scoped_lock const lock(totals_);
    for (std::size_t const tile : delivery.tiles)
        for (SampleRange const& range : delivery.samples) insert_range(film_.tile_ranges[tile], range);
    add_counts(film_, delivery.counts);
    counts_.add(delivery.counts);
    for (auto const& [bank, sums] : delivery.bank_sums) {
        std::vector<Wide>& total = film_.long_steps.bank_sums[bank];
        total.resize(film_.bands());
        for (std::size_t band = 0; band < sums.size(); ++band) total[band] += sums[band];
    }
}

PathCounts FilmSink::counts() const
{
    std::scoped_lock const lock(totals_);
    return counts_;
}

Film FilmSink::copy_film() const
{
    std::unique_lock const whole(whole_);
    return film_;
}

/// Rows that another delivery is at come last: workers that end together would queue up behind each other.
void FilmSink::add_rows(BlockSums const& part)
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
