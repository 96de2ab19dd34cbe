#include "libvolpt/surface/bvh.h"
#include "libvolpt/surface/place_nodes.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/parallel.h"
#include "libvolpt/sys/threads/task_arenas.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_reduce.h>
#include <oneapi/tbb/task_group.h>

namespace volpt {
namespace {

constexpr int kBins = 16;
// In units of a triangle's test: Aila's and Laine's node takes about as long as one triangle.
constexpr double kNodeCost = 1.0;
// Ranges below are one task; of ranges above, bins are filled by several.
constexpr std::size_t kTaskPrimitives = 4096;
constexpr std::size_t kBinningGrain = 65536;

/// A triangle while the tree is built. Moving all of it, and not its number alone, keeps the passes sequential in
/// memory.
struct Primitive {
    BoundingBox box;
    std::uint32_t triangle;
    std::uint32_t reserved;
};

void include_box(BoundingBox& into, BoundingBox const& box)
{
    into.lower = {std::min(into.lower.x, box.lower.x), std::min(into.lower.y, box.lower.y),
                  std::min(into.lower.z, box.lower.z)};
    into.upper = {std::max(into.upper.x, box.upper.x), std::max(into.upper.y, box.upper.y),
                  std::max(into.upper.z, box.upper.z)};
}

/// Half the surface. In double precision, where no finite box overflows.
double get_half_area(BoundingBox const& box)
{
    double const x = static_cast<double>(box.upper.x) - box.lower.x;
    double const y = static_cast<double>(box.upper.y) - box.lower.y;
    double const z = static_cast<double>(box.upper.z) - box.lower.z;
    return x * y + y * z + z * x;
}

float get_centre(Primitive const& primitive, int axis)
{
    return 0.5f * get_axis(primitive.box.lower, axis) + 0.5f * get_axis(primitive.box.upper, axis);
}

struct RangeBounds {
    BoundingBox boxes;
    BoundingBox centres;
};

struct Bin {
    BoundingBox box;
    std::uint32_t count = 0;
};

using AxisBins = std::array<std::array<Bin, kBins>, 3>;

/// The bin of a centre; a plane between bins is the number of the first bin behind it.
class Binning {
public:
    explicit Binning(BoundingBox const& centres)
    {
        for (int axis = 0; axis < 3; ++axis) {
            auto const a = static_cast<std::size_t>(axis);
            first_[a] = get_axis(centres.lower, axis);
            double const extent = get_axis(centres.upper, axis) - first_[a];
            scale_[a] = extent > 0 ? kBins / extent : 0.0;
        }
    }

    bool can_split(int axis) const { return scale_[static_cast<std::size_t>(axis)] > 0; }

    int find(Primitive const& primitive, int axis) const
    {
        auto const a = static_cast<std::size_t>(axis);
        return std::min(static_cast<int>((get_centre(primitive, axis) - first_[a]) * scale_[a]), kBins - 1);
    }

private:
    std::array<double, 3> first_{};
    std::array<double, 3> scale_{};
};

struct Split {
    double cost = 0; ///< of both children, half area times triangles
    int axis = -1;   ///< -1: there is none
    int plane = 0;
};

Split find_split(AxisBins const& bins, Binning const& binning)
{
    Split best;
    for (int axis = 0; axis < 3; ++axis) {
        if (!binning.can_split(axis)) continue;
        auto const& row = bins[static_cast<std::size_t>(axis)];
        std::array<double, kBins> right_costs{};
        BoundingBox box;
        std::uint32_t count = 0;
        for (std::size_t i = kBins - 1; i > 0; --i) {
            include_box(box, row[i].box);
            count += row[i].count;
            right_costs[i] = count == 0 ? -1 : get_half_area(box) * count;
        }
        box = {};
        count = 0;
        for (std::size_t plane = 1; plane < kBins; ++plane) {
            include_box(box, row[plane - 1].box);
            count += row[plane - 1].count;
            if (count == 0 || right_costs[plane] < 0) continue;
            double const cost = get_half_area(box) * count + right_costs[plane];
            if (best.axis < 0 || cost < best.cost) best = {cost, axis, static_cast<int>(plane)};
        }
    }
    return best;
}

/// Builds the tree in an array with a place for every gap between neighbours in the order of leaves: the node that
/// separates two neighbours lies at their gap. Places so depend on nothing that runs beside.
class TreeBuilder {
public:
    TreeBuilder(std::span<Primitive> primitives, std::span<BvhNode> nodes) : primitives_(primitives), nodes_(nodes) {}

    /// Of at least two triangles.
    std::uint32_t build_root(BoundingBox& bounds)
    {
        RangeBounds const range = measure(0, primitives_.size());
        bounds = range.boxes;
        return build_node(0, primitives_.size(), range, 1);
    }

