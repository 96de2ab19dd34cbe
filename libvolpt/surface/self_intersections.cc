#include "libvolpt/surface/self_intersections.h"

#include "libvolpt/surface/triangle_overlap.h"
#include "libvolpt/sys/parallel.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <optional>

namespace volpt {
namespace {

constexpr std::size_t kSlotsPerPiece = 4096;
constexpr std::uint64_t kPairTestsPerTriangle = 800;
constexpr std::uint64_t kRayTestsPerTriangle = 50;
/// What a test counts of triangles whose boxes overlap, and one by exact predicates besides.
constexpr std::uint64_t kOverlapTest = 4, kExactTest = 60;
/// What a ray may meet before another direction is tried.
constexpr std::uint64_t kFewTests = 64;
/// Tests of the search for examples where there are too many for all.
constexpr std::uint64_t kExampleTests = 12'000'000;

bool overlap_boxes(BoundingBox const& a, BoundingBox const& b)
{
    return a.lower.x <= b.upper.x && b.lower.x <= a.upper.x && a.lower.y <= b.upper.y && b.lower.y <= a.upper.y &&
           a.lower.z <= b.upper.z && b.lower.z <= a.upper.z;
}

NumberedTriangle get_triangle(TriangleMesh const& mesh, std::uint32_t number)
{
    auto const& v = mesh.triangles[number];
    return {{mesh.positions_mm[v[0]], mesh.positions_mm[v[1]], mesh.positions_mm[v[2]]}, v};
}

BoundingBox get_box(NumberedTriangle const& triangle)
{
    auto const& [a, b, c] = triangle.corners;
    return {{std::min({a.x, b.x, c.x}), std::min({a.y, b.y, c.y}), std::min({a.z, b.z, c.z})},
            {std::max({a.x, b.x, c.x}), std::max({a.y, b.y, c.y}), std::max({a.z, b.z, c.z})}};
}

/// visit(number) for the triangles of all leaves whose boxes overlap `box`, until it returns false.
template <typename Visit>
void visit_leaves(Bvh const& bvh, BoundingBox const& box, Visit const& visit)
{
    std::array<std::uint32_t, kMaxBvhDepth + 1> pending;
    std::size_t count = 0;
    pending[count++] = bvh.root;
    while (count > 0) {
        BvhNode const& node = bvh.nodes[pending[--count]];
        for (int side = 0; side < 2; ++side) {
            if (!overlap_boxes(box, node.box[side])) continue;
            std::uint32_t const child = node.child[side];
            if (!is_leaf(child)) {
                pending[count++] = child;
                continue;
            }
            std::uint32_t const first = get_leaf_first(child);
            for (std::uint32_t i = first; i < first + get_leaf_count(child); ++i)
                if (!visit(bvh.order[i])) return;
        }
    }
}

bool have_same_vertices(NumberedTriangle const& a, NumberedTriangle const& b)
{
    return std::is_permutation(a.vertices.begin(), a.vertices.end(), b.vertices.begin());
}

using Difference = std::array<double, 3>;

Difference find_offset(Vec3 to, Vec3 from)
{
    return {static_cast<double>(to.x) - static_cast<double>(from.x),
            static_cast<double>(to.y) - static_cast<double>(from.y),
            static_cast<double>(to.z) - static_cast<double>(from.z)};
}

Difference cross(Difference const& u, Difference const& v)
{
    return {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
}

/// How far a point lies along a normal, and more than the rounding of that.
struct Reach {
    double along, rounding;
};

Reach reach_along(Difference const& normal, Difference const& point)
{
    Reach reach{0, 0};
    for (std::size_t i = 0; i < 3; ++i) {
        double const product = normal[i] * point[i];
        reach.along += product;
        reach.rounding += 1e-12 * std::abs(product);
    }
    return reach;
}

/// The vertex that both have, as corners of a and b; none if they share none or more than one.
std::optional<std::array<std::size_t, 2>> find_shared_vertex(NumberedTriangle const& a, NumberedTriangle const& b)
{
    std::optional<std::array<std::size_t, 2>> shared;
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) {
            if (a.vertices[i] != b.vertices[j]) continue;
            if (shared) return std::nullopt;
            shared = {i, j};
        }
    return shared;
}

/// Whether a plane through the vertex that both have, between their middles, has the other vertices on either side.
bool are_apart_around_vertex(NumberedTriangle const& a, NumberedTriangle const& b,
                             std::array<std::size_t, 2> const& shared)
{
    Vec3 const origin = a.corners[shared[0]];
    Difference const a1 = find_offset(a.corners[(shared[0] + 1) % 3], origin),
                     a2 = find_offset(a.corners[(shared[0] + 2) % 3], origin),
                     b1 = find_offset(b.corners[(shared[1] + 1) % 3], origin),
                     b2 = find_offset(b.corners[(shared[1] + 2) % 3], origin);
    auto const find_middle = [](Difference const& u, Difference const& v) {
        Difference const sum{u[0] + v[0], u[1] + v[1], u[2] + v[2]};
        double const length = std::sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
        return Difference{sum[0] / length, sum[1] / length, sum[2] / length};
    };
    Difference const middle_a = find_middle(a1, a2), middle_b = find_middle(b1, b2);
    Difference const normal{middle_a[0] - middle_b[0], middle_a[1] - middle_b[1], middle_a[2] - middle_b[2]};
    auto const is_beyond = [&](Difference const& point, double side) {
        Reach const reach = reach_along(normal, point);
        return side * reach.along > reach.rounding;
    };
    return is_beyond(a1, 1) && is_beyond(a2, 1) && is_beyond(b1, -1) && is_beyond(b2, -1);
}

/// Whether b lies on one side of the plane of a, or beyond a plane through one of its edges, upright on it.
bool is_beside(NumberedTriangle const& a, NumberedTriangle const& b)
{
    std::array<Difference, 3> from_a, from_b;
    for (std::size_t i = 0; i < 3; ++i) {
        from_a[i] = find_offset(a.corners[i], a.corners[0]);
        from_b[i] = find_offset(b.corners[i], a.corners[0]);
    }
    // Whatever the rounding of a normal: there is a plane between them if both are on their sides.
    auto const is_beyond = [&](Difference const& normal) {
        double most_of_a = -HUGE_VAL, least_of_b = HUGE_VAL;
        for (std::size_t i = 0; i < 3; ++i) {
            Reach const of_a = reach_along(normal, from_a[i]), of_b = reach_along(normal, from_b[i]);
            most_of_a = std::max(most_of_a, of_a.along + of_a.rounding);
            least_of_b = std::min(least_of_b, of_b.along - of_b.rounding);
        }
        return least_of_b > most_of_a;
    };
    Difference const upright = cross(from_a[1], from_a[2]);
    if (is_beyond(upright) || is_beyond({-upright[0], -upright[1], -upright[2]})) return true;
    for (std::size_t k = 0; k < 3; ++k) {
        Difference const &start = from_a[k], &end = from_a[(k + 1) % 3];
        if (is_beyond(cross({end[0] - start[0], end[1] - start[1], end[2] - start[2]}, upright))) return true;
    }
    return false;
}

/// Whether a plane keeps them apart, but for a vertex that they share. False wherever rounding could matter, and for
/// triangles that share an edge.
bool are_clearly_apart(NumberedTriangle const& a, NumberedTriangle const& b)
{
    if (auto const shared = find_shared_vertex(a, b)) return are_apart_around_vertex(a, b, *shared);
    return is_beside(a, b) || is_beside(b, a);
}

void keep_first(SelfIntersections& found, std::size_t max_pairs)
{
    std::sort(found.pairs.begin(), found.pairs.end());
    if (found.pairs.size() > max_pairs) found.pairs.resize(max_pairs);
}

/// Tests that all threads share. Whether they suffice does not depend on the threads: there are as many to do for any.
class SharedBudget {
public:
    explicit SharedBudget(std::uint64_t most) : most_(most) {}
    void take(std::uint64_t tests) { taken_.fetch_add(tests, std::memory_order_relaxed); }
    bool is_spent() const { return taken() > most_; }
    std::uint64_t taken() const { return taken_.load(std::memory_order_relaxed); }

private:
    std::uint64_t most_;
    std::atomic<std::uint64_t> taken_{0};
};

struct SampledTests {
    std::uint64_t tests;
    bool are_too_many;
};

struct IntersectionBudget {
    SharedBudget &tests, &pairs;
    bool is_spent() const { return tests.is_spent() || pairs.is_spent(); }
};

/// Whether a triangle is tested against those of higher numbers, so that each pair is met once, or against all others.
enum class Partners { higher, all };

class IntersectionSearch {
public:
    IntersectionSearch(TriangleMesh const& mesh, Bvh const& bvh, std::vector<std::uint8_t> const& is_left_out,
                       Partners partners, IntersectionBudget& budget)
        : mesh_(mesh), bvh_(bvh), is_left_out_(is_left_out), partners_(partners), budget_(budget)
    {
    }

