// Fields of an NRRD header as text: finding them, and splitting what they hold.
#pragma once

#include "formats/nrrd/header.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace volpt {

using NrrdWords = std::vector<std::string>;

/// Sets fields, data_files and end_of_header from `text`: up to the empty line, or to the end of a detached header.
/// Error (input) naming a line that is no field.
void read_nrrd_fields(NrrdHeader& header, std::string_view text, std::string const& where);

/// Error (input): the field's value cannot be read, and why.
[[noreturn]] void refuse_nrrd_field(std::string const& where, std::string_view field, std::string_view value,
                                    std::string why);

/// The value of a field, whose name may be spelled with blanks or without; null if it is not there.
std::string const* find_nrrd_field(NrrdHeader const& header, std::string_view field);
/// The same. Error (input) if it is not there.
std::string const& need_nrrd_field(NrrdHeader const& header, std::string const& where, std::string_view field);

/// Words between blanks; "(a, b, c)" and "quoted text" are one word.
NrrdWords split_nrrd_words(std::string_view text);
std::optional<double> parse_nrrd_number(std::string_view word);
/// 0 if the field is not there. Error (input) on anything but an integer below 1e15.
std::int64_t parse_nrrd_integer(NrrdHeader const& header, std::string const& where, std::string_view field);
/// "(x,y,z)". Error (input) on anything else.
std::array<double, 3> parse_nrrd_vector(std::string const& word, std::string const& where, std::string_view field);

} // namespace volpt
