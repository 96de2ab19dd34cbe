// Two passes: plan_merge reads the heads in the order given, merge_films the planes by first sample, several files at a
// time.
#include "libvolpt/film/film_merge.h"

#include "libvolpt/core/fixed_point.hd.h"
#include "libvolpt/film/film_bytes.h"
#include "libvolpt/film/film_io.h"
#include "libvolpt/film/film_stats.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/threads/task_arenas.h"

#include <fmt/format.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <map>
#include <memory>
#include <mutex>

namespace volpt {
namespace {

/// Files in memory at a time: addition is not faster with more.
constexpr int kOpenFiles = 4;

/// Error (input) unless both are of one scene, estimator, seed and fixed-point scale.
void check_same_render(Film const& into, Film const& from)
{
    std::string const why = "only films of one scene and one seed add up";
    if (into.scene_hash() != from.scene_hash()) {
        std::string fields;
        for (SceneDifference const& difference : compare_scenes(into.scene(), from.scene()))
            fields += fmt::format("{}{} ({} and {})", fields.empty() ? "" : ", ", difference.field, difference.left,
                                  difference.right);
        if (into.scene().estimator != from.scene().estimator)
            fail_input("the films are of different estimators; they differ in " + fields, {}, why,
                       "render both with one version of volpt");
        fail_input("the films are of different scenes, in " + fields, {}, why);
    }
    if (into.seed() != from.seed())
        fail_input(fmt::format("the films have different seeds, {} and {}", into.seed(), from.seed()), {}, why);
    if (into.sum_log2() != from.sum_log2())
        fail_input(
            fmt::format("the films have different fixed-point scales, 2^{} and 2^{}", into.sum_log2(), from.sum_log2()),
            {}, why, "render both with one version of volpt");
}

/// Samples that two films both hold.
struct FilmOverlap {
    std::size_t tile;
    SampleRange samples;
};

/// The first tile where two films of one size share samples, and the first of these.
std::optional<FilmOverlap> find_overlap(Film const& left, Film const& right)
{
    for (std::size_t tile = 0; tile < left.tile_ranges.size(); ++tile)
        if (auto const shared = find_shared(left.tile_ranges[tile], right.tile_ranges[tile]))
            return FilmOverlap{tile, *shared};
    return std::nullopt;
}

FilmStatistics add_statistics(FilmStatistics sum, FilmStatistics const& more)
{
    for (auto const field : {&FilmStatistics::paths, &FilmStatistics::extensions, &FilmStatistics::tentative_collisions,
                             &FilmStatistics::cut_paths, &FilmStatistics::cut_throughput})
        if (__builtin_add_overflow(sum.*field, more.*field, &(sum.*field)))
            fail_input("the films' statistics do not fit 64 bits", {}, "one of the films is damaged");
    return sum;
}

std::uint64_t find_first_sample(Film const& head)
{
    std::uint64_t first = kSampleLimit;
    for (SampleRanges const& ranges : head.tile_ranges)
        if (!ranges.empty()) first = std::min(first, ranges.front().first);
    return first;
}

bool has_samples(Film const& film)
{
    return find_first_sample(film) < kSampleLimit;
}

/// The sum of films with and without banks would have banks of some of its samples alone, which no reader accepts.
void check_long_steps(Film const& into, Film const& from)
{
    LongStepTotals const &sum = into.long_steps, &more = from.long_steps;
    for (auto const field : {&LongStepTotals::steps, &LongStepTotals::collisions})
        if (sum.*field > std::numeric_limits<std::uint64_t>::max() - more.*field)
            fail_input("the films' totals of long steps do not fit 64 bits", {}, "one of the films is damaged");
    bool const has_banks = into.scene().long_steps != LongSteps::plain; // not totals of passes, which may be missing
    if (has_banks && sum.uses_no_bank() != more.uses_no_bank() && has_samples(into) && has_samples(from))
        fail_input("one film has banks of long steps, the other has none", {},
                   "films of one scene have both or neither: one of them is damaged");
}

bool keep_half(Film const& into, Film const& from)
{
    auto const knows = [](Film const& film) { return film.keeps_half || !has_samples(film); };
    return (into.keeps_half || from.keeps_half) && knows(into) && knows(from);
}

/// In place: copying the banks for each of ten thousand films would take quadratic time.
void add_long_steps(LongStepTotals& sum, LongStepTotals const& more)
{
    sum.steps += more.steps;
    sum.collisions += more.collisions;
    for (auto const& [bank, sums] : more.bank_sums) {
        std::vector<Wide>& into = sum.bank_sums[bank];
        into.resize(sums.size());
        for (std::size_t band = 0; band < sums.size(); ++band) into[band] += sums[band];
    }
}

void check_disjoint(Film const& into, Film const& from)
{
    auto const overlap = find_overlap(into, from);
    if (!overlap) return;
    fail_input(fmt::format("samples {}:{} are in both films", overlap->samples.first, overlap->samples.count),
               fmt::format("tile {},{}", overlap->tile % into.tiles_x(), overlap->tile / into.tiles_x()),
               "they would count twice");
}

void copy_origin(MergeInput& input, Provenance const& provenance)
{
    for (char const* const key : {"tool", "time", "host", "device", "kernel"})
        if (std::string const* const value = provenance.find(key)) input.provenance.set(key, *value);
}

/// By first sample, so that ranges join as they are added and stay few.
std::vector<std::size_t> order_inputs(std::vector<MergeInput> const& inputs)
{
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < inputs.size(); ++i)
        if (!inputs[i].same_as) order.push_back(i);
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return inputs[i].first_sample; });
    return order;
}

