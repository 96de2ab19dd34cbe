#include "formats/mcx/shapes.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace volpt {
namespace {

constexpr double kShapeReach = 1e9;
constexpr int kMostShapeDim = 65535;

using Triple = std::array<double, 3>;

class ShapeReader {
public:
    ShapeReader(std::array<int, 3> dims, int labels, double origin) : labels_(labels), origin_{origin, origin, origin}
    {
        drawing_.dims = dims;
    }

    McxDrawing read(McxNode const& list)
    {
        if (!list.is_array())
            list.refuse("is no list of shapes", "MCX draws its shapes in the order of a list", "correct the file");
        for (std::size_t i = 0; i < list.size(); ++i) read_entry(list.element(i));
        return std::move(drawing_);
    }

private:
    void read_entry(McxNode const& entry)
    {
        if (!entry.is_object() || entry.size() != 1)
            entry.refuse("is no object with one shape", "MCX reads the first member of each alone",
                         "give each shape an object of its own");
        std::string const name = entry.value().begin().key();
        McxNode const shape = entry.child(name);
        if (name == "Name") return;
        if (name == "Origin") {
            origin_ = shape.triple(-kShapeReach, kShapeReach);
            return;
        }
        if (name == "Grid") return read_grid(shape);
        if (drawing_.dims[0] == 0)
            shape.refuse("the volume has no size yet", "a Grid or Domain.Dim gives it", "give one of them first");
        McxShape drawn;
        drawn.path = shape.path();
        if (name == "Box")
            read_box(shape, drawn);
        else if (name == "Subgrid")
            read_subgrid(shape, drawn);
        else if (name == "Sphere")
            read_sphere(shape, drawn);
        else if (name == "Cylinder")
            read_cylinder(shape, drawn);
        else if (name == "UpperSpace")
            read_upper_space(shape, drawn);
        else
            return read_along_axis(name, shape);
        drawn.label = read_label(shape);
        drawing_.shapes.push_back(drawn);
    }

    void read_along_axis(std::string const& name, McxNode const& shape)
    {
        static constexpr std::string_view kSlabs[] = {"XSlabs", "YSlabs", "ZSlabs"};
        static constexpr std::string_view kLayers[] = {"XLayers", "YLayers", "ZLayers"};
        for (int axis = 0; axis < 3; ++axis) {
            if (name == kSlabs[axis]) return read_slabs(shape, axis);
            if (name == kLayers[axis]) return read_layers(shape, axis);
        }
        shape.refuse(fmt::format("'{}' is no shape", name),
                     "shapes are Name, Origin, Grid, Subgrid, Sphere, Box, XSlabs, YSlabs, ZSlabs, XLayers, YLayers, "
                     "ZLayers, Cylinder, UpperSpace",
                     "correct the file");
    }

    std::uint8_t check_label(McxNode const& node, int label) const
    {
        if (label < 0 || label >= labels_)
            node.refuse(fmt::format("there is no medium {}", label),
                        fmt::format("Domain.Media has the media 0 to {}", labels_ - 1), "add it to Domain.Media");
        return static_cast<std::uint8_t>(label);
    }

    std::uint8_t read_label(McxNode const& shape) const
    {
        if (!shape.has("Tag")) return 0;
        McxNode const tag = shape.child("Tag");
        return check_label(tag, tag.integer(-kMostShapeDim, kMostShapeDim));
    }

    void read_grid(McxNode const& shape)
    {
        drawing_.dims = shape.child("Size").integers(1, kMostShapeDim);
        drawing_.background = read_label(shape);
        drawing_.shapes.clear();
    }

    void read_box(McxNode const& shape, McxShape& drawn) const
    {
        drawn.kind = McxShapeKind::box;
        Triple const corner = shape.child("O").triple(-kShapeReach, kShapeReach),
                     size = shape.child("Size").triple(-kShapeReach, kShapeReach);
        for (std::size_t i = 0; i < 3; ++i) {
            drawn.a[i] = corner[i] - origin_[i];
            drawn.b[i] = drawn.a[i] + size[i];
        }
    }

    // Numbers count from 1, and both ends are in it, one voxel more than Size says.
    void read_subgrid(McxNode const& shape, McxShape& drawn) const
    {
        drawn.kind = McxShapeKind::subgrid;
        auto const corner = shape.child("O").integers(-kMostShapeDim, kMostShapeDim);
        auto const size = shape.child("Size").integers(-kMostShapeDim, kMostShapeDim);
        for (std::size_t i = 0; i < 3; ++i) {
            drawn.first[i] =
                static_cast<int>(std::trunc(std::clamp(corner[i] - 1 - origin_[i], -kShapeReach, kShapeReach)));
            drawn.end[i] = drawn.first[i] + size[i] + 1;
        }
    }

    static void read_sphere(McxNode const& shape, McxShape& drawn)
    {
        drawn.kind = McxShapeKind::sphere;
        Triple const centre = shape.child("O").triple(-kShapeReach, kShapeReach); // whatever the origin
        std::copy(centre.begin(), centre.end(), drawn.a.begin());
        drawn.radius = shape.child("R").number(0, kShapeReach);
    }

