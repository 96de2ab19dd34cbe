// Where the sums that workers render enter the film, from any thread.
#pragma once

#include "libvolpt/backend/backend.h"
#include "libvolpt/core/path_counts.hd.h"
#include "libvolpt/film/film.h"

#include <functional>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <span>
#include <vector>

namespace volpt {

/// Sums of `block` in memory of somebody else.
struct ConstBlockSums {
    RenderTile block;
    ConstTileSumsView planes;
    /// Of a film that keeps its half, of samples of both sides: as `planes.sums`, of those in the half.
    std::uint64_t const* half_sums = nullptr;
};

/// Sums of `block` with their memory.
struct BlockSums {
    RenderTile block;
    TileSums planes;
    std::vector<std::uint64_t> half_sums = {}; ///< empty: none are kept apart

    ConstBlockSums read() const { return {block, planes.read(), half_sums.empty() ? nullptr : half_sums.data()}; }
};

/// With memory of its own; `plane_count` is a film's.
BlockSums copy_sums(ConstBlockSums const& sums, std::uint32_t plane_count);

/// By bank of outcomes, as in LongStepTotals.
using BankSums = std::map<std::uint32_t, std::vector<Wide>>;
/// Adds TileRenderer::collect_banks to `totals`: sums over all pixels by bank, one per band.
void add_banks(BankSums& totals, std::map<std::uint32_t, std::vector<std::uint64_t>> const& collected,
               std::uint32_t bands);

/// What a worker has rendered of some file tiles: the same samples of all their pixels.
struct RenderedTiles {
    std::vector<std::size_t> const& tiles; ///< indices into Film::tile_ranges
    SampleRanges samples;                  ///< of a film that keeps its half: of one side, unless parts have half_sums
    std::vector<ConstBlockSums> parts;     ///< together the tiles' pixels
    PathCounts counts;
    BankSums bank_sums = {};
    int threads = 1; ///< at most so many add to the film, and count its coverage
};

/// All that a film gains from a render beside its planes of sums.
struct FilmTotals {
    PathCounts counts;
    BankSums bank_sums;
    std::vector<SampleRanges> tile_ranges; ///< by file tile
};

/// What one process has rendered, on its way into another one's film.
struct FilmDelta {
    TileSums planes; ///< of the whole picture
    std::vector<std::uint64_t> coverage;
    std::vector<std::uint64_t> half_sums;
    FilmTotals totals;
};

/// A plane of TileSums, the coverage, or the half's sums.
enum class FilmPlane { sums, low_squares, high_squares, coverage, half_sums };
inline constexpr FilmPlane kFilmPlanes[] = {FilmPlane::sums, FilmPlane::low_squares, FilmPlane::high_squares,
                                            FilmPlane::coverage, FilmPlane::half_sums};

/// Calls that add to the same row of file tiles wait for each other, others do not.
class FilmSink {
public:
    /// `check_inputs` throws if what the samples come from is no longer what it was; empty: it never changes. `scene`,
    /// what the samples are of, is needed for films with coverage alone.
    explicit FilmSink(Film& film, std::function<void()> check_inputs = {}, SceneView const* scene = nullptr)
        : film_(film), check_inputs_(std::move(check_inputs)), scene_(scene), rows_(film.tiles_y())
    {
    }

    /// When this returns, all of it is in the film, and the inputs were unchanged after it was rendered. Error (input)
    /// if the film has some of its samples already; what `check_inputs` throws leaves the film as it was.
    void add(RenderedTiles const& rendered);
    /// Of all that was added.
    PathCounts counts() const;
    /// A copy that holds each call of add() wholly or not at all.
    Film copy_film() const;

    /// Takes all that the film holds and leaves an empty film.
    FilmDelta take_delta();
    /// Adds another process's delta in pieces: values of a plane from index `first` on, and the totals. From one
    /// thread.
    void add_plane_values(FilmPlane plane, std::size_t first, std::span<std::uint64_t const> values);
    void add_totals(FilmTotals const& totals);
    std::size_t plane_size(FilmPlane plane) const
    {
        if (plane == FilmPlane::half_sums) return film_.half_sums.size();
        return plane == FilmPlane::coverage ? film_.coverage.size() : film_.sums.size();
    }

private:
    std::unique_lock<std::shared_mutex> lock_whole() const;
    bool adds_to_half(SampleRanges const& samples) const;
    void add_rows(ConstBlockSums const& part, std::span<std::uint64_t const> hits, int threads);
    void add_counts_and_banks(PathCounts const& counts, BankSums const& bank_sums);

    Film& film_;
    std::function<void()> check_inputs_;
    SceneView const* scene_;
    /// Held while waiting for `whole_`, so that shared locks queue up behind an exclusive one. (A shared_mutex alone
    /// kept the exclusive lock waiting as long as four calls of add() overlapped.)
    mutable std::mutex gate_;
    mutable std::shared_mutex whole_; ///< shared by add(), exclusive for what needs the film as a whole
    std::vector<std::mutex> rows_;    ///< of file tiles
    mutable std::mutex totals_;       ///< guards the film's ranges, counts and banks, and counts_
    PathCounts counts_;
};

} // namespace volpt
