// Encoding and checked decoding of the sections of a .vpf file.
#include "libvolpt/film/film_bytes.h"

#include "libvolpt/core/fixed_point.hd.h"
#include "libvolpt/film/long_steps_bytes.h"
#include "libvolpt/sys/error.h"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <type_traits>

namespace volpt {
namespace {

[[noreturn]] void fail_section(std::string const& where, std::string_view section, std::string what)
{
    fail_input(std::move(what), fmt::format("{}, section '{}'", where, section), "the film is damaged",
               "take a backup of it or render it again");
}

template <class T>
T decode_struct(std::span<std::byte const> bytes, std::string const& where, std::string_view section)
{
    static_assert(std::is_trivially_copyable_v<T>);
    if (bytes.size() != sizeof(T))
        fail_section(where, section, fmt::format("{} bytes instead of {}", bytes.size(), sizeof(T)));
    T value;
    std::memcpy(&value, bytes.data(), sizeof(T));
    return value;
}

void check_film_record(FilmRecord const& record, Scene const& scene, std::string const& where)
{
    auto const expect = [&](auto found, auto expected, std::string_view field) {
        if (found != expected) fail_section(where, "film", fmt::format("{} is {}, not {}", field, found, expected));
    };
    expect(record.width, scene.width, "width");
    expect(record.height, scene.height, "height");
    expect(record.bands, scene.bands, "bands");
    expect(record.tile_edge, kFileTileEdge, "tile_edge");
    expect(to_hex(record.scene_hash), to_hex(hash_scene(scene)), "scene_hash");
    for (std::int32_t const scale : {record.sum_log2, record.square_log2})
        if (scale < -kScaleLog2Limit || scale > kScaleLog2Limit)
            fail_section(where, "film", fmt::format("the scale 2^{} lies beyond 2^{}", scale, kScaleLog2Limit));
}

/// Reads words from the front of the section "tiles".
class TileWords {
public:
    TileWords(std::span<std::byte const> bytes, std::string const& where) : bytes_(bytes), where_(where) {}

    std::uint64_t left() const { return (bytes_.size() - offset_) / sizeof(std::uint64_t); }
    bool at_end() const { return offset_ == bytes_.size(); }

    std::uint64_t take()
    {
        if (left() == 0) fail("it is cut short");
        std::uint64_t word;
        std::memcpy(&word, bytes_.data() + offset_, sizeof(word));
        offset_ += sizeof(word);
        return word;
    }

