#include "libvolpt/image/codecs/png/png_lines.h"

#include "libvolpt/sys/error.h"
#include "libvolpt/sys/parallel.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <zlib.h>

namespace volpt {
namespace {

constexpr int kLevel = 6;
constexpr std::size_t kStripeBytes = 1 << 17; // the window, 32 KiB, is given to each again
constexpr std::size_t kWindowBytes = 1 << 15;

enum class PngFilter { none, sub, up, average, paeth };

/// What the filters of one line subtract from; before the first pixel and above the first line, 0.
struct Neighbours {
    int left, above, above_left;
};

[[gnu::always_inline]] inline int predict(PngFilter filter, Neighbours const& at)
{
    if (filter == PngFilter::sub) return at.left;
    if (filter == PngFilter::up) return at.above;
    if (filter == PngFilter::average) return (at.left + at.above) / 2;
    if (filter != PngFilter::paeth) return 0;
    int const from_left = std::abs(at.above - at.above_left), from_above = std::abs(at.left - at.above_left);
    int const from_corner = std::abs(at.left + at.above - 2 * at.above_left);
    int const upper = from_above <= from_corner ? at.above : at.above_left;
    return from_left <= from_above && from_left <= from_corner ? at.left : upper;
}

/// Both lines have `pixel_bytes` zeros before their first pixel. Returns the sum of absolute values.
template <PngFilter filter>
std::uint64_t filter_line(unsigned char const* line, unsigned char const* above, std::size_t size,
                          std::size_t pixel_bytes, unsigned char* to)
{
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < size; ++i) {
        std::size_t const here = i + pixel_bytes;
        int const guess = predict(filter, {line[i], above[here], above[i]});
        auto const value = static_cast<unsigned char>(line[here] - guess);
        to[i] = value;
        sum += static_cast<std::uint64_t>(std::abs(static_cast<signed char>(value)));
    }
    return sum;
}

using FilterFunction = std::uint64_t(unsigned char const*, unsigned char const*, std::size_t, std::size_t,
                                     unsigned char*);
constexpr FilterFunction* kFilterFunctions[] = {filter_line<PngFilter::none>, filter_line<PngFilter::sub>,
                                                filter_line<PngFilter::up>, filter_line<PngFilter::average>,
                                                filter_line<PngFilter::paeth>};

/// Lines [first, end), each after the number of its filter.
std::vector<unsigned char> filter_lines(PngLines const& lines, std::size_t first, std::size_t end)
{
    std::size_t const size = lines.width * lines.pixel_bytes;
    std::vector<unsigned char> above(size + lines.pixel_bytes), line(above), tried(size), best(size), filtered;
    filtered.reserve((end - first) * (size + 1));
    auto const load = [&](std::size_t row, std::vector<unsigned char>& to) {
        auto const* const from = reinterpret_cast<unsigned char const*>(lines.samples.data()) + row * size;
        std::copy_n(from, size, to.begin() + static_cast<std::ptrdiff_t>(lines.pixel_bytes));
    };
    if (first > 0) load(first - 1, above);
    for (std::size_t row = first; row < end; ++row) {
        load(row, line);
        std::uint64_t least = UINT64_MAX;
        std::size_t chosen = 0;
        for (std::size_t filter = 0; filter < std::size(kFilterFunctions); ++filter) {
            std::uint64_t const sum =
                kFilterFunctions[filter](line.data(), above.data(), size, lines.pixel_bytes, tried.data());
            if (sum >= least) continue;
            least = sum;
            chosen = filter;
            best.swap(tried);
        }
        filtered.push_back(static_cast<unsigned char>(chosen));
        filtered.insert(filtered.end(), best.begin(), best.end());
        above.swap(line);
    }
    return filtered;
}

enum class StripePlace { middle, last };

/// A part of a deflate stream: `bytes` after those of `window`. It ends on a whole byte.
std::vector<std::byte> deflate_stripe(std::span<unsigned char const> window, std::span<unsigned char const> bytes,
                                      StripePlace place)
{
    z_stream stream{};
    constexpr int kRawWindow = -15, kMemory = 9;
    if (deflateInit2(&stream, kLevel, Z_DEFLATED, kRawWindow, kMemory, Z_DEFAULT_STRATEGY) != Z_OK)
        fail_system("the PNG encoder failed", "zlib");
    if (!window.empty()) deflateSetDictionary(&stream, window.data(), static_cast<uInt>(window.size()));
    constexpr std::size_t kFlushBytes = 16;
    std::vector<std::byte> packed(deflateBound(&stream, static_cast<uLong>(bytes.size())) + kFlushBytes);
    stream.next_in = const_cast<Bytef*>(bytes.data()); // zlib only reads
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    int const result = deflate(&stream, place == StripePlace::last ? Z_FINISH : Z_SYNC_FLUSH);
    packed.erase(packed.end() - static_cast<std::ptrdiff_t>(stream.avail_out), packed.end());
    bool const is_done = result == (place == StripePlace::last ? Z_STREAM_END : Z_OK) && stream.avail_in == 0;
    deflateEnd(&stream);
    if (!is_done) fail_system("the PNG encoder failed", "zlib");
    return packed;
}

} // namespace

std::vector<std::byte> compress_png_lines(PngLines const& lines, int threads)
{
    std::size_t const rows = std::max<std::size_t>(1, kStripeBytes / (lines.width * lines.pixel_bytes + 1));
    std::size_t const stripes = (lines.height + rows - 1) / rows;
    std::vector<std::vector<unsigned char>> filtered(stripes);
    std::vector<std::vector<std::byte>> packed(stripes);
    std::vector<uLong> checksums(stripes);
    parallel_for(threads, stripes, [&](std::size_t i) {
        filtered[i] = filter_lines(lines, i * rows, std::min(lines.height, (i + 1) * rows));
        checksums[i] = adler32_z(1, filtered[i].data(), filtered[i].size());
    });
    parallel_for(threads, stripes, [&](std::size_t i) {
        std::span<unsigned char const> window;
        if (i > 0) window = std::span(filtered[i - 1]).last(std::min(kWindowBytes, filtered[i - 1].size()));
        packed[i] = deflate_stripe(window, filtered[i], i + 1 == stripes ? StripePlace::last : StripePlace::middle);
    });
    std::vector<std::byte> stream{std::byte{0x78}, std::byte{0x9c}}; // zlib, window of 32 KiB
    uLong checksum = 1;
    for (std::size_t i = 0; i < stripes; ++i) {
        stream.insert(stream.end(), packed[i].begin(), packed[i].end());
        checksum = adler32_combine(checksum, checksums[i], static_cast<z_off_t>(filtered[i].size()));
    }
    for (int shift = 24; shift >= 0; shift -= 8) stream.push_back(static_cast<std::byte>(checksum >> shift));
    return stream;
}

} // namespace volpt
