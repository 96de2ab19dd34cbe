#include "libvolpt/volume/mesh/voxel_faces.h"

#include "libvolpt/core/surface/bvh.hd.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>

namespace volpt {
namespace {

constexpr std::uint32_t kNoVertex = 0xffffffffu;

/// Corners of the faces of a voxel at -x +x -y +y -z +z, counter-clockwise as seen from outside; bit 0 is x, 1 y, 2 z.
constexpr std::uint32_t kFaceCorners[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                              {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};

class FaceMaker {
public:
    FaceMaker(Occupancy const& occupied, std::string const& where)
        : occupied_(occupied), where_(where), columns_(static_cast<std::size_t>(occupied.dims()[0]) + 1)
    {
        std::size_t const corners = columns_ * (static_cast<std::size_t>(occupied.dims()[1]) + 1);
        for (auto& plane : planes_) plane.assign(corners, kNoVertex);
    }

    TriangleMesh make()
    {
        for (int z = 0; z < occupied_.dims()[2]; ++z) {
            for (int y = 0; y < occupied_.dims()[1]; ++y)
                for (int word = 0; word < occupied_.words_per_row(); ++word) add_faces(word, y, z);
            std::swap(planes_[0], planes_[1]);
            std::ranges::fill(planes_[1], kNoVertex);
        }
        return std::move(mesh_);
    }

private:
    /// Of 64 voxels along x.
    void add_faces(int word, int y, int z)
    {
        std::uint64_t const own = occupied_.get_word(word, y, z);
        if (own == 0) return;
        std::uint64_t const before = own << 1 | occupied_.get_word(word - 1, y, z) >> 63;
        std::uint64_t const after = own >> 1 | occupied_.get_word(word + 1, y, z) << 63;
        std::uint64_t const open[6] = {own & ~before,
                                       own & ~after,
                                       own & ~occupied_.get_word(word, y - 1, z),
                                       own & ~occupied_.get_word(word, y + 1, z),
                                       own & ~occupied_.get_word(word, y, z - 1),
                                       own & ~occupied_.get_word(word, y, z + 1)};
        std::uint64_t any = open[0] | open[1] | open[2] | open[3] | open[4] | open[5];
        for (; any != 0; any &= any - 1) {
            int const bit = std::countr_zero(any);
            for (std::size_t face = 0; face < 6; ++face)
                if ((open[face] >> bit & 1) != 0) add_face(kFaceCorners[face], 64 * word + bit, y, z);
        }
    }

    void add_face(std::uint32_t const (&corners)[4], int x, int y, int z)
    {
        if (mesh_.triangles.size() + 2 > kMaxBvhTriangles)
            fail_input(fmt::format("the faces of its voxels are more than {} triangles", kMaxBvhTriangles), where_,
                       "a mesh has no more", "use larger voxels, or crop the volume");
        std::uint32_t v[4];
        for (std::size_t i = 0; i < 4; ++i)
            v[i] = find_vertex(x + static_cast<int>(corners[i] & 1), y + static_cast<int>(corners[i] >> 1 & 1), z,
                               corners[i] >> 2);
        mesh_.triangles.push_back({v[0], v[1], v[2]});
        mesh_.triangles.push_back({v[0], v[2], v[3]});
    }

    std::uint32_t find_vertex(int x, int y, int z, std::uint32_t above)
    {
        std::uint32_t& vertex = planes_[above][static_cast<std::size_t>(y) * columns_ + static_cast<std::size_t>(x)];
        if (vertex == kNoVertex) {
            vertex = static_cast<std::uint32_t>(mesh_.positions_mm.size());
            mesh_.positions_mm.push_back(
                {static_cast<float>(x), static_cast<float>(y), static_cast<float>(z) + static_cast<float>(above)});
        }
        return vertex;
    }

    Occupancy const& occupied_;
    std::string const& where_;
    std::size_t columns_;
    std::vector<std::uint32_t> planes_[2]; ///< vertices below and above the layer, by row and column of corners
    TriangleMesh mesh_;
};

} // namespace

TriangleMesh make_voxel_faces(Occupancy const& occupied, std::string const& where)
{
    return FaceMaker(occupied, where).make();
}

} // namespace volpt