FilmFile open_again(MergeInput const& input)
{
    FilmFile file = FilmFile::open(input.path);
    if (file.content() != input.content)
        fail_input("the film changed while it was being merged", input.path.string(),
                   "its samples could be missing or count twice", "merge again when no program writes to it");
    return file;
}

/// Names the earlier input that holds samples of `head`. Reads the heads again: they are not kept.
[[noreturn]] void refuse_overlap(std::vector<MergeInput> const& inputs, std::span<std::size_t const> before,
                                 std::size_t at, Film const& head)
{
    for (std::size_t const other : before) {
        auto const overlap = find_overlap(open_again(inputs[other]).head(), head);
        if (!overlap) continue;
        auto const [left, right] = std::minmax(other, at);
        fail_input(
            fmt::format(
                "while adding {} to the films before it: samples {}:{} are there already, in {}, which is another film",
                inputs[right].path.string(), overlap->samples.first, overlap->samples.count,
                inputs[left].path.string()),
            fmt::format("tile {},{}", overlap->tile % head.tiles_x(), overlap->tile / head.tiles_x()),
            "they would count twice", "leave one of the two out");
    }
    fail_input("the films changed while they were being merged", inputs[at].path.string(), {},
               "merge again when no program writes to them");
}

enum class Numbers { possible, doubtful };

/// Adds the rows of a tile row of one plane of a film; `largest` is what a number can be, by tile.
Numbers add_coverage_rows(std::vector<std::uint64_t>& into, std::span<std::uint64_t const> from, Film const& head,
                          std::vector<std::uint64_t> const& largest, std::uint32_t tile_row)
{
    bool is_doubtful = false;
    std::uint32_t const y_end = std::min(head.height(), (tile_row + 1) * kFileTileEdge);
    for (std::uint32_t y = tile_row * kFileTileEdge; y < y_end; ++y) {
        std::size_t const row = std::size_t{y} * head.width();
        for (std::uint32_t x = 0; x < head.width(); ++x) {
            is_doubtful |= from[row + x] > largest[tile_index(head, x, y)];
            into[row + x] += from[row + x];
        }
    }
    return is_doubtful ? Numbers::doubtful : Numbers::possible;
}

/// True where square * samples < sum^2, which by Cauchy-Schwarz no squares have. Without a division: a film has
/// millions.
bool contradict(std::uint64_t sum, Wide square, std::uint64_t samples)
{
    Wide const low = Wide{static_cast<std::uint64_t>(square)} * samples;
    Wide const high = (square >> 64) * samples + (low >> 64);
    Wide const product = high << 64 | static_cast<std::uint64_t>(low);
    return (high >> 64) == 0 && product < Wide{sum} * sum;
}

/// What check_planes refuses of one number, but for rounded squares, and for sums near 2^64, which it judges itself.
bool is_doubtful_pair(std::uint64_t sum, Wide square, std::uint64_t samples, int sample_log2)
{
    bool const is_too_large = Wide{sum} > Wide{samples} << sample_log2;
    bool const is_out_of_range = square > Wide{sum} << sample_log2 || square < sum || ((square ^ sum) & 1) != 0;
    return is_too_large | is_out_of_range | contradict(sum, square, samples);
}

struct FilmCounts {
    std::vector<std::uint64_t> samples; ///< by tile
    std::uint64_t particles = 0;
};

