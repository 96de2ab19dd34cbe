// Walks the tree of a grid once; then fills layers from its background, tiles and leaves.
#include "formats/openvdb/blocks.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <openvdb/tools/Interpolation.h>

namespace volpt {
namespace {

template <typename Value>
constexpr int kChannels = openvdb::VecTraits<Value>::IsVec ? 3 : 1;

template <typename Value>
double channel_of(Value const& value, int channel)
{
    if constexpr (openvdb::VecTraits<Value>::IsVec)
        return static_cast<double>(value[channel]);
    else
        return static_cast<double>(value);
}

template <typename Grid>
class GridBlocks final : public VdbBlocks {
    using Tree = typename Grid::TreeType;
    using Leaf = typename Tree::LeafNodeType;
    using Value = typename Tree::ValueType;
    static constexpr int kEdge = static_cast<int>(Leaf::DIM);
    static constexpr std::size_t kN = static_cast<std::size_t>(kChannels<Value>);

    struct PlacedLeaf {
        int z;
        Leaf const* leaf;
        float const* numbers; ///< floats that stay as they are, z fastest; else null
    };

    struct Tile {
        openvdb::CoordBBox box;
        Value value;
    };

public:
    GridBlocks(typename Grid::Ptr grid, VdbMapping mapping) : grid_(std::move(grid)), mapping_(mapping)
    {
        Tree const& tree = grid_->tree();
        for (auto leaf = tree.cbeginLeaf(); leaf; ++leaf) {
            leaves_.push_back({leaf->origin().z(), &*leaf, find_numbers(*leaf)});
            leaf->evalActiveBoundingBox(box_);
        }
        auto value = tree.cbeginValueAll();
        value.setMaxDepth(Tree::ValueAllCIter::LEAF_DEPTH - 1);
        for (; value; ++value) {
            bool const is_empty = !value.isValueOn() && *value == tree.background();
            if (is_empty) continue;
            Tile tile{{}, *value};
            value.getBoundingBox(tile.box);
            if (value.isValueOn()) box_.expand(tile.box);
            tiles_.push_back(std::move(tile));
        }
        // Stable: leaves of a layer stay in the order in which memory has them.
        std::stable_sort(leaves_.begin(), leaves_.end(),
                         [](PlacedLeaf const& a, PlacedLeaf const& b) { return a.z < b.z; });
        if (mapping_.bad_numbers == BadNumbers::clamped) count_bad();
    }

    int channels() const override { return kChannels<Value>; }
    openvdb::CoordBBox const& active_box() const override { return box_; }
    std::uint64_t clamped() const override { return clamped_; }

    void fill(SlabRequest request, VdbFrame const& frame, VdbSampling sampling, std::span<float> values) const override
    {
        Slab const slab(request, frame, values);
        if (sampling == VdbSampling::resampled)
            fill_samples(slab, frame);
        else
            fill_own(slab);
    }

private:
    float map(double number) const
    {
        if (mapping_.ramp_depth) {
            // The ramp of openvdb::tools::sdfToFogVolume; a NaN stays one.
            number = number / -*mapping_.ramp_depth;
            if (number < 0) number = 0;
            if (number > 1) number = 1;
            number *= mapping_.interior;
        }
        if (mapping_.bad_numbers == BadNumbers::clamped) {
            if (!(number >= 0)) number = 0;
            if (is_albedo_ && number > 1) number = 1;
            if (std::isinf(static_cast<float>(number))) number = static_cast<double>(std::numeric_limits<float>::max());
        }
        return static_cast<float>(number);
    }

    bool is_bad(double number) const
    {
        if (mapping_.ramp_depth) return std::isnan(number);
        return !(number >= 0) || (is_albedo_ && number > 1) || std::isinf(static_cast<float>(number));
    }

    void count_bad()
    {
        auto const count = [&](Value const& value) {
            for (int channel = 0; channel < kChannels<Value>; ++channel)
                if (is_bad(channel_of(value, channel))) ++clamped_;
        };
        for (auto const& tile : tiles_) count(tile.value);
        for (auto const& placed : leaves_)
            for (openvdb::Index i = 0; i < Leaf::SIZE; ++i) count(placed.leaf->getValue(i));
        count(grid_->background());
    }

    void put(Value const& value, float* numbers) const
    {
        if (is_plain_) {
            for (int channel = 0; channel < kChannels<Value>; ++channel)
                numbers[channel] = static_cast<float>(channel_of(value, channel));
            return;
        }
        for (int channel = 0; channel < kChannels<Value>; ++channel) numbers[channel] = map(channel_of(value, channel));
    }

    /// Index box of the layers asked for, and where their numbers go.
    struct Slab {
        Slab(SlabRequest request, VdbFrame const& frame, std::span<float> numbers)
            : box(openvdb::Coord(frame.index_min[0], frame.index_min[1], frame.index_min[2] + request.z_first),
                  openvdb::Coord(frame.index_min[0] + frame.dims[0] - 1, frame.index_min[1] + frame.dims[1] - 1,
                                 frame.index_min[2] + request.z_first + request.z_count - 1)),
              values(numbers)
        {
        }

        float* row(int x, int y, int z) const
        {
            auto const extent = box.extents();
            auto const voxel =
                (std::int64_t{z - box.min().z()} * extent.y() + (y - box.min().y())) * extent.x() + (x - box.min().x());
            return values.data() + static_cast<std::size_t>(voxel) * kN;
        }

        openvdb::CoordBBox box;
        std::span<float> values;
    };

