#include "libvolpt/volume/surroundings/surrounding_sections.h"

#include "libvolpt/sys/error.h"
#include "libvolpt/volume/checked_sections.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace volpt {
namespace {

static_assert(sizeof(SphereView) == 16 && sizeof(TextureCoordinates) == 8, "stored as they are");

// Numbers of the file.
static_assert(static_cast<int>(BsdfKind::diffuse) == 0 && static_cast<int>(BsdfKind::phong) == 1 &&
              static_cast<int>(BsdfKind::conductor) == 2 && static_cast<int>(BsdfKind::dielectric) == 3 &&
              static_cast<int>(BsdfKind::thin_dielectric) == 4 && static_cast<int>(BsdfKind::null) == 5);

constexpr float kMostVoxels = 0x1p30f;
/// Above 1: the rounding of weights.
constexpr float kMostWeight = 1.0f + 0x1p-16f;
constexpr std::uint64_t kMostPrimitives = kMaxBvhTriangles;
constexpr std::uint32_t kMostBsdfs = 1u << 16;
constexpr std::uint32_t kMostTexelsAlong = 1u << 15;

vpk::BsdfRecord to_record(BsdfView const& bsdf)
{
    vpk::BsdfRecord record{};
    record.kind = static_cast<std::uint32_t>(bsdf.kind);
    record.two_sided = bsdf.two_sided;
    record.has_fresnel = bsdf.has_fresnel;
    record.boundary_kind = static_cast<std::uint32_t>(bsdf.boundary.kind);
    record.microfacets = static_cast<std::uint32_t>(bsdf.boundary.microfacets);
    record.picture_width = bsdf.diffuse.width;
    record.picture_height = bsdf.diffuse.height;
    record.checks_u = bsdf.diffuse.checks_u;
    record.checks_v = bsdf.diffuse.checks_v;
    record.exponent = bsdf.exponent;
    record.specular_share = bsdf.specular_share;
    record.int_over_ext = bsdf.boundary.int_over_ext;
    record.alpha = bsdf.boundary.alpha;
    std::ranges::copy(bsdf.diffuse.colour[0], record.colour.begin());
    std::ranges::copy(bsdf.diffuse.colour[1], record.other_colour.begin());
    std::ranges::copy(bsdf.specular, record.specular.begin());
    std::ranges::copy(bsdf.eta, record.eta.begin());
    std::ranges::copy(bsdf.extinction, record.extinction.begin());
    return record;
}

BsdfView from_record(vpk::BsdfRecord const& record)
{
    BsdfView bsdf;
    bsdf.kind = static_cast<BsdfKind>(record.kind);
    bsdf.two_sided = record.two_sided;
    bsdf.has_fresnel = record.has_fresnel;
    bsdf.boundary.kind = static_cast<BoundaryKindView>(record.boundary_kind);
    bsdf.boundary.microfacets = static_cast<MicrofacetsView>(record.microfacets);
    bsdf.boundary.int_over_ext = record.int_over_ext;
    bsdf.boundary.ext_over_int = 1.0f / record.int_over_ext;
    bsdf.boundary.alpha = record.alpha;
    bsdf.diffuse.width = record.picture_width;
    bsdf.diffuse.height = record.picture_height;
    bsdf.diffuse.checks_u = record.checks_u;
    bsdf.diffuse.checks_v = record.checks_v;
    bsdf.exponent = record.exponent;
    bsdf.specular_share = record.specular_share;
    std::ranges::copy(record.colour, bsdf.diffuse.colour[0]);
    std::ranges::copy(record.other_colour, bsdf.diffuse.colour[1]);
    std::ranges::copy(record.specular, bsdf.specular);
    std::ranges::copy(record.eta, bsdf.eta);
    std::ranges::copy(record.extinction, bsdf.extinction);
    return bsdf;
}

bool lies_in(float value, float low, float high)
{
    return value >= low && value <= high; // false for NaN
}

template <class Values>
bool all_lie_in(Values const& values, float low, float high)
{
    return std::ranges::all_of(values, [&](float value) { return lies_in(value, low, high); });
}

std::uint64_t count_texels(BsdfView const& bsdf, std::size_t bands)
{
    return std::uint64_t{bsdf.diffuse.width} * bsdf.diffuse.height * bands;
}

std::string find_weight_problem(BsdfView const& bsdf, std::vector<float> const& texels)
{
    float largest = 0;
    for (auto const& colour : bsdf.diffuse.colour)
        for (float const value : colour) largest = std::max(largest, value);
    for (float const value : texels) largest = std::max(largest, value);
    if (bsdf.kind != BsdfKind::phong) return {};
    float const share = bsdf.specular_share;
    if (!(largest <= (1.0f - share) * kMostWeight)) return "its diffuse part weighs more than 1";
    float const gain = (bsdf.exponent + 2.0f) / (bsdf.exponent + 1.0f);
    for (float const value : bsdf.specular)
        if (!(value * gain <= share * kMostWeight)) return "its lobe weighs more than 1";
    return {};
}

std::string find_bsdf_problem(BsdfView const& bsdf, std::vector<float> const& texels, std::size_t bands)
{
    if (static_cast<std::uint32_t>(bsdf.kind) > static_cast<std::uint32_t>(BsdfKind::null))
        return "its kind is unknown";
    if (bsdf.two_sided > 1 || bsdf.has_fresnel > 1) return "a flag is neither 0 nor 1";
    TextureView const& texture = bsdf.diffuse;
    bool const is_picture = texture.width != 0 || texture.height != 0;
    bool const has_size = lies_in(static_cast<float>(texture.width), 1, kMostTexelsAlong) &&
                          lies_in(static_cast<float>(texture.height), 1, kMostTexelsAlong);
    if (is_picture && !has_size) return "its picture has no size";
    if (texels.size() != count_texels(bsdf, bands)) return "its picture has not the texels of its size";
    if (!all_lie_in(texture.colour[0], 0, 1) || !all_lie_in(texture.colour[1], 0, 1) || !all_lie_in(texels, 0, 1) ||
        !all_lie_in(bsdf.specular, 0, 1))
        return "a reflectance is not in 0 to 1";
    if (!lies_in(texture.checks_u, 0, kMostVoxels) || !lies_in(texture.checks_v, 0, kMostVoxels))
        return "its squares are not finite";
    if (!lies_in(bsdf.exponent, 0, 1e6f) || !lies_in(bsdf.specular_share, 0, 1)) return "its lobe is not in range";
    if (!all_lie_in(bsdf.eta, 0, 100) || !all_lie_in(bsdf.extinction, 0, 100)) return "an index is not in 0 to 100";
    bool const is_dielectric = bsdf.kind == BsdfKind::dielectric || bsdf.kind == BsdfKind::thin_dielectric;
    if (is_dielectric &&
        (bsdf.boundary.kind == BoundaryKindView::none || bsdf.boundary.kind > BoundaryKindView::rough ||
         bsdf.boundary.microfacets > MicrofacetsView::multiple || !lies_in(bsdf.boundary.int_over_ext, 0.01f, 100) ||
         !lies_in(bsdf.boundary.alpha, 0, 1)))
        return "its interface is not in range";
    return find_weight_problem(bsdf, texels);
}

std::string find_vertex_problem(SurroundingShapes const& shapes, VolumeMeta const& meta)
{
    auto const is_in_reach = [&](Vec3 p) {
        return std::abs(p.x) <= kMostVoxels * meta.pitch_mm[0] && std::abs(p.y) <= kMostVoxels * meta.pitch_mm[1] &&
               std::abs(p.z) <= kMostVoxels * meta.pitch_mm[2];
    };
    for (std::size_t i = 0; i < shapes.mesh_mm.positions_mm.size(); ++i)
        if (!is_in_reach(shapes.mesh_mm.positions_mm[i])) return fmt::format("vertex {} is not finite, or far away", i);
    float const least_mm = *std::ranges::min_element(meta.pitch_mm) * 0x1p-20f;
    for (std::size_t i = 0; i < shapes.spheres.size(); ++i) {
        SphereView const& sphere = shapes.spheres[i];
        Vec3 const reach{sphere.radius_mm, sphere.radius_mm, sphere.radius_mm};
        if (!(sphere.radius_mm >= least_mm) || !is_in_reach(sphere.centre_mm - reach) ||
            !is_in_reach(sphere.centre_mm + reach))
            return fmt::format("sphere {} has no size, is not finite, or far away", i);
    }
    for (auto const& corners : shapes.mesh_mm.normals)
        for (Vec3 const& normal : corners)
            if (!lies_in(dot(normal, normal), 0, 1.01f)) return "a normal is longer than 1";
    for (auto const& corners : shapes.mesh_mm.texture_coordinates)
        for (TextureCoordinates const& at : corners)
            if (!(std::abs(at.u) <= kMostVoxels && std::abs(at.v) <= kMostVoxels))
                return "a texture coordinate is not finite";
    return {};
}

std::string find_index_problem(SurroundingShapes const& shapes)
{
    std::size_t const triangles = shapes.mesh_mm.triangles.size(), spheres = shapes.spheres.size();
    if (triangles + spheres > kMostPrimitives || shapes.bsdfs.size() > kMostBsdfs) return "there are too many shapes";
    auto const fits = [&](std::size_t count) { return count == 0 || count == triangles; };
    if (shapes.bsdf_of_triangle.size() != triangles || shapes.bsdf_of_sphere.size() != spheres ||
        !fits(shapes.mesh_mm.normals.size()) || !fits(shapes.mesh_mm.texture_coordinates.size()))
        return "not every shape has what belongs to it";
    for (auto const& corners : shapes.mesh_mm.triangles)
        if (std::ranges::max(corners) >= shapes.mesh_mm.positions_mm.size()) return "a corner is no vertex";
    auto const is_unknown = [&](std::uint32_t bsdf) { return bsdf >= shapes.bsdfs.size(); };
    if (std::ranges::any_of(shapes.bsdf_of_triangle, is_unknown) ||
        std::ranges::any_of(shapes.bsdf_of_sphere, is_unknown))
        return "a shape has a BSDF that is not there";
    return {};
}

template <class T>
void write_array(SectionedWriter& writer, std::string_view name, std::vector<T> const& values)
{
    if (!values.empty()) writer.write_section(name, std::as_bytes(std::span(values)));
}

template <class T>
std::vector<T> read_vector(SectionedFile const& file, std::string_view name, std::uint64_t count)
{
    if (count == 0) return {};
    auto const values = read_array<T>(file, name, count);
    return {values.begin(), values.end()};
}

void read_mesh(SectionedFile const& file, vpk::SurroundingsRecord const& record, TriangleMesh& mesh)
{
    mesh.positions_mm = read_vector<Vec3>(file, vpk::kSurroundingVertices, record.vertices);
    mesh.triangles = read_vector<std::array<std::uint32_t, 3>>(file, vpk::kSurroundingTriangles, record.triangles);
    if (file.has(vpk::kSurroundingNormals))
        mesh.normals = read_vector<std::array<Vec3, 3>>(file, vpk::kSurroundingNormals, record.triangles);
    if (file.has(vpk::kSurroundingUv))
        mesh.texture_coordinates =
            read_vector<std::array<TextureCoordinates, 3>>(file, vpk::kSurroundingUv, record.triangles);
}

/// The texels of all pictures lie after each other.
void read_texels(SectionedFile const& file, std::uint64_t texels, std::size_t bands, SurroundingShapes& shapes)
{
    auto const all = read_vector<float>(file, vpk::kSurroundingTexels, texels);
    std::uint64_t next = 0;
    for (BsdfView const& bsdf : shapes.bsdfs) {
        std::uint64_t const count = std::min(count_texels(bsdf, bands), all.size() - next);
        shapes.texels.emplace_back(all.begin() + static_cast<std::ptrdiff_t>(next),
                                   all.begin() + static_cast<std::ptrdiff_t>(next + count));
        next += count;
    }
    if (next != all.size())
        refuse_section(file, vpk::kSurroundingTexels, next * sizeof(float), "more texels than its pictures have");
}

} // namespace

