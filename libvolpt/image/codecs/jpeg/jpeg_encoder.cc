#include "libvolpt/image/codecs/jpeg/jpeg_encoder.h"

#include "libvolpt/sys/error.h"

#if VOLPT_WITH_LIBJPEG

#include <csetjmp>
#include <cstdio> // jpeglib.h wants FILE
#include <cstdlib>
#include <jpeglib.h>

namespace volpt {
namespace {

/// libjpeg calls `manager`; the rest is ours.
struct EncoderErrors {
    jpeg_error_mgr manager{};
    std::jmp_buf back{};
};

void leave_encoder(j_common_ptr encoder)
{
    std::longjmp(reinterpret_cast<EncoderErrors*>(encoder->err)->back, 1);
}

class JpegEncoder {
public:
    JpegEncoder()
    {
        encoder_.err = jpeg_std_error(&errors_.manager);
        errors_.manager.error_exit = leave_encoder;
    }
    ~JpegEncoder()
    {
        jpeg_destroy_compress(&encoder_);
        std::free(file_); // NOLINT(cppcoreguidelines-no-malloc): libjpeg allocates it
    }
    JpegEncoder(JpegEncoder const&) = delete;
    JpegEncoder& operator=(JpegEncoder const&) = delete;

    /// False if libjpeg gave up. Nothing here has a destructor that the jump would miss.
    bool encode(JpegSamples const& samples, int quality)
    {
        if (setjmp(errors_.back) != 0) return false;
        jpeg_create_compress(&encoder_);
        jpeg_mem_dest(&encoder_, &file_, &size_bytes_);
        encoder_.image_width = static_cast<JDIMENSION>(samples.width);
        encoder_.image_height = static_cast<JDIMENSION>(samples.height);
        encoder_.input_components = samples.channels;
        encoder_.in_color_space = samples.channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
        jpeg_set_defaults(&encoder_);
        jpeg_set_quality(&encoder_, quality, TRUE);
        encoder_.comp_info[0].h_samp_factor = encoder_.comp_info[0].v_samp_factor = 1;
        jpeg_start_compress(&encoder_, TRUE);
        auto const row_bytes = static_cast<std::size_t>(samples.width) * static_cast<std::size_t>(samples.channels);
        while (encoder_.next_scanline < encoder_.image_height) {
            std::byte const* const row = samples.bytes.data() + encoder_.next_scanline * row_bytes;
            // libjpeg does not write to what it compresses.
            JSAMPROW first = const_cast<JSAMPROW>(reinterpret_cast<JSAMPLE const*>(row));
            jpeg_write_scanlines(&encoder_, &first, 1);
        }
        jpeg_finish_compress(&encoder_);
        return true;
    }

    std::span<std::byte const> file() const { return {reinterpret_cast<std::byte const*>(file_), size_bytes_}; }

private:
    EncoderErrors errors_;
    jpeg_compress_struct encoder_{};
    unsigned char* file_ = nullptr;
    unsigned long size_bytes_ = 0;
};

} // namespace

std::vector<std::byte> encode_jpeg(JpegSamples const& samples, int quality)
{
    JpegEncoder encoder;
    if (!encoder.encode(samples, quality)) fail_system("the JPEG encoder failed", "libjpeg-turbo");
    return {encoder.file().begin(), encoder.file().end()};
}

} // namespace volpt

#else

#include <stb/stb_image_write.h>

namespace volpt {
namespace {

void append_jpg(void* to, void* data, int size_bytes)
{
    auto const* bytes = static_cast<std::byte const*>(data);
    auto& file = *static_cast<std::vector<std::byte>*>(to);
    file.insert(file.end(), bytes, bytes + size_bytes);
}

} // namespace

std::vector<std::byte> encode_jpeg(JpegSamples const& samples, int quality)
{
    std::vector<std::byte> file;
    if (stbi_write_jpg_to_func(append_jpg, &file, samples.width, samples.height, samples.channels, samples.bytes.data(),
                               quality) == 0)
        fail_system("the JPEG encoder failed", "stb_image_write");
    return file;
}

} // namespace volpt

#endif
