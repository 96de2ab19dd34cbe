// Fuzz target of the .vpf decoder behind the container's checksums: scene records, film record, tiles, planes,
// provenance.
#include "libvolpt/film/film_bytes.h"
#include "libvolpt/film/film_image.h"
#include "libvolpt/film/film_merge.h"
#include "libvolpt/film/film_report.h"
#include "libvolpt/sys/error.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace volpt {
namespace {

using Bytes = std::vector<std::byte>;

void require(bool holds)
{
    if (!holds) std::abort();
}

/// The input is six payloads, each after its size in 16 bits; what follows fills the planes over and over. A film whose
/// scene has no long steps has a section of them only if there is a payload for it; one of several bands has half_sums
/// if the first number of its sums is odd.
class Input {
public:
    Input(std::uint8_t const* data, std::size_t size) : left_(reinterpret_cast<std::byte const*>(data), size) {}

    Bytes take_payload()
    {
        std::uint16_t size = 0;
        if (left_.size() >= sizeof(size)) std::memcpy(&size, take(sizeof(size)).data(), sizeof(size));
        auto const bytes = take(std::min<std::size_t>(size, left_.size()));
        return {bytes.begin(), bytes.end()};
    }

    std::vector<std::uint64_t> fill_plane(std::size_t values) const
    {
        std::vector<std::uint64_t> plane(values);
        auto const bytes = std::as_writable_bytes(std::span(plane));
        for (std::size_t i = 0; i < bytes.size() && !left_.empty(); ++i) bytes[i] = left_[i % left_.size()];
        return plane;
    }

private:
    std::span<std::byte const> take(std::size_t size)
    {
        auto const bytes = left_.first(size);
        left_ = left_.subspan(size);
        return bytes;
    }

    std::span<std::byte const> left_;
};

void try_film(Input input)
{
    Bytes const scene_bytes = input.take_payload();
    Bytes record = input.take_payload();
    Bytes const tiles = input.take_payload();
    Bytes const statistics = input.take_payload();
    Bytes const provenance = input.take_payload();
    Bytes const long_steps = input.take_payload();

    Scene const scene = parse_scene(scene_bytes, "fuzz");
    require(serialize_scene(scene) == scene_bytes);
    std::size_t const values = plane_value_count(scene);
    bool const is_small = values <= 100'000;
    auto const sums = input.fill_plane(is_small ? values : 1);
    auto const squares =
        input.fill_plane(is_small ? values * SquaresView::count_number_bytes(scene) / sizeof(std::uint64_t) : 1);
    auto const coverage = input.fill_plane(is_small ? coverage_value_count(scene) : 1);
    auto const half_sums = input.fill_plane(scene.bands > 1 && sums[0] % 2 != 0 && is_small ? values : 0);
    Hash128 const scene_hash = hash_scene(scene);
    if (record.size() == sizeof(FilmRecord)) std::memcpy(record.data() + 32, &scene_hash, sizeof(scene_hash));

    FilmSections const sections{
        .scene = scene_bytes,
        .film = record,
        .tiles = tiles,
        .sums = std::as_bytes(std::span(sums)),
        .squares = std::as_bytes(std::span(squares)),
        .coverage = counts_coverage(scene) ? std::optional(std::as_bytes(std::span(coverage))) : std::nullopt,
        .statistics = statistics,
        .long_steps = long_steps.empty() ? std::nullopt : std::optional<std::span<std::byte const>>(long_steps),
        .half_sums = half_sums.empty() ? std::nullopt : std::optional(std::as_bytes(std::span(half_sums))),
        .provenance = provenance};
    Film film = decode_film(sections, "fuzz", tiles.size() % 2 ? VerifyLevel::quick : VerifyLevel::full);
    require(encode_tile_ranges(film) == tiles);
    require(long_steps.empty() || encode_long_steps(film) == long_steps);
    require(film.coverage == coverage);
    require(film.half_sums == half_sums && film.keeps_half == !half_sums.empty());
    require(film.sums == sums && std::ranges::equal(EncodedSquares(film).bytes(), sections.squares));
    report_film(film).dump();
    film_to_image(film);
    Film merged = Film::without_planes(film);
    merge_heads(merged, film);
    require(merged.keeps_half == film.keeps_half);
    require(merged.tile_ranges == film.tile_ranges && merged.statistics == film.statistics);
    merge_heads(merged, film); // an Error (input) if the film has samples
    require(std::ranges::all_of(film.tile_ranges, [](SampleRanges const& ranges) { return ranges.empty(); }));
}

} // namespace
} // namespace volpt

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size)
{
    try {
        volpt::try_film(volpt::Input(data, size));
    } catch (volpt::Error const& error) {
        if (error.status() != volpt::ExitStatus::input) std::abort();
    }
    return 0;
}
