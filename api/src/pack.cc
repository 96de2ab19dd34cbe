#include "api/src/access.h"
#include "api/src/file_descriptor.h"
#include "api/src/guarded_watch.h"
#include "api/src/run_program.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <sys/mman.h>
#include <unistd.h>

namespace volpt::v0 {
namespace {

/// Those that pack nothing, or write to other places.
void refuse_options_of_program(Options const& options)
{
    static constexpr std::string_view kOfProgram[] = {"help",       "version",        "list-options", "json",
                                                      "config",     "output",         "export",       "plane",
                                                      "list-grids", "list-materials", "check-mesh"};
    for (Option const& option : options) {
        std::string const name = option.name.substr(0, option.name.find('='));
        if (std::ranges::find(kOfProgram, name) != std::end(kOfProgram))
            fail_usage("volpt::pack has no option " + name, "run the program volprep");
    }
}

/// Runs volprep on `source`, or without one if it is empty.
Volume pack_source(std::string const& source, std::filesystem::path const& output, Options const& options,
                   InheritedFile const* file, NoticeSink const& notice)
{
    Watch const watch{{}, notice};
    GuardedWatch guarded(watch);
    Volume volume = translate_errors([&] {
        refuse_options_of_program(options);
        std::vector<std::string> words{"volprep"};
        for (std::string& word : spell_options(options)) words.push_back(std::move(word));
        words.insert(words.end(), {"-o", std::filesystem::absolute(output).string()});
        if (!source.empty()) words.insert(words.end(), {"--", source}); // it may begin with a dash
        run_program(std::move(words), file, guarded.notice_sink());
        return Volume::open(output);
    });
    guarded.rethrow_failure();
    return volume;
}

void write_all(int number, void const* bytes, std::size_t size_bytes)
{
    auto const* next = static_cast<char const*>(bytes);
    while (size_bytes > 0) {
        ssize_t const written = ::write(number, next, size_bytes);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) fail_system(std::string("the array cannot be copied: ") + std::strerror(errno), "memory");
        next += written;
        size_bytes -= static_cast<std::size_t>(written);
    }
}

void check_array(ArrayView const& source)
{
    if (source.channels != 1 && source.channels != 3)
        fail_input(fmt::format("the array has {} channels", source.channels), "channels", {}, "give 1 or 3");
    std::size_t count = source.channels;
    for (std::size_t const extent : source.dims) {
        if (extent == 0 || extent > 65535)
            fail_input(fmt::format("the array is {} voxels long", extent), "dims", {},
                       "give 1 to 65535 along each axis");
        count *= extent;
    }
    if (count != source.values.size())
        fail_input(
            fmt::format("the array has {} values, and its dims and channels make {}", source.values.size(), count),
            "values");
}

/// Without a place of its own, so that the middle of the box becomes the origin.
std::string format_nrrd_header(ArrayView const& source)
{
    bool const has_colours = source.channels > 1;
    return fmt::format("NRRD0004\ntype: float\ndimension: {}\nsizes: {}{} {} {}\nkinds: {}domain domain domain\n"
                       "endian: little\nencoding: raw\n\n",
                       has_colours ? 4 : 3, has_colours ? "3 " : "", source.dims[0], source.dims[1], source.dims[2],
                       has_colours ? "RGB-color " : "");
}

} // namespace

Volume pack(std::filesystem::path const& source, std::filesystem::path const& output, Options const& options,
            NoticeSink const& notice)
{
    return pack_source(source.string(), output, options, nullptr, notice);
}

Volume pack(ArrayView const& source, std::filesystem::path const& output, Options const& options,
            NoticeSink const& notice)
{
    FileDescriptor const memory(::memfd_create("array", MFD_CLOEXEC));
    translate_errors([&] {
        if (memory.number() < 0)
            fail_system(std::string("the array cannot be copied: ") + std::strerror(errno), "memory");
        check_array(source);
        std::string const header = format_nrrd_header(source);
        write_all(memory.number(), header.data(), header.size());
        write_all(memory.number(), source.values.data(), source.values.size_bytes());
    });
    InheritedFile const file{memory.number(), "/proc/self/fd/" + std::to_string(memory.number()), "the array"};
    return pack_source(file.path, output, options, &file, notice);
}

} // namespace volpt::v0
