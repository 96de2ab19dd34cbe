// The tables of readers and writers, made from readers.def and writers.def, and the choice among them.
#include "formats/common/file_head.h"
#include "formats/common/part_choice.h"
#include "formats/reader.h"
#include "formats/writer.h"
#include "libvolpt/sys/error.h"

#include <fmt/format.h>

// CMake defines VOLPT_WITH_<dependency> as 1 or 0; the parts of a missing one are null pointers.
#define VOLPT_WITH_none 1
#define VOLPT_PART_IF_1(part) &part
#define VOLPT_PART_IF_0(part) nullptr
#define VOLPT_PART_IF_(flag, part) VOLPT_PART_IF_##flag(part)
#define VOLPT_PART_IF(flag, part) VOLPT_PART_IF_(flag, part)

namespace volpt {

#define VOLPT_READER(name, extensions, dependency) extern Reader const name##_reader;
#include "formats/readers.def"
#undef VOLPT_READER
#define VOLPT_WRITER(name, ending, dependency) extern Writer const name##_writer;
#include "formats/writers.def"
#undef VOLPT_WRITER

namespace {

constexpr std::size_t kHeadBytes = 4096;

#define VOLPT_READER(name, extensions, dependency)                                                                     \
    ReaderEntry{#name, extensions, #dependency, VOLPT_PART_IF(VOLPT_WITH_##dependency, name##_reader)},
ReaderEntry const kReaders[] = {
#include "formats/readers.def"
};
#undef VOLPT_READER

#define VOLPT_WRITER(name, ending, dependency)                                                                         \
    WriterEntry{#name, ending, #dependency, VOLPT_PART_IF(VOLPT_WITH_##dependency, name##_writer)},
WriterEntry const kWriters[] = {
#include "formats/writers.def"
};
#undef VOLPT_WRITER

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

ReaderEntry const& find_reader(std::filesystem::path const& path)
{
    std::string const head = read_file_head(path, kHeadBytes);
    refuse_known_mistakes(head, path.string());
    for (auto const& entry : kReaders)
        if (entry.reader != nullptr && entry.reader->probe(head)) return entry;
    for (auto const& entry : kReaders) {
        if (!has_extension(path, entry.extensions)) continue;
        if (entry.reader != nullptr) return entry;
        fail_input("this build cannot read the format", path.string(),
                   std::string(entry.name) + " needs " + std::string(entry.dependency), "build volpt with it");
    }
    fail_input(head.empty() ? "the file is empty" : "neither content nor extension is of a known volume format",
               path.string(), "known: " + list_reader_extensions(),
               "for headerless numbers give --dims X,Y,Z and --type");
}

std::unique_ptr<VolumeSource> open_volume_source(std::filesystem::path const& path, ReadOptions const& options)
{
    auto source = apply_part_choice(find_reader(path).reader->open(path, options), options.part);
    check_layer_memory(source->meta(), options.layer_bytes);
    return source;
}

std::span<WriterEntry const> list_writers()
{
    return kWriters;
}

std::string list_export_extensions()
{
    std::string list;
    for (auto const& entry : kWriters)
        if (entry.writer != nullptr) list += (list.empty() ? "" : " ") + std::string(entry.ending);
    return list;
}

namespace {

Writer const& find_writer(std::filesystem::path const& path)
{
    std::string const extension = path.extension().string();
    for (auto const& entry : kWriters) {
        if (entry.ending.substr(entry.ending.rfind('.')) != extension) continue;
        if (entry.writer != nullptr) return *entry.writer;
        fail_usage(fmt::format("--export {}: this build has no {}", path.string(), entry.dependency),
                   "build volpt with it, or use one of " + list_export_extensions());
    }
    fail_usage(fmt::format("--export {}: the extension is of no known format", path.string()),
               "use one of " + list_export_extensions());
}

} // namespace

ExportedVolume export_volume(PackedVolume const& volume, std::filesystem::path const& path,
                             ProgressSink const& progress, ExportPlane plane)
{
    return find_writer(path).write(volume, plane, path, progress);
}

void check_job_export(PlannedJob const& job, std::filesystem::path const& path)
{
    Writer const& writer = find_writer(path);
    if (writer.check_job == nullptr)
        fail_usage(fmt::format("--export {}: a printer does not take this format", path.string()),
                   "export .gcvf or slice%04d.png; for others pack a .vpk first, and export that");
    writer.check_job(job, path);
}

} // namespace volpt
