#include "libvolpt/stats/verdict/compare_films.h"

#include "libvolpt/stats/verdict/subject.h"

#include <algorithm>
#include <fmt/format.h>

namespace volpt {
namespace {

void list_sample_differences(Film const& test, Film const& reference, std::vector<std::string>& differences)
{
    std::size_t tiles = 0;
    for (std::size_t tile = 0; tile < test.tile_ranges.size(); ++tile) {
        if (test.tile_ranges[tile] == reference.tile_ranges[tile]) continue;
        if (++tiles > 1) continue;
        differences.push_back(
            fmt::format("samples: {} against {} in the tile at pixel {},{}", describe_ranges(test.tile_ranges[tile]),
                        describe_ranges(reference.tile_ranges[tile]), tile % test.tiles_x() * kFileTileEdge,
                        tile / test.tiles_x() * kFileTileEdge));
    }
    if (tiles > 1) differences.push_back(fmt::format("samples: {} more tiles differ", tiles - 1));
}

template <class Number>
void list_plane_differences(std::vector<Number> const& test, std::vector<Number> const& reference, Film const& film,
                            std::string_view name, std::vector<std::string>& differences)
{
    std::size_t count = 0, first = 0;
    for (std::size_t i = 0; i < test.size(); ++i)
        if (test[i] != reference[i] && ++count == 1) first = i;
    if (count == 0) return;
    std::size_t const pixels = std::size_t{film.width()} * film.height();
    differences.push_back(fmt::format("{}: {} of {} differ, first band {} at pixel {},{}: {} against {}", name, count,
                                      test.size(), first / pixels, first % pixels % film.width(),
                                      first % pixels / film.width(), test[first], reference[first]));
}

FilmRelation relate(Film const& test, Film const& reference)
{
    if (test.scene_hash() != reference.scene_hash()) return FilmRelation::other_scene;
    bool const same = test.seed() == reference.seed() && test.tile_ranges == reference.tile_ranges;
    return same ? FilmRelation::same_samples : FilmRelation::other_samples;
}

bool have_shape_of(Film const& test, Film const& reference)
{
    return test.width() == reference.width() && test.height() == reference.height() &&
           test.bands() == reference.bands();
}

/// Empty if the image has no such attribute.
std::string read_attribute(Image const& image, std::string_view name)
{
    std::string const* const text = find_attribute(image, name);
    return text == nullptr ? std::string() : *text;
}

/// Random numbers are a function of seed, pixel, sample and band, not of the scene.
SharedNoise find_shared_noise(Film const& test, Film const& reference)
{
    if (test.seed() != reference.seed() || !have_shape_of(test, reference)) return SharedNoise::none;
    SharedNoise const shared =
        test.scene_hash() == reference.scene_hash() ? SharedNoise::samples : SharedNoise::random_numbers;
    for (std::size_t tile = 0; tile < test.tile_ranges.size(); ++tile)
        for (SampleRange const& range : test.tile_ranges[tile])
            if (count_samples(missing_ranges(reference.tile_ranges[tile], range)) < range.count) return shared;
    return SharedNoise::none;
}

} // namespace

FilmComparison compare_films(Film const& test, Film const& reference)
{
    FilmComparison comparison;
    comparison.equal = hash_film(test) == hash_film(reference);
    comparison.relation = relate(test, reference);
    comparison.shared_noise = find_shared_noise(test, reference);
    if (comparison.equal) return comparison;
    std::vector<std::string>& differences = comparison.differences;
    for (SceneDifference const& difference : compare_scenes(test.scene(), reference.scene()))
        differences.push_back(
            fmt::format("scene.{}: {} against {}", difference.field, difference.left, difference.right));
    if (test.seed() != reference.seed())
        differences.push_back(fmt::format("seed: {} against {}", test.seed(), reference.seed()));
    if (test.sum_log2() != reference.sum_log2())
        differences.push_back(fmt::format("fixed-point scale: {} against {}", test.sum_log2(), reference.sum_log2()));
    bool const same_shape = have_shape_of(test, reference);
    if (same_shape) list_sample_differences(test, reference, differences);
    if (!same_shape || !differences.empty()) return comparison;
    list_plane_differences(test.sums, reference.sums, test, "sums", differences);
    list_plane_differences(test.squares, reference.squares, test, "sums of squares", differences);
    list_plane_differences(test.coverage, reference.coverage, test, "coverage", differences);
    return comparison;
}

std::optional<SharedNoise> find_shared_noise(Subject const& test, Subject const& reference)
{
    auto const seed_of = [](Subject const& subject) {
        return subject.film ? std::to_string(subject.film->seed()) : read_attribute(subject.image, "seed");
    };
    auto const scene_of = [](Subject const& subject) {
        return subject.film ? to_hex(subject.film->scene_hash()) : read_attribute(subject.image, "scene_hash");
    };
    std::string const scene = scene_of(test), other = scene_of(reference);
    if (scene.empty() || other.empty()) return std::nullopt;
    if (seed_of(test) != seed_of(reference)) return SharedNoise::none;
    return scene == other ? SharedNoise::samples : SharedNoise::random_numbers;
}

std::string_view describe(FilmRelation relation)
{
    switch (relation) {
    case FilmRelation::same_samples:
        return "same scene, same samples: the bits must be equal";
    case FilmRelation::other_samples:
        return "same scene, other samples: the statistics can agree";
    case FilmRelation::other_scene:
        break;
    }
    return "not the same scene";
}

} // namespace volpt
