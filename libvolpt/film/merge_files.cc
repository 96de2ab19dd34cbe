// Two readings: first what each file holds, in the order given; then the planes, by first sample, several files at a
// time.
#include "libvolpt/film/merge_files.h"

#include "libvolpt/core/fixed_point.hd.h"
#include "libvolpt/film/film_bytes.h"
#include "libvolpt/film/film_file.h"
#include "libvolpt/sys/error.h"

#include <fmt/format.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <map>
#include <memory>
#include <mutex>

namespace volpt {
namespace {

/// Read ahead of the addition: more would wait for it, and hold memory.
constexpr int kFilesAtATime = 4;

std::uint64_t find_first_sample(Film const& head)
{
    std::uint64_t first = kSampleLimit;
    for (SampleRanges const& ranges : head.tile_ranges)
        if (!ranges.empty()) first = std::min(first, ranges.front().first);
    return first;
}

void keep_origin(MergeInput& input, Provenance const& provenance)
{
    for (char const* const key : {"tool", "time", "host", "device", "kernel"})
        if (std::string const* const value = provenance.find(key)) input.provenance.set(key, *value);
}

/// By first sample, so that ranges join as they come and stay few.
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
        fail_input("the film has become another while it was merged", input.path.string(),
                   "its samples could be missing or count twice", "merge again when nobody writes to it");
    return file;
}

/// Which of the inputs before it holds samples of `head`: their heads are read once more, since none was kept.
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
    fail_input("the films changed while they were merged", inputs[at].path.string(), {},
               "merge again when nobody writes to them");
}

/// Rows of one band and plane, in tiles.
struct PlanePart {
    std::vector<std::uint64_t>& into;
    std::span<std::uint64_t const> from;
};

enum class Sums { possible, too_large };

Sums add_rows(PlanePart const& part, Film const& head, std::vector<std::uint64_t> const& largest, std::uint32_t band,
              std::uint32_t tile_row)
{
    bool too_large = false;
    std::uint32_t const y_end = std::min(head.height(), (tile_row + 1) * kFileTileEdge);
    for (std::uint32_t y = tile_row * kFileTileEdge; y < y_end; ++y) {
        std::size_t const row = (std::size_t{band} * head.height() + y) * head.width();
        for (std::uint32_t tile = 0; tile < head.tiles_x(); ++tile) {
            std::uint64_t const limit = largest[std::size_t{tile_row} * head.tiles_x() + tile];
            std::size_t const end = row + std::min(head.width(), (tile + 1) * kFileTileEdge);
            for (std::size_t i = row + std::size_t{tile} * kFileTileEdge; i < end; ++i) {
                too_large |= part.from[i] > limit;
                part.into[i] += part.from[i];
            }
        }
    }
    return too_large ? Sums::too_large : Sums::possible;
}

/// Numbers within their limits cannot carry: a tile has at most 2^32 samples, each adds at most 2^31.
void add_planes(Film& into, FilmFile const& file, std::string const& where)
{
    Film const& head = file.head();
    std::vector<std::uint64_t> largest = count_tile_samples(head);
    for (std::uint64_t& samples : largest) samples <<= kSampleLog2;
    for (bool const squares : {false, true}) {
        PlanePart const part{squares ? into.squares : into.sums, squares ? file.squares() : file.sums()};
        std::uint32_t const rows = head.bands() * head.tiles_y();
        std::atomic<bool> too_large = false;
        // Isolated: a thread that waits for its rows must not begin to read the next file.
        oneapi::tbb::this_task_arena::isolate([&] {
            oneapi::tbb::parallel_for(0u, rows, [&](std::uint32_t row) {
                if (add_rows(part, head, largest, row / head.tiles_y(), row % head.tiles_y()) == Sums::too_large)
                    too_large = true;
            });
        });
        if (too_large) check_plane(head, part.from, where, squares ? "squares" : "sums");
    }
}

struct ReadFile {
    std::size_t index;
    FilmFile file;
    Hash128 film_hash;
};

} // namespace

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
        keep_origin(input, file.head().provenance);
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

Film add_up(MergePlan& plan, int threads, ProgressSink const& progress)
{
    namespace tbb = oneapi::tbb;
    Film film = *plan.head;
    film.sums.resize(plane_value_count(film.scene()));
    film.squares.resize(plane_value_count(film.scene()));
    std::vector<std::size_t> const order = order_inputs(plan.inputs);
    std::uint64_t const film_bytes = 2 * sizeof(std::uint64_t) * film.sums.size();
    std::size_t next = 0, added = 0;
    std::atomic<bool> stopped = false;

    auto const pick = [&](tbb::flow_control& flow) -> std::size_t {
        if (next < order.size() && !stopped) return order[next++];
        flow.stop();
        return 0;
    };
    // What is thrown does not leave a filter: oneTBB forgets the files between filters then, with their mappings.
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
    tbb::task_arena arena(std::clamp(threads, 1, tbb::info::default_concurrency()));
    arena.execute([&] {
        tbb::parallel_pipeline(
            static_cast<std::size_t>(std::min(threads + 1, kFilesAtATime)),
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

} // namespace volpt
