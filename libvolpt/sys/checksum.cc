// XXH3-128 of bytes, whole or in pieces, and its hexadecimal spelling.
#include "libvolpt/sys/checksum.h"

#include "libvolpt/sys/error.h"

#include <fmt/format.h>
#include <new>
#include <xxhash.h>

namespace volpt {
namespace {

Hash128 from_xxh(XXH128_hash_t hash)
{
    return {hash.high64, hash.low64};
}

int hex_value(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return -1;
}

} // namespace

Hash128 hash_bytes(std::span<std::byte const> bytes)
{
    return from_xxh(XXH3_128bits(bytes.data(), bytes.size()));
}

struct StreamHasher::State {
    State() : xxh(XXH3_createState())
    {
        if (!xxh) throw std::bad_alloc();
        XXH3_128bits_reset(xxh);
    }
    ~State() { XXH3_freeState(xxh); }
    State(State const&) = delete;
    State& operator=(State const&) = delete;

    XXH3_state_t* xxh;
};

StreamHasher::StreamHasher() : state_(std::make_unique<State>()) {}
StreamHasher::~StreamHasher() = default;
StreamHasher::StreamHasher(StreamHasher&&) noexcept = default;
StreamHasher& StreamHasher::operator=(StreamHasher&&) noexcept = default;

void StreamHasher::add(std::span<std::byte const> bytes)
{
    XXH3_128bits_update(state_->xxh, bytes.data(), bytes.size());
}

Hash128 StreamHasher::digest() const
{
    return from_xxh(XXH3_128bits_digest(state_->xxh));
}

std::string to_hex(Hash128 hash)
{
    return fmt::format("{:016x}{:016x}", hash.high, hash.low);
}

Hash128 parse_hash128(std::string_view text)
{
    Hash128 hash;
    bool valid = text.size() == 32;
    for (std::size_t i = 0; valid && i < 32; ++i) {
        int const digit = hex_value(text[i]);
        valid = digit >= 0;
        std::uint64_t& word = i < 16 ? hash.high : hash.low;
        word = (word << 4) | static_cast<std::uint64_t>(digit & 15);
    }
    if (!valid) {
        fail_input(fmt::format("'{}' is no checksum", text.substr(0, 40)), {}, {},
                   "a checksum is 32 lower-case hexadecimal digits");
    }
    return hash;
}

} // namespace volpt
