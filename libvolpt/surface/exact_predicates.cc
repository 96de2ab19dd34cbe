#include "libvolpt/surface/exact_predicates.h"

#include <array>
#include <cmath>

namespace volpt {
namespace {

/// An exact sum of doubles: components of growing magnitude that do not overlap (Shewchuk 1997, grow-expansion with
/// elimination of zeros).
class ExactSum {
public:
    void add(double value)
    {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < count_; ++i) {
            double const sum = value + parts_[i];
            double const virtual_part = sum - value;
            double const error = (value - (sum - virtual_part)) + (parts_[i] - virtual_part);
            value = sum;
            if (error != 0) parts_[kept++] = error;
        }
        if (value != 0) parts_[kept++] = value;
        count_ = kept;
    }

    /// a b c, exactly: the product of two floats is a double, and nothing here comes near a double's limits.
    void add_product(float a, float b, float c)
    {
        double const ab = static_cast<double>(a) * b;
        double const abc = ab * c;
        add(std::fma(ab, static_cast<double>(c), -abc));
        add(abc);
    }

    int sign() const { return count_ == 0 ? 0 : parts_[count_ - 1] > 0 ? 1 : -1; }

private:
    std::array<double, 56> parts_{}; // one per addition at most: 48
    std::size_t count_ = 0;
};

/// Adds scale times the determinant of three rows.
void add_determinant(ExactSum& sum, Vec3 a, Vec3 b, Vec3 c, float scale)
{
    a = scale * a;
    sum.add_product(a.x, b.y, c.z);
    sum.add_product(-a.x, b.z, c.y);
    sum.add_product(a.y, b.z, c.x);
    sum.add_product(-a.y, b.x, c.z);
    sum.add_product(a.z, b.x, c.y);
    sum.add_product(-a.z, b.y, c.x);
}

struct Vec3d {
    double x, y, z;
};

Vec3d subtract(Vec3 a, Vec3 b)
{
    return {static_cast<double>(a.x) - b.x, static_cast<double>(a.y) - b.y, static_cast<double>(a.z) - b.z};
}

} // namespace

int find_side_of_plane(Vec3 a, Vec3 b, Vec3 c, Vec3 d)
{
    Vec3d const p = subtract(a, d);
    Vec3d const q = subtract(b, d);
    Vec3d const r = subtract(c, d);
    double const qr = q.x * r.y;
    double const rq = r.x * q.y;
    double const rp = r.x * p.y;
    double const pr = p.x * r.y;
    double const pq = p.x * q.y;
    double const qp = q.x * p.y;
    double const determinant = p.z * (qr - rq) + q.z * (rp - pr) + r.z * (pq - qp);
    double const permanent = (std::abs(qr) + std::abs(rq)) * std::abs(p.z) +
                             (std::abs(rp) + std::abs(pr)) * std::abs(q.z) +
                             (std::abs(pq) + std::abs(qp)) * std::abs(r.z);
    // Shewchuk's bound, 7 + 56 u units of u = 2^-53, rounded up.
    double const bound = 0x1.c1p-51 * permanent;
    if (determinant > bound) return 1;
    if (determinant < -bound) return -1;
    // Faces of boxes and voxels.
    if ((a.x == d.x && b.x == d.x && c.x == d.x) || (a.y == d.y && b.y == d.y && c.y == d.y) ||
        (a.z == d.z && b.z == d.z && c.z == d.z)) {
        return 0;
    }
    // The same determinant, of four rows (x, y, z, 1).
    ExactSum sum;
    add_determinant(sum, a, b, c, 1);
    add_determinant(sum, a, b, d, -1);
    add_determinant(sum, a, c, d, 1);
    add_determinant(sum, b, c, d, -1);
    return sum.sign();
}

int find_turn(Vec3 a, Vec3 b, Vec3 c, int axis)
{
    int const first = (axis + 1) % 3;
    int const second = (axis + 2) % 3;
    auto const widen = [](float v) { return static_cast<double>(v); };
    double const a1 = widen(get_axis(a, first)), a2 = widen(get_axis(a, second));
    double const b1 = widen(get_axis(b, first)), b2 = widen(get_axis(b, second));
    double const c1 = widen(get_axis(c, first)), c2 = widen(get_axis(c, second));
    double const left = (b1 - a1) * (c2 - a2), right = (b2 - a2) * (c1 - a1);
    double const determinant = left - right;
    // Shewchuk's bound, 3 + 16 u units of u = 2^-53, rounded up.
    double const bound = 0x1.81p-52 * (std::abs(left) + std::abs(right));
    if (determinant > bound) return 1;
    if (determinant < -bound) return -1;
    // Faces of boxes and voxels: both products are 0, without rounding.
    if ((b1 == a1 || c2 == a2) && (b2 == a2 || c1 == a1)) return 0;
    auto const add_cross = [=](ExactSum& sum, Vec3 p, Vec3 q) {
        sum.add(static_cast<double>(get_axis(p, first)) * get_axis(q, second));
        sum.add(-(static_cast<double>(get_axis(p, second)) * get_axis(q, first)));
    };
    ExactSum sum;
    add_cross(sum, a, b);
    add_cross(sum, b, c);
    add_cross(sum, c, a);
    return sum.sign();
}

bool are_collinear(Vec3 a, Vec3 b, Vec3 c)
{
    return find_turn(a, b, c, 2) == 0 && find_turn(a, b, c, 0) == 0 && find_turn(a, b, c, 1) == 0;
}

} // namespace volpt
