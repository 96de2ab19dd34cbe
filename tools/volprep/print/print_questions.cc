#include "tools/volprep/print/print_questions.h"

#include "libvolpt/colour/srgb.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <vector>

namespace volpt {
namespace {

constexpr double kFewVoxels = 20;
/// Of prints that somebody means, along their longest side.
constexpr double kSmallPrint_mm = 5;
/// Less is not seen, nor told.
constexpr double kLeastDarkening = 0.01;
constexpr std::uint32_t kWhite = 0xffffff;

struct UnitSlip {
    double factor;
    char const* reason;
};
constexpr UnitSlip kUnitSlips[] = {{1000, "its file is in metres"},
                                   {25.4, "its file is in inches"},
                                   {10, "its file is in centimetres"},
                                   {0.001, "its file is in micrometres"},
                                   {1 / 25.4, "it was made 25.4 times too large"}};

bool fits(std::array<double, 3> size_mm, std::array<double, 3> tray_mm)
{
    std::ranges::sort(size_mm);
    std::ranges::sort(tray_mm);
    return size_mm[0] <= tray_mm[0] && size_mm[1] <= tray_mm[1] && size_mm[2] <= tray_mm[2];
}

std::array<double, 3> multiply(std::array<double, 3> size_mm, double factor)
{
    for (double& side : size_mm) side *= factor;
    return size_mm;
}

bool has_picture(TriangleMesh const& mesh, std::size_t triangle)
{
    return !mesh.pictures.empty() && mesh.pictures[triangle] != TriangleMesh::kNoPicture;
}

} // namespace

std::optional<std::string> ask_about_size(PrintExtent const& print, std::string_view scale_option,
                                          std::string_view size_option)
{
    double voxels = 0;
    for (std::size_t a = 0; a < 3; ++a) voxels = std::max(voxels, print.size_mm[a] / print.pitch_mm[a]);
    bool const is_small = voxels < kFewVoxels, is_large = !fits(print.size_mm, print.tray_mm);
    if (!is_small && !is_large) return std::nullopt;
    std::string text = is_small
                           ? fmt::format("{} has only {:.0f} voxels along its longest side", print.of, voxels)
                           : fmt::format("{} is {:.4g} x {:.4g} x {:.4g} mm large, and a tray {:g} x {:g} x {:g} mm",
                                         print.of, print.size_mm[0], print.size_mm[1], print.size_mm[2],
                                         print.tray_mm[0], print.tray_mm[1], print.tray_mm[2]);
    std::vector<std::string> answers;
    for (UnitSlip const& slip : kUnitSlips) {
        auto const meant_mm = multiply(print.size_mm, slip.factor);
        if (scale_option.empty() || (slip.factor > 1) != is_small || !fits(meant_mm, print.tray_mm)) continue;
        if (std::ranges::max(meant_mm) < kSmallPrint_mm) continue;
        answers.push_back(fmt::format("{} {:.4g} ({:.3g} x {:.3g} x {:.3g} mm, if {})", scale_option, slip.factor,
                                      meant_mm[0], meant_mm[1], meant_mm[2], slip.reason));
    }
    if (answers.empty()) return fmt::format("{}: did you mean another {}?", text, size_option);
    return fmt::format("{}: did you mean {}?", text, fmt::join(answers, ", or "));
}

std::optional<std::string> describe_factors(TriangleMesh const& mesh)
{
    if (mesh.colours.empty()) return std::nullopt;
    double light = 0, darkest = 1, corners = 0;
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
        if (!has_picture(mesh, i)) continue;
        for (std::uint32_t const colour : mesh.colours[i]) {
            auto const channel = [&](int shift) { return decode_srgb((colour >> shift & 0xffu) / 255.0); };
            double const luminance = 0.2126 * channel(16) + 0.7152 * channel(8) + 0.0722 * channel(0);
            light += luminance;
            darkest = std::min(darkest, luminance);
            ++corners;
        }
    }
    if (corners == 0 || darkest > 1 - kLeastDarkening) return std::nullopt;
    return fmt::format("factors of the mesh's materials (Kd, baseColorFactor, colours of vertices) darken its pictures "
                       "to {:.0f} % of their light on average, {:.0f} % at the least; --ignore-factors prints the "
                       "pictures as they are",
                       100 * light / corners, 100 * darkest);
}

void drop_factors(TriangleMesh& mesh)
{
    for (std::size_t i = 0; i < mesh.colours.size(); ++i)
        if (has_picture(mesh, i)) mesh.colours[i] = {kWhite, kWhite, kWhite};
}

} // namespace volpt
