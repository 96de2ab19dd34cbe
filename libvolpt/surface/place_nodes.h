#pragma once

#include "libvolpt/surface/bvh.h"

namespace volpt {

/// Copies the nodes of the tree at `from[root]`, wherever they lie in `from`, to their places in `to`, which holds as
/// many as there are, and sets the links to parents and siblings. In `from` the link to the parent holds the number of
/// nodes of the subtree. Returns the place of the root. Uses the oneTBB arena of the caller.
std::uint32_t place_nodes(BvhNode const* from, std::uint32_t root, BvhNodeOrder order, std::span<BvhNode> to);

} // namespace volpt
