#include "libvolpt/film/film.h"

#include "libvolpt/core/fixed_point.hd.h"
#include "libvolpt/film/film_bytes.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/memory/usable_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace volpt {
namespace {

enum class HalfSums { none, kept };

/// Before it is taken: a system that promises more than it has ends the process later, without a word.
void check_film_memory(Scene const& scene, HalfSums half_sums)
{
    std::size_t const value_bytes = sizeof(decltype(Film::sums)::value_type) +
                                    sizeof(decltype(Film::squares)::value_type) +
                                    (half_sums == HalfSums::kept ? sizeof(decltype(Film::half_sums)::value_type) : 0);
    std::uint64_t const bytes = plane_value_count(scene) * value_bytes +
                                coverage_value_count(scene) * sizeof(decltype(Film::coverage)::value_type);
    std::uint64_t const usable_bytes = find_usable_memory();
    if (bytes <= usable_bytes) return;
    fail_system(fmt::format("a film of {} x {} pixels takes {} of memory, and {} can be used", scene.width,
                            scene.height, spell_gib(bytes), spell_gib(usable_bytes)),
                "film", "give a smaller --resolution, or use a machine with more memory");
}

} // namespace

Film::Film(Scene scene, std::uint64_t seed, int sum_log2) : Film(std::move(scene), seed, sum_log2, Planes::zeroed) {}

Film::Film(Scene scene, std::uint64_t seed, int sum_log2, Planes planes)
    : scene_(normalize_scene(std::move(scene))), scene_hash_(hash_scene(scene_)), seed_(seed), sum_log2_(sum_log2)
{
    if (std::abs(sum_log2) > kScaleLog2Limit)
        fail_usage(fmt::format("the film's fixed-point scale 2^{} lies beyond 2^{}", sum_log2, kScaleLog2Limit));
    if (planes == Planes::zeroed) check_film_memory(scene_, HalfSums::none);
    tile_ranges.resize(std::size_t{tiles_x()} * tiles_y());
    if (planes == Planes::zeroed) {
        sums.resize(plane_value_count(scene_));
        squares.resize(plane_value_count(scene_));
        coverage.resize(coverage_value_count(scene_));
    }
}

Film Film::without_planes(Film const& like)
{
    return Film(like.scene(), like.seed(), like.sum_log2(), Planes::absent);
}

void Film::keep_half_sums()
{
    check_film_memory(scene_, HalfSums::kept);
    half_sums.resize(plane_value_count(scene_));
    keeps_half = true;
}

void Film::drop_half_sums()
{
    half_sums = {};
    keeps_half = false;
}

std::uint64_t Film::samples_at(std::uint32_t x, std::uint32_t y) const
{
    return count_samples(tile_ranges[tile_index(*this, x, y)]);
}

std::uint64_t find_sample_limit(Scene const& scene)
{
    return scene.integrator == Integrator::mlt ? std::uint64_t{1} << (64 - kPassLog2) : kSampleLimit;
}

std::uint64_t find_renderer_limit(Scene const& scene)
{
    return scene.integrator == Integrator::mlt ? std::uint64_t{1} << 15 : kSampleLimit / 2;
}

std::vector<std::uint64_t> count_tile_samples(Film const& film)
{
    std::vector<std::uint64_t> counts;
    counts.reserve(film.tile_ranges.size());
    for (SampleRanges const& ranges : film.tile_ranges) counts.push_back(count_samples(ranges));
    return counts;
}

std::uint64_t count_tile_pixels(Film const& film, std::size_t tile)
{
    std::uint64_t const x = tile % film.tiles_x() * kFileTileEdge, y = tile / film.tiles_x() * kFileTileEdge;
    return std::min<std::uint64_t>(kFileTileEdge, film.width() - x) *
           std::min<std::uint64_t>(kFileTileEdge, film.height() - y);
}

Hash128 hash_film(Film const& film)
{
    StreamHasher hasher;
    FilmRecord const record = make_film_record(film);
    hasher.add(std::as_bytes(std::span(&record, 1)));
    hasher.add(encode_tile_ranges(film));
    hasher.add(std::as_bytes(std::span(film.sums)));
    hasher.add(EncodedSquares(film).bytes());
    hasher.add(std::as_bytes(std::span(film.coverage)));
    return hasher.digest();
}

} // namespace volpt
