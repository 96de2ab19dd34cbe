#include "libvolpt/surface/bvh.h"
#include "libvolpt/sys/error.h"

#include <cmath>
#include <fmt/format.h>
#include <vector>

namespace volpt {
namespace {

bool is_inside(Vec3 p, BoundingBox const& box)
{
    return p.x >= box.lower.x && p.x <= box.upper.x && p.y >= box.lower.y && p.y <= box.upper.y && p.z >= box.lower.z &&
           p.z <= box.upper.z;
}

bool is_finite(BoundingBox const& box)
{
    for (float const x : {box.lower.x, box.lower.y, box.lower.z, box.upper.x, box.upper.y, box.upper.z}) {
        if (!std::isfinite(x)) return false;
    }
    return true;
}

[[noreturn]] void refuse_node(std::uint32_t place, std::string const& where, std::string const& why)
{
    fail_input("the bounding volume hierarchy is damaged", fmt::format("{}, node {}", where, place), why,
               "pack the mesh again");
}

class BvhValidator {
public:
    BvhValidator(StoredBvhView const& bvh, TriangleMesh const& mesh, std::string const& where)
        : bvh_(bvh), mesh_(mesh), where_(where), reached_(bvh.nodes.size()), held_(bvh.order.size())
    {
    }

    void validate()
    {
        check_sizes();
        pending_.push_back({bvh_.root, 1, bvh_.bounds});
        reached_[bvh_.root] = true;
        if (!is_finite(bvh_.bounds)) fail(bvh_.root, "its bounds are not finite");
        if (bvh_.nodes[bvh_.root].parent != bvh_.root || bvh_.nodes[bvh_.root].sibling != bvh_.root) {
            fail(bvh_.root, "the root's links lead elsewhere");
        }
        std::size_t reached = 0;
        for (; !pending_.empty(); ++reached) {
            Pending const next = pending_.back();
            pending_.pop_back();
            visit(next);
        }
        if (reached != bvh_.nodes.size())
            fail(bvh_.root, fmt::format("only {} of {} nodes can be reached", reached, bvh_.nodes.size()));
        if (held_count_ != bvh_.order.size()) {
            fail(bvh_.root, fmt::format("leaves hold only {} of {} triangles", held_count_, bvh_.order.size()));
        }
    }

private:
    struct Pending {
        std::uint32_t place;
        int depth;
        BoundingBox box; ///< that the parent gives
    };

    [[noreturn]] void fail(std::uint32_t place, std::string const& why) const { refuse_node(place, where_, why); }

    void check_sizes() const
    {
        std::size_t const triangles = mesh_.triangles.size();
        if (bvh_.order.size() != triangles) {
            fail(bvh_.root, fmt::format("it is one of {} triangles, the mesh has {}", bvh_.order.size(), triangles));
        }
        if (bvh_.nodes.empty() || bvh_.nodes.size() > triangles) {
            fail(bvh_.root, fmt::format("{} nodes for {} triangles", bvh_.nodes.size(), triangles));
        }
        if (bvh_.root >= bvh_.nodes.size()) fail(bvh_.root, fmt::format("there are {} nodes", bvh_.nodes.size()));
    }

    void visit(Pending const& at)
    {
        BvhNode const& node = bvh_.nodes[at.place];
        if (at.depth > kMaxBvhDepth) fail(at.place, fmt::format("it is more than {} levels deep", kMaxBvhDepth));
        for (int side = 0; side < 2; ++side) {
            std::uint32_t const child = node.child[side];
            BoundingBox const& box = node.box[side];
            if (!is_finite(box)) fail(at.place, "a box is not finite");
            if (side == 1 && mesh_.triangles.size() == 1 && child == node.child[0]) continue;
            if (!is_inside(box.lower, at.box) || !is_inside(box.upper, at.box)) {
                fail(at.place, "the box of a child is not inside its own");
            }
            if (is_leaf(child)) {
                check_leaf(at.place, child, box);
            } else {
                check_child(at.place, child, node.child[1 - side]);
                pending_.push_back({child, at.depth + 1, box});
            }
        }
    }

