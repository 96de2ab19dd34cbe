// Fuzz target of the PNG decoder: bytes become IHDR, palette and scanlines of a file whose checksums are right.
//
// Left alone, a fuzzer would hardly get past CRC-32 and Adler-32. Input that begins as a PNG file does is taken as it
// is.
#include "tests/fuzz/fuzz_codec.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <zlib.h>

namespace {

std::string const kSignature = "\x89PNG\r\n\x1a\n";

void append_u32(std::string& to, std::size_t value)
{
    for (int shift = 24; shift >= 0; shift -= 8) to += static_cast<char>(value >> shift);
}

void append_chunk(std::string& file, std::string const& type, std::string_view data)
{
    append_u32(file, data.size());
    std::string const covered = type + std::string(data);
    file += covered;
    append_u32(file, crc32_z(0, reinterpret_cast<Bytef const*>(covered.data()), covered.size()));
}

std::string_view take(std::string_view& input, std::size_t count)
{
    std::string_view const taken = input.substr(0, count);
    input.remove_prefix(taken.size());
    return taken;
}

std::string make_file(std::string_view input)
{
    std::string file = kSignature;
    append_chunk(file, "IHDR", take(input, 13));
    std::size_t const colours = input.empty() ? 0 : static_cast<unsigned char>(take(input, 1)[0]);
    if (colours > 0) append_chunk(file, "PLTE", take(input, colours * 3));
    std::size_t const transparent = input.empty() ? 0 : static_cast<unsigned char>(take(input, 1)[0]);
    if (transparent > 0) append_chunk(file, "tRNS", take(input, transparent));
    uLongf size_bytes = compressBound(input.size());
    std::string packed(size_bytes, '\0');
    compress2(reinterpret_cast<Bytef*>(packed.data()), &size_bytes, reinterpret_cast<Bytef const*>(input.data()),
              input.size(), 0);
    append_chunk(file, "IDAT", std::string_view(packed).substr(0, size_bytes));
    append_chunk(file, "IEND", "");
    return file;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size_bytes)
{
    std::string_view const input(reinterpret_cast<char const*>(data), size_bytes);
    std::string const file = input.starts_with(kSignature) ? std::string(input) : make_file(input);
    return volpt::test::fuzz_codec("png", reinterpret_cast<std::uint8_t const*>(file.data()), file.size());
}
