#include "api/src/access.h"
#include "api/src/run_program.h"

#include <cerrno>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <sys/mman.h>
#include <unistd.h>

namespace volpt::v0 {
namespace {

Volume pack_words(std::vector<std::string> words, std::filesystem::path const& output, Options const& options,
                  std::string const& path, std::string const& name, NoticeSink const& notice)
{
    for (std::string& word : spell_options(options)) words.push_back(std::move(word));
    words.insert(words.end(), {"-o", output.string()});
    run_program(std::move(words), path, name, notice);
    return Volume::open(output);
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

/// A file in memory that a child inherits.
class MemoryFile {
public:
    MemoryFile() : number_(::memfd_create("array", 0))
    {
        if (number_ < 0) fail_system(std::string("the array cannot be copied: ") + std::strerror(errno), "memory");
    }
    ~MemoryFile() { ::close(number_); }
    MemoryFile(MemoryFile const&) = delete;
    MemoryFile& operator=(MemoryFile const&) = delete;
    int number() const { return number_; }
    std::string path() const { return "/proc/self/fd/" + std::to_string(number_); }

private:
    int number_;
};

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
    return translate_errors([&] {
        std::vector<std::string> words{"volprep"};
        if (!source.empty()) words.push_back(source.string());
        return pack_words(std::move(words), output, options, {}, {}, notice);
    });
}

Volume pack(ArrayView const& source, std::filesystem::path const& output, Options const& options,
            NoticeSink const& notice)
{
    return translate_errors([&] {
        check_array(source);
        MemoryFile const file;
        std::string const header = format_nrrd_header(source);
        write_all(file.number(), header.data(), header.size());
        write_all(file.number(), source.values.data(), source.values.size_bytes());
        return pack_words({"volprep", file.path()}, output, options, file.path(), "the array", notice);
    });
}

} // namespace volpt::v0
