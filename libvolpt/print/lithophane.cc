#include "libvolpt/print/lithophane.h"

#include "libvolpt/print/target_picture.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace volpt {
namespace {

constexpr double kLuminance[] = {0.2126, 0.7152, 0.0722}; ///< of linear R, G, B: ITU-R BT.709

struct Diffusion {
    double attenuation; ///< 1/mm
    double boundary_mm; ///< where the fluence, extrapolated, is 0
};

Diffusion find_diffusion(LithophaneMedium const& medium)
{
    double const n = medium.ior;
    double const reflection = std::clamp(-1.440 / (n * n) + 0.710 / n + 0.668 + 0.0636 * n, 0.0, 0.95);
    double const extinction = medium.sigma_a + medium.sigma_s_reduced;
    return {std::sqrt(3 * medium.sigma_a * extinction), 2 * (1 + reflection) / (1 - reflection) / (3 * extinction)};
}

/// sinh(k d) / k, which is d where nothing is absorbed.
double find_sinh(double attenuation, double distance_mm)
{
    return attenuation * distance_mm < 1e-6 ? distance_mm : std::sinh(attenuation * distance_mm) / attenuation;
}

/// The triangles of a quadrilateral whose corners are counter-clockwise from outside.
void add_quad(TriangleMesh& mesh, std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d)
{
    mesh.triangles.push_back({a, b, c});
    mesh.triangles.push_back({a, c, d});
}

} // namespace

double find_slab_transmittance(LithophaneMedium const& medium, double thickness_mm)
{
    auto const [attenuation, boundary_mm] = find_diffusion(medium);
    return find_sinh(attenuation, 2 * boundary_mm) / find_sinh(attenuation, thickness_mm + 2 * boundary_mm);
}

double find_slab_thickness(LithophaneMedium const& medium, double transmittance)
{
    auto const [attenuation, boundary_mm] = find_diffusion(medium);
    double const value = find_sinh(attenuation, 2 * boundary_mm) / transmittance;
    double const whole_mm = attenuation * value < 1e-6 ? value : std::asinh(attenuation * value) / attenuation;
    return whole_mm - 2 * boundary_mm;
}

double find_darkest(LithophaneOptions const& options)
{
    return find_slab_transmittance(options.medium, options.thickest_mm) /
           find_slab_transmittance(options.medium, options.thinnest_mm);
}

LithophaneRelief make_lithophane_relief(StoredImage const& picture, LithophaneOptions const& options,
                                        std::string const& where)
{
    if (!(options.thinnest_mm > 0 && options.thickest_mm > options.thinnest_mm))
        fail_usage(fmt::format("a plate of {:g} to {:g} mm has no relief", options.thinnest_mm, options.thickest_mm),
                   "give the least thickness first, for example --thickness 0.8mm,3mm");
    double const width = picture.width(), height = picture.height(), longer = std::max(width, height);
    double const cell_mm = std::max(
        {kLithophaneCell_mm, options.width_mm * longer / width / kMostLithophaneCells, options.width_mm / width});
    LithophaneRelief relief{static_cast<int>(std::lround(options.width_mm / cell_mm)) + 1, 0, {}};
    relief.rows = static_cast<int>(std::lround((relief.columns - 1) * height / width)) + 1;
    if (relief.columns < 3 || relief.rows < 3)
        fail_usage(fmt::format("a plate of {} x {} vertices shows no picture", relief.columns, relief.rows),
                   "give a larger picture or a larger --width");
    double const most = find_slab_transmittance(options.medium, options.thinnest_mm), darkest = find_darkest(options);
    if (!(most > 0 && darkest > 0))
        fail_usage(fmt::format("the plate lets no light through where it is {:g} mm thick",
                               most > 0 ? options.thickest_mm : options.thinnest_mm),
                   "give a smaller --thickness or another medium");
    for (auto const& rgb : sample_target(picture, relief.columns, relief.rows, where)) {
        double luminance = 0;
        for (std::size_t c = 0; c < 3; ++c) luminance += kLuminance[c] * static_cast<double>(rgb[c]);
        double const share = darkest + (1 - darkest) * std::clamp(luminance, 0.0, 1.0);
        double const thickness_mm = find_slab_thickness(options.medium, most * share);
        relief.thickness_mm.push_back(
            static_cast<float>(std::clamp(thickness_mm, options.thinnest_mm, options.thickest_mm)));
    }
    return relief;
}