    /// The number of nodes of the subtree at `place`.
    std::uint32_t get_size(std::uint32_t place) const { return nodes_[place].parent; }

private:
    /// What `work` gathers from primitives first .. end - 1; sums of it do not depend on their order.
    template <typename Sum, typename Work, typename Join>
    Sum gather(std::size_t first, std::size_t end, Work const& work, Join const& join) const
    {
        if (end - first < 2 * kBinningGrain) {
            Sum sum;
            for (std::size_t i = first; i < end; ++i) work(sum, primitives_[i]);
            return sum;
        }
        return tbb::parallel_reduce(
            tbb::blocked_range<std::size_t>(first, end, kBinningGrain), Sum{},
            [&](tbb::blocked_range<std::size_t> const& part, Sum sum) {
                for (std::size_t i = part.begin(); i < part.end(); ++i) work(sum, primitives_[i]);
                return sum;
            },
            [&](Sum left, Sum const& right) {
                join(left, right);
                return left;
            });
    }

    RangeBounds measure(std::size_t first, std::size_t end) const
    {
        return gather<RangeBounds>(
            first, end,
            [](RangeBounds& sum, Primitive const& primitive) {
                include_box(sum.boxes, primitive.box);
                Vec3 const centre = {get_centre(primitive, 0), get_centre(primitive, 1), get_centre(primitive, 2)};
                include_box(sum.centres, {centre, centre});
            },
            [](RangeBounds& sum, RangeBounds const& more) {
                include_box(sum.boxes, more.boxes);
                include_box(sum.centres, more.centres);
            });
    }

    AxisBins fill_bins(std::size_t first, std::size_t end, Binning const& binning) const
    {
        return gather<AxisBins>(
            first, end,
            [&](AxisBins& sum, Primitive const& primitive) {
                for (int axis = 0; axis < 3; ++axis) {
                    Bin& bin =
                        sum[static_cast<std::size_t>(axis)][static_cast<std::size_t>(binning.find(primitive, axis))];
                    include_box(bin.box, primitive.box);
                    ++bin.count;
                }
            },
            [](AxisBins& sum, AxisBins const& more) {
                for (std::size_t axis = 0; axis < 3; ++axis) {
                    for (std::size_t i = 0; i < kBins; ++i) {
                        include_box(sum[axis][i].box, more[axis][i].box);
                        sum[axis][i].count += more[axis][i].count;
                    }
                }
            });
    }

    /// Halves by the centres along the longest axis, then by number: for centres that bins do not separate, and where
    /// the depth that is left allows nothing else.
    std::size_t halve(std::size_t first, std::size_t end, BoundingBox const& centres)
    {
        int axis = 0;
        for (int other = 1; other < 3; ++other) {
            auto const extent = [&](int a) {
                return static_cast<double>(get_axis(centres.upper, a)) - get_axis(centres.lower, a);
            };
            if (extent(other) > extent(axis)) axis = other;
        }
        std::size_t const middle = first + (end - first) / 2;
        auto const at = [&](std::size_t i) { return primitives_.begin() + static_cast<std::ptrdiff_t>(i); };
        std::nth_element(at(first), at(middle), at(end), [axis](Primitive const& a, Primitive const& b) {
            float const centre_a = get_centre(a, axis);
            float const centre_b = get_centre(b, axis);
            return centre_a != centre_b ? centre_a < centre_b : a.triangle < b.triangle;
        });
        return middle;
    }

    /// The end of the left child's triangles, or `first` if all are one leaf. `depth` is that of the node that holds
    /// the range if it is split.
    std::size_t split(std::size_t first, std::size_t end, RangeBounds const& range, int depth)
    {
        std::size_t const count = end - first;
        if (count == 1) return first;
        // Halves reach leaves of one triangle after bit_width(count - 1) levels.
        if (depth + static_cast<int>(std::bit_width(count - 1)) >= kMaxBvhDepth)
            return halve(first, end, range.centres);
        Binning const binning(range.centres);
        Split const best = find_split(fill_bins(first, end, binning), binning);
        double const area = get_half_area(range.boxes);
        bool const may_be_leaf = depth > 1 && count <= kMaxLeafTriangles;
        if (may_be_leaf && (best.axis < 0 || area * static_cast<double>(count) <= area * kNodeCost + best.cost))
            return first;
        if (best.axis < 0) return halve(first, end, range.centres);
        auto const begin = primitives_.begin();
        auto const middle =
            std::partition(begin + static_cast<std::ptrdiff_t>(first), begin + static_cast<std::ptrdiff_t>(end),
                           [&](Primitive const& primitive) { return binning.find(primitive, best.axis) < best.plane; });
        return static_cast<std::size_t>(middle - begin);
    }

    std::uint32_t build_leaf(std::size_t first, std::size_t end)
    {
        std::sort(primitives_.begin() + static_cast<std::ptrdiff_t>(first),
                  primitives_.begin() + static_cast<std::ptrdiff_t>(end),
                  [](Primitive const& a, Primitive const& b) { return a.triangle < b.triangle; });
        return make_leaf(static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(end - first));
    }

