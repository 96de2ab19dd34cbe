// Checksums are the published XXH3-128, in one piece or many, and survive their spelling.
#include "libvolpt/sys/checksum.h"
#include "libvolpt/sys/error.h"

#include <gtest/gtest.h>
#include <vector>

namespace volpt {
namespace {

std::span<std::byte const> bytes_of(std::string_view text)
{
    return std::as_bytes(std::span(text));
}

// Value printed by `printf '' | xxhsum -H128`: the specification's digest of no bytes with seed 0.
TEST(Checksum, EmptyInputHasThePublishedDigest)
{
    EXPECT_EQ(to_hex(hash_bytes({})), "99aa06d3014798d86001c324468d497f");
}

TEST(Checksum, PiecesHashLikeTheWhole)
{
    std::string text;
    for (int i = 0; i < 3000; ++i) text += static_cast<char>('a' + i * i % 26);
    for (std::size_t cut : {0u, 1u, 63u, 240u, 256u, 2999u, 3000u}) {
        StreamHasher hasher;
        hasher.add(bytes_of(std::string_view(text).substr(0, cut)));
        hasher.add(bytes_of(std::string_view(text).substr(cut)));
        EXPECT_EQ(hasher.digest(), hash_bytes(bytes_of(text))) << cut;
    }
}

TEST(Checksum, DigestMayBeAskedForInBetween)
{
    StreamHasher hasher;
    hasher.add(bytes_of("volume"));
    EXPECT_EQ(hasher.digest(), hash_bytes(bytes_of("volume")));
    hasher.add(bytes_of(" path"));
    EXPECT_EQ(hasher.digest(), hash_bytes(bytes_of("volume path")));
}

TEST(Checksum, HexHasTheHighWordFirst)
{
    EXPECT_EQ(to_hex({0x0123456789abcdefu, 0xfedcba9876543210u}), "0123456789abcdeffedcba9876543210");
    EXPECT_EQ(to_hex({0, 10}), "0000000000000000000000000000000a");
}

} // namespace
} // namespace volpt
