#include "libvolpt/volume/named_planes.h"

#include "libvolpt/sys/error.h"
#include "libvolpt/sys/parallel.h"
#include "libvolpt/volume/packed_layers.h"

#include <algorithm>
#include <fmt/format.h>
#include <span>

namespace volpt {
namespace {

struct NamedPlane {
    char const* name;
    PlaneView VolumeView::*view;
};
constexpr NamedPlane kPlanes[] = {{"density", &VolumeView::density},
                                  {"one_minus_albedo", &VolumeView::one_minus_albedo},
                                  {"label", &VolumeView::label},
                                  {"emission", &VolumeView::emission}};

} // namespace

std::vector<std::string> list_planes(VolumeView const& view)
{
    std::vector<std::string> names;
    for (NamedPlane const& plane : kPlanes)
        if ((view.*plane.view).channels > 0) names.emplace_back(plane.name);
    return names;
}

PlaneView find_plane(VolumeView const& view, std::string_view name)
{
    for (NamedPlane const& plane : kPlanes)
        if (name == plane.name && (view.*plane.view).channels > 0) return view.*plane.view;
    fail_usage(fmt::format("the volume has no plane '{}'", name),
               fmt::format("give one of {}", fmt::join(list_planes(view), ", ")));
}

DensePlane read_dense_plane(PackedVolume const& volume, std::string_view name, int threads)
{
    VolumeView const view = volume.view();
    PlaneView const plane = find_plane(view, name);
    auto const extent = [&](int axis) { return static_cast<std::size_t>(view.dims[axis]); };
    std::size_t const layer = extent(0) * extent(1) * plane.channels;
    DensePlane dense{{extent(2), extent(1), extent(0), plane.channels}, std::vector<float>(layer * extent(2))};
    parallel_for_joined(threads, extent(2), [&](std::size_t z, int) {
        std::span<float> const target(dense.values.data() + z * layer, layer);
        if (name == "label") {
            std::vector<std::uint8_t> labels(layer);
            read_label_layer(view, static_cast<int>(z), labels);
            std::ranges::copy(labels, target.begin());
        } else {
            read_plane_layer(view, plane, static_cast<int>(z), target);
        }
    });
    volume.check_unchanged();
    return dense;
}

} // namespace volpt