    /// Pairs of the triangles in the leaves' order from `first` to before `end`; in that
    /// order neighbours ask the same nodes.
    void search(std::size_t first, std::size_t end, std::size_t max_pairs, SelfIntersections& found) const
    {
        for (std::size_t slot = first; slot < end && !budget_.is_spent(); ++slot) {
            if (is_left_out_[bvh_.order[slot]] == 0) search_triangle(bvh_.order[slot], found);
            if (found.pairs.size() > 4 * max_pairs) keep_first(found, max_pairs);
        }
    }

private:
    void search_triangle(std::uint32_t number, SelfIntersections& found) const
    {
        constexpr std::uint64_t kTestsBetweenLooks = 16384;
        NumberedTriangle const triangle = get_triangle(mesh_, number);
        BoundingBox const box = get_box(triangle);
        std::uint64_t tests = 0, pairs = 0;
        auto const settle = [&] {
            budget_.tests.take(std::exchange(tests, 0));
            budget_.pairs.take(std::exchange(pairs, 0));
            return !budget_.is_spent();
        };
        visit_leaves(bvh_, box, [&](std::uint32_t other) {
            ++tests;
            if (other == number || is_left_out_[other] != 0) return true;
            if (other < number && partners_ == Partners::higher) return true;
            NumberedTriangle const second = get_triangle(mesh_, other);
            if (!overlap_boxes(box, get_box(second))) return tests < kTestsBetweenLooks || settle();
            tests += kOverlapTest;
            if (are_clearly_apart(triangle, second)) return tests < kTestsBetweenLooks || settle();
            tests += kExactTest;
            if (!have_same_vertices(triangle, second) && overlap_triangles(triangle, second)) {
                ++pairs;
                ++found.count;
                found.pairs.emplace_back(std::min(number, other), std::max(number, other));
            }
            return tests < kTestsBetweenLooks || settle();
        });
        settle();
    }

