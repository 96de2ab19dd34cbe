#include "libvolpt/volume/mesh/occupancy.h"

#include "libvolpt/sys/error.h"
#include "libvolpt/sys/json.h"
#include "libvolpt/volume/meta.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace volpt {
namespace {

constexpr int kWordVoxels = 64;

[[noreturn]] void refuse_surface(std::string const& what, std::string const& where, char const* advice)
{
    fail_input("the volume has no surface of its own: " + what, where, "only its box bounds it", advice);
}

template <typename Value, typename Test>
void occupy_row(Occupancy& occupied, std::span<Value const> row, int y, int z, Test const& is_occupied)
{
    for (std::size_t x = 0; x < row.size(); ++x)
        if (is_occupied(row[x])) occupied.occupy(static_cast<int>(x), y, z);
}

} // namespace

Occupancy::Occupancy(std::array<int, 3> dims)
    : dims_(dims), words_per_row_((dims[0] + kWordVoxels - 1) / kWordVoxels),
      words_(static_cast<std::size_t>(words_per_row_) * static_cast<std::size_t>(dims[1]) *
             static_cast<std::size_t>(dims[2]))
{
}

std::size_t Occupancy::find_word(int word, int y, int z) const
{
    return (static_cast<std::size_t>(z) * static_cast<std::size_t>(dims_[1]) + static_cast<std::size_t>(y)) *
               static_cast<std::size_t>(words_per_row_) +
           static_cast<std::size_t>(word);
}

std::uint64_t Occupancy::get_word(int word, int y, int z) const
{
    bool const is_inside = word >= 0 && word < words_per_row_ && y >= 0 && y < dims_[1] && z >= 0 && z < dims_[2];
    return is_inside ? words_[find_word(word, y, z)] : 0;
}

bool Occupancy::is_occupied(int x, int y, int z) const
{
    if (x < 0) return false;
    return (get_word(x / kWordVoxels, y, z) >> (x % kWordVoxels) & 1) != 0;
}

void Occupancy::occupy(int x, int y, int z)
{
    words_[find_word(x / kWordVoxels, y, z)] |= std::uint64_t{1} << (x % kWordVoxels);
}

void Occupancy::occupy_run(int x_first, int x_end, int y, int z)
{
    for (int x = x_first; x < x_end;) {
        int const bit = x % kWordVoxels, bits = std::min(kWordVoxels - bit, x_end - x);
        std::uint64_t const run = bits == kWordVoxels ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
        words_[find_word(x / kWordVoxels, y, z)] |= run << bit;
        x += bits;
    }
}

std::uint64_t Occupancy::count() const
{
    std::uint64_t total = 0;
    for (std::uint64_t const word : words_) total += static_cast<std::uint64_t>(std::popcount(word));
    return total;
}

std::vector<bool> find_support_labels(VoxelStream const& volume)
{
    std::vector<bool> is_support(256, false);
    nlohmann::ordered_json const metadata = parse_json(volume.source_metadata_json());
    auto const found = metadata.is_object() ? metadata.find("materials.support") : metadata.end();
    if (found == metadata.end() || !found->is_string()) return is_support;
    auto const names = parse_json_strings(found->get<std::string>()).value_or(std::vector<std::string>());
    auto const& materials = volume.materials();
    for (std::size_t i = 0; i < materials.size(); ++i)
        is_support[i] = is_air(materials[i]) && std::ranges::find(names, materials[i].name) != names.end();
    return is_support;
}

SolidVoxels find_occupied_voxels(VoxelStream& volume, float threshold, ProgressSink const& progress,
                                 std::string const& where)
{
    VolumeMeta const& meta = volume.meta();
    bool const has_labels = meta.extinction == Source::material;
    if (meta.extinction == Source::constant) refuse_surface("its extinction is constant", where, "leave out --surface");
    std::vector<bool> is_solid(256, false);
    for (std::size_t i = 0; i < volume.materials().size(); ++i) is_solid[i] = !is_air(volume.materials()[i]);
    SolidVoxels voxels{Occupancy(meta.dims), {}};
    Occupancy& occupied = voxels.occupied;
    std::vector<bool> const is_support = find_support_labels(volume);
    if (has_labels && std::ranges::find(is_support, true) != is_support.end()) voxels.support.emplace(meta.dims);
    auto const width = static_cast<std::size_t>(meta.dims[0]), height = static_cast<std::size_t>(meta.dims[1]);
    int const step = std::max(1, volume.layers_at_a_time());
    for (int z = 0; z < meta.dims[2]; z += step) {
        VoxelSlab const slab = volume.read_slab(z, std::min(step, meta.dims[2] - z));
        for (int layer = 0; layer < slab.z_count; ++layer)
            for (std::size_t y = 0; y < height; ++y) {
                std::size_t const first = (static_cast<std::size_t>(layer) * height + y) * width;
                int const row = static_cast<int>(y);
                if (has_labels)
                    occupy_row(occupied, slab.label.subspan(first, width), row, z + layer,
                               [&](std::uint8_t label) { return is_solid[label]; });
                else
                    occupy_row(occupied, slab.density.subspan(first, width), row, z + layer,
                               [&](float density) { return density > threshold; });
                if (voxels.support)
                    occupy_row(*voxels.support, slab.label.subspan(first, width), row, z + layer,
                               [&](std::uint8_t label) { return is_support[label]; });
            }
        Progress const state{static_cast<std::uint64_t>(z + slab.z_count), static_cast<std::uint64_t>(meta.dims[2]),
                             "slices"};
        if (progress && !progress(state))
            fail_system("stopped before its surface was found", where, "nothing was written; start again");
    }
    std::uint64_t const count = occupied.count();
    if (count == 0)
        refuse_surface(has_labels ? "all of its materials are air"
                                  : fmt::format("no voxel has a density above {:g}", threshold),
                       where, has_labels ? "check --air and the material table" : "give a lower --surface-threshold");
    if (count == width * height * static_cast<std::size_t>(meta.dims[2]))
        refuse_surface(has_labels ? "no voxel is air" : fmt::format("all voxels have a density above {:g}", threshold),
                       where,
                       has_labels ? "name what surrounds the object with --air, or leave out --surface"
                                  : "give a higher --surface-threshold, or leave out --surface");
    return voxels;
}

} // namespace volpt
