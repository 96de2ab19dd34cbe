#include "libvolpt/sys/checksum.h"

#include <fmt/format.h>
#include <new>
#include <xxhash.h>

namespace volpt {
namespace {

Hash128 from_xxh(XXH128_hash_t hash)
{
    return {hash.high64, hash.low64};
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

} // namespace volpt
