// The section "long_steps" of a .vpf file: totals, and the film's sums by bank (docs/formats/vpf.md).
#pragma once

#include "libvolpt/film/film_bytes.h"

namespace volpt {

/// Steps, collisions and number of banks, then of each bank its number and, by band, the low and high word of its sum;
/// all 64 bits.
std::vector<std::byte> encode_long_steps(Film const& film);

/// For a film whose tiles are decoded. Error (input) names `where` unless the banks are exactly those of the film's
/// samples and no sum is larger than its samples can give. Allocates no more than the section's size justifies.
LongStepTotals decode_long_steps(std::span<std::byte const> bytes, Film const& film, std::string const& where);

/// Error (input) unless the banks' sums are those of all pixels; the film's own planes may be empty.
void check_bank_sums(Film const& film, std::span<std::uint64_t const> sums, std::string const& where);

} // namespace volpt
