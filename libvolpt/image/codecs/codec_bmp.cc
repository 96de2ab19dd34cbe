#include "libvolpt/image/codecs/bmp_picture.h"
#include "libvolpt/image/codecs/codec.h"

namespace volpt {

extern constinit Codec const bmp_codec{"bmp", ".bmp", is_bmp, decode_bmp, nullptr, Transfer::srgb};

} // namespace volpt
