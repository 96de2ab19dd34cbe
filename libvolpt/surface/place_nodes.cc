#include "libvolpt/surface/place_nodes.h"

#include <array>
#include <oneapi/tbb/task_group.h>

namespace volpt {
namespace {

// Subtrees above are tasks.
constexpr std::size_t kTaskNodes = 4096;

/// Copies nodes to their final places.
class NodePlacer {
public:
    NodePlacer(BvhNode const* from, BvhNodeOrder order, std::span<BvhNode> to) : from_(from), order_(order), to_(to) {}

    /// The subtree at `from_place` goes to base .. base + size - 1. Returns the place of its root.
    std::uint32_t place(std::uint32_t from_place, std::uint32_t base)
    {
        BvhNode const& from = from_[from_place];
        std::array<std::uint32_t, 2> const sizes = {get_size(from.child[0]), get_size(from.child[1])};
        std::uint32_t const own = base + (order_ == BvhNodeOrder::pre_order  ? 0
                                          : order_ == BvhNodeOrder::in_order ? sizes[0]
                                                                             : sizes[0] + sizes[1]);
        std::uint32_t const first = order_ == BvhNodeOrder::pre_order ? base + 1 : base;
        std::uint32_t const second = first + sizes[0] + (order_ == BvhNodeOrder::in_order ? 1 : 0);
        BvhNode& to = to_[own];
        to = from;
        to.parent = to.sibling = own;
        auto const place_child = [&](std::size_t side, std::uint32_t at) {
            if (!is_leaf(from.child[side])) to.child[side] = place(from.child[side], at);
        };
        if (sizes[0] + sizes[1] > kTaskNodes) {
            tbb::task_group tasks;
            tasks.run([&] { place_child(0, first); });
            place_child(1, second);
            tasks.wait();
        } else {
            place_child(0, first);
            place_child(1, second);
        }
        for (std::size_t side = 0; side < 2; ++side) {
            if (is_leaf(to.child[side])) continue;
            BvhNode& child = to_[to.child[side]];
            child.parent = own;
            if (!is_leaf(to.child[1 - side])) child.sibling = to.child[1 - side];
        }
        return own;
    }

private:
    std::uint32_t get_size(std::uint32_t child) const { return is_leaf(child) ? 0 : from_[child].parent; }

    BvhNode const* from_;
    BvhNodeOrder order_;
    std::span<BvhNode> to_;
};

} // namespace

std::uint32_t place_nodes(BvhNode const* from, std::uint32_t root, BvhNodeOrder order, std::span<BvhNode> to)
{
    return NodePlacer(from, order, to).place(root, 0);
}

} // namespace volpt
