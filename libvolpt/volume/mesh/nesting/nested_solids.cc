#include "libvolpt/volume/mesh/nesting/nested_solids.h"

#include "libvolpt/core/scene_view.hd.h"
#include "libvolpt/surface/solid_locator.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <memory>

namespace volpt {
namespace {

/// Of two indices of refraction that are the same, relative to them: tables round them to three decimals.
constexpr double kIndexTolerance = 1e-3;

bool has_interface(SolidBoundary const& solid)
{
    return solid.kind != BoundaryKindView::none && solid.int_ior != solid.ext_ior;
}

/// The next solid around `solid` that has an interface.
std::optional<std::size_t> find_interface_around(std::size_t solid, std::span<SolidBoundary const> solids,
                                                 std::span<SolidNesting const> nesting)
{
    for (std::uint32_t around = nesting[solid].around; around != 0; around = nesting[around - 1].around)
        if (has_interface(solids[around - 1])) return around - 1;
    return std::nullopt;
}

/// Whether no solid lies in itself, however many lie in between.
bool has_no_circle(std::span<SolidNesting const> nesting)
{
    for (std::size_t i = 0; i < nesting.size(); ++i) {
        std::size_t depth = 0;
        for (std::uint32_t around = nesting[i].around; around != 0; around = nesting[around - 1].around)
            if (++depth > nesting.size()) return false;
    }
    return true;
}

} // namespace

TriangleMesh take_triangles(TriangleMesh const& mesh, std::uint32_t first, std::uint32_t end)
{
    constexpr std::uint32_t kUnused = 0xffffffffu;
    TriangleMesh part;
    std::vector<std::uint32_t> numbers(mesh.positions_mm.size(), kUnused);
    for (std::uint32_t t = first; t < end; ++t) {
        auto& corners = part.triangles.emplace_back(mesh.triangles[t]);
        for (std::uint32_t& corner : corners) {
            if (numbers[corner] == kUnused) {
                numbers[corner] = static_cast<std::uint32_t>(part.positions_mm.size());
                part.positions_mm.push_back(mesh.positions_mm[corner]);
            }
            corner = numbers[corner];
        }
    }
    return part;
}

std::vector<std::uint32_t> find_solids_around(TriangleMesh const& mesh, std::span<std::uint32_t const> first)
{
    std::size_t const count = first.size();
    std::vector<std::unique_ptr<SolidLocator>> locators;
    for (std::size_t i = 0; i < count; ++i) {
        auto const end = i + 1 < count ? first[i + 1] : static_cast<std::uint32_t>(mesh.triangles.size());
        locators.push_back(std::make_unique<SolidLocator>(take_triangles(mesh, first[i], end)));
    }
    // Solids do not meet: one lies in another as one of its corners does.
    std::vector<std::vector<std::size_t>> all_around(count);
    for (std::size_t i = 0; i < count; ++i) {
        Vec3 const corner = mesh.positions_mm[mesh.triangles[first[i]][0]];
        for (std::size_t j = 0; j < count; ++j)
            if (j != i && locators[j]->find_enclosing(corner) != kNoTriangle) all_around[i].push_back(j);
    }
    // The next one around is itself in all the others.
    std::vector<std::uint32_t> around(count, 0);
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t const j : all_around[i])
            if (all_around[j].size() + 1 == all_around[i].size()) around[i] = static_cast<std::uint32_t>(j) + 1;
    return around;
}

std::vector<double> find_region_indices(std::span<SolidBoundary const> solids, std::span<SolidNesting const> nesting)
{
    std::vector<double> indices(solids.size() + 1, 1);
    for (std::size_t i = 0; i < solids.size(); ++i)
        if (has_interface(solids[i]) && !find_interface_around(i, solids, nesting)) {
            indices[0] = solids[i].ext_ior;
            break;
        }
    for (std::size_t i = 0; i < solids.size(); ++i) {
        auto const own = has_interface(solids[i]) ? std::optional(i) : find_interface_around(i, solids, nesting);
        indices[i + 1] = own ? solids[*own].int_ior : indices[0];
    }
    return indices;
}

std::optional<IndexMismatch> find_index_mismatch(std::span<SolidBoundary const> solids,
                                                 std::span<SolidNesting const> nesting)
{
    for (std::size_t i = 0; i < solids.size(); ++i) {
        auto const around = find_interface_around(i, solids, nesting);
        if (!around || !has_interface(solids[i])) continue;
        double const outside = solids[*around].int_ior;
        if (!(std::abs(solids[i].ext_ior - outside) <= kIndexTolerance * outside)) return IndexMismatch{i, *around};
    }
    return std::nullopt;
}

std::string find_nesting_problem(std::span<SolidBoundary const> solids, std::span<SolidNesting const> nesting,
                                 std::size_t materials)
{
    if (nesting.size() != solids.size() || solids.size() > kMaxNestedSolids)
        return fmt::format("{} of {} solids say in which they lie; at most {} may nest", nesting.size(), solids.size(),
                           kMaxNestedSolids);
    for (std::size_t i = 0; i < nesting.size(); ++i)
        if (nesting[i].around > nesting.size() || nesting[i].label >= materials)
            return fmt::format("solid {} lies in {} and has the medium {}, of {} and {}", i, nesting[i].around,
                               nesting[i].label, nesting.size(), materials);
    if (!has_no_circle(nesting)) return "a solid lies in itself";
    auto const wrong = find_index_mismatch(solids, nesting);
    return wrong ? fmt::format("outside of solid {} the index is {}, but {} in solid {} around it", wrong->solid,
                               solids[wrong->solid].ext_ior, solids[wrong->around].int_ior, wrong->around)
                 : "";
}

double measure_outer_volume_mm3(TriangleMesh const& mesh, std::span<SolidBoundary const> solids,
                                std::span<SolidNesting const> nesting, std::array<float, 3> const& pitch_mm)
{
    auto const widen = [](Vec3 v) {
        return std::array{static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
    };
    double voxels = 0;
    for (std::size_t i = 0; i < solids.size(); ++i) {
        if (nesting[i].around != 0) continue;
        std::size_t const end = i + 1 < solids.size() ? solids[i + 1].first_triangle : mesh.triangles.size();
        auto const origin = widen(mesh.positions_mm[mesh.triangles[solids[i].first_triangle][0]]);
        for (std::size_t t = solids[i].first_triangle; t < end; ++t) {
            std::array<std::array<double, 3>, 3> p;
            for (std::size_t c = 0; c < 3; ++c) {
                p[c] = widen(mesh.positions_mm[mesh.triangles[t][c]]);
                for (std::size_t axis = 0; axis < 3; ++axis) p[c][axis] -= origin[axis];
            }
            voxels +=
                (p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) + p[0][1] * (p[1][2] * p[2][0] - p[1][0] * p[2][2]) +
                 p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0])) /
                6;
        }
    }
    return voxels * static_cast<double>(pitch_mm[0]) * static_cast<double>(pitch_mm[1]) *
           static_cast<double>(pitch_mm[2]);
}

} // namespace volpt
