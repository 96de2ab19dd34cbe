#include "libvolpt/volume/voxel_stream.h"

#include "libvolpt/sys/error.h"
#include "libvolpt/volume/meta.h"
#include "libvolpt/volume/volume.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <stdexcept>

namespace volpt {
namespace {

/// Of a slab: floats, and one byte for a label.
std::uint64_t count_voxel_bytes(VolumeMeta const& meta)
{
    std::uint64_t const floats = (meta.extinction == Source::plane ? 1u : 0u) +
                                 (meta.albedo == Source::plane ? meta.bands() : 0u) +
                                 (meta.has_emission ? meta.bands() : 0u) + (meta.kept_values ? 1u : 0u);
    return floats * sizeof(float) + (needs_labels(meta) ? 1u : 0u);
}

/// A job's pitch comes from whole dots per inch: 42.3 um for 600 is no difference.
void tell_other_pitch(std::array<double, 3> const& given_mm, std::array<double, 3> const& file_mm,
                      std::vector<std::string>& notices)
{
    constexpr double kTold = 0.01;
    for (std::size_t i = 0; i < 3; ++i) {
        if (std::abs(given_mm[i] / file_mm[i] - 1) <= kTold) continue;
        notices.push_back(fmt::format("--pitch {:g},{:g},{:g} mm is used, the job says {:.5g},{:.5g},{:.5g} mm",
                                      given_mm[0], given_mm[1], given_mm[2], file_mm[0], file_mm[1], file_mm[2]));
        return;
    }
}

/// What is written is accepted by every program.
void verify_in_debug_builds([[maybe_unused]] std::filesystem::path const& path)
{
#ifndef NDEBUG
    try {
        PackedVolume::open(path, VerifyLevel::full);
    } catch (Error const& error) {
        throw std::logic_error(std::string("a volume was packed that --verify full refuses: ") + error.what());
    }
#endif
}

} // namespace

void place_source(SourceMeta const& source, std::optional<std::array<double, 3>> const& pitch_mm, VolumeMeta& meta,
                  std::vector<std::string>& notices)
{
    meta.dims = source.dims;
    if (!pitch_mm && !source.pitch_mm && source.missing_pitch == MissingPitch::refused)
        fail_usage(fmt::format("{}: {}", source.path,
                               source.pitch_advice.empty() ? "the file does not say how large a voxel is"
                                                           : source.pitch_advice),
                   "give --pitch x,y,z, for example 42.3um,84.7um,27um");
    if (!pitch_mm && !source.pitch_mm)
        notices.push_back("the source names no voxel size: 1 mm is assumed; --pitch says otherwise");
    if (pitch_mm && source.pitch_mm && source.job) tell_other_pitch(*pitch_mm, *source.pitch_mm, notices);
    auto const pitch = pitch_mm ? *pitch_mm : source.pitch_mm.value_or(std::array<double, 3>{1, 1, 1});
    for (std::size_t i = 0; i < 3; ++i) meta.pitch_mm[i] = static_cast<float>(pitch[i]);
    meta.placement = source.first_voxel_world_mm
                         ? place_by_first_voxel(*source.first_voxel_world_mm, source.rotation, meta.pitch_mm)
                         : place_in_middle(source.dims, meta.pitch_mm, source.rotation);
    if (std::string const found = find_extent_contradiction(meta); !found.empty()) {
        if (pitch_mm) fail_usage(found, "give another --pitch, or correct the file's placement");
        fail_input(found, source.path, "no camera could see it", "give --pitch, or correct the file's placement");
    }
}

PackStatistics pack_volume(VoxelStream& stream, std::filesystem::path const& path, Provenance const& provenance,
                           ProgressSink const& progress, std::uint64_t layer_bytes, int threads)
{
    check_layer_memory(stream.meta().dims, count_voxel_bytes(stream.meta()), layer_bytes, path.string());
    VolumePacker packer(path, stream.meta(), stream.materials(), threads, stream.surface(), stream.surroundings(),
                        stream.emitters());
    stream.use_threads(threads);
    int const layers = stream.meta().dims[2];
    // Whole layers of bricks: the packer holds no more than it needs, whatever the depth.
    for (int z = 0, count = 0; z < layers; z += count) {
        count = std::min(stream.layers_at_a_time(), layers - z);
        packer.add_slab(stream.read_slab(z, count));
        Progress const state{static_cast<std::uint64_t>(z + count), static_cast<std::uint64_t>(layers), "slices"};
        if (progress && !progress(state))
            fail_system("stopped before the volume was complete", path.string(), "nothing was written; start again");
    }
    packer.set_source_metadata(stream.source_metadata_json());
    packer.set_scene_hints(stream.scene_hints_json());
    if (auto const values = stream.source_values()) packer.set_source_values(*values);
    PackStatistics const statistics = packer.finish(provenance);
    verify_in_debug_builds(path);
    return statistics;
}

Placement place_by_first_voxel(std::array<double, 3> first_voxel_world_mm, std::array<double, 9> const& rotation,
                               std::array<float, 3> pitch_mm)
{
    Placement placement;
    placement.rotation = rotation;
    for (std::size_t i = 0; i < 3; ++i) {
        double half_voxel = 0;
        for (std::size_t j = 0; j < 3; ++j) half_voxel += rotation[3 * i + j] * 0.5 * static_cast<double>(pitch_mm[j]);
        placement.origin_world_mm[i] = first_voxel_world_mm[i] - half_voxel;
    }
    return placement;
}

Placement place_in_middle(std::array<int, 3> dims, std::array<float, 3> pitch_mm, std::array<double, 9> const& rotation)
{
    Placement placement;
    placement.rotation = rotation;
    for (std::size_t i = 0; i < 3; ++i) {
        placement.origin_world_mm[i] = 0;
        for (std::size_t j = 0; j < 3; ++j)
            placement.origin_world_mm[i] -=
                rotation[3 * i + j] * (0.5 * static_cast<double>(dims[j]) * static_cast<double>(pitch_mm[j]));
    }
    return placement;
}

} // namespace volpt
