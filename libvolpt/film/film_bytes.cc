#include "libvolpt/film/film_bytes.h"

#include "libvolpt/film/film_stats.h"

#include "libvolpt/core/fixed_point.hd.h"
#include "libvolpt/film/film_banks.h"
#include "libvolpt/film/halves/half_samples.h"
#include "libvolpt/film/passes/pass_totals.h"
#include "libvolpt/sys/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
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
    if (record.sum_log2 < -kScaleLog2Limit || record.sum_log2 > kScaleLog2Limit)
        fail_section(where, "film", fmt::format("the scale 2^{} lies beyond 2^{}", record.sum_log2, kScaleLog2Limit));
    // Neither the peak of an image nor the places of emitters about the volume are in the scene: who renders on has
    // both, and compares then.
    if (scene.environment.kind != EnvironmentKind::image && !connects_emitters(scene))
        expect(record.sum_log2, choose_sum_log2(find_largest_radiance(scene, 1)), "sum_log2");
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

SampleRanges take_ranges(TileWords& words, std::uint64_t limit)
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
        if (range.first >= limit || range.count > limit - range.first)
            words.fail(fmt::format("samples {}:{} pass the limit of {}", range.first, range.count, limit));
        if (!ranges.empty() && range.first <= ranges.back().first + ranges.back().count)
            words.fail("sample ranges are not sorted, disjoint and joined");
        ranges.push_back(range);
    }
    return ranges;
}

constexpr std::size_t kHeadWords = 3;

[[noreturn]] void fail_long_steps(std::string what, std::string const& where)
{
    fail_section(where, "long_steps", std::move(what));
}

class Words {
public:
    explicit Words(std::span<std::byte const> bytes) : bytes_(bytes) {}
    std::uint64_t operator[](std::size_t i) const
    {
        std::uint64_t word;
        std::memcpy(&word, bytes_.data() + i * sizeof(word), sizeof(word));
        return word;
    }

private:
    std::span<std::byte const> bytes_;
};

void check_numbers(std::span<std::uint32_t const> numbers, Film const& film, std::string const& where)
{
    std::size_t i = 0;
    for (BankInterval const& banks : list_banks(film))
        for (std::uint64_t bank = banks.first; bank < banks.end; ++bank, ++i) {
            if (i == numbers.size() || numbers[i] > bank)
                fail_long_steps(fmt::format("bank {} is missing, of which the film has samples", bank), where);
            if (numbers[i] < bank) fail_long_steps(fmt::format("the film has no sample of bank {}", numbers[i]), where);
        }
    if (i < numbers.size()) fail_long_steps(fmt::format("the film has no sample of bank {}", numbers[i]), where);
}

void check_sizes(LongStepTotals const& totals, std::span<std::uint32_t const> numbers, Film const& film,
                 std::string const& where)
{
    std::vector<std::uint64_t> pixels(film.tile_ranges.size());
    for (std::size_t tile = 0; tile < pixels.size(); ++tile) pixels[tile] = count_tile_pixels(film, tile);
    std::vector<std::uint64_t> const samples = add_up_by_bank<std::uint64_t>(film, numbers, pixels);
    std::size_t i = 0;
    for (auto const& [number, sums] : totals.bank_sums) {
        Wide const largest = Wide{samples[i++]} << kSampleLog2;
        for (std::size_t band = 0; band < sums.size(); ++band)
            if (sums[band] > largest)
                fail_long_steps(
                    fmt::format("the sum of bank {}, band {}, is more than its samples can give", number, band), where);
    }
}

