// Piecewise-linear map from density to albedo (--transfer).
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace volpt {

class TransferTable {
public:
    struct Point {
        double density = 0;
        std::vector<double> albedo; ///< by band, 0..1; as many as in every other point
    };

    /// Densities strictly ascend. Error (input) names `where` and the point otherwise.
    TransferTable(std::vector<Point> points, std::string const& where);

    std::vector<Point> const& points() const noexcept { return points_; }
    std::size_t bands() const noexcept { return points_.front().albedo.size(); }
    double first_density() const noexcept { return points_.front().density; }
    double last_density() const noexcept { return points_.back().density; }

    /// 1 - albedo at a density, all bands; the end points hold outside.
    void evaluate(float density, std::span<float> one_minus_albedo) const;

private:
    std::vector<Point> points_;
};

/// A preset's name, or a JSON file {"points": [{"density": 0.0, "albedo": [r, g, b]}, ...]}. Error (input) lists the
/// presets, and the nearest one, if it is neither.
TransferTable read_transfer_table(std::string const& name_or_path);

std::span<std::string const> list_transfer_presets();

} // namespace volpt
