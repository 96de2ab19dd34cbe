#include "libvolpt/image/codecs/jpeg/jpeg_decoder.h"

#include "libvolpt/image/codecs/codec.h"
#include "libvolpt/image/orientation.h"
#include "libvolpt/sys/error.h"

#if VOLPT_WITH_LIBJPEG

#include <algorithm>
#include <climits>
#include <csetjmp>
#include <cstdio> // jpeglib.h wants FILE
#include <cstdlib>
#include <fmt/format.h>
#include <jpeglib.h>

#include <jerror.h>

namespace volpt {
namespace {

/// A blank picture of one progressive scan has a bit per block of 64 samples, and colours at half the resolution.
constexpr SizeBound kJpegBound{.floor_bytes = 64u << 20, .ratio = 4096};

/// Each scan goes over all coefficients; encoders write about ten.
constexpr int kMostScans = 100;

/// libjpeg calls `manager`; the rest is ours.
struct JpegErrors {
    jpeg_error_mgr manager{};
    std::jmp_buf back{};
    char text[JMSG_LENGTH_MAX]{};
};

void leave_libjpeg(j_common_ptr decoder)
{
    auto* const errors = reinterpret_cast<JpegErrors*>(decoder->err);
    errors->manager.format_message(decoder, errors->text);
    std::longjmp(errors->back, 1);
}

/// libjpeg goes on after warnings; of these, all but those about the labels of a file mean lost pixels.
void judge_warning(j_common_ptr decoder, int level)
{
    if (level >= 0) return; // traces
    int const code = decoder->err->msg_code;
    bool const is_harmless =
        code == JWRN_ADOBE_XFORM || code == JWRN_BOGUS_ICC || code == JWRN_EXTRANEOUS_DATA || code == JWRN_JFIF_MAJOR;
    if (!is_harmless) leave_libjpeg(decoder);
}

void stay_silent(j_common_ptr) {}

void count_scans(j_common_ptr decoder)
{
    if (reinterpret_cast<j_decompress_ptr>(decoder)->input_scan_number <= kMostScans) return;
    decoder->err->msg_code = JERR_NOTIMPL;
    leave_libjpeg(decoder);
}

class JpegDecoder {
public:
    JpegDecoder(std::span<std::byte const> file, std::string const& where) : where_(where)
    {
        decoder_.err = jpeg_std_error(&errors_.manager);
        errors_.manager.error_exit = leave_libjpeg;
        errors_.manager.emit_message = judge_warning;
        errors_.manager.output_message = stay_silent;
        progress_.progress_monitor = count_scans;
        run([&] {
            jpeg_create_decompress(&decoder_);
            decoder_.progress = &progress_;
            jpeg_mem_src(&decoder_, reinterpret_cast<unsigned char const*>(file.data()), file.size());
            jpeg_save_markers(&decoder_, JPEG_APP0 + 1, 0xffff); // Exif
            jpeg_save_markers(&decoder_, JPEG_APP0 + 2, 0xffff); // profile
            jpeg_read_header(&decoder_, TRUE);
        });
        file_bytes_ = file.size();
    }
    ~JpegDecoder() { jpeg_destroy_decompress(&decoder_); }
    JpegDecoder(JpegDecoder const&) = delete;
    JpegDecoder& operator=(JpegDecoder const&) = delete;