TriangleMesh make_lithophane_mesh(LithophaneRelief const& relief, double width_mm)
{
    auto const columns = static_cast<std::uint32_t>(relief.columns), rows = static_cast<std::uint32_t>(relief.rows);
    double const cell_mm = width_mm / (columns - 1);
    TriangleMesh mesh;
    // Front: row by row, top row first. Back: the vertices of its rim alone.
    std::vector<std::uint32_t> back(std::size_t{columns} * rows);
    for (std::uint32_t row = 0; row < rows; ++row)
        for (std::uint32_t column = 0; column < columns; ++column)
            mesh.positions_mm.push_back({static_cast<float>(cell_mm * column - width_mm / 2),
                                         -relief.thickness_mm[row * columns + column],
                                         static_cast<float>(cell_mm * (rows - 1 - row))});
    for (std::uint32_t row = 0; row < rows; ++row)
        for (std::uint32_t column = 0; column < columns; ++column) {
            if (row % (rows - 1) != 0 && column % (columns - 1) != 0) continue;
            std::size_t const at = row * columns + column;
            back[at] = static_cast<std::uint32_t>(mesh.positions_mm.size());
            Vec3 const front = mesh.positions_mm[at];
            mesh.positions_mm.push_back({front.x, 0, front.z});
        }
    auto const front_at = [&](std::uint32_t row, std::uint32_t column) { return row * columns + column; };
    auto const back_at = [&](std::uint32_t row, std::uint32_t column) { return back[front_at(row, column)]; };
    std::uint32_t const right = columns - 1, bottom = rows - 1;
    for (std::uint32_t row = 0; row < bottom; ++row)
        for (std::uint32_t column = 0; column < right; ++column)
            add_quad(mesh, front_at(row, column), front_at(row + 1, column), front_at(row + 1, column + 1),
                     front_at(row, column + 1));
    for (std::uint32_t row = 0; row < bottom; ++row) {
        add_quad(mesh, back_at(row, 0), back_at(row + 1, 0), front_at(row + 1, 0), front_at(row, 0));
        add_quad(mesh, front_at(row, right), front_at(row + 1, right), back_at(row + 1, right), back_at(row, right));
    }
    for (std::uint32_t column = 0; column < right; ++column) {
        add_quad(mesh, back_at(0, column), front_at(0, column), front_at(0, column + 1), back_at(0, column + 1));
        add_quad(mesh, front_at(bottom, column), back_at(bottom, column), back_at(bottom, column + 1),
                 front_at(bottom, column + 1));
    }
    // The back is strips from side to side; the first and the last meet all columns of the rim.
    for (std::uint32_t row = 1; row + 1 < bottom; ++row)
        add_quad(mesh, back_at(row, right), back_at(row + 1, right), back_at(row + 1, 0), back_at(row, 0));
    for (std::uint32_t column = 0; column < right; ++column) {
        mesh.triangles.push_back({back_at(1, 0), back_at(0, column), back_at(0, column + 1)});
        mesh.triangles.push_back({back_at(bottom - 1, 0), back_at(bottom, column + 1), back_at(bottom, column)});
    }
    mesh.triangles.push_back({back_at(1, 0), back_at(0, right), back_at(1, right)});
    mesh.triangles.push_back({back_at(bottom - 1, 0), back_at(bottom - 1, right), back_at(bottom, right)});
    return mesh;
}

} // namespace volpt