    void check_leaf(std::uint32_t place, std::uint32_t leaf, BoundingBox const& box)
    {
        std::size_t const first = get_leaf_first(leaf);
        std::size_t const count = get_leaf_count(leaf);
        if (first + count > bvh_.order.size()) fail(place, "a leaf goes beyond the last triangle");
        for (std::size_t i = first; i < first + count; ++i) {
            std::uint32_t const triangle = bvh_.order[i];
            if (triangle >= held_.size()) fail(place, fmt::format("there is no triangle {}", triangle));
            if (held_[triangle]) fail(place, fmt::format("triangle {} is in two leaves", triangle));
            held_[triangle] = true;
            ++held_count_;
            for (std::uint32_t const corner : mesh_.triangles[triangle]) {
                if (!is_inside(mesh_.positions_mm[corner], box)) {
                    fail(place, fmt::format("triangle {} is not inside its box", triangle));
                }
            }
        }
    }

    void check_child(std::uint32_t place, std::uint32_t child, std::uint32_t other)
    {
        if (child >= bvh_.nodes.size()) fail(place, fmt::format("there is no node {}", child));
        if (reached_[child]) fail(child, "it has two parents");
        reached_[child] = true;
        BvhNode const& node = bvh_.nodes[child];
        if (node.parent != place || node.sibling != (is_leaf(other) ? child : other))
            fail(child, "its links lead elsewhere");
    }

    StoredBvhView const& bvh_;
    TriangleMesh const& mesh_;
    std::string const& where_;
    std::vector<bool> reached_;
    std::vector<bool> held_;
    std::size_t held_count_ = 0;
    std::vector<Pending> pending_;
};

/// Whether the node is a child of its parent as both say, which precedes it.
bool is_linked(std::span<BvhNode const> nodes, std::uint32_t place)
{
    BvhNode const& node = nodes[place];
    if (node.parent >= place) return false;
    BvhNode const& parent = nodes[node.parent];
    bool const is_first = parent.child[0] == place;
    if (!is_first && parent.child[1] != place) return false;
    std::uint32_t const other = parent.child[is_first ? 1 : 0];
    return other != place && node.sibling == (is_leaf(other) ? place : other);
}

} // namespace

// Nodes that are linked to their parents are as many links of parents to children: if there are no others, all are
// right.
void validate_bvh_links(std::span<BvhNode const> nodes, std::span<std::uint32_t const> order, std::string const& where)
{
    if (nodes.empty() || nodes.size() > order.size())
        refuse_node(0, where, fmt::format("{} nodes for {} triangles", nodes.size(), order.size()));
    if (nodes[0].parent != 0 || nodes[0].sibling != 0) refuse_node(0, where, "the root's links lead elsewhere");
    std::vector<std::uint8_t> depths(nodes.size(), 1);
    std::size_t links = 0;
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
        if (i > 0) {
            if (!is_linked(nodes, i)) refuse_node(i, where, "its links lead elsewhere");
            depths[i] = static_cast<std::uint8_t>(depths[nodes[i].parent] + 1);
            if (depths[i] > kMaxBvhDepth)
                refuse_node(i, where, fmt::format("it is more than {} levels deep", kMaxBvhDepth));
        }
        for (std::uint32_t const child : nodes[i].child) {
            if (!is_leaf(child))
                ++links;
            else if (std::size_t{get_leaf_first(child)} + get_leaf_count(child) > order.size())
                refuse_node(i, where, "a leaf goes beyond the last triangle");
        }
    }
    if (links != nodes.size() - 1)
        refuse_node(0, where, fmt::format("{} links lead to {} nodes", links, nodes.size() - 1));
    for (std::uint32_t const triangle : order)
        if (triangle >= order.size()) refuse_node(0, where, fmt::format("there is no triangle {}", triangle));
}

void validate_bvh(StoredBvhView const& bvh, TriangleMesh const& mesh, std::string const& where)
{
    BvhValidator(bvh, mesh, where).validate();
}

} // namespace volpt