    void fill_box(openvdb::CoordBBox box, Value const& value, Slab const& slab) const
    {
        box.intersect(slab.box);
        if (box.empty()) return;
        std::array<float, kN> numbers;
        put(value, numbers.data());
        auto const count = static_cast<std::size_t>(box.dim().x()) * kN;
        for (int z = box.min().z(); z <= box.max().z(); ++z)
            for (int y = box.min().y(); y <= box.max().y(); ++y) {
                float* const row = slab.row(box.min().x(), y, z);
                for (std::size_t i = 0; i < count; ++i) row[i] = numbers[i % kN];
            }
    }

    void fill_own(Slab const& slab) const
    {
        auto const first = std::lower_bound(leaves_.begin(), leaves_.end(), slab.box.min().z() - kEdge + 1,
                                            [](PlacedLeaf const& a, int z) { return a.z < z; });
        auto const end = std::upper_bound(first, leaves_.end(), slab.box.max().z(),
                                          [](int z, PlacedLeaf const& a) { return z < a.z; });
        // Tiles and leaves do not overlap.
        std::uint64_t covered = 0;
        auto const add = [&](openvdb::CoordBBox box) {
            box.intersect(slab.box);
            if (!box.empty()) covered += box.volume();
        };
        for (auto const& tile : tiles_) add(tile.box);
        for (auto leaf = first; leaf != end; ++leaf) add(leaf->leaf->getNodeBoundingBox());
        if (covered < slab.box.volume()) fill_box(slab.box, grid_->background(), slab);
        for (auto const& tile : tiles_) fill_box(tile.box, tile.value, slab);
        for (auto leaf = first; leaf != end; ++leaf) {
            // Leaves lie apart in memory, so that each would be waited for.
            if (std::next(leaf) != end && std::next(leaf)->numbers != nullptr)
                for (openvdb::Index i = 0; i < Leaf::SIZE; i += 16) __builtin_prefetch(std::next(leaf)->numbers + i);
            fill_leaf(*leaf->leaf, leaf->numbers, slab);
        }
    }

    float const* find_numbers(Leaf const& leaf) const
    {
        if constexpr (std::is_same_v<Value, float>)
            if (is_plain_) return leaf.buffer().data();
        return nullptr;
    }

    void fill_leaf(Leaf const& leaf, float const* numbers, Slab const& slab) const
    {
        openvdb::CoordBBox box = leaf.getNodeBoundingBox();
        box.intersect(slab.box);
        if (box.empty()) return;
        constexpr openvdb::Index kStepX = Leaf::DIM * Leaf::DIM; // z is fastest in a leaf
        for (int z = box.min().z(); z <= box.max().z(); ++z)
            for (int y = box.min().y(); y <= box.max().y(); ++y) {
                float* row = slab.row(box.min().x(), y, z);
                openvdb::Index offset = Leaf::coordToOffset({box.min().x(), y, z});
                if (numbers != nullptr) {
                    for (int x = box.min().x(); x <= box.max().x(); ++x, offset += kStepX) *row++ = numbers[offset];
                    continue;
                }
                for (int x = box.min().x(); x <= box.max().x(); ++x, row += kN, offset += kStepX)
                    put(leaf.getValue(offset), row);
            }
    }

    /// Voxels of the frame, sampled in the world.
    void fill_samples(Slab const& slab, VdbFrame const& frame) const
    {
        openvdb::tools::GridSampler<typename Grid::ConstAccessor, openvdb::tools::BoxSampler> const sampler(
            accessor_, grid_->transform());
        float* to = slab.values.data();
        for (auto voxel = openvdb::CoordBBox::Iterator<false>(slab.box); voxel; ++voxel, to += kN) {
            openvdb::Vec3d world;
            for (std::size_t a = 0; a < 3; ++a)
                world[static_cast<int>(a)] = frame.rows[3][a] + (*voxel).x() * frame.rows[0][a] +
                                             (*voxel).y() * frame.rows[1][a] + (*voxel).z() * frame.rows[2][a];
            put(sampler.wsSample(world), to);
        }
    }

    typename Grid::Ptr grid_;
    VdbMapping mapping_;
    bool is_albedo_ = kN == 3 && mapping_.quantity != VdbQuantity::emission;
    bool is_plain_ = !mapping_.ramp_depth && mapping_.bad_numbers == BadNumbers::refused; ///< numbers stay as they are
    typename Grid::ConstAccessor accessor_ = grid_->getConstAccessor();
    std::vector<PlacedLeaf> leaves_;
    std::vector<Tile> tiles_;
    openvdb::CoordBBox box_;
    std::uint64_t clamped_ = 0;
};

template <typename... Grids>
std::unique_ptr<VdbBlocks> make_first_match(openvdb::GridBase::Ptr const& grid, VdbMapping mapping)
{
    std::unique_ptr<VdbBlocks> blocks;
    ((blocks == nullptr && grid->isType<Grids>()
          ? void(blocks = std::make_unique<GridBlocks<Grids>>(openvdb::gridPtrCast<Grids>(grid), mapping))
          : void()),
     ...);
    return blocks;
}

} // namespace

std::unique_ptr<VdbBlocks> make_vdb_blocks(openvdb::GridBase::Ptr grid, VdbMapping mapping)
{
    using namespace openvdb;
    return make_first_match<FloatGrid, DoubleGrid, Int32Grid, Int64Grid, BoolGrid, Vec3SGrid, Vec3DGrid, Vec3IGrid>(
        grid, mapping);
}

} // namespace volpt
