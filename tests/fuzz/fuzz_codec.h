// Feeds bytes to an image decoder: an Error of input is fine, anything else thrown is a finding.
#pragma once

#include "libvolpt/image/codecs/codec.h"
#include "libvolpt/sys/error.h"

#include <cstdint>
#include <cstdlib>

namespace volpt::test {

inline int fuzz_codec(std::string_view name, std::uint8_t const* data, std::size_t size_bytes)
{
    for (Codec const& codec : list_codecs()) {
        if (codec.name != name) continue;
        try {
            Image const image = codec.decode({reinterpret_cast<std::byte const*>(data), size_bytes}, "fuzz");
            check_image(image);
        } catch (Error const& error) {
            if (error.status() != ExitStatus::input) std::abort();
        }
        return 0;
    }
    std::abort();
}

} // namespace volpt::test