    StoredImage decode(PictureMemory const& memory, SampleForm form)
    {
        bool const is_cmyk = decoder_.jpeg_color_space == JCS_CMYK || decoder_.jpeg_color_space == JCS_YCCK;
        bool const is_grey = decoder_.jpeg_color_space == JCS_GRAYSCALE;
        decoder_.out_color_space = is_cmyk ? JCS_CMYK : is_grey ? JCS_GRAYSCALE : JCS_RGB;
        std::size_t const channels = is_cmyk ? 4 : is_grey ? 1 : 3;
        std::uint64_t const samples = std::uint64_t{decoder_.image_width} * decoder_.image_height * channels;
        // Coefficients of 16 bits of the whole picture, if it comes in several scans; what is turned is copied by
        // channel.
        int const orientation = find_orientation();
        std::uint64_t const value_bytes = count_value_bytes(form, CodeDepth::bits_8);
        std::uint64_t const decoder_bytes = jpeg_has_multiple_scans(&decoder_) == TRUE ? 2 * samples : 0;
        std::uint64_t const turned_bytes = orientation > 1 ? samples / channels * value_bytes : 0;
        check_decoded_size(
            {decoder_.image_width, decoder_.image_height, channels, decoder_bytes + turned_bytes, value_bytes},
            file_bytes_, kJpegBound, memory, where_);
        StoredImage image(static_cast<int>(decoder_.image_width), static_cast<int>(decoder_.image_height),
                          is_cmyk ? std::vector<std::string>{"C", "M", "Y", "K"}
                                  : colour_channel_names(static_cast<int>(channels)),
                          form, CodeDepth::bits_8);
        for (StoredChannel& channel : image.channels) channel.resize(image.pixel_count());
        // Before the end of decoding, which frees the segments.
        if (auto profile = take_profile(); !profile.empty()) image.description.profile = {"", std::move(profile)};
        // Adobe's programs, which alone write CMYK, write 255 for no ink.
        bool const is_inverted = is_cmyk && decoder_.saw_Adobe_marker;
        row_.resize(decoder_.image_width * channels);
        run([&] { jpeg_start_decompress(&decoder_); });
        for (std::size_t y = 0; y < decoder_.image_height; ++y) {
            run([&] {
                JSAMPROW line = row_.data();
                jpeg_read_scanlines(&decoder_, &line, 1);
            });
            for (std::size_t channel = 0; channel < channels; ++channel)
                image.channels[channel].put(y * decoder_.image_width, 1, decoder_.image_width, CodeDepth::bits_8,
                                            [&](std::size_t x) {
                                                unsigned const code = row_[x * channels + channel];
                                                return is_inverted ? 255 - code : code;
                                            });
        }
        run([&] { jpeg_finish_decompress(&decoder_); });
        apply_orientation(image, orientation);
        return image;
    }

private:
    /// Calls libjpeg. An error leaves `work` by longjmp, so that it may hold nothing that has to be destroyed.
    template <class Work>
    void run(Work const& work)
    {
        if (setjmp(errors_.back) == 0) {
            work();
            return;
        }
        bool const has_many_scans = decoder_.input_scan_number > kMostScans;
        std::string const what =
            has_many_scans ? fmt::format("has more than {} scans", kMostScans) : std::string(errors_.text);
        jpeg_destroy_decompress(&decoder_); // the destructor does not run if the constructor throws; twice is allowed
        fail_input("JPEG decoder says: " + what, where_, "the picture is damaged, or of a kind that is not read",
                   "get an undamaged copy, or save it as PNG");
    }

    std::vector<std::byte> take_profile()
    {
        JOCTET* data = nullptr;
        unsigned size_bytes = 0;
        boolean found = FALSE;
        run([&] { found = jpeg_read_icc_profile(&decoder_, &data, &size_bytes); });
        std::vector<std::byte> profile;
        if (found == TRUE) {
            auto const* const bytes = reinterpret_cast<std::byte const*>(data);
            profile.assign(bytes, bytes + size_bytes);
        }
        std::free(data);
        return profile;
    }

    int find_orientation() const
    {
        for (auto const* marker = decoder_.marker_list; marker != nullptr; marker = marker->next) {
            if (marker->marker != JPEG_APP0 + 1) continue;
            int const orientation = find_exif_orientation(
                {reinterpret_cast<std::byte const*>(marker->data), std::size_t{marker->data_length}});
            if (orientation != 1) return orientation;
        }
        return 1;
    }

    std::string const& where_;
    std::size_t file_bytes_ = 0;
    JpegErrors errors_;
    jpeg_progress_mgr progress_{};
    jpeg_decompress_struct decoder_{};
    std::vector<JSAMPLE> row_;
};

} // namespace

StoredImage decode_jpeg(std::span<std::byte const> file, std::string const& where, PictureMemory const& memory,
                        SampleForm form)
{
    if (file.size() > ULONG_MAX / 2) fail_input("is too large for a JPEG", where);
    return JpegDecoder(file, where).decode(memory, form);
}

} // namespace volpt

#else

namespace volpt {

StoredImage decode_jpeg(std::span<std::byte const>, std::string const& where, PictureMemory const&, SampleForm)
{
    fail_input("is a JPEG picture, and this build cannot read JPEG", where, "it was made without libjpeg-turbo",
               "build volpt with -DVOLPT_WITH_LIBJPEG=ON, or convert the picture to an sRGB PNG: " +
                   suggest_conversion(where));
}

} // namespace volpt

#endif
