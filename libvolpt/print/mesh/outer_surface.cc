#include "libvolpt/print/mesh/soup_solid.h"

#include "libvolpt/colour/srgb.h"

#include <algorithm>
#include <cmath>

namespace volpt {
namespace {

/// Sides of triangles that are not divided, in voxels.
constexpr float kShortSide_voxels = 3;

struct Piece {
    std::array<Vec3, 3> corners;
    std::array<Vec3, 3> weights; ///< barycentric, in the triangle that it is of
};

Vec3 find_middle(Vec3 a, Vec3 b)
{
    return 0.5f * a + 0.5f * b;
}

class OuterSurface {
public:
    OuterSurface(TriangleMesh const& mesh, Occupancy const& inside) : mesh_(mesh), inside_(inside) {}

    TriangleMesh take()
    {
        for (std::size_t i = 0; i < mesh_.triangles.size(); ++i) {
            auto const& t = mesh_.triangles[i];
            Piece const whole{{mesh_.positions_mm[t[0]], mesh_.positions_mm[t[1]], mesh_.positions_mm[t[2]]},
                              {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}};
            take_piece(i, whole);
        }
        return std::move(taken_);
    }

private:
    enum class Coverage { none, part, all };

    void take_piece(std::size_t triangle, Piece const& piece)
    {
        std::size_t longest = 0;
        float longest2 = -1;
        for (std::size_t side = 0; side < 3; ++side) {
            Vec3 const along = piece.corners[(side + 1) % 3] - piece.corners[side];
            if (dot(along, along) <= longest2) continue;
            longest2 = dot(along, along);
            longest = side;
        }
        Coverage const coverage = measure_coverage(piece, std::sqrt(longest2));
        if (coverage == Coverage::none) return;
        if (coverage == Coverage::all || longest2 < kShortSide_voxels * kShortSide_voxels) {
            add(triangle, piece);
            return;
        }
        std::size_t const next = (longest + 1) % 3;
        Piece first = piece, second = piece;
        first.corners[next] = second.corners[longest] = find_middle(piece.corners[longest], piece.corners[next]);
        first.weights[next] = second.weights[longest] = find_middle(piece.weights[longest], piece.weights[next]);
        take_piece(triangle, first);
        take_piece(triangle, second);
    }

    /// Of points at most a voxel apart.
    Coverage measure_coverage(Piece const& piece, float longest) const
    {
        int const steps = std::max(1, static_cast<int>(std::ceil(longest)));
        bool has_covered = false, has_others = false;
        Vec3 const b = (1.0f / static_cast<float>(steps)) * (piece.corners[1] - piece.corners[0]);
        Vec3 const c = (1.0f / static_cast<float>(steps)) * (piece.corners[2] - piece.corners[0]);
        for (int i = 0; i <= steps; ++i)
            for (int j = 0; i + j <= steps; ++j) {
                Vec3 const p = piece.corners[0] + static_cast<float>(i) * b + static_cast<float>(j) * c;
                (is_at_border(p) ? has_covered : has_others) = true;
                if (has_covered && has_others) return Coverage::part;
            }
        return has_covered ? Coverage::all : Coverage::none;
    }

    bool is_at_border(Vec3 p) const
    {
        int const x = static_cast<int>(p.x), y = static_cast<int>(p.y), z = static_cast<int>(p.z);
        int occupied = 0;
        for (int dz = -1; dz <= 1; ++dz)
            for (int dy = -1; dy <= 1; ++dy)
                for (int dx = -1; dx <= 1; ++dx) occupied += inside_.is_occupied(x + dx, y + dy, z + dz) ? 1 : 0;
        return occupied > 0 && occupied < 27;
    }

    template <typename Value, typename Mix>
    static void add_corners(std::vector<std::array<Value, 3>> const& from, std::vector<std::array<Value, 3>>& to,
                            std::size_t triangle, Piece const& piece, Mix const& mix)
    {
        if (from.empty()) return;
        auto const& values = from[triangle];
        to.push_back({mix(values, piece.weights[0]), mix(values, piece.weights[1]), mix(values, piece.weights[2])});
    }

    void add(std::size_t triangle, Piece const& piece)
    {
        auto const first = static_cast<std::uint32_t>(taken_.positions_mm.size());
        taken_.positions_mm.insert(taken_.positions_mm.end(), piece.corners.begin(), piece.corners.end());
        taken_.triangles.push_back({first, first + 1, first + 2});
        add_corners(mesh_.normals, taken_.normals, triangle, piece, [](auto const& n, Vec3 w) {
            Vec3 const sum = w.x * n[0] + w.y * n[1] + w.z * n[2];
            float const length = std::sqrt(dot(sum, sum));
            return length > 0 ? (1 / length) * sum : n[0];
        });
        add_corners(mesh_.texture_coordinates, taken_.texture_coordinates, triangle, piece, [](auto const& t, Vec3 w) {
            return TextureCoordinates{w.x * t[0].u + w.y * t[1].u + w.z * t[2].u,
                                      w.x * t[0].v + w.y * t[1].v + w.z * t[2].v};
        });
        add_corners(mesh_.colours, taken_.colours, triangle, piece,
                    [](auto const& colours, Vec3 w) { return mix_colours(colours, w); });
        if (!mesh_.pictures.empty()) taken_.pictures.push_back(mesh_.pictures[triangle]);
    }

    static std::uint32_t mix_colours(std::array<std::uint32_t, 3> const& colours, Vec3 weights)
    {
        if (colours[0] == colours[1] && colours[0] == colours[2]) return colours[0];
        std::uint32_t mixed = 0;
        for (int shift = 16; shift >= 0; shift -= 8) {
            auto const decode = [&](std::size_t corner) {
                return decode_srgb((colours[corner] >> shift & 0xffu) / 255.0);
            };
            double const linear = static_cast<double>(weights.x) * decode(0) +
                                  static_cast<double>(weights.y) * decode(1) +
                                  static_cast<double>(weights.z) * decode(2);
            mixed =
                mixed << 8 | static_cast<std::uint32_t>(std::lround(255 * encode_srgb(std::clamp(linear, 0.0, 1.0))));
        }
        return mixed;
    }

    TriangleMesh const& mesh_;
    Occupancy const& inside_;
    TriangleMesh taken_;
};

} // namespace

TriangleMesh take_outer_surface(TriangleMesh const& mesh_voxels, Occupancy const& inside)
{
    return OuterSurface(mesh_voxels, inside).take();
}

} // namespace volpt