std::string find_shape_problem(SurroundingShapes const& shapes, VolumeMeta const& meta)
{
    if (std::string problem = find_index_problem(shapes); !problem.empty()) return problem;
    if (std::string problem = find_vertex_problem(shapes, meta); !problem.empty()) return problem;
    static std::vector<float> const none;
    for (std::size_t i = 0; i < shapes.bsdfs.size(); ++i) {
        auto const& texels = i < shapes.texels.size() ? shapes.texels[i] : none;
        if (std::string const problem = find_bsdf_problem(shapes.bsdfs[i], texels, meta.bands()); !problem.empty())
            return fmt::format("BSDF {}: {}", i, problem);
    }
    return {};
}

void keep_bands(SurroundingShapes& shapes, std::span<std::size_t const> kept, std::size_t bands)
{
    auto const keep = [&](float(&colour)[kMaxBands]) {
        std::array<float, kMaxBands> before{};
        std::ranges::copy(colour, before.begin());
        std::ranges::fill(colour, 0.0f);
        for (std::size_t i = 0; i < kept.size(); ++i) colour[i] = before[kept[i]];
    };
    for (BsdfView& bsdf : shapes.bsdfs) {
        keep(bsdf.diffuse.colour[0]);
        keep(bsdf.diffuse.colour[1]);
        keep(bsdf.specular);
        keep(bsdf.eta);
        keep(bsdf.extinction);
    }
    for (std::vector<float>& picture : shapes.texels) {
        std::vector<float> texels;
        for (std::size_t first = 0; first < picture.size(); first += bands)
            for (std::size_t const band : kept) texels.push_back(picture[first + band]);
        picture = std::move(texels);
    }
}

