// What an emitter must be, so that light can start from it.
#pragma once

#include "libvolpt/volume/emitters/emitter.h"
#include "libvolpt/volume/surroundings/surrounding_shapes.h"

#include <span>
#include <string>

namespace volpt {

/// What is wrong with an emitter, as a sentence; empty if it has power, the extent, direction and angles that its kind
/// needs, a unit that its kind has, and nothing is beyond 1e9 mm.
std::string find_emitter_problem(Emitter const& emitter);

/// The first problem of a volume's emitters, which also have one amount or one for each of `bands`; a mesh is of
/// triangles of `shapes` that no other emitter has, and has area.
std::string find_emitters_problem(std::span<Emitter const> emitters, std::size_t bands,
                                  SurroundingShapes const& shapes);

} // namespace volpt
