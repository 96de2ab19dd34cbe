#include "libvolpt/volume/pack/brick_row.h"

#include <algorithm>
#include <cstring>

namespace volpt {
namespace {

constexpr auto kMortonOfRaster = [] {
    std::array<std::uint16_t, kBrickVoxels> order{};
    for (std::uint32_t i = 0; i < order.size(); ++i) {
        std::uint32_t morton = 0;
        for (std::uint32_t bit = 0; bit < 3; ++bit) {
            for (std::uint32_t axis = 0; axis < 3; ++axis) morton |= ((i >> (3 * axis + bit)) & 1u) << (3 * bit + axis);
        }
        order[i] = static_cast<std::uint16_t>(morton);
    }
    return order;
}();

// One channel, one element per record: the case that matters for speed.
template <std::size_t kBytes>
void scatter_row(std::byte const* row, std::uint16_t const* order, std::byte* brick)
{
    for (std::size_t x = 0; x < static_cast<std::size_t>(kBrickEdge); ++x) {
        std::memcpy(brick + order[x] * kBytes, row + x * kBytes, kBytes);
    }
}

void scatter_records(std::byte const* row, std::uint16_t const* order, std::size_t voxel_bytes,
                     std::size_t record_bytes, std::byte* brick)
{
    for (std::size_t x = 0; x < static_cast<std::size_t>(kBrickEdge); ++x) {
        std::byte* const record = brick + order[x] * record_bytes;
        std::memcpy(record, row + x * voxel_bytes, voxel_bytes);
        std::memset(record + voxel_bytes, 0, record_bytes - voxel_bytes);
    }
}

template <typename T>
void widen_row(std::byte const* row, std::uint32_t* codes)
{
    T narrow[kBrickEdge];
    std::memcpy(narrow, row, sizeof narrow);
    for (int x = 0; x < kBrickEdge; ++x) codes[x] = narrow[x];
}

} // namespace

BrickRow::BrickRow(int voxels_x, std::uint32_t channels, std::uint32_t element_bytes)
    : voxels_x_(static_cast<std::size_t>(voxels_x)), voxel_bytes_(std::size_t{channels} * element_bytes),
      channels_(channels), element_bytes_(element_bytes),
      row_bytes_((voxels_x_ + kBrickEdge - 1) / kBrickEdge * kBrickEdge * voxel_bytes_), codes_(64 * row_bytes_)
{
}

std::byte* BrickRow::row_codes(int y, int z)
{
    return codes_.data() + static_cast<std::size_t>(z * kBrickEdge + y) * row_bytes_;
}

void BrickRow::replicate_edges(int rows_y, int rows_z)
{
    for (int z = 0; z < kBrickEdge; ++z) {
        for (int y = 0; y < kBrickEdge; ++y) {
            int const source = std::min(z, rows_z - 1) * kBrickEdge + std::min(y, rows_y - 1);
            row_offset_[static_cast<std::size_t>(z * kBrickEdge + y)] = static_cast<std::size_t>(source) * row_bytes_;
        }
    }
    for (int z = 0; z < rows_z; ++z) {
        for (int y = 0; y < rows_y; ++y) {
            std::byte* const last = row_codes(y, z) + (voxels_x_ - 1) * voxel_bytes_;
            for (std::byte* next = last + voxel_bytes_; next < row_codes(y, z) + row_bytes_; next += voxel_bytes_) {
                std::memcpy(next, last, voxel_bytes_);
            }
        }
    }
}

std::byte const* BrickRow::brick_codes(int brick_x, int y, int z) const
{
    return codes_.data() + row_offset_[static_cast<std::size_t>(z * kBrickEdge + y)] +
           static_cast<std::size_t>(brick_x) * kBrickEdge * voxel_bytes_;
}

bool BrickRow::is_constant(int brick_x) const
{
    std::byte const* const first = brick_codes(brick_x, 0, 0);
    std::size_t const row_bytes = kBrickEdge * voxel_bytes_;
    // A row equal to itself shifted by one voxel has one value; then all other rows must equal the first.
    if (std::memcmp(first, first + voxel_bytes_, row_bytes - voxel_bytes_) != 0) return false;
    for (int z = 0; z < kBrickEdge; ++z) {
        for (int y = 0; y < kBrickEdge; ++y) {
            if (std::memcmp(first, brick_codes(brick_x, y, z), row_bytes) != 0) return false;
        }
    }
    return true;
}

std::uint32_t BrickRow::first_code(int brick_x, std::uint32_t channel) const
{
    std::uint32_t code = 0; // files are little-endian, and so is the host
    std::memcpy(&code, brick_codes(brick_x, 0, 0) + channel * element_bytes_, element_bytes_);
    return code;
}

void BrickRow::gather_morton(int brick_x, std::uint32_t record_elements, std::span<std::byte> brick) const
{
    std::size_t const record_bytes = std::size_t{record_elements} * element_bytes_;
    for (int z = 0; z < kBrickEdge; ++z) {
        for (int y = 0; y < kBrickEdge; ++y) {
            std::byte const* const row = brick_codes(brick_x, y, z);
            std::uint16_t const* const order = kMortonOfRaster.data() + (z * kBrickEdge + y) * kBrickEdge;
            if (record_bytes == 1) {
                scatter_row<1>(row, order, brick.data());
            } else if (record_bytes == 2 && channels_ == 1) {
                scatter_row<2>(row, order, brick.data());
            } else if (record_bytes == 4 && channels_ == 1) {
                scatter_row<4>(row, order, brick.data());
            } else {
                scatter_records(row, order, voxel_bytes_, record_bytes, brick.data());
            }
        }
    }
}

void BrickRow::widen(int brick_x, std::array<std::uint32_t, kBrickVoxels>& codes) const
{
    std::uint32_t* out = codes.data();
    for (int z = 0; z < kBrickEdge; ++z) {
        for (int y = 0; y < kBrickEdge; ++y, out += kBrickEdge) {
            std::byte const* const row = brick_codes(brick_x, y, z);
            if (element_bytes_ == 1) {
                widen_row<std::uint8_t>(row, out);
            } else if (element_bytes_ == 2) {
                widen_row<std::uint16_t>(row, out);
            } else {
                widen_row<std::uint32_t>(row, out);
            }
        }
    }
}

} // namespace volpt
