// Finds mixtures of inks for colours.
#include "libvolpt/print/separate_inks.h"

#include "libvolpt/colour/srgb.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace volpt {
namespace {

constexpr int kNodes = 33;
/// Squared Delta E 1976 that a print full of ink is worth: far below what is seen, and enough to decide between
/// mixtures of one colour. The least ink is the strongest grey component replacement: one black stands for three
/// colours.
constexpr double kInkCost = 1.0;
constexpr std::size_t kLatticeMost = 1500;

double square(double x)
{
    return x * x;
}

double squared_distance(Triple const& a, Triple const& b)
{
    return square(a[0] - b[0]) + square(a[1] - b[1]) + square(a[2] - b[2]);
}

/// Mixtures of `steps` parts, all of them.
void list_mixtures(std::size_t inks, int steps, std::vector<double>& prefix, int left, std::vector<double>& out)
{
    if (prefix.size() + 1 == inks) {
        out.insert(out.end(), prefix.begin(), prefix.end());
        out.push_back(static_cast<double>(left) / steps);
        return;
    }
    for (int parts = 0; parts <= left; ++parts) {
        prefix.push_back(static_cast<double>(parts) / steps);
        list_mixtures(inks, steps, prefix, left - parts, out);
        prefix.pop_back();
    }
}

int choose_steps(std::size_t inks)
{
    int steps = 1;
    for (double count = static_cast<double>(inks); steps < 64; ++steps) {
        count *= static_cast<double>(inks + static_cast<std::size_t>(steps)) / (steps + 1);
        if (count > static_cast<double>(kLatticeMost)) break;
    }
    return steps;
}

/// A quadratic bowl d'Ad / 2 + g'd over steps that keep a mixture a mixture, descended by the pair of inks with
/// the steepest slope (Platt 1998).
void descend_bowl(std::vector<double> const& a, std::vector<double> g, std::vector<double>& mixture)
{
    std::size_t const n = mixture.size();
    for (int step = 0; step < 300; ++step) {
        std::size_t to = 0, from = n;
        for (std::size_t i = 0; i < n; ++i) {
            if (g[i] < g[to]) to = i;
            if (mixture[i] > 0 && (from == n || g[i] > g[from])) from = i;
        }
        if (from == n || g[from] - g[to] < 1e-7) return;
        double const bend = a[to * n + to] + a[from * n + from] - 2 * a[to * n + from];
        double const most = mixture[from];
        double const amount = std::min(most, bend > 0 ? (g[from] - g[to]) / bend : most);
        mixture[to] += amount;
        mixture[from] = amount == most ? 0 : mixture[from] - amount;
        for (std::size_t i = 0; i < n; ++i) g[i] += amount * (a[i * n + to] - a[i * n + from]);
    }
}

} // namespace

InkSeparation::InkSeparation(InkModel const& model, Intent intent) : model_(model), intent_(intent)
{
    std::vector<double> prefix;
    int const steps = choose_steps(model.inks());
    list_mixtures(model.inks(), steps, prefix, steps, lattice_);
    for (std::size_t at = 0; at < lattice_.size(); at += model.inks())
        lattice_lab_.push_back(model.predict_lab(std::span(lattice_).subspan(at, model.inks())));
    nodes_.resize(std::size_t{kNodes} * kNodes * kNodes * model.inks());
    is_solved_.resize(std::size_t{kNodes} * kNodes * kNodes, 0);
}

Triple InkSeparation::find_aim(std::array<double, 3> const& linear_rgb) const
{
    Triple xyz = kRgbToRelativeXyz * Triple(linear_rgb);
    for (std::size_t i = 0; intent_ == Intent::relative && i < 3; ++i) xyz[i] *= model_.paper_xyz()[i];
    return to_lab(xyz);
}

Triple InkSeparation::find_printed(Triple const& xyz) const
{
    Triple relative = xyz;
    for (std::size_t i = 0; intent_ == Intent::relative && i < 3; ++i) relative[i] /= model_.paper_xyz()[i];
    return kRelativeXyzToRgb * relative;
}

std::vector<double> InkSeparation::choose_start(Triple const& aim) const
{
    std::size_t const inks = model_.inks();
    std::size_t best = 0;
    double least = INFINITY;
    for (std::size_t i = 0; i < lattice_lab_.size(); ++i) {
        double const cost =
            squared_distance(lattice_lab_[i], aim) + kInkCost * (1 - lattice_[i * inks + model_.core()]);
        if (cost < least) {
            least = cost;
            best = i;
        }
    }
    auto const first = lattice_.begin() + static_cast<std::ptrdiff_t>(best * inks);
    return {first, first + static_cast<std::ptrdiff_t>(inks)};
}