    TriangleMesh const& mesh_;
    Bvh const& bvh_;
    std::vector<std::uint8_t> const& is_left_out_;
    Partners partners_;
    IntersectionBudget& budget_;
};

/// Which way a ray goes, along an axis.
struct RayDirection {
    Vec3 direction;
    int axis;
};
constexpr RayDirection kRayDirections[] = {{{1, 0, 0}, 0},  {{0, 1, 0}, 1},  {{0, 0, 1}, 2},
                                           {{-1, 0, 0}, 0}, {{0, -1, 0}, 1}, {{0, 0, -1}, 2}};

BoundingBox get_box_ahead(Vec3 origin, RayDirection const& way, BoundingBox const& bounds)
{
    BoundingBox ahead{origin, origin};
    bool const ascends = way.direction.x + way.direction.y + way.direction.z > 0;
    Vec3& end = ascends ? ahead.upper : ahead.lower;
    Vec3 const& bound = ascends ? bounds.upper : bounds.lower;
    (way.axis == 0 ? end.x : way.axis == 1 ? end.y : end.z) = get_axis(bound, way.axis);
    return ahead;
}

class EnclosureSearch {
public:
    EnclosureSearch(TriangleMesh const& mesh, Bvh const& bvh, std::vector<std::uint32_t> const& component_of)
        : mesh_(mesh), bvh_(bvh), component_of_(component_of)
    {
    }

    /// By the first direction with few tests, or else by the first of all, as long as there is a budget.
    int count(std::uint32_t first_triangle, SharedBudget& budget) const
    {
        // The middle of a triangle: components may touch each other in vertices.
        NumberedTriangle const start = get_triangle(mesh_, first_triangle);
        Vec3 const origin = (1.0f / 3.0f) * (start.corners[0] + start.corners[1] + start.corners[2]);
        std::uint32_t const component = component_of_[first_triangle];
        for (RayDirection const& way : kRayDirections)
            if (auto const found = follow(origin, way, component, kFewTests, budget)) return *found;
        return follow(origin, kRayDirections[0], component, UINT64_MAX, budget).value_or(0);
    }

private:
    std::optional<int> follow(Vec3 origin, RayDirection const& way, std::uint32_t component, std::uint64_t most_tests,
                              SharedBudget& budget) const
    {
        TriangleRay const ray = make_triangle_ray(origin, way.direction);
        int surrounded = 0;
        std::uint64_t tests = 0;
        visit_leaves(bvh_, get_box_ahead(origin, way, bvh_.bounds), [&](std::uint32_t number) {
            if (component_of_[number] == component) return true;
            auto const [a, b, c] = get_triangle(mesh_, number).corners;
            if (TriangleHit const hit = intersect_triangle(ray, a, b, c, Facing::back); hit.met && hit.t > 0)
                ++surrounded;
            if (TriangleHit const hit = intersect_triangle(ray, a, b, c, Facing::front); hit.met && hit.t > 0)
                --surrounded;
            return ++tests <= most_tests && (tests % 1024 != 0 || !budget.is_spent());
        });
        budget.take(tests);
        if (tests > most_tests || budget.is_spent()) return std::nullopt;
        return surrounded;
    }

