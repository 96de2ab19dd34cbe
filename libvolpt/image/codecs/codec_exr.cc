// OpenEXR: the codec's entry in the registry; without the library it says which switch brings it.
#include "libvolpt/image/codecs/codec.h"
#include "libvolpt/image/codecs/exr_check.h"
#include "libvolpt/image/codecs/exr_io.h"
#include "libvolpt/sys/error.h"

namespace volpt {

#if !VOLPT_WITH_OPENEXR

Image decode_exr(std::span<std::byte const>, std::string const& where)
{
    fail_input("this build reads no OpenEXR", where, "", "configure with -DVOLPT_WITH_OPENEXR=ON, or convert to .pfm");
}

std::vector<std::byte> encode_exr(Image const&)
{
    fail_usage("this build writes no OpenEXR", "configure with -DVOLPT_WITH_OPENEXR=ON, or write .pfm or .hdr");
}

#endif

extern constinit Codec const exr_codec{"exr", ".exr", is_exr, decode_exr, encode_exr};

} // namespace volpt
