#include "libvolpt/volume/bands/widen_planes.h"

#include "libvolpt/sys/error.h"
#include "libvolpt/sys/memory/usable_memory.h"
#include "libvolpt/sys/parallel.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace volpt {
namespace {

constexpr std::size_t kBands = 3;
constexpr std::size_t kPiece_elements = std::size_t{1} << 20;

std::vector<std::uint32_t> widen_table(CheckedPlane const& grey, PlaneShape const& shape)
{
    std::size_t const bricks = grey.table.size() / grey.shape.table_stride;
    std::vector<std::uint32_t> table(bricks * shape.table_stride);
    for (std::size_t brick = 0; brick < bricks; ++brick) {
        std::uint32_t const* const from = &grey.table[brick * grey.shape.table_stride];
        std::uint32_t* const to = &table[brick * shape.table_stride];
        to[0] = from[0];
        std::fill_n(to + 1, shape.channels, from[1]);
    }
    return table;
}

/// A record is the value in each channel, then zeros.
template <typename Code>
void widen_records(std::span<std::byte const> grey, std::byte* wide, PlaneShape const& shape, int threads)
{
    std::size_t const count = grey.size() / sizeof(Code);
    parallel_for_joined(threads, (count + kPiece_elements - 1) / kPiece_elements, [&](std::size_t piece, int) {
        std::size_t const first = piece * kPiece_elements, end = std::min(first + kPiece_elements, count);
        for (std::size_t i = first; i < end; ++i)
            for (std::size_t channel = 0; channel < shape.channels; ++channel)
                std::memcpy(wide + (i * shape.record_elements + channel) * sizeof(Code), &grey[i * sizeof(Code)],
                            sizeof(Code));
    });
}

void repeat_first(float (&by_band)[kMaxBands])
{
    std::fill_n(by_band, kBands, by_band[0]);
}

std::vector<float> repeat_each(std::vector<float> const& values)
{
    std::vector<float> repeated;
    repeated.reserve(values.size() * kBands);
    for (float const value : values) repeated.insert(repeated.end(), kBands, value);
    return repeated;
}

} // namespace

std::uint64_t count_widened_bytes(CheckedPlane const& grey, PlaneShape const& shape)
{
    if (grey.shape.channels == 0) return 0;
    return grey.table.size_bytes() / grey.shape.table_stride * shape.table_stride +
           grey.voxels.size() / grey.shape.brick_bytes() * shape.brick_bytes();
}

void check_widened_memory(std::uint64_t bytes, std::string const& where)
{
    std::uint64_t const usable = find_usable_memory();
    if (bytes <= usable) return;
    fail_system(fmt::format("in three bands, albedo and emission take {}; this process may use {}", spell_gib(bytes),
                            spell_gib(usable)),
                where, "render the volume in its own band (--bands volume), or free memory");
}

WidenedPlane widen_plane(CheckedPlane const& grey, PlaneShape const& shape, int threads)
{
    WidenedPlane wide;
    wide.plane = {shape, grey.sections, {}, {}};
    if (grey.shape.channels == 0) return wide;
    std::uint64_t const words = grey.voxels.size() / grey.shape.brick_bytes() * shape.brick_bytes() / 4;
    if (words > vpk::kMaxWords)
        fail_input(fmt::format("in three bands, its voxels need more than {} GiB", vpk::kMaxWords * 4 >> 30),
                   std::string(grey.sections.voxels), "voxels are found by 32-bit indices",
                   "render it in its own band (--bands volume), or split the volume");
    wide.table = widen_table(grey, shape);
    wide.words.resize(words);
    auto* const bytes = reinterpret_cast<std::byte*>(wide.words.data());
    switch (element_log2_bytes(shape.encoding)) {
    case 0:
        widen_records<std::uint8_t>(grey.voxels, bytes, shape, threads);
        break;
    case 1:
        widen_records<std::uint16_t>(grey.voxels, bytes, shape, threads);
        break;
    default:
        widen_records<std::uint32_t>(grey.voxels, bytes, shape, threads);
        break;
    }
    wide.plane.table = wide.table;
    wide.plane.voxels = std::as_bytes(std::span(wide.words));
    return wide;
}

SurroundingShapes widen_shapes(SurroundingShapes shapes)
{
    for (BsdfView& bsdf : shapes.bsdfs) {
        for (auto& colour : bsdf.diffuse.colour) repeat_first(colour);
        repeat_first(bsdf.specular);
        repeat_first(bsdf.eta);
        repeat_first(bsdf.extinction);
    }
    for (std::vector<float>& texels : shapes.texels) texels = repeat_each(texels);
    return shapes;
}

} // namespace volpt
