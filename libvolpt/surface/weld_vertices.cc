#include "libvolpt/surface/weld_vertices.h"

#include "libvolpt/sys/parallel.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace volpt {
namespace {

constexpr std::size_t kPiece = 1 << 18;
// Parts by hash, each small enough that its table stays in a processor's cache: 30 M vertices give parts of 29,000.
constexpr std::size_t kParts = 1024;

std::size_t count_pieces(std::size_t count)
{
    return (count + kPiece - 1) / kPiece;
}

bool are_equal(Vec3 a, Vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/// Adding 0 makes -0 to 0.
std::uint64_t hash_position(Vec3 p)
{
    std::uint64_t h = bits_from_float(p.x + 0.0f) * 0x9e3779b97f4a7c15ull;
    h = (h ^ (h >> 29) ^ bits_from_float(p.y + 0.0f)) * 0xbf58476d1ce4e5b9ull;
    h = (h ^ (h >> 32) ^ bits_from_float(p.z + 0.0f)) * 0x94d049bb133111ebull;
    return h ^ (h >> 31);
}

std::size_t find_part(std::uint64_t hash)
{
    return hash >> 54;
}

/// Vertices sorted by part, each part in the order of vertices.
struct Parts {
    std::vector<std::uint32_t> vertices;
    std::vector<std::size_t> first; ///< kParts + 1 of them
};

Parts sort_into_parts(std::vector<Vec3> const& positions, int threads)
{
    std::size_t const pieces = count_pieces(positions.size());
    std::vector<std::array<std::uint32_t, kParts>> counts(pieces);
    auto const for_piece = [&](std::size_t piece, auto const& work) {
        std::size_t const end = std::min(positions.size(), (piece + 1) * kPiece);
        for (std::size_t i = piece * kPiece; i < end; ++i) work(i, find_part(hash_position(positions[i])));
    };
    parallel_for(threads, pieces, [&](std::size_t piece) {
        counts[piece].fill(0);
        for_piece(piece, [&](std::size_t, std::size_t part) { ++counts[piece][part]; });
    });
    Parts parts;
    parts.vertices.resize(positions.size());
    std::uint32_t next = 0;
    for (std::size_t part = 0; part < kParts; ++part) {
        parts.first.push_back(next);
        for (auto& count : counts) {
            std::uint32_t const here = count[part];
            count[part] = next;
            next += here;
        }
    }
    parts.first.push_back(next);
    parallel_for(threads, pieces, [&](std::size_t piece) {
        for_piece(piece, [&](std::size_t i, std::size_t part) {
            parts.vertices[counts[piece][part]++] = static_cast<std::uint32_t>(i);
        });
    });
    return parts;
}

/// For every vertex the first one at its position.
std::vector<std::uint32_t> find_firsts(std::vector<Vec3> const& positions, Parts const& parts, int threads)
{
    constexpr std::uint32_t kFree = 0xffffffffu;
    std::vector<std::uint32_t> firsts(positions.size());
    parallel_for(threads, kParts, [&](std::size_t part) {
        std::size_t const count = parts.first[part + 1] - parts.first[part];
        std::size_t const mask = std::bit_ceil(2 * count + 1) - 1;
        std::vector<std::uint32_t> table(mask + 1, kFree);
        for (std::size_t i = parts.first[part]; i < parts.first[part + 1]; ++i) {
            std::uint32_t const vertex = parts.vertices[i];
            Vec3 const p = positions[vertex];
            if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z)) {
                firsts[vertex] = vertex;
                continue;
            }
            std::size_t place = hash_position(p) & mask;
            while (table[place] != kFree && !are_equal(positions[table[place]], p)) place = (place + 1) & mask;
            if (table[place] == kFree) table[place] = vertex;
            firsts[vertex] = table[place];
        }
    });
    return firsts;
}

} // namespace

std::size_t weld_vertices(TriangleMesh& mesh, int threads)
{
    std::vector<Vec3>& positions = mesh.positions_mm;
    std::vector<std::uint32_t> numbers = find_firsts(positions, sort_into_parts(positions, threads), threads);
    // A first one precedes the others, so that its new number is known when they are reached.
    std::uint32_t kept = 0;
    for (std::size_t i = 0; i < positions.size(); ++i) {
        if (numbers[i] == i) {
            positions[kept] = positions[i];
            numbers[i] = kept++;
        } else {
            numbers[i] = numbers[numbers[i]];
        }
    }
    std::size_t const gone = positions.size() - kept;
    if (gone == 0) return 0;
    positions.resize(kept);
    positions.shrink_to_fit();
    parallel_for(threads, count_pieces(mesh.triangles.size()), [&](std::size_t piece) {
        std::size_t const end = std::min(mesh.triangles.size(), (piece + 1) * kPiece);
        for (std::size_t i = piece * kPiece; i < end; ++i) {
            for (std::uint32_t& corner : mesh.triangles[i]) {
                if (corner < numbers.size()) corner = numbers[corner];
            }
        }
    });
    return gone;
}

} // namespace volpt