    void read_cylinder(McxNode const& shape, McxShape& drawn) const
    {
        drawn.kind = McxShapeKind::cylinder;
        Triple const low = shape.child("C0").triple(-kShapeReach, kShapeReach),
                     high = shape.child("C1").triple(-kShapeReach, kShapeReach);
        for (std::size_t i = 0; i < 3; ++i) {
            drawn.a[i] = low[i] - origin_[i];
            drawn.b[i] = high[i] - origin_[i];
        }
        if (low == high) shape.refuse("its ends C0 and C1 are the same", "it has no direction", "correct the file");
        drawn.radius = shape.child("R").number(0, kShapeReach);
    }

    static void read_upper_space(McxNode const& shape, McxShape& drawn)
    {
        drawn.kind = McxShapeKind::upper_space;
        auto const coefficients = shape.child("Coef").numbers(4, 4, -kShapeReach, kShapeReach);
        std::copy(coefficients.begin(), coefficients.end(), drawn.a.begin());
    }

    void add_slab(McxNode const& node, int axis, int first, int end, std::uint8_t label)
    {
        McxShape slab;
        slab.kind = McxShapeKind::slab;
        slab.path = node.path();
        slab.axis = axis;
        slab.first[0] = std::max(std::min(first, end), 0);
        slab.end[0] = std::max(first, end);
        slab.label = label;
        drawing_.shapes.push_back(slab);
    }

    /// One list of numbers, or a list of such lists.
    template <typename Use>
    static void for_each_row(McxNode const& rows, Use const& use)
    {
        if (rows.is_array() && rows.size() > 0 && rows.element(0).is_array())
            for (std::size_t i = 0; i < rows.size(); ++i) use(rows.element(i));
        else
            use(rows);
    }

    void read_slabs(McxNode const& shape, int axis)
    {
        std::uint8_t const label = read_label(shape);
        for_each_row(shape.child("Bound"), [&](McxNode const& row) {
            auto const bound = row.numbers(2, 2, -kMostShapeDim, kMostShapeDim);
            double const size = drawing_.dims[static_cast<std::size_t>(axis)];
            add_slab(row, axis, static_cast<int>(std::max(bound[0] - 0.5, 0.0)),
                     static_cast<int>(std::min(bound[1], size)), label);
        });
    }

    void read_layers(McxNode const& shape, int axis)
    {
        for_each_row(shape, [&](McxNode const& row) {
            auto const layer = row.integers(-kMostShapeDim, kMostShapeDim);
            int const size = drawing_.dims[static_cast<std::size_t>(axis)];
            add_slab(row, axis, std::max(layer[0], 1) - 1, std::min(layer[1], size), check_label(row, layer[2]));
        });
    }

    McxDrawing drawing_;
    int labels_;
    Triple origin_;
};

bool covers(McxShape const& shape, Triple const& centre, std::array<int, 3> const& voxel)
{
    switch (shape.kind) {
    case McxShapeKind::box:
        for (std::size_t i = 0; i < 3; ++i)
            if (centre[i] < shape.a[i] || centre[i] > shape.b[i]) return false;
        return true;
    case McxShapeKind::subgrid:
        for (std::size_t i = 0; i < 3; ++i)
            if (voxel[i] < shape.first[i] || voxel[i] >= shape.end[i]) return false;
        return true;
    case McxShapeKind::sphere: {
        double square = 0;
        for (std::size_t i = 0; i < 3; ++i) square += (centre[i] - shape.a[i]) * (centre[i] - shape.a[i]);
        return square <= shape.radius * shape.radius;
    }
    case McxShapeKind::cylinder: {
        Triple along{}, from{};
        for (std::size_t i = 0; i < 3; ++i) {
            along[i] = shape.b[i] - shape.a[i];
            from[i] = centre[i] - shape.a[i];
        }
        double const length = std::sqrt(std::inner_product(along.begin(), along.end(), along.begin(), 0.0));
        double const on_axis = std::inner_product(along.begin(), along.end(), from.begin(), 0.0) / length;
        double const square = std::inner_product(from.begin(), from.end(), from.begin(), 0.0) - on_axis * on_axis;
        return on_axis >= 0 && on_axis <= length && square <= shape.radius * shape.radius;
    }
    case McxShapeKind::slab: {
        int const at = voxel[static_cast<std::size_t>(shape.axis)];
        return at >= shape.first[0] && at < shape.end[0];
    }
    case McxShapeKind::upper_space:
        return std::inner_product(centre.begin(), centre.end(), shape.a.begin(), 0.0) > shape.a[3];
    }
    return false;
}

} // namespace

McxDrawing read_mcx_shapes(McxNode const& shapes, std::array<int, 3> dims, int labels, double origin)
{
    return ShapeReader(dims, labels, origin).read(shapes);
}

void draw_mcx_layers(McxDrawing const& drawing, int z_first, int z_count, std::span<std::uint8_t> labels,
                     std::span<std::uint64_t> drawn)
{
    std::ranges::fill(labels, drawing.background);
    for (std::size_t s = 0; s < drawing.shapes.size(); ++s) {
        McxShape const& shape = drawing.shapes[s];
        std::size_t at = 0;
        for (int z = z_first; z < z_first + z_count; ++z)
            for (int y = 0; y < drawing.dims[1]; ++y)
                for (int x = 0; x < drawing.dims[0]; ++x, ++at)
                    if (covers(shape, {x + 0.5, y + 0.5, z + 0.5}, {x, y, z})) {
                        labels[at] = shape.label;
                        ++drawn[s];
                    }
    }
}

} // namespace volpt