    TriangleMesh const& mesh_;
    Bvh const& bvh_;
    std::vector<std::uint32_t> const& component_of_;
};

/// What is looked at before everything is: one in kSampleStride of what there is to search.
constexpr std::size_t kSampleStride = 64;
/// A sample that takes this many times its share of a bound leaves no doubt that the whole exceeds it.
constexpr std::uint64_t kSampleExcess = 4;

/// By a sample, whether a search of `count` items takes far more than `most` tests: what cannot be done in time is then
/// refused in a sixteenth of it. count_tests(item, budget) searches one, and may stop when the budget is spent; an item
/// counts at most the share of the sample, so that a few large ones decide nothing.
template <typename CountTests>
SampledTests count_sampled_tests(std::size_t count, std::uint64_t most, int threads, CountTests const& count_tests)
{
    std::uint64_t const share = most / kSampleStride;
    SharedBudget sample(kSampleExcess * share);
    parallel_for(threads, (count + kSampleStride - 1) / kSampleStride, [&](std::size_t i) {
        if (sample.is_spent()) return;
        SharedBudget own(share);
        count_tests(i * kSampleStride, own);
        sample.take(std::min(own.taken(), share));
    });
    return {sample.taken(), sample.is_spent()};
}

} // namespace

SelfIntersections find_self_intersections(TriangleMesh const& mesh, Bvh const& bvh,
                                          std::vector<std::uint8_t> const& is_left_out, std::size_t max_pairs,
                                          int threads)
{
    std::size_t const pieces = (bvh.order.size() + kSlotsPerPiece - 1) / kSlotsPerPiece;
    std::vector<SelfIntersections> parts(pieces);
    std::uint64_t const most_tests = kMostPairTests + kPairTestsPerTriangle * bvh.order.size();
    SampledTests const sampled =
        count_sampled_tests(bvh.order.size(), most_tests, threads, [&](std::size_t slot, SharedBudget& tests) {
            SharedBudget pairs(kMostIntersections);
            IntersectionBudget budget{tests, pairs};
            SelfIntersections found;
            IntersectionSearch(mesh, bvh, is_left_out, Partners::higher, budget).search(slot, slot + 1, 0, found);
        });
    SharedBudget tests(most_tests), pairs(kMostIntersections);
    IntersectionBudget budget{tests, pairs};
    IntersectionSearch const search(mesh, bvh, is_left_out, Partners::higher, budget);
    if (!sampled.are_too_many)
        parallel_for(threads, pieces, [&](std::size_t piece) {
            search.search(piece * kSlotsPerPiece, std::min(bvh.order.size(), (piece + 1) * kSlotsPerPiece), max_pairs,
                          parts[piece]);
        });
    SelfIntersections all;
    if (sampled.are_too_many || budget.is_spent()) { // which pairs were found depends on the threads
        SharedBudget example_tests(kExampleTests), example_pairs(max_pairs);
        IntersectionBudget few{example_tests, example_pairs};
        IntersectionSearch const examples(mesh, bvh, is_left_out, Partners::all, few);
        examples.search(0, bvh.order.size(), max_pairs, all);
        std::sort(all.pairs.begin(), all.pairs.end());
        all.pairs.erase(std::unique(all.pairs.begin(), all.pairs.end()), all.pairs.end());
        all.count = all.pairs.size();
        all.is_complete = false;
    }
    for (SelfIntersections const& part : parts) {
        if (!all.is_complete) break;
        all.count += part.count;
        all.pairs.insert(all.pairs.end(), part.pairs.begin(), part.pairs.end());
    }
    all.tests = sampled.are_too_many ? sampled.tests : tests.taken();
    keep_first(all, max_pairs);
    return all;
}

Enclosures find_enclosures(TriangleMesh const& mesh, Bvh const& bvh, std::vector<std::uint32_t> const& component_of,
                           std::size_t components, int threads)
{
    std::vector<std::uint32_t> first_triangle(components, kNoTriangle);
    for (std::uint32_t i = 0; i < component_of.size(); ++i) {
        if (first_triangle[component_of[i]] == kNoTriangle) first_triangle[component_of[i]] = i;
    }
    Enclosures enclosures{std::vector<int>(components, 0)};
    std::uint64_t const most_tests = kMostRayTests + kRayTestsPerTriangle * component_of.size();
    EnclosureSearch const search(mesh, bvh, component_of);
    SampledTests const sampled =
        count_sampled_tests(components, most_tests, threads, [&](std::size_t component, SharedBudget& tests) {
            search.count(first_triangle[component], tests);
        });
    if (sampled.are_too_many) {
        enclosures.tests = sampled.tests;
        enclosures.is_complete = false;
        return enclosures;
    }
    SharedBudget budget(most_tests);
    parallel_for(threads, components, [&](std::size_t component) {
        if (!budget.is_spent()) enclosures.of_component[component] = search.count(first_triangle[component], budget);
    });
    enclosures.tests = budget.taken();
    enclosures.is_complete = !budget.is_spent();
    return enclosures;
}

} // namespace volpt
