// Walks the tree of a grid once; then sends tiles as constant blocks and leaves voxel by voxel, layer range by range.
#include "formats/read_openvdb_blocks.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <openvdb/tools/Interpolation.h>

namespace volpt {
namespace {

/// Gathers blocks into messages of about a MiB.
class BlockWriter {
public:
    explicit BlockWriter(SandboxPort& port) : port_(port) {}

    void add(VdbBlock const& block, std::span<float const> numbers)
    {
        append(std::as_bytes(std::span(&block, 1)));
        append(std::as_bytes(numbers));
        if (bytes_.size() >= (std::size_t{1} << 20)) flush();
    }
    void finish()
    {
        flush();
        port_.send(kVdbSlabEnd, {});
    }

private:
    void append(std::span<std::byte const> bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }
    void flush()
    {
        if (!bytes_.empty()) port_.send(kVdbBlocks, bytes_);
        bytes_.clear();
    }
    SandboxPort& port_;
    std::vector<std::byte> bytes_;
};

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

    struct Tile {
        openvdb::CoordBBox box;
        Value value;
    };

public:
    GridBlocks(typename Grid::Ptr grid, VdbMapping mapping) : grid_(std::move(grid)), mapping_(mapping)
    {
        Tree const& tree = grid_->tree();
        for (auto leaf = tree.cbeginLeaf(); leaf; ++leaf) {
            leaves_.push_back(&*leaf);
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
        std::sort(leaves_.begin(), leaves_.end(),
                  [](Leaf const* a, Leaf const* b) { return a->origin().z() < b->origin().z(); });
        if (mapping_.bad_numbers == BadNumbers::clamped) count_bad();
    }

    int channels() const override { return kChannels<Value>; }
    openvdb::CoordBBox const& active_box() const override { return box_; }
    std::uint64_t clamped() const override { return clamped_; }

    void send(VdbRequest request, VdbFrame const& frame, bool resampled, SandboxPort& port) const override
    {
        BlockWriter writer(port);
        if (resampled)
            send_samples(request, frame, writer);
        else
            send_own(request, frame, writer);
        writer.finish();
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
            if (kN == 3 && number > 1) number = 1;
            if (std::isinf(static_cast<float>(number))) number = static_cast<double>(std::numeric_limits<float>::max());
        }
        return static_cast<float>(number);
    }

    bool is_bad(double number) const
    {
        if (mapping_.ramp_depth) return std::isnan(number);
        return !(number >= 0) || (kN == 3 && number > 1) || std::isinf(static_cast<float>(number));
    }

    void count_bad()
    {
        auto const count = [&](Value const& value) {
            for (int channel = 0; channel < kChannels<Value>; ++channel)
                if (is_bad(channel_of(value, channel))) ++clamped_;
        };
        for (auto const& tile : tiles_) count(tile.value);
        for (auto const* leaf : leaves_)
            for (openvdb::Index i = 0; i < Leaf::SIZE; ++i) count(leaf->getValue(i));
        count(grid_->background());
    }

    void put(Value const& value, float* numbers) const
    {
        for (int channel = 0; channel < kChannels<Value>; ++channel) numbers[channel] = map(channel_of(value, channel));
    }

    static VdbBlock make_block(openvdb::CoordBBox const& box, VdbFrame const& frame, bool is_constant)
    {
        VdbBlock block{};
        for (std::size_t a = 0; a < 3; ++a) {
            auto const axis = static_cast<int>(a);
            block.first[a] = box.min()[axis] - frame.index_min[a];
            block.dims[a] = box.max()[axis] - box.min()[axis] + 1;
        }
        block.is_constant = is_constant ? 1 : 0;
        return block;
    }

    static openvdb::CoordBBox find_slab(VdbRequest request, VdbFrame const& frame)
    {
        openvdb::Coord const low(frame.index_min[0], frame.index_min[1], frame.index_min[2] + request.z_first);
        return {low, low.offsetBy(frame.dims[0] - 1, frame.dims[1] - 1, request.z_count - 1)};
    }

    void send_constant(openvdb::CoordBBox const& box, Value const& value, VdbFrame const& frame,
                       BlockWriter& writer) const
    {
        std::array<float, kN> numbers;
        put(value, numbers.data());
        writer.add(make_block(box, frame, true), numbers);
    }

    void send_own(VdbRequest request, VdbFrame const& frame, BlockWriter& writer) const
    {
        openvdb::CoordBBox const slab = find_slab(request, frame);
        send_constant(slab, grid_->background(), frame, writer);
        for (auto const& tile : tiles_) {
            openvdb::CoordBBox box = tile.box;
            box.intersect(slab);
            if (!box.empty()) send_constant(box, tile.value, frame, writer);
        }
        auto leaf = std::lower_bound(leaves_.begin(), leaves_.end(), slab.min().z() - kEdge + 1,
                                     [](Leaf const* a, int z) { return a->origin().z() < z; });
        for (; leaf != leaves_.end() && (*leaf)->origin().z() <= slab.max().z(); ++leaf)
            send_leaf(**leaf, slab, frame, writer);
    }

    void send_leaf(Leaf const& leaf, openvdb::CoordBBox const& slab, VdbFrame const& frame, BlockWriter& writer) const
    {
        openvdb::CoordBBox box = leaf.getNodeBoundingBox();
        box.intersect(slab);
        if (box.empty()) return;
        std::array<float, Leaf::SIZE * kN> numbers;
        std::size_t count = 0;
        for (int z = box.min().z(); z <= box.max().z(); ++z)
            for (int y = box.min().y(); y <= box.max().y(); ++y)
                for (int x = box.min().x(); x <= box.max().x(); ++x, count += kN)
                    put(leaf.getValue(Leaf::coordToOffset({x, y, z})), numbers.data() + count);
        writer.add(make_block(box, frame, false), std::span(numbers).first(count));
    }

    /// Rows of the frame, sampled in the world.
    void send_samples(VdbRequest request, VdbFrame const& frame, BlockWriter& writer) const
    {
        openvdb::tools::GridSampler<typename Grid::ConstAccessor, openvdb::tools::BoxSampler> const sampler(
            accessor_, grid_->transform());
        std::vector<float> row(static_cast<std::size_t>(frame.dims[0]) * kN);
        openvdb::CoordBBox const slab = find_slab(request, frame);
        for (int z = slab.min().z(); z <= slab.max().z(); ++z)
            for (int y = slab.min().y(); y <= slab.max().y(); ++y) {
                for (int x = slab.min().x(); x <= slab.max().x(); ++x) {
                    openvdb::Vec3d world;
                    for (std::size_t a = 0; a < 3; ++a)
                        world[static_cast<int>(a)] =
                            frame.rows[3][a] + x * frame.rows[0][a] + y * frame.rows[1][a] + z * frame.rows[2][a];
                    put(sampler.wsSample(world), row.data() + static_cast<std::size_t>(x - slab.min().x()) * kN);
                }
                writer.add(make_block({{slab.min().x(), y, z}, {slab.max().x(), y, z}}, frame, false), row);
            }
    }

    typename Grid::Ptr grid_;
    VdbMapping mapping_;
    typename Grid::ConstAccessor accessor_ = grid_->getConstAccessor();
    std::vector<Leaf const*> leaves_;
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