std::vector<double> InkSeparation::solve(Triple const& aim) const
{
    std::size_t const inks = model_.inks();
    std::vector<double> mixture(inks, 0);
    mixture[model_.core()] = 1;
    if (squared_distance(model_.predict_lab(mixture), aim) < 1e-8) return mixture;
    mixture = choose_start(aim);
    auto const measure = [&](std::vector<double> const& m, Triple const& lab) {
        return squared_distance(lab, aim) + kInkCost * (1 - m[model_.core()]);
    };
    Triple lab = model_.predict_lab(mixture);
    double cost = measure(mixture, lab), damping = 1;
    std::vector<Triple> slopes(inks);
    std::vector<double> bowl(inks * inks), gradient(inks);
    // Steps are short along a curve of one colour towards less ink: 60 were too few for greys, a few hundred are
    // enough.
    for (int step = 0; step < 400 && damping < 1e9; ++step) {
        for (std::size_t i = 0; i < inks; ++i) {
            constexpr double kStep = 1e-5;
            double const kept = mixture[i];
            mixture[i] += kStep;
            Triple const beside = model_.predict_lab(mixture);
            mixture[i] = kept;
            for (std::size_t c = 0; c < 3; ++c) slopes[i][c] = (beside[c] - lab[c]) / kStep;
        }
        for (std::size_t i = 0; i < inks; ++i) {
            gradient[i] = i == model_.core() ? 0 : kInkCost / 2;
            for (std::size_t c = 0; c < 3; ++c) gradient[i] += slopes[i][c] * (lab[c] - aim[c]);
            for (std::size_t j = 0; j < inks; ++j)
                bowl[i * inks + j] = slopes[i][0] * slopes[j][0] + slopes[i][1] * slopes[j][1] +
                                     slopes[i][2] * slopes[j][2] + (i == j ? damping : 0);
        }
        std::vector<double> moved = mixture;
        descend_bowl(bowl, gradient, moved);
        Triple const moved_lab = model_.predict_lab(moved);
        double const moved_cost = measure(moved, moved_lab);
        if (!(moved_cost < cost)) {
            damping *= 8;
            continue;
        }
        bool const is_still = cost - moved_cost < 1e-9;
        mixture = std::move(moved);
        lab = moved_lab;
        cost = moved_cost;
        damping = std::max(1e-3, damping / 8);
        if (is_still) break;
    }
    double const sum = std::accumulate(mixture.begin(), mixture.end(), 0.0);
    for (double& part : mixture) part /= sum;
    return mixture;
}

double const* InkSeparation::find_node(std::array<int, 3> const& node)
{
    auto const at = static_cast<std::size_t>((node[2] * kNodes + node[1]) * kNodes + node[0]);
    double* const place = nodes_.data() + at * model_.inks();
    if (is_solved_[at] == 0) {
        std::array<double, 3> rgb;
        for (std::size_t i = 0; i < 3; ++i) rgb[i] = decode_srgb(static_cast<double>(node[i]) / (kNodes - 1));
        auto const mixture = solve(find_aim(rgb));
        std::ranges::copy(mixture, place);
        is_solved_[at] = 1;
    }
    return place;
}

void InkSeparation::separate(std::array<double, 3> const& linear_rgb, std::span<double> fractions)
{
    std::array<int, 3> corner;
    std::array<double, 3> offset;
    for (std::size_t i = 0; i < 3; ++i) {
        double at = std::clamp(encode_srgb(linear_rgb[i]), 0.0, 1.0) * (kNodes - 1);
        if (std::abs(at - std::round(at)) < 1e-6)
            at = std::round(at); // white is white, whatever the rounding of the transfer
        corner[i] = std::min(static_cast<int>(at), kNodes - 2);
        offset[i] = at - corner[i];
    }
    // Walking from the cell's lowest corner to its highest, the longest offset first, passes the four corners of the
    // tetrahedron.
    std::array<std::size_t, 3> order{0, 1, 2};
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
        return offset[a] > offset[b] || (offset[a] == offset[b] && a < b);
    });
    std::ranges::fill(fractions, 0.0);
    double before = 1;
    for (std::size_t step = 0; step <= 3; ++step) {
        double const after = step < 3 ? offset[order[step]] : 0;
        if (before > after) {
            double const* const node = find_node(corner);
            for (std::size_t ink = 0; ink < fractions.size(); ++ink) fractions[ink] += (before - after) * node[ink];
        }
        before = after;
        if (step < 3) ++corner[order[step]];
    }
}

} // namespace volpt