/// Adds the rows of a tile row of a plane of sums and of its squares.
Numbers add_rows(Film& into, std::span<std::uint64_t const> sums, SquaresView const& squares, Film const& head,
                 FilmCounts const& counts, std::uint32_t plane, std::uint32_t tile_row)
{
    bool const counts_particles = head.scene().integrator == Integrator::light || plane >= head.bands();
    int const sample_log2 = find_sample_log2(head.scene());
    bool is_doubtful = false;
    std::uint32_t const y_end = std::min(head.height(), (tile_row + 1) * kFileTileEdge);
    for (std::uint32_t y = tile_row * kFileTileEdge; y < y_end; ++y) {
        std::size_t const row = (std::size_t{plane} * head.height() + y) * head.width();
        for (std::uint32_t tile = 0; tile < head.tiles_x(); ++tile) {
            std::uint64_t const samples =
                counts_particles ? counts.particles : counts.samples[std::size_t{tile_row} * head.tiles_x() + tile];
            std::size_t const end = row + std::min(head.width(), (tile + 1) * kFileTileEdge);
            for (std::size_t i = row + std::size_t{tile} * kFileTileEdge; i < end; ++i) {
                std::uint64_t const sum = sums[i];
                Wide const square = squares[i];
                is_doubtful |= is_doubtful_pair(sum, square, samples, sample_log2);
                into.sums[i] += sum;
                into.squares[i] += square;
            }
        }
    }
    return is_doubtful ? Numbers::doubtful : Numbers::possible;
}

template <typename AddRow>
Numbers add_in_parallel(std::uint32_t rows, AddRow const& add_row)
{
    std::atomic<bool> is_doubtful = false;
    // Isolated: a thread that waits for rows must not start to read the next file meanwhile.
    oneapi::tbb::this_task_arena::isolate([&] {
        oneapi::tbb::parallel_for(0u, rows, [&](std::uint32_t row) {
            if (add_row(row) == Numbers::doubtful) is_doubtful = true;
        });
    });
    return is_doubtful ? Numbers::doubtful : Numbers::possible;
}

/// `from` was checked by FilmFile::verify.
void add_half_sums(std::vector<std::uint64_t>& into, std::span<std::uint64_t const> from, std::uint32_t planes)
{
    std::size_t const plane = into.size() / planes;
    add_in_parallel(planes, [&](std::uint32_t number) {
        for (std::size_t i = number * plane; i < (number + 1) * plane; ++i) into[i] += from[i];
        return Numbers::possible;
    });
}

/// Error (input) for what `volinfo --verify full` refuses. Numbers that their samples can give cannot overflow: a tile
/// has at most 2^32 samples, or 2^24 of mlt.
void add_planes(Film& into, FilmFile const& file, std::string const& where)
{
    Film const& head = file.head();
    FilmCounts const counts{count_tile_samples(head), count_particles(head).count};
    auto const sums = file.sums();
    SquaresView const squares = file.squares();
    Numbers const numbers = add_in_parallel(head.planes() * head.tiles_y(), [&](std::uint32_t row) {
        return add_rows(into, sums, squares, head, counts, row / head.tiles_y(), row % head.tiles_y());
    });
    if (numbers == Numbers::doubtful || head.rounds_squares()) check_planes(head, sums, squares, where);
    if (into.keeps_half && head.keeps_half) add_half_sums(into.half_sums, file.half_sums(), head.planes());
    if (!head.counts_coverage()) return;
    auto const coverage = file.coverage();
    Numbers const hits = add_in_parallel(head.tiles_y(), [&](std::uint32_t row) {
        return add_coverage_rows(into.coverage, coverage, head, counts.samples, row);
    });
    if (hits == Numbers::doubtful) check_coverage(head, coverage, where);
}

struct ReadFile {
    std::size_t index;
    FilmFile file;
    Hash128 film_hash;
};

} // namespace

void merge_heads(Film& into, Film const& from)
{
    check_same_render(into, from);
    check_disjoint(into, from);
    check_long_steps(into, from);
    into.keeps_half = keep_half(into, from);
    into.statistics = add_statistics(into.statistics, from.statistics);
    for (std::size_t tile = 0; tile < into.tile_ranges.size(); ++tile)
        insert_ranges(into.tile_ranges[tile], from.tile_ranges[tile]);
    add_long_steps(into.long_steps, from.long_steps);
}

