#include "formats/mitsuba/texture.h"

#include "libvolpt/image/codecs/codecs.h"
#include "libvolpt/image/linear_rgb.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace volpt {
namespace {

bool is_grey(std::array<double, 3> const& colour)
{
    return colour[0] == colour[1] && colour[1] == colour[2];
}

/// Mitsuba 3 has a matrix, 0.x two factors and two offsets.
std::array<double, 6> read_to_uv(MitsubaNode const& texture)
{
    Matrix4 const m = read_transform(texture, "to_uv");
    // Mitsuba 3.9 leaves the third row and column out, of matrices with 9 numbers, too.
    std::array<double, 6> const matrix{m[0], m[1], m[3], m[4], m[5], m[7]};
    double const u = read_number(texture, "uscale", 1), v = read_number(texture, "vscale", 1);
    return {u * matrix[0], u * matrix[1], u * matrix[2] + read_number(texture, "uoffset", 0),
            v * matrix[3], v * matrix[4], v * matrix[5] + read_number(texture, "voffset", 0)};
}

/// Pixels as linear colours, from 0 to 1.
void load_texels(Image const& image, std::string const& file, MitsubaTexture& texture,
                 std::vector<std::string>& notices)
{
    texture.width = static_cast<std::uint32_t>(image.width);
    texture.height = static_cast<std::uint32_t>(image.height);
    auto const width = static_cast<std::size_t>(image.width);
    texture.texels.resize(3 * image.pixel_count());
    std::vector<float> row(3 * width);
    std::size_t clamped = 0;
    for (int y = 0; y < image.height; ++y) {
        load_linear_rgb(image, y, 0, image.width, {row.data(), row.data() + width, row.data() + 2 * width});
        float* const to = texture.texels.data() + 3 * width * static_cast<std::size_t>(y);
        for (std::size_t i = 0; i < 3 * width; ++i) {
            float const value = row[i % 3 * width + i / 3];
            if (!(value - value == 0))
                fail_input("a pixel is not finite", fmt::format("{}: column {}, row {}", file, i / 3, y),
                           "it is no reflectance", "correct the picture");
            to[i] = std::clamp(value, 0.0f, 1.0f);
            clamped += to[i] != value ? 1 : 0;
        }
    }
    if (clamped > 0)
        notices.push_back(fmt::format("{}: {} values beyond 0 to 1 are clamped, as no surface reflects more than all "
                                      "light",
                                      file, clamped));
}

MitsubaTexture read_bitmap(MitsubaTree const& tree, MitsubaNode const& node, std::vector<std::string>& notices)
{
    MitsubaTexture texture;
    texture.colours = {};
    std::string const name = read_string(node, "filename", "");
    if (name.empty()) fail_input("the bitmap has no filename", node.where, {}, "add it");
    auto const path = tree.find_file(name);
    // As Mitsuba does, the numbers of the file are the reflectance then.
    bool const is_raw = read_boolean(node, "raw", false);
    Image image = read_image(path, {}, is_raw ? ProfileUse::ignored : ProfileUse::applied);
    if (!has_colours(image))
        fail_input("the picture has neither channels R, G, B nor Y", path.string(), "it is a reflectance",
                   "give a picture with colours");
    for (auto const& notice : image.notices) notices.push_back(notice);
    if (is_raw) image.transfer = Transfer::linear;
    load_texels(image, path.string(), texture, notices);
    texture.to_uv = read_to_uv(node);
    if (read_string(node, "filter_type", "bilinear") == "nearest")
        notices.push_back(fmt::format("{} is interpolated between pixels (filter_type nearest in the scene)", name));
    if (std::string const wrap = read_string(node, "wrap_mode", "repeat"); wrap != "repeat")
        notices.push_back(
            fmt::format("{} is repeated beyond u and v of 0 to 1 (wrap_mode {} in the scene)", name, wrap));
    return texture;
}

std::optional<MitsubaTexture> read_checkerboard(MitsubaTree const& tree, MitsubaNode const& node, std::string& reason)
{
    MitsubaTexture texture;
    texture.is_checkerboard = true;
    texture.colours = {{{0.4, 0.4, 0.4}, {0.2, 0.2, 0.2}}};
    constexpr char const* kNames[] = {"color0", "color1"};
    for (std::size_t i = 0; i < 2; ++i) {
        auto const* found = node.find(kNames[i]);
        if (found == nullptr) continue;
        auto const colour = read_surface_colour(tree.resolve(*found), 0, 1, reason);
        if (!colour) return std::nullopt;
        texture.colours[i] = *colour;
    }
    texture.to_uv = read_to_uv(node);
    return texture;
}

} // namespace

bool MitsubaTexture::is_coloured() const
{
    if (!is_grey(colours[0]) || !is_grey(colours[1])) return true;
    for (std::size_t i = 0; i < texels.size(); i += 3)
        if (texels[i] != texels[i + 1] || texels[i] != texels[i + 2]) return true;
    return false;
}

double MitsubaTexture::find_largest() const
{
    double largest = 0;
    for (auto const& colour : colours)
        for (double const value : colour) largest = std::max(largest, value);
    for (float const value : texels) largest = std::max(largest, static_cast<double>(value));
    return largest;
}

void MitsubaTexture::scale(double factor)
{
    for (auto& colour : colours)
        for (double& value : colour) value *= factor;
    for (float& value : texels) value *= static_cast<float>(factor);
}

std::optional<std::array<double, 3>> read_surface_colour(MitsubaNode const& node, double low, double high,
                                                         std::string& reason)
{
    auto const value = node.attributes.find("value");
    bool const is_number = node.tag == "float" || node.tag == "integer" || node.tag == "rgb" || node.tag == "srgb" ||
                           node.tag == "color" || node.tag == "spectrum";
    if (!is_number ||
        (node.tag == "spectrum" && (value == node.attributes.end() || value->second.find(':') != std::string::npos))) {
        reason = fmt::format("{} is a <{}>, no colour that is supported: give it as <rgb>",
                             node.name.empty() ? "a colour" : node.name, node.tag);
        return std::nullopt;
    }
    auto const numbers = parse_colour(node);
    std::array<double, 3> colour{};
    for (std::size_t i = 0; i < 3; ++i) {
        colour[i] = numbers.size() == 1 ? numbers[0] : numbers[i];
        if (!(colour[i] >= low && colour[i] <= high))
            fail_input(fmt::format("{} is {}", node.name, colour[i]), node.where,
                       fmt::format("it lies between {} and {}", low, high), "correct it");
    }
    return colour;
}

std::optional<MitsubaTexture> read_mitsuba_texture(MitsubaTree const& tree, MitsubaNode const& bsdf,
                                                   std::string_view name, double fallback,
                                                   std::vector<std::string>& notices, std::string& reason)
{
    MitsubaTexture texture;
    texture.colours[0] = {fallback, fallback, fallback};
    auto const* found = bsdf.find(name);
    if (found == nullptr) return texture;
    MitsubaNode const& node = tree.resolve(*found);
    if (node.tag != "texture") {
        auto const colour = read_surface_colour(node, 0, 1, reason);
        if (!colour) return std::nullopt;
        texture.colours[0] = *colour;
        return texture;
    }
    if (node.type == "checkerboard") return read_checkerboard(tree, node, reason);
    if (node.type == "bitmap") return read_bitmap(tree, node, notices);
    reason = fmt::format("the {} is not supported", node.describe());
    return std::nullopt;
}

} // namespace volpt
