#include "libvolpt/render/film_sink.h"

#include "libvolpt/core/fixed_point.hd.h"
#include "libvolpt/film/halves/half_samples.h"
#include "libvolpt/render/count_coverage.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/parallel.h"

#include <algorithm>
#include <climits>
#include <utility>

namespace volpt {
namespace {

/// Sums of a part that a thread adds in about a millisecond, many times as long as it takes to start one.
constexpr std::size_t kValuesPerThread = std::size_t{1} << 18;

/// What the sums of both halves stand for (FixedSquare).
Wide join_square_halves(std::uint64_t low, std::uint64_t high)
{
    return Wide{low} + (Wide{high} << kSquareHalfLog2);
}

/// Adds rows [y0, y1) of the picture, which lie in the part; `hits` are those of the part's pixels.
void add_part(Film& film, ConstBlockSums const& part, std::span<std::uint64_t const> hits, std::uint32_t y0,
              std::uint32_t y1)
{
    RenderTile const& block = part.block;
    std::size_t const width = block.x1 - block.x0;
    for (std::uint32_t plane = 0; plane < film.planes(); ++plane)
        for (std::uint32_t y = y0; y < y1; ++y) {
            std::size_t const source = (std::size_t{plane} * (block.y1 - block.y0) + (y - block.y0)) * width;
            std::size_t const target = (std::size_t{plane} * film.height() + y) * film.width() + block.x0;
            ConstTileSumsView const& from = part.planes;
            for (std::size_t x = 0; x < width; ++x) film.sums[target + x] += from.sums[source + x];
            for (std::size_t x = 0; x < width; ++x)
                film.squares[target + x] +=
                    join_square_halves(from.low_squares[source + x], from.high_squares[source + x]);
            for (std::size_t x = 0; part.half_sums != nullptr && x < width; ++x)
                film.half_sums[target + x] += part.half_sums[source + x];
        }
    if (hits.empty()) return;
    for (std::uint32_t y = y0; y < y1; ++y)
        for (std::size_t x = 0; x < width; ++x)
            film.coverage[std::size_t{y} * film.width() + block.x0 + x] += hits[(y - block.y0) * width + x];
}

void add_counts(Film& film, PathCounts const& counts)
{
    film.long_steps.steps += counts.long_steps;
    film.long_steps.collisions += counts.stepped_collisions;
    FilmStatistics& statistics = film.statistics;
    statistics.paths += counts.paths;
    statistics.extensions += counts.extensions;
    statistics.tentative_collisions += counts.tentative_collisions;
    statistics.cut_paths += counts.cut_paths;
    statistics.cut_throughput += counts.cut_throughput;
}

} // namespace

BlockSums copy_sums(ConstBlockSums const& sums, std::uint32_t plane_count)
{
    BlockSums copy{sums.block, TileSums(count_pixels_of(sums.block) * plane_count)};
    std::size_t const size = copy.planes.sums.size();
    std::copy_n(sums.planes.sums, size, copy.planes.sums.begin());
    std::copy_n(sums.planes.low_squares, size, copy.planes.low_squares.begin());
    std::copy_n(sums.planes.high_squares, size, copy.planes.high_squares.begin());
    if (sums.half_sums != nullptr) copy.half_sums.assign(sums.half_sums, sums.half_sums + size);
    return copy;
}

void add_banks(BankSums& totals, std::map<std::uint32_t, std::vector<std::uint64_t>> const& collected,
               std::uint32_t bands)
{
    for (auto const& [bank, parts] : collected) {
        std::vector<Wide>& sums = totals[bank];
        sums.resize(bands);
        for (std::size_t i = 0; i < parts.size(); ++i) sums[i % bands] += parts[i];
    }
}

void FilmSink::add(RenderedTiles const& rendered)
{
    std::vector<std::vector<std::uint64_t>> hits(rendered.parts.size());
    if (film_.counts_coverage())
        for (std::size_t i = 0; i < hits.size(); ++i)
            hits[i] = count_coverage(*scene_, rendered.parts[i].block, rendered.samples, rendered.threads);
    if (check_inputs_) check_inputs_();
    std::shared_lock whole(whole_, std::defer_lock);
    {
        std::scoped_lock const gate(gate_);
        whole.lock();
    }
    for (std::size_t i = 0; i < hits.size(); ++i) {
        ConstBlockSums part = rendered.parts[i];
        if (part.half_sums == nullptr && adds_to_half(rendered.samples)) part.half_sums = part.planes.sums;
        add_rows(part, hits[i], rendered.threads);
    }
    std::scoped_lock const lock(totals_);
    for (std::size_t const tile : rendered.tiles)
        for (SampleRange const& range : rendered.samples) insert_range(film_.tile_ranges[tile], range);
    add_counts_and_banks(rendered.counts, rendered.bank_sums);
}

bool FilmSink::adds_to_half(SampleRanges const& samples) const
{
    if (!film_.keeps_half || samples.empty()) return false;
    bool const is_half = is_in_half(samples.front().first);
    for (SampleRange const& range : samples)
        if (count_run(film_, range) < range.count || is_in_half(range.first) != is_half)
            fail_system("sums hold samples of both halves of the film", describe_ranges(samples),
                        "an error of this program");
    return is_half;
}

/// Rows that are locked by another call come last: workers that end together would otherwise queue up behind each
/// other.
void FilmSink::add_rows(ConstBlockSums const& part, std::span<std::uint64_t const> hits, int threads)
{
    auto const add = [&](std::uint32_t row) {
        std::uint32_t const top = row * kFileTileEdge;
        add_part(film_, part, hits, std::max(part.block.y0, top), std::min(part.block.y1, top + kFileTileEdge));
    };
    std::uint32_t const first_row = part.block.y0 / kFileTileEdge,
                        end_row = (part.block.y1 + kFileTileEdge - 1) / kFileTileEdge;
    std::size_t const values = count_pixels_of(part.block) * film_.planes();
    int const worth = std::max(1, static_cast<int>(std::min<std::size_t>(values / kValuesPerThread, INT_MAX)));
    std::vector<char> busy(end_row - first_row);
    parallel_for_joined(std::min(threads, worth), busy.size(), [&](std::size_t i, int) {
        std::uint32_t const row = first_row + static_cast<std::uint32_t>(i);
        std::unique_lock const lock(rows_[row], std::try_to_lock);
        lock.owns_lock() ? add(row) : void(busy[i] = 1);
    });
    for (std::uint32_t row = first_row; row < end_row; ++row) {
        if (busy[row - first_row] == 0) continue;
        std::scoped_lock const lock(rows_[row]);
        add(row);
    }
}

void FilmSink::add_counts_and_banks(PathCounts const& counts, BankSums const& bank_sums)
{
    add_counts(film_, counts);
    counts_.add(counts);
    for (auto const& [bank, sums] : bank_sums) {
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

FilmDelta FilmSink::take_delta()
{
    FilmDelta delta;
    delta.planes = TileSums(film_.sums.size());
    delta.coverage.resize(film_.coverage.size());
    delta.half_sums.resize(film_.half_sums.size());
    delta.totals.tile_ranges.resize(film_.tile_ranges.size());
    auto const whole = lock_whole();
    delta.planes.sums.swap(film_.sums);
    delta.coverage.swap(film_.coverage);
    delta.half_sums.swap(film_.half_sums);
    for (std::size_t i = 0; i < film_.squares.size(); ++i) {
        Wide const square = std::exchange(film_.squares[i], 0);
        delta.planes.low_squares[i] = static_cast<std::uint32_t>(square);
        delta.planes.high_squares[i] = static_cast<std::uint64_t>(square >> kSquareHalfLog2);
    }
    delta.totals.tile_ranges.swap(film_.tile_ranges);
    delta.totals.counts = std::exchange(counts_, {});
    delta.totals.bank_sums = std::exchange(film_.long_steps, {}).bank_sums;
    film_.statistics = {};
    return delta;
}

void FilmSink::add_plane_values(FilmPlane plane, std::size_t first, std::span<std::uint64_t const> values)
{
    auto const whole = lock_whole();
    for (std::size_t i = 0; i < values.size(); ++i) switch (plane) {
        case FilmPlane::sums:
            film_.sums[first + i] += values[i];
            break;
        case FilmPlane::low_squares:
            film_.squares[first + i] += join_square_halves(values[i], 0);
            break;
        case FilmPlane::high_squares:
            film_.squares[first + i] += join_square_halves(0, values[i]);
            break;
        case FilmPlane::coverage:
            film_.coverage[first + i] += values[i];
            break;
        case FilmPlane::half_sums:
            film_.half_sums[first + i] += values[i];
            break;
        }
}

void FilmSink::add_totals(FilmTotals const& totals)
{
    auto const whole = lock_whole();
    for (std::size_t tile = 0; tile < totals.tile_ranges.size(); ++tile)
        insert_ranges(film_.tile_ranges[tile], totals.tile_ranges[tile]);
    add_counts_and_banks(totals.counts, totals.bank_sums);
}

} // namespace volpt