/// For a film whose tiles are decoded.
LongStepTotals decode_long_steps(std::span<std::byte const> bytes, Film const& film, std::string const& where)
{
    std::size_t const bank_words = 1 + 2 * std::size_t{film.bands()};
    Words const words(bytes);
    if (bytes.size() < kHeadWords * sizeof(std::uint64_t))
        fail_long_steps(
            fmt::format("{} bytes instead of at least {}", bytes.size(), kHeadWords * sizeof(std::uint64_t)), where);
    std::size_t const payload = bytes.size() - kHeadWords * sizeof(std::uint64_t),
                      bank_bytes = bank_words * sizeof(std::uint64_t);
    if (payload % bank_bytes != 0 || payload / bank_bytes != words[2])
        fail_long_steps(
            fmt::format("{} bytes are not those of {} banks of {} bands", bytes.size(), words[2], film.bands()), where);

    LongStepTotals totals{.steps = words[0], .collisions = words[1], .bank_sums = {}};
    std::vector<std::uint32_t> numbers;
    for (std::size_t at = kHeadWords; at < bytes.size() / sizeof(std::uint64_t); at += bank_words) {
        std::uint64_t const number = words[at];
        if (number >= kSampleLimit) fail_long_steps(fmt::format("the film has no sample of bank {}", number), where);
        if (!numbers.empty() && number <= numbers.back()) fail_long_steps("bank numbers are not ascending", where);
        numbers.push_back(static_cast<std::uint32_t>(number));
        std::vector<Wide> sums(film.bands());
        for (std::size_t band = 0; band < sums.size(); ++band)
            sums[band] = Wide{words[at + 2 * band + 2]} << 64 | words[at + 2 * band + 1];
        totals.bank_sums.emplace_hint(totals.bank_sums.end(), numbers.back(), std::move(sums));
    }
    if (totals.uses_no_bank()) return totals;
    check_numbers(numbers, film, where);
    check_sizes(totals, numbers, film, where);
    return totals;
}

void append_group(std::vector<std::uint64_t>& words, std::uint32_t number, std::vector<Wide> const& sums)
{
    words.push_back(number);
    for (Wide const sum : sums) {
        words.push_back(static_cast<std::uint64_t>(sum));
        words.push_back(static_cast<std::uint64_t>(sum >> 64));
    }
}

bool holds_sample(SampleRanges const& ranges, std::uint64_t sample)
{
    return std::ranges::any_of(
        ranges, [&](SampleRange const& range) { return sample >= range.first && sample - range.first < range.count; });
}

/// For a film whose tiles are decoded. A pass adds to all tiles, so that each has the same ones.
PassTotals decode_pass_totals(std::span<std::byte const> bytes, Film const& film, std::string const& where)
{
    auto const fail = [&](std::string what) { fail_section(where, "pass_totals", std::move(what)); };
    std::size_t const words_each = 1 + 2 * std::size_t{film.bands()}, word_bytes = sizeof(std::uint64_t);
    if (film.scene().integrator != Integrator::mlt) fail("the film has no passes");
    Words const words(bytes);
    if (bytes.size() < word_bytes || (bytes.size() - word_bytes) % (words_each * word_bytes) != 0 ||
        (bytes.size() - word_bytes) / (words_each * word_bytes) != words[0])
        fail(fmt::format("{} bytes are not those of its passes of {} bands", bytes.size(), film.bands()));
    Wide const largest = Wide{std::uint64_t{film.width()} * film.height()} << find_sample_log2(film.scene());
    PassTotals totals;
    for (std::size_t at = 1; at < bytes.size() / word_bytes; at += words_each) {
        std::uint64_t const number = words[at];
        if (!holds_sample(film.tile_ranges.front(), number)) fail(fmt::format("the film has no pass {}", number));
        if (!totals.empty() && number <= totals.rbegin()->first) fail("passes are not ascending");
        std::vector<Wide> sums(film.bands());
        for (std::size_t band = 0; band < sums.size(); ++band) {
            sums[band] = Wide{words[at + 2 * band + 2]} << 64 | words[at + 2 * band + 1];
            if (sums[band] > largest)
                fail(fmt::format("the total of pass {}, band {}, is more than its pixels can have", number, band));
        }
        totals.emplace_hint(totals.end(), static_cast<std::uint32_t>(number), std::move(sums));
    }
    return totals;
}