    /// A node of two or more triangles that become no leaf, or the leaf.
    std::uint32_t build_node(std::size_t first, std::size_t end, RangeBounds const& range, int depth)
    {
        std::size_t const middle = split(first, end, range, depth);
        if (middle == first) return build_leaf(first, end);
        auto const place = static_cast<std::uint32_t>(middle - 1);
        BvhNode& node = nodes_[place];
        auto const build_child = [&](int side, std::size_t child_first, std::size_t child_end) {
            RangeBounds const bounds = measure(child_first, child_end);
            node.box[side] = bounds.boxes;
            node.child[side] = build_node(child_first, child_end, bounds, depth + 1);
        };
        if (end - first > kTaskPrimitives) {
            tbb::task_group tasks;
            tasks.run([&] { build_child(0, first, middle); });
            build_child(1, middle, end);
            tasks.wait();
        } else {
            build_child(0, first, middle);
            build_child(1, middle, end);
        }
        // Until nodes get their final places, the link to the parent holds the size of the subtree.
        node.parent = 1;
        for (std::uint32_t const child : node.child) node.parent += is_leaf(child) ? 0 : nodes_[child].parent;
        return place;
    }

    std::span<Primitive> primitives_;
    std::span<BvhNode> nodes_;
};

Primitive make_primitive(TriangleMesh const& mesh, std::size_t triangle)
{
    Primitive primitive{{}, static_cast<std::uint32_t>(triangle), 0};
    for (std::uint32_t const corner : mesh.triangles[triangle]) {
        if (corner >= mesh.positions_mm.size()) {
            fail_input("a triangle names a vertex that is not there", fmt::format("triangle {}", triangle));
        }
        Vec3 const p = mesh.positions_mm[corner];
        if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z)) {
            fail_input("a vertex is not finite", fmt::format("triangle {}, vertex {}", triangle, corner));
        }
        // Adding 0 makes -0 to 0: which of the two a box got would depend on the order of triangles.
        Vec3 const q = p + Vec3{};
        include_box(primitive.box, {q, q});
    }
    return primitive;
}

constexpr std::size_t kLoopPiece = 1 << 16;

/// work(i) for i in 0 .. count - 1.
template <typename Work>
void for_each_index(int threads, std::size_t count, Work const& work)
{
    parallel_for(threads, (count + kLoopPiece - 1) / kLoopPiece, [&](std::size_t piece) {
        std::size_t const end = std::min(count, (piece + 1) * kLoopPiece);
        for (std::size_t i = piece * kLoopPiece; i < end; ++i) work(i);
    });
}

Bvh build_single(TriangleMesh const& mesh)
{
    BoundingBox const box = make_primitive(mesh, 0).box;
    std::uint32_t const leaf = make_leaf(0, 1);
    return {{{{box, box}, {leaf, leaf}, 0, 0}}, {0}, box, 0};
}

} // namespace

Bvh build_bvh(TriangleMesh const& mesh, BvhOptions const& options)
{
    std::size_t const count = mesh.triangles.size();
    if (count > kMaxBvhTriangles) {
        fail_input("the mesh has too many triangles", fmt::format("{} of at most {}", count, kMaxBvhTriangles));
    }
    if (count == 0) fail_input("the mesh has no triangles", "mesh");
    if (count == 1) return build_single(mesh);
    Bvh bvh;
    // Not initialised: pages are first touched by the thread that fills them, or not at all.
    auto const primitives = std::make_unique_for_overwrite<Primitive[]>(count);
    for_each_index(options.threads, count, [&](std::size_t i) { primitives[i] = make_primitive(mesh, i); });
    auto const scattered = std::make_unique_for_overwrite<BvhNode[]>(count - 1);
    run_in_arena(options.threads, [&] {
        TreeBuilder builder({primitives.get(), count}, {scattered.get(), count - 1});
        std::uint32_t const root = builder.build_root(bvh.bounds);
        bvh.nodes.resize(builder.get_size(root));
        bvh.root = place_nodes(scattered.get(), root, options.node_order, bvh.nodes);
    });
    bvh.order.resize(count);
    for_each_index(options.threads, count, [&](std::size_t i) { bvh.order[i] = primitives[i].triangle; });
    return bvh;
}

std::vector<LeafTriangle> gather_leaf_triangles(std::span<Vec3 const> positions,
                                                std::span<std::array<std::uint32_t, 3> const> triangles,
                                                std::span<std::uint32_t const> order, int threads)
{
    std::vector<LeafTriangle> gathered(order.size());
    for_each_index(threads, order.size(), [&](std::size_t i) {
        auto const& corners = triangles[order[i]];
        gathered[i] = {positions[corners[0]], order[i], positions[corners[1]], 0, positions[corners[2]], 0};
    });
    return gathered;
}

std::vector<std::uint32_t> find_places(std::span<LeafTriangle const> triangles)
{
    std::vector<std::uint32_t> places(triangles.size());
    for (std::uint32_t place = 0; place < triangles.size(); ++place) places[triangles[place].number] = place;
    return places;
}

} // namespace volpt