    [[noreturn]] void fail(std::string_view what) const
    {
        fail_section(where_, "tiles", fmt::format("at its byte {}: {}", offset_, what));
    }

private:
    std::span<std::byte const> bytes_;
    std::string const& where_;
    std::size_t offset_ = 0;
};

SampleRanges take_ranges(TileWords& words)
{
    std::uint64_t const range_count = words.take();
    if (range_count > words.left() / 2) words.fail(fmt::format("{} sample ranges do not fit into it", range_count));
    SampleRanges ranges;
    ranges.reserve(range_count);
    for (std::uint64_t i = 0; i < range_count; ++i) {
        SampleRange range;
        range.first = words.take();
        range.count = words.take();
        if (range.count == 0) words.fail("a sample range is empty");
        if (range.first >= kSampleLimit || range.count > kSampleLimit - range.first)
            words.fail(fmt::format("samples {}:{} pass the limit of {}", range.first, range.count, kSampleLimit));
        if (!ranges.empty() && range.first <= ranges.back().first + ranges.back().count)
            words.fail("sample ranges are not sorted, disjoint and joined");
        ranges.push_back(range);
    }
    return ranges;
}

} // namespace

std::size_t plane_value_count(Scene const& scene)
{
    return std::size_t{scene.width} * scene.height * scene.bands;
}

FilmRecord make_film_record(Film const& film)
{
    return {film.seed(),   film.width(),    film.height(),      film.bands(),
            kFileTileEdge, film.sum_log2(), film.square_log2(), film.scene_hash()};
}

std::vector<std::byte> encode_tile_ranges(Film const& film)
{
    std::vector<std::byte> bytes;
    auto const append = [&](auto const& values) {
        auto const raw = std::as_bytes(std::span(values));
        bytes.insert(bytes.end(), raw.begin(), raw.end());
    };
    for (SampleRanges const& ranges : film.tile_ranges) {
        append(std::array<std::uint64_t, 1>{ranges.size()});
        append(ranges);
    }
    return bytes;
}

std::span<std::uint64_t const> view_plane(std::span<std::byte const> bytes)
{
    return {reinterpret_cast<std::uint64_t const*>(bytes.data()), bytes.size() / sizeof(std::uint64_t)};
}

void check_plane(Film const& head, std::span<std::uint64_t const> plane, std::string const& where,
                 std::string_view section)
{
    std::vector<std::uint64_t> largest = count_tile_samples(head);
    for (std::uint64_t& samples : largest) samples <<= kSampleLog2;
    std::size_t i = 0;
    for (std::uint32_t band = 0; band < head.bands(); ++band)
        for (std::uint32_t y = 0; y < head.height(); ++y)
            for (std::uint32_t x = 0; x < head.width(); ++x, ++i)
                if (plane[i] > largest[tile_index(head, x, y)])
                    fail_section(
                        where, section,
                        fmt::format("at its byte {} (pixel {},{}, band {}): {} is more than its {} samples can sum to",
                                    i * sizeof(std::uint64_t), x, y, band, plane[i], head.samples_at(x, y)));
}

Film decode_head(FilmSections const& sections, std::string const& where)
{
    Scene const scene = parse_scene(sections.scene, where + ", section 'scene'");
    auto const record = decode_struct<FilmRecord>(sections.film, where, "film");
    check_film_record(record, scene, where);
    std::size_t const plane_bytes = plane_value_count(scene) * sizeof(std::uint64_t);
    if (sections.sums.size() != plane_bytes)
        fail_section(where, "sums", fmt::format("{} bytes instead of {}", sections.sums.size(), plane_bytes));
    if (sections.squares.size() != plane_bytes)
        fail_section(where, "squares", fmt::format("{} bytes instead of {}", sections.squares.size(), plane_bytes));

    Film film(scene, record.seed, record.sum_log2, record.square_log2, Film::Planes::absent);
    TileWords words(sections.tiles, where);
    for (SampleRanges& ranges : film.tile_ranges) ranges = take_ranges(words);
    if (!words.at_end()) words.fail("bytes follow the last tile");
    film.statistics = decode_struct<FilmStatistics>(sections.statistics, where, "statistics");
    if (sections.long_steps.has_value() != (scene.long_steps == LongSteps::on))
        fail_section(where, "long_steps",
                     fmt::format("it is {}, but the scene's long steps are {}",
                                 sections.long_steps ? "there" : "missing", sections.long_steps ? "off" : "on"));
    if (sections.long_steps) film.long_steps = decode_long_steps(*sections.long_steps, film, where);
    if (!sections.provenance.empty())
        film.provenance =
            parse_provenance({reinterpret_cast<char const*>(sections.provenance.data()), sections.provenance.size()},
                             where + ", section 'provenance'");
    return film;
}

Film decode_film(FilmSections const& sections, std::string const& where, VerifyLevel level)
{
    Film film = decode_head(sections, where);
    auto const sums = view_plane(sections.sums), squares = view_plane(sections.squares);
    film.sums.assign(sums.begin(), sums.end());
    film.squares.assign(squares.begin(), squares.end());
    if (level == VerifyLevel::full) {
        check_plane(film, sums, where, "sums");
        check_plane(film, squares, where, "squares");
        if (film.scene().long_steps == LongSteps::on) check_bank_sums(film, sums, where);
    }
    return film;
}

} // namespace volpt
