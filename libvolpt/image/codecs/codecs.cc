// The registry of image codecs: reading by content, then extension; writing by extension, atomically.
#include "libvolpt/image/codecs/codecs.h"

#include "libvolpt/image/codecs/codec.h"
#include "libvolpt/sys/atomic_file.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/mapped_file.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>

namespace volpt {

#define VOLPT_CODEC(name) extern Codec const name##_codec;
#include "libvolpt/image/codecs/codecs.def"
#undef VOLPT_CODEC

namespace {

std::string lower_extension(std::filesystem::path const& path)
{
    std::string extension = path.extension().string();
    for (char& letter : extension) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    return extension;
}

Codec const* find_by_extension(std::filesystem::path const& path)
{
    auto const codecs = list_codecs();
    auto const found = std::ranges::find(codecs, lower_extension(path), &Codec::extension);
    return found == codecs.end() ? nullptr : &*found;
}

} // namespace

std::span<Codec const> list_codecs()
{
#define VOLPT_CODEC(name) name##_codec,
    static std::array const codecs{
#include "libvolpt/image/codecs/codecs.def"
    };
#undef VOLPT_CODEC
    return codecs;
}

std::string list_image_extensions()
{
    std::string list;
    for (Codec const& codec : list_codecs()) {
        if (!list.empty()) list += ' ';
        list += codec.extension;
    }
    return list;
}

Image read_image(std::filesystem::path const& path)
{
    MappedFile const file(path);
    std::string const where = path.string();
    if (file.bytes().empty()) fail_input("the file is empty", where, "an image was expected");
    for (Codec const& codec : list_codecs())
        if (codec.matches(file.bytes())) return codec.decode(file.bytes(), where);
    if (Codec const* codec = find_by_extension(path)) return codec->decode(file.bytes(), where);
    fail_input("is no image of a known format", where, "neither content nor extension tell which",
               "known are " + list_image_extensions());
}

void write_image(std::filesystem::path const& path, Image const& image)
{
    Codec const* codec = find_by_extension(path);
    if (codec == nullptr)
        fail_usage(fmt::format("{}: no image format is known for the extension '{}'", path.string(),
                               path.extension().string()),
                   "known are " + list_image_extensions());
    std::vector<std::byte> bytes;
    try {
        check_image(image);
        bytes = codec->encode(image);
    } catch (Error const& error) {
        throw error.within("writing " + path.string());
    }
    write_file_atomically(path, bytes);
}

bool is_writable_image(std::filesystem::path const& path)
{
    return find_by_extension(path) != nullptr;
}

} // namespace volpt