/// What the squares of `samples` integers 0 .. 2^31 of this sum can sum to.
struct SquareLimits {
    Wide least;
    Wide most;
};

SquareLimits limit_squares(Film const& film, std::uint64_t sum, std::uint64_t samples)
{
    if (samples == 0) return {0, 0};
    if (film.rounds_squares()) // a value above 2^16 rounds to 1 at least
        return {sum > Wide{samples} << 16 ? 1u : 0u, Wide{samples} << kSampleLog2};
    // Cauchy-Schwarz; v <= v^2 <= v times the largest v.
    return {std::max<Wide>((Wide{sum} * sum + samples - 1) / samples, sum),
            Wide{sum} << find_sample_log2(film.scene())};
}

} // namespace

std::size_t plane_value_count(Scene const& scene)
{
    return std::size_t{scene.width} * scene.height * count_film_planes(scene);
}

std::size_t coverage_value_count(Scene const& scene)
{
    return counts_coverage(scene) ? std::size_t{scene.width} * scene.height : 0;
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

std::vector<std::byte> encode_long_steps(Film const& film)
{
    LongStepTotals const& totals = film.long_steps;
    std::vector<std::uint64_t> words{totals.steps, totals.collisions, totals.bank_sums.size()};
    for (auto const& [number, sums] : totals.bank_sums) append_group(words, number, sums);
    auto const bytes = std::as_bytes(std::span(words));
    return {bytes.begin(), bytes.end()};
}

std::vector<std::byte> encode_pass_totals(Film const& film)
{
    std::vector<std::uint64_t> words{list_pass_totals(film).size()};
    for (auto const& [number, sums] : list_pass_totals(film)) append_group(words, number, sums);
    auto const bytes = std::as_bytes(std::span(words));
    return {bytes.begin(), bytes.end()};
}

EncodedSquares::EncodedSquares(Film const& film) : wide_(film.squares)
{
    if (!film.rounds_squares()) return;
    narrow_.reserve(wide_.size());
    for (Wide const square : wide_) narrow_.push_back(static_cast<std::uint64_t>(square));
}

std::span<std::uint64_t const> view_words(std::span<std::byte const> bytes)
{
    return {reinterpret_cast<std::uint64_t const*>(bytes.data()), bytes.size() / sizeof(std::uint64_t)};
}

void check_planes(Film const& head, std::span<std::uint64_t const> sums, SquaresView const& squares,
                  std::string const& where)
{
    std::vector<std::uint64_t> const samples = count_tile_samples(head);
    auto const fail = [&](std::string_view section, std::size_t i, Wide number, std::string_view what) {
        std::size_t const pixel = i % (std::size_t{head.width()} * head.height());
        fail_section(where, section,
                     fmt::format("number {} (pixel {},{}, band {}): {} is {}", i, pixel % head.width(),
                                 pixel / head.width(), i / (std::size_t{head.width()} * head.height()) % head.bands(),
                                 number, what));
    };
    // Particles of all pixels may add to one.
    std::uint32_t const first_of_particles = head.scene().integrator == Integrator::light ? 0 : head.bands();
    std::uint64_t const particles = count_particles(head).count;
    std::size_t i = 0;
    for (std::uint32_t plane = 0; plane < head.planes(); ++plane)
        for (std::uint32_t y = 0; y < head.height(); ++y)
            for (std::uint32_t x = 0; x < head.width(); ++x, ++i) {
                std::uint64_t const count = plane >= first_of_particles ? particles : samples[tile_index(head, x, y)];
                if (sums[i] > Wide{count} << find_sample_log2(head.scene()))
                    fail("sums", i, sums[i], fmt::format("more than its {} samples can sum to", count));
                SquareLimits const limits = limit_squares(head, sums[i], count);
                if (squares[i] < limits.least || squares[i] > limits.most)
                    fail("squares", i, squares[i],
                         fmt::format("not a sum of the squares of its {} samples, which sum to {}", count, sums[i]));
                if (!head.rounds_squares() && ((squares[i] ^ sums[i]) & 1) != 0)
                    fail("squares", i, squares[i],
                         fmt::format("{}, but the samples' sum {} is not", sums[i] % 2 != 0 ? "even" : "odd", sums[i]));
            }
}

void check_coverage(Film const& head, std::span<std::uint64_t const> coverage, std::string const& where)
{
    std::vector<std::uint64_t> const samples = count_tile_samples(head);
    for (std::size_t i = 0; i < coverage.size(); ++i) {
        auto const x = static_cast<std::uint32_t>(i % head.width()), y = static_cast<std::uint32_t>(i / head.width());
        std::uint64_t const count = samples[tile_index(head, x, y)];
        if (coverage[i] > count)
            fail_section(where, "coverage",
                         fmt::format("at pixel {},{}, {} samples hit something, of {}", x, y, coverage[i], count));
    }
}

Film decode_head(FilmSections const& sections, std::string const& where)
{
    Scene const scene = parse_scene(sections.scene, where + ", section 'scene'");
    auto const record = decode_struct<FilmRecord>(sections.film, where, "film");
    check_film_record(record, scene, where);
    auto const expect_size = [&](std::string_view section, std::size_t size, std::size_t expected) {
        if (size != expected) fail_section(where, section, fmt::format("{} bytes instead of {}", size, expected));
    };
    expect_size("sums", sections.sums.size(), plane_value_count(scene) * sizeof(std::uint64_t));
    expect_size("squares", sections.squares.size(), plane_value_count(scene) * SquaresView::count_number_bytes(scene));
    if (sections.coverage.has_value() != counts_coverage(scene))
        fail_section(where, "coverage",
                     fmt::format("it is {}, but the scene counts {}", sections.coverage ? "there" : "missing",
                                 sections.coverage ? "no coverage" : "coverage"));
    if (sections.coverage)
        expect_size("coverage", sections.coverage->size(), coverage_value_count(scene) * sizeof(std::uint64_t));

    Film film(scene, record.seed, record.sum_log2, Film::Planes::absent);
    if (record.square_log2 != film.square_log2())
        fail_section(where, "film", fmt::format("square_log2 is {}, not {}", record.square_log2, film.square_log2()));
    TileWords words(sections.tiles, where);
    for (SampleRanges& ranges : film.tile_ranges) ranges = take_ranges(words, find_sample_limit(scene));
    if (!words.at_end()) words.fail("bytes follow the last tile");
    film.statistics = decode_struct<FilmStatistics>(sections.statistics, where, "statistics");
    if (sections.long_steps.has_value() != (scene.long_steps != LongSteps::plain))
        fail_section(where, "long_steps",
                     fmt::format("it is {}, but the scene has {} long steps", sections.long_steps ? "there" : "missing",
                                 sections.long_steps ? "no" : "some"));
    if (sections.long_steps) film.long_steps = decode_long_steps(*sections.long_steps, film, where);
    if (sections.half_sums) {
        if (film.bands() == 1) fail_section(where, "half_sums", "the film has one band");
        expect_size("half_sums", sections.half_sums->size(), plane_value_count(scene) * sizeof(std::uint64_t));
        film.keeps_half = true;
    }
    if (sections.pass_totals) film.long_steps.bank_sums = decode_pass_totals(*sections.pass_totals, film, where);
    if (!sections.provenance.empty())
        film.provenance =
            parse_provenance({reinterpret_cast<char const*>(sections.provenance.data()), sections.provenance.size()},
                             where + ", section 'provenance'");
    return film;
}

void check_bank_sums(Film const& film, std::span<std::uint64_t const> sums, std::string const& where)
{
    if (film.long_steps.uses_no_bank()) return;
    std::size_t const pixels = std::size_t{film.width()} * film.height();
    for (std::size_t band = 0; band < film.bands(); ++band) {
        auto const plane = sums.subspan(band * pixels, pixels);
        Wide banks = 0;
        for (auto const& [number, bank] : film.long_steps.bank_sums) banks += bank[band];
        if (std::accumulate(plane.begin(), plane.end(), Wide{0}) != banks)
            fail_long_steps(fmt::format("the banks' sums of band {} are not those of its pixels", band), where);
    }
}

void check_pass_totals(Film const& film, std::span<std::uint64_t const> sums, std::string const& where)
{
    PassTotals const& passes = list_pass_totals(film);
    if (passes.empty()) return;
    std::size_t const pixels = std::size_t{film.width()} * film.height();
    bool const is_complete = std::ranges::all_of(
        film.tile_ranges, [&](SampleRanges const& ranges) { return count_samples(ranges) == passes.size(); });
    for (std::size_t band = 0; band < film.bands(); ++band) {
        auto const plane = sums.subspan(band * pixels, pixels);
        Wide const of_pixels = std::accumulate(plane.begin(), plane.end(), Wide{0});
        Wide of_passes = 0;
        for (auto const& [number, totals] : passes) of_passes += totals[band];
        if (of_passes > of_pixels || (is_complete && of_passes < of_pixels))
            fail_section(where, "pass_totals", fmt::format("the totals of band {} are not those of its pixels", band));
    }
}

void check_half_sums(Film const& head, std::span<std::uint64_t const> sums, std::span<std::uint64_t const> half_sums,
                     std::string const& where)
{
    if (!head.keeps_half) return;
    std::vector<HalfCounts> const tiles = count_halves(head);
    HalfCounts const particles = add_up_halves(head, tiles);
    std::uint32_t const first_of_particles = head.scene().integrator == Integrator::light ? 0 : head.bands();
    int const sample_log2 = find_sample_log2(head.scene());
    std::size_t i = 0;
    for (std::uint32_t plane = 0; plane < head.planes(); ++plane)
        for (std::uint32_t y = 0; y < head.height(); ++y)
            for (std::uint32_t x = 0; x < head.width(); ++x, ++i) {
                HalfCounts const counts = plane >= first_of_particles ? particles : tiles[tile_index(head, x, y)];
                bool const is_possible = half_sums[i] <= sums[i] && half_sums[i] <= Wide{counts.half} << sample_log2 &&
                                         sums[i] - half_sums[i] <= Wide{counts.rest()} << sample_log2;
                if (!is_possible)
                    fail_section(where, "half_sums",
                                 fmt::format("number {} (pixel {},{}): {} is not what {} of {} samples can sum to, "
                                             "which sum to {}",
                                             i, x, y, half_sums[i], counts.half, counts.all, sums[i]));
            }
}

Film decode_film(FilmSections const& sections, std::string const& where, VerifyLevel level)
{
    Film film = decode_head(sections, where);
    auto const sums = view_words(sections.sums);
    SquaresView const squares(film, sections.squares);
    film.sums.assign(sums.begin(), sums.end());
    film.squares.resize(sums.size());
    for (std::size_t i = 0; i < sums.size(); ++i) film.squares[i] = squares[i];
    if (sections.coverage) {
        auto const coverage = view_words(*sections.coverage);
        film.coverage.assign(coverage.begin(), coverage.end());
    }
    if (sections.half_sums) {
        auto const half_sums = view_words(*sections.half_sums);
        film.half_sums.assign(half_sums.begin(), half_sums.end());
    }
    if (level == VerifyLevel::full) {
        check_planes(film, sums, squares, where);
        check_coverage(film, film.coverage, where);
        if (film.scene().long_steps != LongSteps::plain) check_bank_sums(film, sums, where);
        check_pass_totals(film, sums, where);
        check_half_sums(film, sums, film.half_sums, where);
    }
    return film;
}

} // namespace volpt
