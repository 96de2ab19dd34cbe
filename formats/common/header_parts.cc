#include "formats/common/header_parts.h"

#include "libvolpt/sys/error.h"

#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace volpt {

std::uint64_t count_data_bytes(ElementType type, int channels, std::array<int, 3> const& dims)
{
    std::uint64_t bytes = element_size_bytes(type) * static_cast<std::uint64_t>(channels);
    for (int const size : dims) bytes *= static_cast<std::uint64_t>(size);
    return bytes;
}

std::string format_metadata(std::vector<std::pair<std::string, std::string>> const& fields)
{
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    for (auto const& [name, value] : fields) json[name] = value;
    return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

VoxelAxes split_axes(std::array<std::array<double, 3>, 3> const& steps_mm, std::string const& where,
                     std::string const& field)
{
    auto const dot = [](auto const& a, auto const& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; };
    VoxelAxes axes;
    std::array<std::array<double, 3>, 3> directions = steps_mm;
    for (std::size_t i = 0; i < 3; ++i) {
        double const length = std::sqrt(dot(steps_mm[i], steps_mm[i]));
        if (!(length > 1e-9 && length < 1e9))
            fail_input(fmt::format("{}: the step of axis {} has length {:g}", field, i, length), where,
                       "voxels are between 1e-9 and 1e9 mm large", "correct the header");
        axes.pitch_mm[i] = length;
        for (double& value : directions[i]) value /= length;
        for (std::size_t k = 0; k < i; ++k) {
            double const overlap = dot(directions[i], directions[k]);
            if (!(std::abs(overlap) < 1e-3))
                fail_input(fmt::format("{}: axes {} and {} are not perpendicular", field, k, i), where,
                           "a sheared volume has no placement", "resample it onto straight axes");
            for (std::size_t j = 0; j < 3; ++j) directions[i][j] -= overlap * directions[k][j];
        }
        double const straightened = std::sqrt(dot(directions[i], directions[i]));
        for (std::size_t j = 0; j < 3; ++j) axes.rotation[3 * j + i] = directions[i][j] / straightened;
    }
    return axes;
}

} // namespace volpt
