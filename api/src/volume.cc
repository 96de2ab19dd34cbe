#include "volpt/volume.h"

#include "api/src/access.h"
#include "libvolpt/sys/json.h"
#include "libvolpt/volume/morton_order.h"
#include "libvolpt/volume/named_planes.h"
#include "libvolpt/volume/volume_report.h"

#include <nlohmann/json.hpp>

namespace volpt::v0 {

Volume::Volume(std::shared_ptr<State const> state) : state_(std::move(state)) {}

Volume Volume::open(std::filesystem::path const& path)
{
    return translate_errors([&] {
        refuse_forked_process();
        return Access::make(std::filesystem::absolute(path),
                            PackedVolume::open(path, VerifyLevel::full, count_threads()));
    });
}

std::filesystem::path const& Volume::path() const
{
    return state_->path;
}

std::array<int, 3> Volume::dims() const
{
    return state_->packed->meta().dims;
}

std::array<double, 3> Volume::pitch_mm() const
{
    auto const& pitch_mm = state_->packed->meta().pitch_mm;
    return {pitch_mm[0], pitch_mm[1], pitch_mm[2]};
}

int Volume::bands() const
{
    return static_cast<int>(state_->packed->meta().bands());
}

double Volume::scale() const
{
    return state_->packed->meta().scale;
}

std::vector<std::string> Volume::planes() const
{
    return translate_errors([&] { return list_planes(state_->packed->view()); });
}

Plane Volume::read(std::string const& plane) const
{
    return translate_errors([&] {
        DensePlane dense = read_dense_plane(*state_->packed, plane, count_threads());
        return Plane{dense.shape, std::move(dense.values)};
    });
}

namespace {

/// Slots of a plane's voxel words: one more than the largest in the table.
std::size_t count_slots(PlaneView const& plane, std::size_t bricks)
{
    std::size_t slots = 0;
    for (std::size_t brick = 0; brick < bricks; ++brick)
        if (std::uint32_t const slot = plane.table[brick * plane.table_stride]; slot != kConstantBrick)
            slots = std::max<std::size_t>(slots, std::size_t{slot} + 1);
    return slots;
}

NumberType name_number_type(Encoding encoding)
{
    switch (encoding) {
    case Encoding::u8:
        return NumberType::u8;
    case Encoding::u16:
        return NumberType::u16;
    case Encoding::f16:
        return NumberType::f16;
    case Encoding::f32:
        return NumberType::f32;
    }
    fail_usage("unknown encoding");
}

} // namespace

Bricks Volume::bricks(std::string const& name) const
{
    return translate_errors([&] {
        VolumeView const view = state_->packed->view();
        PlaneView const plane = find_plane(view, name);
        auto const count = [&](int axis) { return static_cast<std::size_t>(view.brick_counts[axis]); };
        std::size_t const slots = count_slots(plane, count(0) * count(1) * count(2));
        return Bricks{plane.table,
                      {count(2), count(1), count(0), plane.table_stride},
                      plane.words,
                      name_number_type(plane.encoding),
                      {slots, std::size_t{kBrickVoxels}, plane.record_elements},
                      plane.value_scale,
                      static_cast<int>(plane.channels)};
    });
}

std::vector<std::array<std::uint8_t, 3>> list_voxel_order()
{
    std::vector<std::array<std::uint8_t, 3>> order(kBrickVoxels);
    for (std::uint8_t z = 0; z < kBrickEdge; ++z)
        for (std::uint8_t y = 0; y < kBrickEdge; ++y)
            for (std::uint8_t x = 0; x < kBrickEdge; ++x) order[morton_in_brick(x, y, z)] = {x, y, z};
    return order;
}

std::string Volume::describe() const
{
    return translate_errors([&] {
        nlohmann::ordered_json const report = report_volume(*state_->packed);
        state_->packed->check_unchanged();
        return format_json(report);
    });
}

} // namespace volpt::v0
