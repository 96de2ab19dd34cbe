// The emitters of a scene as the numbers that its bytes and its hash hold (docs/formats/vpf.md), and their normal form.
#pragma once

#include "libvolpt/volume/emitters/emitter.h"

#include <optional>
#include <span>
#include <vector>

namespace volpt {

/// Emitters per scene at most.
inline constexpr std::size_t kMaxEmitters = 65536;

/// The normal form: fields that the kind does not use have their defaults, equal amounts of all bands are one, beams
/// without width are pencils, -0 is 0. Idempotent; checks nothing.
Emitter normalize_emitter(Emitter emitter);

/// The numbers of the normal forms, one emitter after the other: kind, unit, profile, number of amounts, amounts,
/// origin, direction, u axis, v axis, radius, angle, inner angle, first triangle, number of triangles.
std::vector<double> to_emitter_records(std::span<Emitter const> emitters);

/// The inverse; none if the numbers are not such records. What it returns may still have a problem
/// (find_emitter_problem).
std::optional<std::vector<Emitter>> read_emitter_records(std::span<double const> numbers);

/// True if it has no area and no solid angle, so that no path meets it by chance.
bool is_delta_emitter(Emitter const& emitter);

/// True if it is a surface.
bool is_area_emitter(EmitterKind kind);

} // namespace volpt
