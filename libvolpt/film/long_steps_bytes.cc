// Encoding and checked decoding of what long steps came to.
#include "libvolpt/film/long_steps_bytes.h"

#include "libvolpt/core/fixed_point.hd.h"
#include "libvolpt/film/bank_samples.h"
#include "libvolpt/sys/error.h"

#include <fmt/format.h>

#include <cstring>
#include <numeric>

namespace volpt {
namespace {

constexpr std::size_t kHeadWords = 3;

[[noreturn]] void fail_long_steps(std::string what, std::string const& where)
{
    fail_input(std::move(what), where + ", section 'long_steps'", "the film is damaged",
               "take a backup of it or render it again");
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

} // namespace

std::vector<std::byte> encode_long_steps(Film const& film)
{
    LongStepTotals const& totals = film.long_steps;
    std::vector<std::uint64_t> words{totals.steps, totals.collisions, totals.bank_sums.size()};
    for (auto const& [number, sums] : totals.bank_sums) {
        words.push_back(number);
        for (Wide const sum : sums) {
            words.push_back(static_cast<std::uint64_t>(sum));
            words.push_back(static_cast<std::uint64_t>(sum >> 64));
        }
    }
    auto const bytes = std::as_bytes(std::span(words));
    return {bytes.begin(), bytes.end()};
}

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
    check_numbers(numbers, film, where);
    check_sizes(totals, numbers, film, where);
    return totals;
}

void check_bank_sums(Film const& film, std::span<std::uint64_t const> sums, std::string const& where)
{
    std::size_t const pixels = std::size_t{film.width()} * film.height();
    for (std::size_t band = 0; band < film.bands(); ++band) {
        auto const plane = sums.subspan(band * pixels, pixels);
        Wide banks = 0;
        for (auto const& [number, bank] : film.long_steps.bank_sums) banks += bank[band];
        if (std::accumulate(plane.begin(), plane.end(), Wide{0}) != banks)
            fail_long_steps(fmt::format("the banks' sums of band {} are not those of its pixels", band), where);
    }
}

} // namespace volpt
