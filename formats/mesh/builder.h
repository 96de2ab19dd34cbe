// MeshBuilder: joins triangles, of which only some may have normals, texture coordinates or colours, into a
// TriangleMesh.
#pragma once

#include "formats/mesh/polygon.h"
#include "formats/mesh/reader.h"

namespace volpt {

/// What the corners of one triangle or polygon have, in their order; absent is empty.
struct CornerValues {
    std::vector<Vec3> normals; ///< of any length
    std::vector<TextureCoordinates> texture_coordinates;
    std::vector<std::uint32_t> colours;               ///< 0xRRGGBB
    std::uint16_t picture = TriangleMesh::kNoPicture; ///< of the whole triangle or polygon
};

class MeshBuilder {
public:
    /// `where` names the file.
    explicit MeshBuilder(std::string where) : where_(std::move(where)) {}

    /// Error (input) beyond 2^32 - 1 positions.
    std::uint32_t add_position(Vec3 position_mm);
    std::size_t position_count() const noexcept { return mesh_.positions_mm.size(); }

    /// Indices in range; `values` absent or one for each corner. Error (input) beyond 2^31 triangles.
    void add_triangle(std::array<std::uint32_t, 3> const& corners, CornerValues const& values);
    /// At least 3 corners; more are cut into triangles.
    void add_polygon(std::span<std::uint32_t const> corners, CornerValues const& values);

    /// Gaps are filled: normals that are absent, zero or not finite with their triangle's, texture coordinates with 0,
    /// 0, colours with white, each with a notice. Texture coordinates of triangles that have some that are not finite
    /// are absent, with a notice too: nothing needs them but a picture.
    MeshFile finish(std::vector<std::string> notices);

private:
    void fill_normals(std::vector<std::string>& notices);

    std::string where_;
    TriangleMesh mesh_;
    std::vector<std::array<std::uint32_t, 3>> cut_;
    std::vector<Point3> polygon_;
    CornerValues part_;
    std::uint64_t unplaced_ = 0;   ///< triangles without texture coordinates, of a mesh that has some
    std::uint64_t not_finite_ = 0; ///< triangles with texture coordinates that are not finite
    std::uint64_t uncoloured_ = 0; ///< triangles without colours
    std::uint64_t not_simple_ = 0; ///< polygons
    PolygonBudget budget_;
};

/// Colour components of 0 to 1, sRGB-coded, to 0xRRGGBB; beyond the ends, and NaN, to the nearest code.
std::uint32_t pack_colour(double red, double green, double blue);

} // namespace volpt
