#include "volpt/volume.h"

#include "api/src/access.h"
#include "libvolpt/sys/json.h"
#include "libvolpt/volume/named_planes.h"
#include "libvolpt/volume/volume_report.h"

#include <nlohmann/json.hpp>

namespace volpt::v0 {

Volume::Volume(std::shared_ptr<State const> state) : state_(std::move(state)) {}

Volume Volume::open(std::filesystem::path const& path)
{
    return translate_errors([&] {
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

std::string Volume::describe() const
{
    return translate_errors([&] {
        nlohmann::ordered_json const report = report_volume(*state_->packed);
        state_->packed->check_unchanged();
        return format_json(report);
    });
}

} // namespace volpt::v0
