// 128-bit checksums (XXH3) of sections, scenes and films.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace volpt {

struct Hash128 {
    std::uint64_t high = 0;
    std::uint64_t low = 0;
    auto operator<=>(Hash128 const&) const = default;
};

/// XXH3-128 with seed 0 of the bytes.
Hash128 hash_bytes(std::span<std::byte const> bytes);

/// The same hash over bytes that arrive in pieces.
class StreamHasher {
public:
    StreamHasher();
    ~StreamHasher();
    StreamHasher(StreamHasher&&) noexcept;
    StreamHasher& operator=(StreamHasher&&) noexcept;

    void add(std::span<std::byte const> bytes);
    Hash128 digest() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// 32 lower-case hexadecimal digits, high word first.
std::string to_hex(Hash128 hash);

} // namespace volpt
