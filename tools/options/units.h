// Reads option values: numbers, lengths with units, triples, sizes, colours, axes, in any locale alike.
//
// Every error (usage) names the option, the text and an example. `option` is spelled as the user types it: "--pitch".
#pragma once

#include "libvolpt/film/sample_range.h"
#include "libvolpt/sys/text/enum_words.h"
#include "libvolpt/sys/text/number_range.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace volpt {

class PiecewiseCurve;
class TransferTable;

/// How one value is taken where three are expected.
enum class SingleValue { refused, repeated };

/// A finite number.
double parse_number(std::string_view option, std::string_view text);
/// A finite number inside [low, high].
double parse_number(std::string_view option, std::string_view text, double low, double high);
/// A finite number inside the range.
double parse_number(std::string_view option, std::string_view text, NumberRange range);
/// The float nearest to it, if that is inside the range too.
float parse_float(std::string_view option, std::string_view text, NumberRange range);
/// A decimal integer inside [low, high].
std::int64_t parse_integer(std::string_view option, std::string_view text, std::int64_t low, std::int64_t high);

/// "10mm", "42.3um", "0.5cm", "1m", plain numbers are mm.
double parse_length_mm(std::string_view option, std::string_view text);

/// "512MiB", "1.5GiB", "0", plain numbers are bytes.
std::size_t parse_size_bytes(std::string_view option, std::string_view text);

/// "x,y,z" of plain numbers.
std::array<double, 3> parse_triple(std::string_view option, std::string_view text, SingleValue single);
/// "x,y,z" of lengths, each with its own unit.
std::array<double, 3> parse_length_triple_mm(std::string_view option, std::string_view text, SingleValue single);
/// "X,Y,Z" of positive integers up to `high`.
std::array<int, 3> parse_dims(std::string_view option, std::string_view text, int high = 65535);
/// "WxH" of positive integers up to `high`.
std::array<int, 2> parse_size(std::string_view option, std::string_view text, int high = 65535);

/// "R,G,B": between `least` and `most` numbers inside [low, high].
std::vector<double> parse_numbers(std::string_view option, std::string_view text, std::size_t least, std::size_t most,
                                  double low, double high);
/// "R,G,B": between `least` and `most` numbers.
std::vector<float> parse_floats(std::string_view option, std::string_view text, std::size_t least = 1,
                                std::size_t most = 36);
/// "0,2": between 1 and 36 non-negative integers.
std::vector<std::uint32_t> parse_integers(std::string_view option, std::string_view text);

/// "FIRST:COUNT" or "COUNT" (from 0); COUNT >= 1, FIRST + COUNT <= 2^32.
SampleRange parse_sample_range(std::string_view option, std::string_view text);

/// "+x" "-x" "+y" "-y" "+z" "-z", in this order.
std::span<std::string_view const> list_axis_names();

/// One of list_axis_names (a missing sign is +) as 0..5.
std::uint32_t parse_axis(std::string_view option, std::string_view text);

/// The text if it is one of `choices`; the error lists them.
std::string parse_choice(std::string_view option, std::string_view text, std::vector<std::string> const& choices);

/// The value of an enum whose word the text is; the error lists the words.
template <HasWords Enum>
Enum parse_word(std::string_view option, std::string_view text)
{
    return *find_word<Enum>(parse_choice(option, text, spell_words<Enum>()));
}

/// The same; absent if the text is the word `other`, which is listed first.
template <HasWords Enum>
std::optional<Enum> parse_word_or(std::string_view other, std::string_view option, std::string_view text)
{
    std::vector<std::string> words = spell_words<Enum>();
    words.emplace(words.begin(), other);
    return find_word<Enum>(parse_choice(option, text, words));
}

/// The pieces between commas, spaces trimmed; empty pieces are kept.
std::vector<std::string_view> split_list(std::string_view text);

/// "X:Y,X:Y,..", at most 4096 points, Y at most `highest_y`. Error (usage) names the option.
PiecewiseCurve parse_curve(std::string_view option, std::string_view text, double highest_y = 1e30);

/// "X:A,X:A,.." or "X:R:G:B,..": albedos 0..1 by band, as many at every X; otherwise as parse_curve.
TransferTable parse_albedo_curve(std::string_view option, std::string_view text);

} // namespace volpt
