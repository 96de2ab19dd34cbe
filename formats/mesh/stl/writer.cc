#include "formats/mesh/stl/writer.h"

#include "libvolpt/sys/atomic_file.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

namespace volpt {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::size_t kHeaderBytes = 80;
constexpr std::string_view kHeader = "binary STL in mm"; // not "solid", with which text begins

template <class Value>
void append(std::vector<std::byte>& bytes, Value const& value)
{
    auto const parts = std::as_bytes(std::span(&value, 1));
    bytes.insert(bytes.end(), parts.begin(), parts.end());
}

void append_vector(std::vector<std::byte>& bytes, Vec3 v)
{
    append(bytes, v.x);
    append(bytes, v.y);
    append(bytes, v.z);
}

/// (0, 0, 0) of a triangle without area, as the format's readers have it for one that is not known.
Vec3 find_normal(Vec3 a, Vec3 b, Vec3 c)
{
    Vec3 const across = cross(b - a, c - a);
    float const length = std::sqrt(dot(across, across));
    return length > 0 ? (1 / length) * across : Vec3{0, 0, 0};
}

} // namespace

void write_stl(TriangleMesh const& mesh, std::filesystem::path const& path)
{
    if (mesh.triangles.size() > std::numeric_limits<std::uint32_t>::max())
        fail_usage(path.string() + ": STL counts at most 4294967295 triangles", "simplify the mesh");
    std::vector<std::byte> bytes(kHeaderBytes);
    std::ranges::transform(kHeader, bytes.begin(), [](char letter) { return static_cast<std::byte>(letter); });
    bytes.reserve(kHeaderBytes + 4 + 50 * mesh.triangles.size());
    append(bytes, static_cast<std::uint32_t>(mesh.triangles.size()));
    for (auto const& corners : mesh.triangles) {
        Vec3 const a = mesh.positions_mm[corners[0]], b = mesh.positions_mm[corners[1]],
                   c = mesh.positions_mm[corners[2]];
        for (Vec3 const v : {find_normal(a, b, c), a, b, c}) append_vector(bytes, v);
        append(bytes, std::uint16_t{0});
    }
    write_file_atomically(path, bytes);
}

} // namespace volpt
