#include "formats/mitsuba/medium.h"

#include "libvolpt/sys/error.h"

#include <algorithm>
#include <fmt/format.h>

namespace volpt {
namespace {

constexpr double kHuge = 1e9; ///< 1/mm; keeps products inside float's range

/// Mitsuba 0.x puts the outermost samples on the box's faces, Mitsuba 3 half a voxel inside.
Matrix4 find_cells(MitsubaTree const& tree, MitsubaNode const& node, VolHeader const& header)
{
    std::array<double, 3> low{0, 0, 0};
    std::array<double, 3> high{1, 1, 1};
    if (tree.is_legacy || read_string(node, "use_grid_bbox", "false") == "true") {
        low = header.box_low;
        high = header.box_high;
    }
    Matrix4 box = kIdentity;
    for (std::size_t i = 0; i < 3; ++i) {
        double const size = high[i] - low[i];
        double const margin = tree.is_legacy && header.dims[i] > 1 ? 0.5 * size / (header.dims[i] - 1) : 0;
        box[5 * i] = size + 2 * margin;
        box[4 * i + 3] = low[i] - margin;
    }
    return multiply(read_to_world(node), box);
}

MitsubaGrid read_grid(MitsubaTree const& tree, MitsubaNode const& node, std::vector<std::string>& notices)
{
    MitsubaGrid grid;
    std::string const name = read_string(node, "filename", "");
    if (name.empty()) fail_input("the grid volume names no file", node.where, {}, "add its filename");
    grid.path = tree.find_file(name);
    grid.header = read_vol_header(FileBytes(grid.path));
    if (node.find("min") != nullptr || node.find("max") != nullptr)
        fail_input("the grid volume has min and max of its own", node.where, "only the file's box is known",
                   "use to_world instead");
    grid.box_to_world = find_cells(tree, node, grid.header);
    std::string const filter = read_string(node, "filter_type", "trilinear");
    if (filter != "trilinear" && filter != "nearest")
        fail_input(fmt::format("filter_type {} is unknown", filter), node.where, "trilinear and nearest are known");
    grid.filter = filter == "nearest" ? Filter::nearest : Filter::trilinear;
    if (auto const wrap = read_string(node, "wrap_mode", "clamp"); wrap != "clamp")
        notices.push_back(fmt::format("{}: wrap_mode {} is rendered as clamp", node.where, wrap));
    return grid;
}

MitsubaQuantity read_quantity(MitsubaTree const& tree, MitsubaNode const& reference, std::vector<std::string>& notices)
{
    MitsubaNode const& node = tree.resolve(reference);
    if (node.tag != "volume") return {parse_colour(node), std::nullopt};
    if (node.type == "gridvolume" || node.type == "grid") return {{}, read_grid(tree, node, notices)};
    if (node.type != "constvolume" && node.type != "const")
        fail_input(fmt::format("the {} is no volume that is known", node.describe()), node.where,
                   "gridvolume and constvolume are", "write it as a .vol");
    auto const* value = node.find("value");
    if (value == nullptr) fail_input("the constant volume has no value", node.where, {}, "add it");
    return {parse_colour(*value), std::nullopt};
}

void check_constant(std::vector<double> const& values, double high, char const* what, std::string const& where)
{
    for (double const value : values)
        if (!(value >= 0 && value <= high))
            fail_input(fmt::format("{} is {}", what, value), where, fmt::format("it lies between 0 and {}", high),
                       "correct it");
}

double read_g(MitsubaTree const& tree, MitsubaNode const& medium, std::vector<std::string>& notices)
{
    for (auto const& child : medium.children) {
        if (child->tag != "phase" && (child->tag != "ref" || tree.resolve(*child).tag != "phase")) continue;
        MitsubaNode const& phase = tree.resolve(*child);
        if (phase.type == "isotropic") return 0;
        if (phase.type == "hg") {
            double const g = read_number(phase, "g", 0.8);
            if (!(g > -1 && g < 1)) fail_input(fmt::format("g is {}", g), phase.where, "it lies between -1 and 1");
            return g;
        }
        notices.push_back(fmt::format("the {} is rendered as isotropic", phase.describe()));
    }
    return 0;
}

/// sigma_s and sigma_a as extinction and albedo.
void read_coefficients(MitsubaNode const& medium, MitsubaMedium& result)
{
    auto const* scattering = medium.find("sigma_s");
    auto const* absorption = medium.find("sigma_a");
    if (scattering == nullptr || absorption == nullptr)
        fail_input("the homogeneous medium has neither sigma_t and albedo nor sigma_s and sigma_a", medium.where,
                   medium.find("material") != nullptr ? "materials by name are not known" : "", "give the numbers");
    auto s = parse_colour(*scattering);
    auto a = parse_colour(*absorption);
    s.resize(std::max(s.size(), a.size()), s[0]);
    a.resize(s.size(), a[0]);
    for (std::size_t i = 0; i < s.size(); ++i) {
        double const sum = s[i] + a[i];
        result.extinction.constant.push_back(sum);
        result.albedo.constant.push_back(sum > 0 ? s[i] / sum : 0);
    }
}

} // namespace

MitsubaMedium read_mitsuba_medium(MitsubaTree const& tree, MitsubaNode const& medium, std::vector<std::string>& notices)
{
    bool const homogeneous = medium.type == "homogeneous";
    if (!homogeneous && medium.type != "heterogeneous")
        fail_input(fmt::format("the {} is no medium that is known", medium.describe()), medium.where,
                   "homogeneous and heterogeneous are");
    MitsubaMedium result;
    result.name = medium.describe();
    result.scale = read_number(medium, "scale", 1);
    check_constant({result.scale}, kHuge, "scale", medium.where);
    result.g = read_g(tree, medium, notices);
    auto const* extinction = medium.find("sigma_t");
    if (extinction == nullptr) extinction = medium.find("density");
    auto const* albedo = medium.find("albedo");
    if (extinction == nullptr && homogeneous && (tree.is_legacy || medium.find("sigma_s") != nullptr)) {
        read_coefficients(medium, result);
    } else {
        if (extinction == nullptr && !homogeneous)
            fail_input("the medium has no sigma_t or density", medium.where, {}, "add it");
        if (extinction != nullptr) result.extinction = read_quantity(tree, *extinction, notices);
        if (extinction == nullptr) result.extinction.constant = {1}; // Mitsuba's default
        if (albedo != nullptr) result.albedo = read_quantity(tree, *albedo, notices);
        if (albedo == nullptr) result.albedo.constant = {0.75}; // Mitsuba's default
        if (albedo == nullptr)
            notices.push_back(fmt::format("the {} names no albedo: 0.75, Mitsuba's default", medium.describe()));
    }
    check_constant(result.extinction.constant, kHuge, "extinction", medium.where);
    check_constant(result.albedo.constant, 1, "albedo", medium.where);
    if (result.extinction.grid && result.extinction.grid->header.channels != 1)
        fail_input("the extinction is a grid of three channels", result.extinction.grid->path.string(),
                   "a packed volume has one density per voxel", "give one channel, and colour as albedo");
    return result;
}

} // namespace volpt
