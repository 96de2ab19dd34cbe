// The table of readers, made from readers.def, and the choice among them.
#include "formats/reader.h"

#include "formats/common/text.h"
#include "formats/common/unsupported_inputs.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/file_bytes.h"

#include <algorithm>
#include <array>

// A dependency D is there if CMake says VOLPT_WITH_D=1; its readers are left out where it says 0.
#define VOLPT_WITH_none 1
#define VOLPT_READER_IF_1(name) &name##_reader
#define VOLPT_READER_IF_0(name) nullptr
#define VOLPT_READER_IF_(flag, name) VOLPT_READER_IF_##flag(name)
#define VOLPT_READER_IF(flag, name) VOLPT_READER_IF_(flag, name)

namespace volpt {

#define VOLPT_READER(name, extensions, dependency) extern Reader const name##_reader;
#include "formats/readers.def"
#undef VOLPT_READER

namespace {

constexpr std::size_t kHeadBytes = 4096;

#define VOLPT_READER(name, extensions, dependency)                                                                     \
    ReaderEntry{#name, extensions, #dependency, VOLPT_READER_IF(VOLPT_WITH_##dependency, name)},
ReaderEntry const kReaders[] = {
#include "formats/readers.def"
};
#undef VOLPT_READER

bool has_extension(ReaderEntry const& entry, std::filesystem::path const& path)
{
    std::string const extension = to_lower(path.extension().string());
    if (extension.empty()) return false;
    return (" " + std::string(entry.extensions) + " ").find(" " + extension + " ") != std::string::npos;
}

} // namespace

std::span<ReaderEntry const> list_readers()
{
    return kReaders;
}

std::string list_reader_extensions()
{
    std::string list;
    for (auto const& entry : kReaders)
        if (entry.reader != nullptr) list += (list.empty() ? "" : " ") + std::string(entry.extensions);
    return list;
}

std::unique_ptr<VolumeSource> open_volume_source(std::filesystem::path const& path)
{
    FileBytes const file(path);
    std::string head(static_cast<std::size_t>(std::min<std::uint64_t>(kHeadBytes, file.size_bytes())), '\0');
    file.read_at(0, std::as_writable_bytes(std::span(head)));
    refuse_known_stranger(head, path.string());
    for (auto const& entry : kReaders)
        if (entry.reader != nullptr && entry.reader->probe(head)) return entry.reader->open(path);
    for (auto const& entry : kReaders) {
        if (!has_extension(entry, path)) continue;
        if (entry.reader != nullptr) return entry.reader->open(path);
        fail_input("this build cannot read the format", path.string(),
                   std::string(entry.name) + " needs " + std::string(entry.dependency), "build volpt with it");
    }
    fail_input(
        file.size_bytes() == 0 ? "the file is empty" : "neither content nor extension is of a known volume format",
        path.string(), "known: " + list_reader_extensions(), "for headerless numbers give --dims X,Y,Z and --type");
}

} // namespace volpt