void write_surrounding_sections(SectionedWriter& writer, SurroundingShapes const& shapes, VolumeMeta const& meta)
{
    if (std::string const problem = find_shape_problem(shapes, meta); !problem.empty())
        fail_input(problem, "the surfaces around the volume", "they cannot be rendered", "correct the scene");
    std::vector<std::uint32_t> bsdf_of = shapes.bsdf_of_triangle;
    bsdf_of.insert(bsdf_of.end(), shapes.bsdf_of_sphere.begin(), shapes.bsdf_of_sphere.end());
    std::vector<vpk::BsdfRecord> bsdfs;
    for (BsdfView const& bsdf : shapes.bsdfs) bsdfs.push_back(to_record(bsdf));
    std::vector<float> texels;
    for (auto const& picture : shapes.texels) texels.insert(texels.end(), picture.begin(), picture.end());
    vpk::SurroundingsRecord const record{static_cast<std::uint32_t>(shapes.mesh_mm.positions_mm.size()),
                                         static_cast<std::uint32_t>(shapes.mesh_mm.triangles.size()),
                                         static_cast<std::uint32_t>(shapes.spheres.size()),
                                         static_cast<std::uint32_t>(bsdfs.size()),
                                         texels.size(),
                                         {}};
    writer.write_section(vpk::kSurroundings, std::as_bytes(std::span(&record, 1)));
    write_array(writer, vpk::kSurroundingVertices, shapes.mesh_mm.positions_mm);
    write_array(writer, vpk::kSurroundingTriangles, shapes.mesh_mm.triangles);
    write_array(writer, vpk::kSurroundingNormals, shapes.mesh_mm.normals);
    write_array(writer, vpk::kSurroundingUv, shapes.mesh_mm.texture_coordinates);
    write_array(writer, vpk::kSurroundingSpheres, shapes.spheres);
    write_array(writer, vpk::kSurroundingPrimitives, bsdf_of);
    write_array(writer, vpk::kSurroundingBsdfs, bsdfs);
    write_array(writer, vpk::kSurroundingTexels, texels);
}