MergePlan plan_merge(std::vector<std::filesystem::path> const& paths)
{
    MergePlan plan;
    std::map<Hash128, std::size_t> known;
    for (std::size_t i = 0; i < paths.size(); ++i) {
        FilmFile const file = FilmFile::open(paths[i]);
        MergeInput input;
        input.path = paths[i];
        input.content = file.content();
        input.first_sample = find_first_sample(file.head());
        copy_origin(input, file.head().provenance);
        if (!plan.head)
            plan.head = Film::without_planes(file.head());
        else
            try {
                check_same_render(*plan.head, file.head());
            } catch (Error const& error) {
                throw error.within(
                    fmt::format("while adding {} to the {} before it", paths[i].string(), i == 1 ? "film" : "films"));
            }
        auto const [first, is_new] = known.emplace(input.content, i);
        if (!is_new && input.first_sample < kSampleLimit) input.same_as = first->second;
        plan.inputs.push_back(std::move(input));
    }
    std::vector<std::size_t> const order = order_inputs(plan.inputs);
    for (std::size_t i = 0; i < order.size(); ++i) {
        FilmFile const file = open_again(plan.inputs[order[i]]);
        if (find_overlap(*plan.head, file.head()))
            refuse_overlap(plan.inputs, std::span(order).first(i), order[i], file.head());
        merge_heads(*plan.head, file.head());
    }
    return plan;
}

Film merge_films(MergePlan& plan, int threads, ProgressSink const& progress)
{
    namespace tbb = oneapi::tbb;
    Film film = *plan.head;
    film.sums.resize(plane_value_count(film.scene()));
    film.squares.resize(plane_value_count(film.scene()));
    film.coverage.resize(coverage_value_count(film.scene()));
    if (film.keeps_half) film.half_sums.resize(plane_value_count(film.scene()));
    std::vector<std::size_t> const order = order_inputs(plan.inputs);
    std::uint64_t const film_bytes = (sizeof(std::uint64_t) + sizeof(Wide)) * film.sums.size() +
                                     sizeof(std::uint64_t) * (film.coverage.size() + film.half_sums.size());
    std::size_t next = 0, added = 0;
    std::atomic<bool> stopped = false;

    auto const pick = [&](tbb::flow_control& flow) -> std::size_t {
        if (next < order.size() && !stopped) return order[next++];
        flow.stop();
        return 0;
    };
    // Exceptions are caught inside the filters: oneTBB would leak the files between filters, with their mappings.
    std::mutex mutex;
    std::exception_ptr failure;
    auto const note_failure = [&] {
        std::scoped_lock const lock(mutex);
        if (!failure) failure = std::current_exception();
        stopped = true;
    };
    auto const read = [&](std::size_t index) -> std::shared_ptr<ReadFile> {
        try {
            FilmFile file = open_again(plan.inputs[index]);
            Hash128 const film_hash = file.verify();
            return std::make_shared<ReadFile>(ReadFile{index, std::move(file), film_hash});
        } catch (...) {
            note_failure();
            return nullptr;
        }
    };
    auto const add_file = [&](std::shared_ptr<ReadFile> const& ready) {
        MergeInput& input = plan.inputs[ready->index];
        add_planes(film, ready->file, input.path.string());
        ready->file.check_unchanged();
        input.film_hash = ready->film_hash;
        ++added;
        if (progress && !progress({added * film_bytes, order.size() * film_bytes, "B"})) stopped = true;
    };
    auto const add = [&](std::shared_ptr<ReadFile> const& ready) {
        try {
            if (ready && !stopped) add_file(ready);
        } catch (...) {
            note_failure();
        }
    };
    run_in_arena(threads, [&] {
        tbb::parallel_pipeline(
            static_cast<std::size_t>(std::min(threads + 1, kOpenFiles)),
            tbb::make_filter<void, std::size_t>(tbb::filter_mode::serial_in_order, pick) &
                tbb::make_filter<std::size_t, std::shared_ptr<ReadFile>>(tbb::filter_mode::parallel, read) &
                tbb::make_filter<std::shared_ptr<ReadFile>, void>(tbb::filter_mode::serial_in_order, add));
    });
    if (failure) std::rethrow_exception(failure);
    if (added < order.size()) fail_system("interrupted; nothing was written", "volmerge");
    for (MergeInput& input : plan.inputs)
        if (input.same_as) input.film_hash = plan.inputs[*input.same_as].film_hash;
    return film;
}

Film merge_held_films(std::span<Film const* const> films)
{
    auto const add = [](auto& into, auto const& from) {
        for (std::size_t i = 0; i < into.size(); ++i) into[i] += from[i];
    };
    Film merged = *films[0];
    for (Film const* const film : films.subspan(1)) {
        merge_heads(merged, *film);
        add(merged.sums, film->sums);
        add(merged.squares, film->squares);
        add(merged.coverage, film->coverage);
    }
    merged.half_sums.assign(merged.keeps_half ? merged.sums.size() : 0, 0);
    if (merged.keeps_half)
        for (Film const* const film : films) {
            if (film->keeps_half) add(merged.half_sums, film->half_sums);
        }
    merged.provenance = {};
    return merged;
}

} // namespace volpt
