#include "formats/tally/gzip_file.h"

#include "libvolpt/sys/error.h"

#include <algorithm>
#include <climits>
#include <vector>
#include <zlib.h>

namespace volpt {
namespace {

constexpr int kGzipWindow = 15 + 16; // the largest, with the header of gzip: without a name, at time 0
constexpr int kDefaultMemory = 8;
constexpr std::size_t kBufferBytes = std::size_t{1} << 16;

} // namespace

struct GzipFile::Stream {
    z_stream zlib{};
    std::vector<std::byte> buffer = std::vector<std::byte>(kBufferBytes);
};

GzipFile::GzipFile(std::filesystem::path path) : file_(std::move(path)), stream_(std::make_unique<Stream>())
{
    if (deflateInit2(&stream_->zlib, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWindow, kDefaultMemory,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        fail_system("zlib has no memory to compress", file_.path().string());
}

GzipFile::~GzipFile()
{
    deflateEnd(&stream_->zlib);
}

void GzipFile::write(std::span<std::byte const> bytes)
{
    while (!bytes.empty()) {
        std::size_t const part = std::min(bytes.size(), std::size_t{INT_MAX});
        deflate_all(bytes.first(part), Z_NO_FLUSH);
        bytes = bytes.subspan(part);
    }
}

void GzipFile::commit()
{
    deflate_all({}, Z_FINISH);
    file_.commit();
}

void GzipFile::deflate_all(std::span<std::byte const> bytes, int flush)
{
    z_stream& zlib = stream_->zlib;
    // zlib reads, but its type is not const.
    zlib.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(bytes.data()));
    zlib.avail_in = static_cast<uInt>(bytes.size());
    do {
        zlib.next_out = reinterpret_cast<Bytef*>(stream_->buffer.data());
        zlib.avail_out = static_cast<uInt>(stream_->buffer.size());
        deflate(&zlib, flush);
        file_.write(std::span(stream_->buffer).first(stream_->buffer.size() - zlib.avail_out));
    } while (zlib.avail_out == 0);
}

} // namespace volpt