SurroundingShapes read_surrounding_sections(SectionedFile const& file, VolumeMeta const& meta)
{
    if (!file.has(vpk::kSurroundings)) return {};
    if (file.version() >> 16 < 2)
        refuse_section(file, vpk::kSurroundings, 0, "a file of version 1 has none: its readers would not render them");
    auto const record = read_record<vpk::SurroundingsRecord>(file, vpk::kSurroundings);
    if (record.bsdfs == 0 || record.bsdfs > kMostBsdfs || record.triangles > kMostPrimitives ||
        record.spheres > kMostPrimitives || record.triangles + record.spheres == 0 ||
        record.texels > std::uint64_t{1} << 33)
        refuse_section(file, vpk::kSurroundings, 0,
                       fmt::format("{} triangles, {} spheres, {} BSDFs, {} texels", record.triangles, record.spheres,
                                   record.bsdfs, record.texels));
    SurroundingShapes shapes;
    read_mesh(file, record, shapes.mesh_mm);
    shapes.spheres = read_vector<SphereView>(file, vpk::kSurroundingSpheres, record.spheres);
    auto const bsdf_of =
        read_vector<std::uint32_t>(file, vpk::kSurroundingPrimitives, std::uint64_t{record.triangles} + record.spheres);
    shapes.bsdf_of_triangle.assign(bsdf_of.begin(), bsdf_of.begin() + record.triangles);
    shapes.bsdf_of_sphere.assign(bsdf_of.begin() + record.triangles, bsdf_of.end());
    for (vpk::BsdfRecord const& bsdf : read_array<vpk::BsdfRecord>(file, vpk::kSurroundingBsdfs, record.bsdfs)) {
        if (bsdf.picture_width > kMostTexelsAlong || bsdf.picture_height > kMostTexelsAlong)
            refuse_section(file, vpk::kSurroundingBsdfs, 0, "a picture is too large");
        shapes.bsdfs.push_back(from_record(bsdf));
    }
    read_texels(file, record.texels, meta.bands(), shapes);
    if (std::string const problem = find_shape_problem(shapes, meta); !problem.empty())
        refuse_section(file, vpk::kSurroundings, 0, problem);
    return shapes;
}

} // namespace volpt
